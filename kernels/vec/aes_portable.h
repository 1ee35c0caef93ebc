/* aes_portable.h: AES rounds on four blocks at once in plain C, for the scalar vocabulary.
 *
 * Constant time: no table, no branch, no address depends on a byte of the state. SubBytes runs bit-sliced, 64 bytes
 * side by side, through the 115-gate circuit of Boyar and Peralta ("A depth-16 circuit for the AES S-box", 2011), whose
 * signal names are kept; ShiftRows and MixColumns work on the bytes where they lie. Blocks are little-endian words. */
#ifndef SIMDP_AES_PORTABLE_H
#define SIMDP_AES_PORTABLE_H

/* Exchange the bits of x under mask << shift with those of y under mask. */
static inline void aes_swap(uint64_t *x, uint64_t *y, uint64_t mask, int shift)
{
    const uint64_t t = ((*x >> shift) ^ *y) & mask;
    *y ^= t;
    *x ^= t << shift;
}

/* Transpose the 8x8 bit matrices that the eight words form byte by byte: word i then holds bit i of every byte. */
static inline void aes_transpose(uint64_t w[8])
{
    for (int i = 0; i < 8; i += 2) aes_swap(&w[i], &w[i + 1], 0x5555555555555555, 1);
    for (int i = 0; i < 8; i += 4) {
        aes_swap(&w[i], &w[i + 2], 0x3333333333333333, 2);
        aes_swap(&w[i + 1], &w[i + 3], 0x3333333333333333, 2);
    }
    for (int i = 0; i < 4; i++) aes_swap(&w[i], &w[i + 4], 0x0f0f0f0f0f0f0f0f, 4);
}

/* SubBytes on bit planes, plane 7 the most significant. */
static inline void aes_sub_planes(uint64_t p[8])
{
    const uint64_t x0 = p[7], x1 = p[6], x2 = p[5], x3 = p[4], x4 = p[3], x5 = p[2], x6 = p[1], x7 = p[0];

    /* the linear way in */
    const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3;
    const uint64_t y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5;
    const uint64_t y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11;
    const uint64_t y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* inversion in GF(16) squared */
    const uint64_t t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2, t7 = y13 & y16, t9 = (y5 & y1) ^ t7;
    const uint64_t t11 = (y2 & y7) ^ t7, t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const uint64_t t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    const uint64_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22, t30 = t23 ^ t24;
    const uint64_t t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35;
    const uint64_t t37 = t36 ^ t34, t38 = t27 ^ t36, t40 = t25 ^ (t29 & t38), t41 = t40 ^ t37, t42 = t29 ^ t33;
    const uint64_t t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const uint64_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const uint64_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* the linear way out, with the constant 0x63 */
    const uint64_t t46 = z15 ^ z16, t48 = z5 ^ z13, t53 = z0 ^ z3, t57 = z2 ^ z12 ^ t53, t58 = z4 ^ t46;
    const uint64_t t59 = z3 ^ z6 ^ z7, t60 = t46 ^ t57, t62 = z7 ^ z8 ^ t58, t63 = z9 ^ z10 ^ t58, t64 = z4 ^ t59;
    const uint64_t t65 = z14 ^ t57 ^ t62, t66 = z1 ^ t63, s3 = t53 ^ t66;
    p[7] = t59 ^ t63;
    p[6] = ~(t64 ^ s3);
    p[5] = ~(z16 ^ z17 ^ t64 ^ t65);
    p[4] = s3;
    p[3] = z2 ^ z5 ^ t66;
    p[2] = z10 ^ z11 ^ t65;
    p[1] = ~(z12 ^ t48 ^ t62);
    p[0] = ~(t48 ^ t60);
}

/* ShiftRows of one block: row r (byte r of every column) moves r columns to the left. */
static inline void aes_shift_rows(uint64_t *low, uint64_t *high)
{
    const uint64_t a = *low, b = *high;
    *low = (a & 0x000000ff000000ff) | (a >> 32 & 0x0000ff00) | (b << 32 & 0x0000ff0000000000) |
           (b & 0x00ff000000ff0000) | (b >> 32 & 0xff000000) | (a << 32 & 0xff00000000000000);
    *high = (b & 0x000000ff000000ff) | (b >> 32 & 0x0000ff00) | (a << 32 & 0x0000ff0000000000) |
            (a & 0x00ff000000ff0000) | (a >> 32 & 0xff000000) | (b << 32 & 0xff00000000000000);
}

/* MixColumns of the two columns in a word: 2 a + 3 (row below) + the two rows after it. */
static inline uint64_t aes_mix_columns(uint64_t a)
{
    const uint64_t top = a >> 7 & 0x0101010101010101;
    const uint64_t twice = ((a & 0x7f7f7f7f7f7f7f7f) << 1) ^ top * 0x1b;
    const uint64_t next = (a >> 8 & 0x00ffffff00ffffff) | (a << 24 & 0xff000000ff000000);
    const uint64_t sum = a ^ next;
    const uint64_t rest = (sum >> 16 & 0x0000ffff0000ffff) | (sum << 16 & 0xffff0000ffff0000);
    const uint64_t twice_next = (twice >> 8 & 0x00ffffff00ffffff) | (twice << 24 & 0xff000000ff000000);
    return twice ^ twice_next ^ next ^ rest;
}

OP void aes_round_portable(uint64_t w[8], const uint64_t key[8], int mix)
{
    aes_transpose(w);
    aes_sub_planes(w);
    aes_transpose(w);
    for (int i = 0; i < 8; i += 2) aes_shift_rows(&w[i], &w[i + 1]);
    for (int i = 0; i < 8; i++) w[i] = (mix ? aes_mix_columns(w[i]) : w[i]) ^ key[i];
}

#endif
