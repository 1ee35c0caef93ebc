/* vec_scalar.h: the vocabulary in plain C, eight lanes in a struct. Works on every x86-64; also the reference the other
 * vocabularies are tested against. */
#ifndef SIMDP_VEC_SCALAR_H
#define SIMDP_VEC_SCALAR_H

#include <math.h>

#include "vec/aes_portable.h"

#define VEC_LANES 8
#define VEC_STEP  2

typedef struct { double d[VEC_LANES]; } vd;
typedef struct { uint64_t u[VEC_LANES]; } vu;
typedef vu vs;
typedef vd vt;

#define VEC_EACH(type, field, expression)                               \
    type result;                                                        \
    for (int i = 0; i < VEC_LANES; i++) result.field[i] = (expression); \
    return result

OP vd vd_set1(double x) { VEC_EACH(vd, d, x); }
OP vd vd_load(const double *p) { VEC_EACH(vd, d, p[i]); }
OP void vd_store(double *p, vd a) { memcpy(p, &a, sizeof a); }
OP vd vd_add(vd a, vd b) { VEC_EACH(vd, d, a.d[i] + b.d[i]); }
OP vd vd_sub(vd a, vd b) { VEC_EACH(vd, d, a.d[i] - b.d[i]); }
OP vd vd_mul(vd a, vd b) { VEC_EACH(vd, d, a.d[i] * b.d[i]); }
OP vd vd_fma(vd a, vd b, vd c) { VEC_EACH(vd, d, fma(a.d[i], b.d[i], c.d[i])); }   /* a*b + c, rounded once */
OP vd vd_from_bits(vu a) { vd r; memcpy(&r, &a, sizeof r); return r; }
OP vu vd_bits(vd a) { vu r; memcpy(&r, &a, sizeof r); return r; }
OP vd vd_from_i64(vu a) { VEC_EACH(vd, d, (double)(int64_t)a.u[i]); }              /* rounded to nearest even */

OP vt vt_load(const double table[8]) { return vd_load(table); }
OP vd vt_at(vt table, vu index)                                       /* table[index & 7], every entry touched */
{
    vu r;
    const vu entries = vd_bits(table);
    for (int i = 0; i < VEC_LANES; i++) {
        r.u[i] = 0;
        for (uint64_t j = 0; j < 8; j++) r.u[i] |= entries.u[j] & -(uint64_t)((index.u[i] & 7) == j);
    }
    return vd_from_bits(r);
}

OP vu vu_set1(uint64_t x) { VEC_EACH(vu, u, x); }
OP vu vu_load(const uint64_t *p) { VEC_EACH(vu, u, p[i]); }
OP void vu_store(uint64_t *p, vu a) { memcpy(p, &a, sizeof a); }
OP vu vu_and(vu a, vu b) { VEC_EACH(vu, u, a.u[i] & b.u[i]); }
OP vu vu_or(vu a, vu b) { VEC_EACH(vu, u, a.u[i] | b.u[i]); }
OP vu vu_xor(vu a, vu b) { VEC_EACH(vu, u, a.u[i] ^ b.u[i]); }
OP vu vu_sub(vu a, vu b) { VEC_EACH(vu, u, a.u[i] - b.u[i]); }
OP vu vu_bits_or(vu a, vu mask, vu b) { VEC_EACH(vu, u, (a.u[i] & mask.u[i]) | b.u[i]); }
OP vu vu_bits_xor(vu a, vu mask, vu b) { VEC_EACH(vu, u, (a.u[i] & mask.u[i]) ^ b.u[i]); }
OP vu vu_shr(vu a, int count) { VEC_EACH(vu, u, a.u[i] >> count); }

OP vs vs_set1(const uint64_t block[2]) { VEC_EACH(vs, u, block[i & 1]); }           /* the same block everywhere */
OP vs vs_load_xor(const uint64_t *p, vs a) { VEC_EACH(vs, u, p[i] ^ a.u[i]); }
OP vs vs_round(vs a, vs key) { aes_round_portable(a.u, key.u, 1); return a; }
OP vs vs_last(vs a, vs key) { aes_round_portable(a.u, key.u, 0); return a; }
OP vu vs_words(vs a) { return a; }

#endif
