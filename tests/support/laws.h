/* laws.h: laws of a privacy loss in one word. */
#ifndef SIMDP_TEST_LAWS_H
#define SIMDP_TEST_LAWS_H

#include "simdp/simdp.h"

static inline simdp_law law_of(simdp_mechanism mechanism, double parameter)
{
    return (simdp_law){.mechanism = mechanism, .parameter = parameter};
}
static inline simdp_law law_laplace(double sensitivity_over_scale)
{
    return law_of(SIMDP_MECHANISM_LAPLACE, sensitivity_over_scale);
}
static inline simdp_law law_gaussian(double sigma_over_sensitivity)
{
    return law_of(SIMDP_MECHANISM_GAUSSIAN, sigma_over_sensitivity);
}
static inline simdp_law law_response(double epsilon0) { return law_of(SIMDP_MECHANISM_RANDOMIZED_RESPONSE, epsilon0); }
static inline simdp_law law_leaky(double epsilon0, double leak)
{
    return (simdp_law){.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = epsilon0, .leak = leak};
}
static inline simdp_law law_discrete_laplace(double scale, int64_t sensitivity)
{
    return (simdp_law){.mechanism = SIMDP_MECHANISM_DISCRETE_LAPLACE, .parameter = scale, .sensitivity = sensitivity};
}
static inline simdp_law law_discrete_gaussian(double sigma, int64_t sensitivity)
{
    return (simdp_law){.mechanism = SIMDP_MECHANISM_DISCRETE_GAUSSIAN, .parameter = sigma, .sensitivity = sensitivity};
}

#endif
