/* filters.h: a filter of each kind in one call. */
#ifndef SIMDP_FILTERS_H
#define SIMDP_FILTERS_H

#include "simdp/simdp.h"

static inline simdp_status filter_basic(simdp_theory_filter *f, double epsilon, double delta)
{
    const simdp_theory_budget budget = {.kind = SIMDP_THEORY_FILTER_BASIC, .epsilon = epsilon, .delta = delta};
    return simdp_theory_filter_open(f, &budget);
}

static inline simdp_status filter_strong(simdp_theory_filter *f, double epsilon, double delta, double slack)
{
    const simdp_theory_budget budget = {
        .kind = SIMDP_THEORY_FILTER_STRONG, .epsilon = epsilon, .delta = delta, .slack = slack};
    return simdp_theory_filter_open(f, &budget);
}

static inline simdp_status filter_zcdp(simdp_theory_filter *f, double epsilon, double delta, double slack)
{
    const simdp_theory_budget budget = {
        .kind = SIMDP_THEORY_FILTER_ZCDP, .epsilon = epsilon, .delta = delta, .slack = slack};
    return simdp_theory_filter_open(f, &budget);
}

static inline simdp_status filter_renyi(simdp_theory_filter *f, double *spent, const double *orders, size_t n,
                                        double epsilon, double delta, double slack)
{
    const simdp_theory_budget budget = {.kind = SIMDP_THEORY_FILTER_RENYI,
                                        .epsilon = epsilon,
                                        .delta = delta,
                                        .slack = slack,
                                        .orders = orders,
                                        .spent = spent,
                                        .orders_count = n};
    return simdp_theory_filter_open(f, &budget);
}

static inline simdp_status filter_typical(simdp_theory_filter *f, double eta, double tau, double nu, size_t limit)
{
    const simdp_theory_budget budget = {
        .kind = SIMDP_THEORY_FILTER_TYPICAL, .epsilon = eta, .delta = tau, .nu = nu, .limit = limit};
    return simdp_theory_filter_open(f, &budget);
}

#endif
