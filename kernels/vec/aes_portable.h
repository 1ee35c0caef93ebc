/* aes_portable.h: AES rounds on eight blocks at once in plain C, for the scalar vocabulary.
 *
 * Constant time: no table, no branch, no address depends on a byte of the state. The blocks stay bit-sliced through all
 * rounds, in eight planes of 128 bits: plane i has bit i of every byte. SubBytes is the 115-gate circuit of Boyar and
 * Peralta ("A depth-16 circuit for the AES S-box", 2011), whose signal names are kept. A plane is a vector of the
 * compiler's (gcc, clang): one register of SSE2 or NEON, several words where there are no such registers. */
#ifndef SIMDP_AES_PORTABLE_H
#define SIMDP_AES_PORTABLE_H

/* lane: column, byte of it: row, the first one low, bit of that: block */
typedef uint32_t aes_plane __attribute__((vector_size(16)));

typedef struct {
    aes_plane p[8];
} aes_blocks;

#define AES_INLINE static inline __attribute__((always_inline, unused))

#if defined(__clang__)
#define AES_LANES(x, a, b, c, d) __builtin_shufflevector(x, x, a, b, c, d)
#define AES_UNROLLED             /* clang unrolls loops over planes without being asked */
#else
#define AES_LANES(x, a, b, c, d) __builtin_shuffle(x, (aes_plane){a, b, c, d})
#define AES_UNROLLED             _Pragma("GCC unroll 8")
#endif

/* lane i of the result is lane i + n of x, around the corner; n a constant */
AES_INLINE aes_plane aes_columns(aes_plane x, const int n)
{
    switch (n & 3) {
    case 0: return x;
    case 1: return AES_LANES(x, 1, 2, 3, 0);
    case 2: return AES_LANES(x, 2, 3, 0, 1);
    default: return AES_LANES(x, 3, 0, 1, 2);
    }
}

/* A block is two words, the low half of the first one its first column: two lanes of a word lie in memory as the CPU
 * orders the bytes of a word. */
AES_INLINE aes_plane aes_in_order(aes_plane x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return AES_LANES(x, 1, 0, 3, 2);
#else
    return x;
#endif
}

/* Exchange the bits of x under mask << shift with those of y under mask. */
AES_INLINE void aes_swap(aes_plane *x, aes_plane *y, uint32_t mask, int shift)
{
    const aes_plane t = ((*x >> shift) ^ *y) & mask;
    *y ^= t;
    *x ^= t << shift;
}

/* Transpose the 8x8 bit matrices that the eight planes form byte by byte: from blocks to planes, or back. */
AES_INLINE void aes_transpose(aes_plane w[8])
{
    AES_UNROLLED for (int i = 0; i < 8; i += 2) aes_swap(&w[i], &w[i + 1], 0x55555555, 1);
    AES_UNROLLED for (int i = 0; i < 8; i += 4)
    {
        aes_swap(&w[i], &w[i + 2], 0x33333333, 2);
        aes_swap(&w[i + 1], &w[i + 3], 0x33333333, 2);
    }
    AES_UNROLLED for (int i = 0; i < 4; i++) aes_swap(&w[i], &w[i + 4], 0x0f0f0f0f, 4);
}

/* count blocks, 8 or less; the others are 0 */
OP void aes_slice(aes_blocks *to, const uint64_t *words, int count)
{
    AES_UNROLLED for (int b = 0; b < 8; b++)
    {
        aes_plane block = {0, 0, 0, 0};
        if (b < count) memcpy(&block, words + 2 * b, sizeof block);
        to->p[b] = aes_in_order(block);
    }
    aes_transpose(to->p);
}

OP void aes_unslice(uint64_t *words, const aes_blocks *from, int count)
{
    aes_blocks s = *from;
    aes_transpose(s.p);
    AES_UNROLLED for (int b = 0; b < count; b++)
    {
        const aes_plane block = aes_in_order(s.p[b]);
        memcpy(words + 2 * b, &block, sizeof block);
    }
}

AES_INLINE void aes_xor(aes_blocks *a, const aes_blocks *b)
{
    AES_UNROLLED for (int i = 0; i < 8; i++) a->p[i] ^= b->p[i];
}

/* Eight times the same block: each of its bits becomes a byte of such bits. */
OP void aes_slice_same(aes_blocks *to, const uint64_t block[2])
{
    aes_plane x;
    memcpy(&x, block, sizeof x);
    x = aes_in_order(x);
    AES_UNROLLED for (int i = 0; i < 8; i++)
    {
        const aes_plane bit = (x >> i) & 0x01010101;
        to->p[i] = (bit << 8) - bit;
    }
}

