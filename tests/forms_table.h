/* forms_table.h: every closed form of loss and account behind one signature, with the domain of each argument, for
 * tests that hold for all of them. */
#ifndef SIMDP_FORMS_TABLE_H
#define SIMDP_FORMS_TABLE_H

#include "simdp/simdp.h"

enum { FORM_ARGUMENTS_MAX = 7 };

/* Domains, one letter per argument:
 *   e [0, inf]   z [0, inf)   s (0, inf)   o (0, inf]   x any number   r any finite number
 *   p [0, 1]     q [0, 1)     b (0, 1]     i (0, 1)     k whole, >= 0   m whole, >= 1   n whole, any
 * A letter in upper case is the same domain for an argument that comes as an array; the others are scalars of the
 * whole call. */
typedef struct {
    const char *name;
    const char *domains;
    double good[FORM_ARGUMENTS_MAX];
    size_t outputs;   /* doubles per element */
    /* a[j]: argument j, an array of n for letters in upper case, else one number; whole numbers as doubles */
    simdp_status (*call)(void *out, size_t n, const double *const *a);
} form_row;

extern const form_row forms_of_loss[], forms_of_account[];   /* end with a NULL name */

#define WHOLE(x) ((int64_t)(x))

/* Calls of functions alike: A an array, S a number, K a whole one; the name is that of the function without its
 * prefix. */
#define ROW_A(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n); }
#define ROW_AS(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n, *a[1]); }
#define ROW_ASS(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n, *a[1], *a[2]); }
#define ROW_ASK(f) \
    static simdp_status f(void *out, size_t n, const double *const *a)                                                 \
    {                                                                                                                  \
        return simdp_##f(out, a[0], n, *a[1], WHOLE(*a[2]));                                                           \
    }
#define ROW_AA(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], a[1], n); }
#define ROW_AAA(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], a[1], a[2], n); }

#endif
