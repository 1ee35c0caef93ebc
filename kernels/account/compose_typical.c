/* compose_typical.c: composition of typically stable algorithms: 003 L3.2, T4.2, T4.8, with the errata. */
#include "account/typical.h"

#include "math/forms.h"
#include "math/special.h"
#include "math/sum.h"

#define LN5 0x1.9c041f7ed8d33p+0

/* ---- the sum of e^(c sqrt t + d t) ---- */

#define LAST_TERMS 4096.0
#define FIRST_TERMS 256.0

/* Gauss and Legendre, 16 points: node and weight of the positive half */
static const double nodes[8][2] = {
    {0x1.fa92c264d787ep-1, 0x1.bcddab4b7c211p-6}, {0x1.e39f56616f9b0p-1, 0x1.fdfb1a2c1265dp-5},
    {0x1.bb3403514e483p-1, 0x1.85c4ee79cc258p-4}, {0x1.82c45dda4726bp-1, 0x1.fe7af2bad386ap-4},
    {0x1.3c5a466d5e8b8p-1, 0x1.325f61bca3cbfp-3}, {0x1.d50259a43a772p-2, 0x1.5a6ebbb5a75fcp-3},
    {0x1.205cae642337cp-2, 0x1.75f8c77e0c00fp-3}, {0x1.852bd6676a9f9p-4, 0x1.83feae80e4dfcp-3},
};

/* phi(n) - phi(t), phi(t) = c sqrt t + d t, given j = n - t: as a product, since both are large */
static double descent(double c, double d, double n, double t, double j) { return j * (d + c / (sqrt(n) + sqrt(t))); }

/* The integral of e^(phi(t) - phi(b)) over t from a to b: panels in x = sqrt t, by their distance y from the end that
 * dominates, each with an exponent that changes by at most 2, where 16 points are right to rounding. */
static double integral(double c, double d, double a, double b)
{
    const double end = sqrt(b), most = end - sqrt(a);
    double y = 0.0, sum = 0.0;
    /* bound: some 50 panels, as the exponent falls by about 2 with each, and e^-42 ends it; the width is above 2^-50 of
     * most, since the slope is below 0.015 where this is called, so that y moves */
    while (y < most) {
        const double width = fmin(2.0 / (c + 2.0 * d * (end - y)), most - y);
        double panel = 0.0;
        for (int i = 0; i < 8; i++) {
            for (int side = -1; side <= 1; side += 2) {
                const double at = y + 0.5 * width * (1.0 + side * nodes[i][0]);
                panel += nodes[i][1] * 2.0 * (end - at) * exp(-at * (c + d * (2.0 * end - at)));
            }
        }
        panel *= 0.5 * width;
        sum += panel;
        y = most - y > width ? y + width : most;
        if (panel < 0x1p-60 * sum) break;
    }
    return sum;
}

/* of f = e^phi, its first derivative over 12 less its third over 720, divided by f */
static double corrections(double c, double d, double t)
{
    const double root = sqrt(t), first = 0.5 * c / root + d, second = -0.25 * c / (root * t),
                 third = 0.375 * c / (root * t * t);
    return first / 12.0 - (first * first * first + 3.0 * first * second + third) / 720.0;
}

/* Terms grow, so they are summed from the last, in its units. If 4096 do not suffice, the slope of the exponent is
 * below 0.015 there, and what is left but the first 256 follows from Euler's and Maclaurin's formula. */
double simdp_typical_log_sum(double c, double d, double n)
{
    const double top = c * sqrt(n) + d * n;
    if (isinf(top)) return INFINITY;
    simdp_sum sum = {0, 0};
    double j = 0.0;   /* from the end */
    while (j < LAST_TERMS && n - j >= 1.0) {   /* bound: LAST_TERMS turns */
        const double term = exp(-descent(c, d, n, n - j, j));
        sum_add(&sum, term);
        j = term * (n - j) < 0x1p-56 * sum.sum ? n : j + 1.0;   /* the others are negligible together */
    }
    double t = n - j;
    if (t > (double)FIRST_TERMS) {
        const double a = FIRST_TERMS, b = t, at_b = exp(-descent(c, d, n, b, j)),
                     at_a = exp(-descent(c, d, n, a, n - a));
        sum_add(&sum, at_b * integral(c, d, a, b));
        sum_add(&sum, 0.5 * (at_a + at_b) + at_b * corrections(c, d, b) - at_a * corrections(c, d, a));
        t = a - 1.0;
    }
    /* bound: FIRST_TERMS turns */
    for (; t >= 1.0; t -= 1.0) sum_add(&sum, exp(-descent(c, d, n, t, n - t)));
    return top + log(sum_value(&sum));
}

/* ---- theorems ---- */

static const simdp_stability_composed no_result = {NAN, NAN, NAN, NAN, NAN, NAN};