/* SubBytes on bit planes, plane 7 the most significant. */
AES_INLINE void aes_sub_planes(aes_plane p[8])
{
    const aes_plane x0 = p[7], x1 = p[6], x2 = p[5], x3 = p[4], x4 = p[3], x5 = p[2], x6 = p[1], x7 = p[0];

    /* the linear way in */
    const aes_plane y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3;
    const aes_plane y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5;
    const aes_plane y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11;
    const aes_plane y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* inversion in GF(16) squared */
    const aes_plane t2 = y12 & y15, t4 = (y3 & y6) ^ t2, t6 = (y4 & x7) ^ t2, t7 = y13 & y16, t9 = (y5 & y1) ^ t7;
    const aes_plane t11 = (y2 & y7) ^ t7, t12 = y9 & y11, t14 = (y14 & y17) ^ t12, t16 = (y8 & y10) ^ t12;
    const aes_plane t21 = t4 ^ t14 ^ y20, t22 = t6 ^ t16 ^ y19, t23 = t9 ^ t14 ^ y21, t24 = t11 ^ t16 ^ y18;
    const aes_plane t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t29 = (t25 & t27) ^ t22, t30 = t23 ^ t24;
    const aes_plane t31 = t22 ^ t26, t33 = (t31 & t30) ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35;
    const aes_plane t37 = t36 ^ t34, t38 = t27 ^ t36, t40 = t25 ^ (t29 & t38), t41 = t40 ^ t37, t42 = t29 ^ t33;
    const aes_plane t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const aes_plane z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    const aes_plane z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    const aes_plane z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* the linear way out, with the constant 0x63 */
    const aes_plane t46 = z15 ^ z16, t48 = z5 ^ z13, t53 = z0 ^ z3, t57 = z2 ^ z12 ^ t53, t58 = z4 ^ t46;
    const aes_plane t59 = z3 ^ z6 ^ z7, t60 = t46 ^ t57, t62 = z7 ^ z8 ^ t58, t63 = z9 ^ z10 ^ t58, t64 = z4 ^ t59;
    const aes_plane t65 = z14 ^ t57 ^ t62, t66 = z1 ^ t63, s3 = t53 ^ t66;
    p[7] = t59 ^ t63;
    p[6] = ~(t64 ^ s3);
    p[5] = ~(z16 ^ z17 ^ t64 ^ t65);
    p[4] = s3;
    p[3] = z2 ^ z5 ^ t66;
    p[2] = z10 ^ z11 ^ t65;
    p[1] = ~(z12 ^ t48 ^ t62);
    p[0] = ~(t48 ^ t60);
}

/* ShiftRows: row r moves r columns to the left. Two of the rows by two columns, then two by one. */
AES_INLINE aes_plane aes_shift_rows(aes_plane x)
{
    x ^= (x ^ aes_columns(x, 2)) & 0xffff0000;
    return x ^ ((x ^ aes_columns(x, 1)) & 0xff00ff00);
}

/* MixColumns: 2 a + 3 (row below) + the two rows after it = 2 sum + (row below) + (sum two rows below), sum = a + (row
 * below). Twice: bit i moves to i + 1, and bit 7 to 0, 1, 3 and 4. `turned`: row r lies turned columns r times to the
 * right of where it should be, so what is below lies as many columns to the right. */
AES_INLINE void aes_mix_columns(aes_plane p[8], const int turned)
{
    aes_plane sum[8], below[8];
    AES_UNROLLED for (int i = 0; i < 8; i++)
    {
        const aes_plane x = aes_columns(p[i], turned);
        below[i] = x >> 8 | x << 24;
        sum[i] = p[i] ^ below[i];
    }
    AES_UNROLLED for (int i = 0; i < 8; i++)
    {
        const aes_plane x = aes_columns(sum[i], 2 * turned);
        p[i] = sum[(i + 7) & 7] ^ below[i] ^ (x >> 16 | x << 16);
        if (i == 1 || i == 3 || i == 4) p[i] ^= sum[7];
    }
}

OP void aes_round(aes_blocks *s, const aes_blocks *key, int mix)
{
    aes_plane p[8];
    memcpy(p, s->p, sizeof p);
    aes_sub_planes(p);
    AES_UNROLLED for (int i = 0; i < 8; i++) p[i] = aes_shift_rows(p[i]);
    if (mix) aes_mix_columns(p, 0);
    AES_UNROLLED for (int i = 0; i < 8; i++) s->p[i] = p[i] ^ key->p[i];
}

/* The rounds of a run leave ShiftRows out (Adomnicai, Peyrin, "Fixslicing AES-like ciphers", 2020): after n rounds row
 * r lies n columns r times to the right of where it should be, and so must the key of that round. After four rounds, or
 * eight, all is in place again. */
AES_INLINE void aes_turned(aes_blocks *s, const aes_blocks *key, const int turned)
{
    aes_plane p[8];
    memcpy(p, s->p, sizeof p);
    aes_sub_planes(p);
    aes_mix_columns(p, turned);
    AES_UNROLLED for (int i = 0; i < 8; i++) s->p[i] = p[i] ^ key->p[i];
}

OP void aes_turned_round(aes_blocks *s, const aes_blocks *key, int number) /* number: of the round, from 1 */
{
    switch (number & 3) {
    case 0: aes_turned(s, key, 0); break;
    case 1: aes_turned(s, key, 1); break;
    case 2: aes_turned(s, key, 2); break;
    default: aes_turned(s, key, 3);
    }
}

/* The last round, whose number is a multiple of 4. */
OP void aes_turned_last(aes_blocks *s, const aes_blocks *key)
{
    aes_sub_planes(s->p);
    aes_xor(s, key);
}

/* The key of a round as it must lie: ShiftRows backwards, once a round. Three times forwards is once backwards. */
OP void aes_turn_key(aes_blocks *key, int number)
{
    for (int turns = 3 * number & 3; turns > 0; turns--)
        AES_UNROLLED for (int i = 0; i < 8; i++) key->p[i] = aes_shift_rows(key->p[i]);
}

#endif
