/* truth_finite.h: divergences of two laws of six masses in MPFR, and the errors that the header allows. */
#ifndef SIMDP_PROPERTY_TRUTH_FINITE_H
#define SIMDP_PROPERTY_TRUTH_FINITE_H

#include "property/truth.h"

/* 6 masses each; a[0] is the order or epsilon, a[1..6] = p, a[7..12] = q */
enum { SIZE = 6 };
#define P(a) ((a) + 1)
#define Q(a) ((a) + 1 + SIZE)

/* sum p ln(p/q), or the largest ln(p/q) */
static inline void entropy_truth(mpfr_t out, const double *p, const double *q, bool largest)
{
    mpfr_t x, y;
    mpfr_inits2(PROPERTY_BITS, x, y, (mpfr_ptr)0);
    if (largest) mpfr_set_inf(out, -1);
    else mpfr_set_ui(out, 0, MPFR_RNDN);
    for (int i = 0; i < SIZE; i++) {
        if (p[i] == 0.0) continue;
        truth_log(x, p[i]);
        truth_log(y, q[i]);
        mpfr_sub(x, x, y, MPFR_RNDN);
        if (largest) {
            mpfr_max(out, out, x, MPFR_RNDN);
        } else {
            mpfr_mul_d(x, x, p[i], MPFR_RNDN);
            mpfr_add(out, out, x, MPFR_RNDN);
        }
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}

static inline void divergences_finite_truth(mpfr_t *out, const double *a)
{
    entropy_truth(out[0], P(a), Q(a), false);
    entropy_truth(out[1], Q(a), P(a), false);
    entropy_truth(out[2], P(a), Q(a), true);
    entropy_truth(out[3], Q(a), P(a), true);
    mpfr_t x;
    mpfr_init2(x, 3000);
    mpfr_set_ui(out[4], 0, MPFR_RNDN);
    for (int i = 0; i < SIZE; i++) {
        property_exact(x, P(a)[i]);
        mpfr_sub_d(x, x, Q(a)[i], MPFR_RNDN);
        mpfr_abs(x, x, MPFR_RNDN);
        mpfr_div_2ui(x, x, 1, MPFR_RNDN);
        mpfr_add(out[4], out[4], x, MPFR_RNDN);
    }
    mpfr_clear(x);
}

/* Of the entries where both are positive (or p is, if `alone`): *difference = |sum p - sum q|, *rest = |sum p - 1|,
 * *all = sum p + sum q */
static inline void sums_of(mpfr_t difference, mpfr_t rest, mpfr_t all, const double *p, const double *q, bool alone)
{
    mpfr_set_ui(difference, 0, MPFR_RNDN);
    mpfr_set_si(rest, -1, MPFR_RNDN);
    mpfr_set_ui(all, 0, MPFR_RNDN);
    for (int i = 0; i < SIZE; i++) {
        if (p[i] == 0.0 || (!alone && q[i] == 0.0)) continue;
        mpfr_add_d(difference, difference, p[i], MPFR_RNDN);
        mpfr_sub_d(difference, difference, q[i], MPFR_RNDN);
        mpfr_add_d(rest, rest, p[i], MPFR_RNDN);
        mpfr_add_d(all, all, p[i], MPFR_RNDN);
        mpfr_add_d(all, all, q[i], MPFR_RNDN);
    }
    mpfr_abs(difference, difference, MPFR_RNDN);
    mpfr_abs(rest, rest, MPFR_RNDN);
}

/* 1e-14 |sum p - sum q| and 2^-100 of all masses, as the header says */
static inline void entropy_slack(mpfr_t out, const double *p, const double *q)
{
    mpfr_t rest, all;
    mpfr_inits2(3000, rest, all, (mpfr_ptr)0);
    sums_of(out, rest, all, p, q, true);
    mpfr_mul_d(out, out, 2e-14, MPFR_RNDU);
    mpfr_mul_2si(all, all, -100, MPFR_RNDU);
    mpfr_add(out, out, all, MPFR_RNDU);
    mpfr_clears(rest, all, (mpfr_ptr)0);
}

static inline void divergences_finite_slack(mpfr_t *out, const double *a)
{
    entropy_slack(out[0], P(a), Q(a));
    entropy_slack(out[1], Q(a), P(a));
}

/* ln(sum p^order q^(1 - order))/(order - 1) */
static inline void renyi_finite_truth(mpfr_t *out, const double *a)
{
    const double order = a[0], *p = P(a), *q = Q(a);
    if (order == 1.0 || isinf(order)) {
        entropy_truth(out[0], p, q, order > 1.0);
        return;
    }
    mpfr_t sum, x, y, one_less, most;
    mpfr_inits2(PROPERTY_BITS + 700, sum, x, y, one_less, most, (mpfr_ptr)0);
    property_exact(one_less, order);
    mpfr_sub_ui(one_less, one_less, 1, MPFR_RNDN);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    bool infinite = false, first = true;
    mpfr_set_inf(most, -1); /* exponents may be beyond 2^62, so powers are taken relative to the largest */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < SIZE; i++) {
            if (p[i] == 0.0) continue;
            if (q[i] == 0.0) {
                infinite = infinite || order > 1.0;
                continue;
            }
            first = false;
            truth_log(x, p[i]);
            mpfr_mul_d(x, x, order, MPFR_RNDN);
            truth_log(y, q[i]);
            mpfr_mul(y, y, one_less, MPFR_RNDN);
            mpfr_sub(x, x, y, MPFR_RNDN);
            if (pass == 0) {
                mpfr_max(most, most, x, MPFR_RNDN);
            } else {
                mpfr_sub(x, x, most, MPFR_RNDN);
                mpfr_exp(x, x, MPFR_RNDN);
                mpfr_add(sum, sum, x, MPFR_RNDN);
            }
        }
    }
    if (infinite || first) {
        mpfr_set_inf(out[0], 1);
    } else {
        mpfr_log(sum, sum, MPFR_RNDN);
        mpfr_add(sum, sum, most, MPFR_RNDN);
        mpfr_div(out[0], sum, one_less, MPFR_RNDN);
    }
    mpfr_clears(sum, x, y, one_less, most, (mpfr_ptr)0);
}

