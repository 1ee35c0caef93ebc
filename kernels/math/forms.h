/* forms.h: closed forms over arrays: one loop, one rule for bad input.
 *
 * A form is a scalar function of an argument and parameters that returns NaN exactly when one of them is NaN or
 * outside its domain. So NaN in the output is the sign of bad input: that element is NaN, the others are right, and
 * the call says SIMDP_EPARAM. */
#ifndef SIMDP_FORMS_H
#define SIMDP_FORMS_H

#include "simdp/simdp.h"
#include "vec/float_rules.h"

enum { FORM_PARAMETERS_MAX = 3 };

typedef double (*simdp_form)(double x, const double *parameters);

/* out[i] = f(x[i], parameters), in the default floating-point mode; out may be x */
simdp_status simdp_forms_map(double *out, const double *x, size_t n, simdp_form f, const double *parameters);

/* out[i] = f(x[i], {first[i], second[i]}); second is NULL for a form of one parameter; out may be any of them */
simdp_status simdp_forms_map_each(double *out, const double *x, const double *first, const double *second, size_t n,
                                  simdp_form f);

/* The public function simdp_<what>_<law>(out, x, n, scale) of the form <law>_<what>. */
#define FORM_OF_SCALE(what, law)                                                                                       \
    simdp_status simdp_##what##_##law(double *out, const double *x, size_t n, double scale)                            \
    {                                                                                                                  \
        return simdp_forms_map(out, x, n, law##_##what, &scale);                                                       \
    }

#endif
