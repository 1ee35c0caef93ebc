/* forms_table.h: every closed form behind one signature, with the domain of each argument, for
 * tests that hold for all of them. */
#ifndef SIMDP_FORMS_TABLE_H
#define SIMDP_FORMS_TABLE_H

#include <stdbool.h>

#include "simdp/simdp.h"

enum { FORM_ARGUMENTS_MAX = 7, FORM_ELEMENTS_MAX = 300 };

/* Domains, one letter per argument:
 *   e [0, inf]   z [0, inf)   s (0, inf)   o (0, inf]   x any number   r any finite number
 *   p [0, 1]     q [0, 1)     b (0, 1]     i (0, 1)     k whole, >= 0   m whole, >= 1   n whole, any
 *   c SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX                g that, 0 or inf   t a bit, 0 or 1
 *   l [2^-100, 1400]                                    u [2^-1000, 1)
 *   y data: any number, and the result of NaN is NaN without an error
 *   a data: no value makes an element NaN
 * A letter in upper case is the same domain for an argument that comes as an array; the others are scalars of the
 * whole call. */
typedef struct {
    const char *name;
    const char *domains;
    double good[FORM_ARGUMENTS_MAX];
    size_t outputs; /* doubles per element */
    /* a[j]: argument j, an array of n for letters in upper case, else one number; whole numbers as doubles. n above
     * FORM_ELEMENTS_MAX: nothing of the arrays may be read */
    simdp_status (*call)(void *out, size_t n, const double *const *a);
    unsigned flags;
    const char *function; /* that the row calls, without simdp_; NULL: it has the row's name */
} form_row;

enum {
    FORM_VECTORISED = 1,   /* runs on the active instruction set: long arrays, every set */
    FORM_SIDE_BY_SIDE = 2, /* the outputs of an element lie n apart, not together */
    FORM_UPDATES = 4,      /* the output is read too; the adapter fills it */
    FORM_UNTOUCHED = 8     /* a bad scalar leaves the output as it was; else it is NaN */
};

extern const form_row forms_of_loss[], forms_of_account[], forms_of_others[]; /* end with a NULL name */

/* The row of the function that has the adapter's name, with flags (RF), and of another function (R_OF, RF_OF). */
#define R(f, domains, outputs, ...)                    RF(f, 0, domains, outputs, __VA_ARGS__)
#define RF(f, flags, domains, outputs, ...)            ROW_OF(NULL, f, flags, domains, outputs, __VA_ARGS__)
#define R_OF(public, f, domains, outputs, ...)         ROW_OF(#public, f, 0, domains, outputs, __VA_ARGS__)
#define RF_OF(public, f, flags, domains, outputs, ...) ROW_OF(#public, f, flags, domains, outputs, __VA_ARGS__)
#define ROW_OF(public, f, flags, domains, outputs, ...)        \
    {                                                          \
#f, domains, {__VA_ARGS__ }, outputs, f, flags, public \
    }

/* The function that a row calls, without simdp_. */
static inline const char *form_function(const form_row *row)
{
    return row->function != NULL ? row->function : row->name;
}

#define WHOLE(x) ((int64_t)(x))

/* The elements that an adapter converts, and the start of the second output. */
static inline size_t form_elements(size_t n) { return n > FORM_ELEMENTS_MAX ? 0 : n; }
static inline double *form_second(void *out, size_t n) { return out == NULL ? NULL : (double *)out + form_elements(n); }

/* Whether none of the first `count` arguments is NULL. */
static inline bool form_given(const double *const *a, int count)
{
    for (int j = 0; j < count; j++) {
        if (a[j] == NULL) return false;
    }
    return true;
}

/* Calls of functions alike: A an array, S a number, K a whole one; the name is that of the function without its
 * prefix. */
#define ROW_A(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n); }
#define ROW_AS(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n, *a[1]); }
#define ROW_ASS(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], n, *a[1], *a[2]); }
#define ROW_ASK(f)                                                     \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_##f(out, a[0], n, *a[1], WHOLE(*a[2]));           \
    }
#define ROW_AA(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], a[1], n); }
#define ROW_AAA(f) \
    static simdp_status f(void *out, size_t n, const double *const *a) { return simdp_##f(out, a[0], a[1], a[2], n); }

#endif
