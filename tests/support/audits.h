/* audits.h: audits by mechanism: a plan that says the rest, and the parameters of the mechanism. */
#ifndef SIMDP_TEST_AUDITS_H
#define SIMDP_TEST_AUDITS_H

#include "simdp/simdp.h"

/* The plan with a mechanism that adds noise, and with randomized response or a selection. */
static inline simdp_loss_audit_plan audit_of_noise(const simdp_loss_audit_plan *plan, simdp_mechanism mechanism,
                                                   double x0, double x1, double scale)
{
    simdp_loss_audit_plan with = *plan;
    with.mechanism = mechanism, with.x0 = x0, with.x1 = x1, with.scale = scale;
    return with;
}
static inline simdp_loss_audit_plan audit_of_response(const simdp_loss_audit_plan *plan, double epsilon0)
{
    simdp_loss_audit_plan with = *plan;
    with.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, with.scale = epsilon0;
    return with;
}
static inline simdp_loss_audit_plan audit_of_selection(const simdp_loss_audit_plan *plan, const double *scores0,
                                                       const double *scores1, size_t n, double scale)
{
    simdp_loss_audit_plan with = *plan;
    with.mechanism = SIMDP_MECHANISM_SELECTION, with.scale = scale;
    with.scores[0] = scores0, with.scores[1] = scores1, with.candidates = n;
    return with;
}

static inline simdp_status audit_init_laplace(simdp_loss_audit *a, const simdp_loss_audit_plan *plan, double x0,
                                              double x1, double scale)
{
    const simdp_loss_audit_plan with = audit_of_noise(plan, SIMDP_MECHANISM_LAPLACE, x0, x1, scale);
    return simdp_loss_audit_init(a, &with);
}
static inline simdp_status audit_init_gaussian(simdp_loss_audit *a, const simdp_loss_audit_plan *plan, double x0,
                                               double x1, double sigma)
{
    const simdp_loss_audit_plan with = audit_of_noise(plan, SIMDP_MECHANISM_GAUSSIAN, x0, x1, sigma);
    return simdp_loss_audit_init(a, &with);
}
static inline simdp_status audit_init_response(simdp_loss_audit *a, const simdp_loss_audit_plan *plan, double epsilon0)
{
    const simdp_loss_audit_plan with = audit_of_response(plan, epsilon0);
    return simdp_loss_audit_init(a, &with);
}
static inline simdp_status audit_init_selection(simdp_loss_audit *a, const simdp_loss_audit_plan *plan,
                                                const double *scores0, const double *scores1, size_t n, double scale)
{
    const simdp_loss_audit_plan with = audit_of_selection(plan, scores0, scores1, n, scale);
    return simdp_loss_audit_init(a, &with);
}

static inline simdp_status audit_laplace(simdp_rng *rng, simdp_loss_audit_row *rows, const simdp_loss_audit_plan *plan,
                                         double x0, double x1, double scale)
{
    const simdp_loss_audit_plan with = audit_of_noise(plan, SIMDP_MECHANISM_LAPLACE, x0, x1, scale);
    return simdp_loss_audit_run(rng, rows, &with);
}
static inline simdp_status audit_gaussian(simdp_rng *rng, simdp_loss_audit_row *rows, const simdp_loss_audit_plan *plan,
                                          double x0, double x1, double sigma)
{
    const simdp_loss_audit_plan with = audit_of_noise(plan, SIMDP_MECHANISM_GAUSSIAN, x0, x1, sigma);
    return simdp_loss_audit_run(rng, rows, &with);
}
static inline simdp_status audit_response(simdp_rng *rng, simdp_loss_audit_row *rows, const simdp_loss_audit_plan *plan,
                                          double epsilon0)
{
    const simdp_loss_audit_plan with = audit_of_response(plan, epsilon0);
    return simdp_loss_audit_run(rng, rows, &with);
}
static inline simdp_status audit_selection(simdp_rng *rng, simdp_loss_audit_row *rows,
                                           const simdp_loss_audit_plan *plan, const double *scores0,
                                           const double *scores1, size_t n, double scale)
{
    const simdp_loss_audit_plan with = audit_of_selection(plan, scores0, scores1, n, scale);
    return simdp_loss_audit_run(rng, rows, &with);
}

#endif