static bool are_steps(const simdp_stability_steps *s)
{
    return s->eta >= 0.0 && is_probability(s->tau) && is_probability(s->nu) && s->k >= 0;
}

static simdp_stability_composed of_one(const simdp_stability_steps *s)
{
    return (simdp_stability_composed){s->eta, s->tau, s->nu, log(s->tau), 0.0, 0.0};
}

static simdp_stability_composed nonadaptive(const simdp_stability_steps *s)
{
    if (!are_steps(s)) return no_result;
    const double tau = fmin(1.0, account_up_product(s->k, s->tau));
    return (simdp_stability_composed){
        account_up_product(s->k, s->eta), tau, fmin(1.0, account_up_product(s->k, s->nu)), log(tau), 0.0, 0.0};
}

/* tau = nu = 5 sqrt((mass + nu + nu sum_{t<k} e^(c sqrt t + d t))/m), eta = 3 (c sqrt k + d k) */
static simdp_stability_composed adaptive(const simdp_stability_steps *s, double c, double d, double mass, double m)
{
    const double k = (double)s->k, log_mass = log(mass + s->nu);
    const double log_all =
        s->nu == 0.0 ? log_mass : simdp_special_logaddexp(log_mass, log(s->nu) + simdp_typical_log_sum(c, d, k - 1.0));
    double log_tau = LN5 + 0.5 * (log_all - log(m));
    if (!isinf(log_tau)) log_tau += 0x1p-43 + 0x1p-49 * fabs(log_tau);   /* its error */
    const double tau = account_up_probability(exp(log_tau));
    return (simdp_stability_composed){account_up(3.0 * (c * sqrt(k) + d * k)), tau, tau, log_tau, 0.0, 0.0};
}

simdp_stability_composed simdp_typical_compose_pure(const simdp_stability_steps *s)
{
    if (!are_steps(s) || !(s->eta > 0.0 && s->slack > 0.0 && s->slack < 1.0) || s->tau != 0.0) return no_result;
    if (s->k == 0) return (simdp_stability_composed){0.0, 0.0, 0.0, -INFINITY, 0.0, 0.0};
    if (s->k == 1) return of_one(s);
    const double c = s->eta * sqrt(-2.0 * log(s->slack)), d = s->eta * expm1(s->eta);
    return adaptive(s, c, d, (double)s->k * s->slack, fmin(s->eta, 5.0));
}

static simdp_stability_composed approximate(const simdp_stability_steps *s)
{
    const double eta = s->eta, tau = s->tau;
    if (!are_steps(s) ||
        !(eta > 0.0 && eta <= 1.5 && tau > 0.0 && tau <= eta / 50.0 && s->slack > 0.0 && s->slack < 1.0))
        return no_result;
    if (s->k == 0) return (simdp_stability_composed){0.0, 0.0, 0.0, -INFINITY, 0.0, 0.0};
    if (s->k == 1) return of_one(s);
    const double tau_hat = 2.0 * tau / -expm1(-eta), e = exp(eta), rest = expm1(eta);
    const double quartic = 4.0 * e * e + 4.0 * e - 3.0 - 2.0 / e + 1.0 / (e * e);
    const double part = tau / rest * e;   /* at most e^eta/50, where e/rest may overflow */
    const double psi = tau * (2.0 * e + 1.0) + tau * tau + 2.0 * part * part * quartic;
    const double c = 2.0 * eta * sqrt(-2.0 * log(s->slack)),
                 d = 2.0 * eta * (expm1(2.0 * eta) + tau_hat) / (1.0 - tau_hat) + psi;
    simdp_stability_composed out = adaptive(s, c, d, (double)s->k * (tau_hat + s->slack), 2.0 * eta);
    out.tau_hat = account_up(tau_hat);
    out.psi = account_up(psi);
    return out;
}

/* ---- public ---- */

static simdp_status compose(simdp_stability_composed *total, const simdp_stability_steps *steps, size_t n,
                            simdp_stability_composed (*theorem)(const simdp_stability_steps *))
{
    FORMS_EACH(n, form_is_number((total[i] = theorem(&steps[i])).eta), FORM_ARRAY(total), FORM_ARRAY(steps));
}

simdp_status simdp_compose_typical_nonadaptive(simdp_stability_composed *total, const simdp_stability_steps *steps,
                                               size_t n)
{
    return compose(total, steps, n, nonadaptive);
}

simdp_status simdp_compose_typical_pure(simdp_stability_composed *total, const simdp_stability_steps *steps, size_t n)
{
    return compose(total, steps, n, simdp_typical_compose_pure);
}

simdp_status simdp_compose_typical_approximate(simdp_stability_composed *total, const simdp_stability_steps *steps,
                                               size_t n)
{
    return compose(total, steps, n, approximate);
}
