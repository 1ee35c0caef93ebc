/* law.h: closed forms of a mechanism, found by its name and mapped over arrays. */
#ifndef SIMDP_LOSS_LAW_H
#define SIMDP_LOSS_LAW_H

#include "call/forms.h"

/* Mechanisms that have closed forms here are below this number. */
enum { LOSS_LAWS = SIMDP_MECHANISM_RANDOMIZED_RESPONSE + 1 };

/* A form for each mechanism; NULL: there is none. */
typedef simdp_form loss_forms[LOSS_LAWS];

/* The numbers of a law as its forms take them: parameter[0] is law.parameter; then the leak of randomized response, or
 * the whole sensitivity of discrete noise in two doubles. */
typedef struct {
    double parameter[3];
} loss_parameters;

loss_parameters simdp_loss_parameters(const simdp_law *law);

/* out[i] = the form of the law's mechanism at x[i]; _each takes parameter[i] in place of law.parameter. A mechanism
 * without a form is a bad parameter of the whole call. */
simdp_status simdp_loss_map(double *out, const double *x, size_t n, const loss_forms forms, simdp_law law);
simdp_status simdp_loss_map_each(double *out, const double *x, const double *parameter, size_t n,
                                 const loss_forms forms, simdp_law law);

#endif
