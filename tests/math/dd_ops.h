/* dd_ops.h: the functions of math/dd.inc as a list over arrays, for each instruction set, and arguments for them. */
#ifndef SIMDP_DD_OPS_H
#define SIMDP_DD_OPS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double *hi, *lo;
} dd_array;

/* What arguments a function is for. */
typedef enum {
    DD_SUM,      /* any, often close to each other but for the sign */
    DD_PRODUCT,  /* neither 0 nor far from 1: 2^-200 to 2^200 */
    DD_POSITIVE, /* 2^-900 to 2^900, often close to 1 or to a power of two */
    DD_UNIT,     /* (0, 1), often close to 0 or to 1 */
    DD_ANGLE,    /* [-1, 1] */
    DD_WORDS,    /* two words as the bits of a's doubles */
} dd_domain;

typedef struct {
    const char *name;
    dd_domain domain;
    void (*run)(dd_array out, dd_array a, dd_array b, size_t n); /* n: a multiple of 8 */
} dd_op;

extern const dd_op dd_ops_scalar[], dd_ops_avx2[], dd_ops_avx512[]; /* end: name NULL */

/* Arguments i of a fixed sequence: edges first, then random ones. */
void dd_argument(dd_domain domain, uint64_t i, double a[2], double b[2]);

#endif