/* 1e-14 of |sum p - sum q| + |sum p - 1|/|order - 1| */
static inline void renyi_finite_slack(mpfr_t *out, const double *a)
{
    mpfr_t rest, all;
    if (isinf(a[0])) return;
    if (a[0] == 1.0) {
        entropy_slack(out[0], P(a), Q(a));
        return;
    }
    mpfr_inits2(3000, rest, all, (mpfr_ptr)0);
    sums_of(out[0], rest, all, P(a), Q(a), false);
    mpfr_div_d(rest, rest, fabs(a[0] - 1.0), MPFR_RNDU);
    mpfr_add(out[0], out[0], rest, MPFR_RNDU);
    mpfr_mul_d(out[0], out[0], 1e-14, MPFR_RNDU);
    mpfr_clears(rest, all, (mpfr_ptr)0);
}

static inline void delta_finite_truth(mpfr_t *out, const double *a)
{
    mpfr_t x, power;
    mpfr_inits2(PROPERTY_BITS, x, power, (mpfr_ptr)0);
    property_exact(power, a[0]);
    mpfr_exp(power, power, MPFR_RNDN);
    mpfr_set_ui(out[0], 0, MPFR_RNDN);
    for (int i = 0; i < SIZE; i++) {
        mpfr_set_ui(x, 0, MPFR_RNDN);
        if (Q(a)[i] > 0.0) mpfr_mul_d(x, power, Q(a)[i], MPFR_RNDN);
        mpfr_d_sub(x, P(a)[i], x, MPFR_RNDN);
        if (mpfr_sgn(x) > 0) mpfr_add(out[0], out[0], x, MPFR_RNDN);
    }
    mpfr_clears(x, power, (mpfr_ptr)0);
}

/* 2^-96 of the masses of p */
static inline void delta_finite_slack(mpfr_t *out, const double *a)
{
    for (int i = 0; i < SIZE; i++) mpfr_add_d(out[0], out[0], P(a)[i], MPFR_RNDU);
    mpfr_mul_2si(out[0], out[0], -96, MPFR_RNDU);
}

#endif
