/* vec_ops.h: the vocabulary as a list of functions over arrays, so that each instruction set can be held against
 * scalar. */
#ifndef SIMDP_VEC_OPS_H
#define SIMDP_VEC_OPS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;
    int inputs; /* how many of a, b, c it reads */
    /* n: multiple of 8 */
    void (*run)(uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n);
} vec_op;

/* end: name NULL */
extern const vec_op vec_ops_scalar[], vec_ops_avx2_aesni[], vec_ops_avx2_vaes[], vec_ops_avx512[];

#endif
