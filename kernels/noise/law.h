/* law.h: a law of noise as closed forms, and what their arguments must be. */
#ifndef SIMDP_NOISE_LAW_H
#define SIMDP_NOISE_LAW_H

#include "call/forms.h"

/* Each takes a number, or for the quantile a probability, and the scale; NULL: the law has no such form. */
typedef struct {
    simdp_form cdf, sf, log_density, probability, quantile;
} noise_law;

extern const noise_law simdp_noise_law_discrete_laplace, simdp_noise_law_discrete_gaussian;

static inline bool noise_law_scale_ok(double scale) { return scale > 0.0 && scale < INFINITY; }
static inline bool noise_law_is_probability(double p) { return p >= 0.0 && p <= 1.0; }

#endif
