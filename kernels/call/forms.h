/* forms.h: closed forms over arrays: one gate, one loop, one rule for bad input.
 *
 * The rule: a NULL array of n > 0 elements is SIMDP_ENULL, a count whose bytes overflow SIMDP_EPARAM, both with nothing
 * written; n = 0 does nothing; a bad element gives NaN in its place, the others are right, and the call says
 * SIMDP_EPARAM; a bad parameter of the whole call makes every element bad. Every public form goes through FORMS_EACH,
 * or, if its loop is a kernel of an instruction set, through FORMS_GATE, and its kernel tells whether all elements were
 * good. */
#ifndef SIMDP_FORMS_H
#define SIMDP_FORMS_H

#include <math.h>
#include <stdbool.h>

#include "call/fp_mode.h"
#include "simdp/simdp.h"
#include "vec/float_rules.h"

/* An array that a form reads or writes: n elements of `size` bytes. */
typedef struct {
    const void *at;
    size_t size;
} form_array;

#define FORM_ARRAY(array)        \
    {                            \
        (array), sizeof *(array) \
    }

/* SIMDP_OK for n = 0 and for n elements that all arrays can hold. */
simdp_status simdp_forms_gate(const form_array *arrays, size_t count, size_t n);

/* FORMS_GATE(n, FORM_ARRAY(out), FORM_ARRAY(in), ...) */
#define FORMS_GATE(n, ...) \
    simdp_forms_gate((const form_array[]){__VA_ARGS__}, sizeof((form_array[]){__VA_ARGS__}) / sizeof(form_array), (n))

/* The body of a public function: `good` is an expression that stores element i and is true if its arguments were good;
 * it runs for every i < n in the default floating-point mode. The arrays follow, as for FORMS_GATE. An element may be
 * stored over its own arguments: good reads them before it stores. */
#define FORMS_EACH(n, good, ...)                      \
    simdp_status status = FORMS_GATE(n, __VA_ARGS__); \
    if (status != SIMDP_OK) return status;            \
    const unsigned mode = fp_mode_enter();            \
    for (size_t i = 0; i < (n); i++) {                \
        if (!(good)) status = SIMDP_EPARAM;           \
    }                                                 \
    fp_mode_leave(mode);                              \
    return status

/* For forms that return NaN exactly where an argument is bad: FORMS_EACH(n, form_is_number(out[i] = f(x[i])), ...). */
static inline bool form_is_number(double x) { return !isnan(x); }

/* A form of an argument and parameters. It returns NaN exactly when one of them is NaN or outside its domain. */
typedef double (*simdp_form)(double x, const double *parameters);

/* out[i] = f(x[i], parameters); out may be x */
simdp_status simdp_forms_map(double *out, const double *x, size_t n, simdp_form f, const double *parameters);

/* out[i] = f(x[i], {first[i]}), and f(x[i], {first[i], second[i]}); out may be any of them */
simdp_status simdp_forms_map_each(double *out, const double *x, const double *first, size_t n, simdp_form f);
simdp_status simdp_forms_map_pairs(double *out, const double *x, const double *first, const double *second, size_t n,
                                   simdp_form f);

#endif
