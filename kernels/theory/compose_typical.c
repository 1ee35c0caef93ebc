/* compose_typical.c: composition of typically stable algorithms: 003 L3.2, T4.2, T4.8, with the errata. */
#include "theory/typical.h"

#include "call/forms.h"
#include "math/plain_math.h"
#include "math/sum.h"

#define LN5 ((ball){0x1.9c041f7ed8d33p+0, 0x1p-53})

/* ---- the sum of e^(c sqrt t + d t) ---- */

#define LAST_TERMS  4096.0
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
                panel += nodes[i][1] * 2.0 * (end - at) * plain_exp(-at * (c + d * (2.0 * end - at)));
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

/* ln of the sum in units of its last term. Terms grow, so they are summed from the last. If 4096 do not suffice, the
 * slope of the exponent is below 0.015 there, and what is left but the first 256 follows from Euler's and Maclaurin's
 * formula. */
static double log_sum_below_top(double c, double d, double n)
{
    simdp_sum sum = {0, 0};
    double j = 0.0;                          /* from the end */
    while (j < LAST_TERMS && n - j >= 1.0) { /* bound: LAST_TERMS turns */
        const double term = plain_exp(-descent(c, d, n, n - j, j));
        sum_add(&sum, term);
        j = term * (n - j) < 0x1p-56 * sum.sum ? n : j + 1.0; /* the others are negligible together */
    }
    double t = n - j;
    if (t > (double)FIRST_TERMS) {
        const double a = FIRST_TERMS, b = t, at_b = plain_exp(-descent(c, d, n, b, j)),
                     at_a = plain_exp(-descent(c, d, n, a, n - a));
        sum_add(&sum, at_b * integral(c, d, a, b));
        sum_add(&sum, 0.5 * (at_a + at_b) + at_b * corrections(c, d, b) - at_a * corrections(c, d, a));
        t = a - 1.0;
    }
    /* bound: FIRST_TERMS turns */
    for (; t >= 1.0; t -= 1.0) sum_add(&sum, plain_exp(-descent(c, d, n, t, n - t)));
    return plain_log(sum_value(&sum));
}

#define LOG_SUM_ERROR 1e-13 /* of log_sum_below_top at given c, d and n */

/* The logarithm grows with c, d and n no faster than its last term does, so errors of those three count once, with the
 * top. */
ball simdp_typical_log_sum(ball c, ball d, int64_t n)
{
    const ball count = ball_of_count(n), top = ball_add(ball_multiply(c, ball_sqrt(count)), ball_multiply(d, count));
    if (isinf(top.value)) return top;
    const double below = log_sum_below_top(c.value, d.value, count.value);
    return ball_add(top, ball_with(below, LOG_SUM_ERROR));
}

/* ---- theorems ---- */

static const simdp_theory_stability_composed no_result = {NAN, NAN, NAN, NAN, NAN, NAN};

static bool are_steps(const simdp_theory_stability_steps *s)
{
    return s->eta >= 0.0 && is_probability(s->tau) && is_probability(s->nu) && s->k >= 0;
}

/* k x, at most 1 */
static double product_probability(ball k, double x) { return ball_up_probability(ball_multiply(k, ball_of(x))); }

/* ln(k x); as one logarithm, since ln k and ln x cancel, unless the product is subnormal */
static double log_product(ball k, double x)
{
    if (k.value == 0.0 || x == 0.0) return -INFINITY;
    const ball product = ball_multiply(k, ball_of(x));
    return ball_up(product.value > 0x1p-900 ? ball_log(product) : ball_add(ball_log(k), ball_log(ball_of(x))));
}

static simdp_theory_stability_composed nonadaptive(const simdp_theory_stability_steps *s)
{
    if (!are_steps(s)) return no_result;
    const ball k = ball_of_count(s->k);
    const double eta = s->k == 0 ? 0.0 : isinf(s->eta) ? INFINITY : ball_up(ball_multiply(k, ball_of(s->eta)));
    return (simdp_theory_stability_composed){
        eta, product_probability(k, s->tau), product_probability(k, s->nu), log_product(k, s->tau), 0.0, 0.0};
}

/* Of no step, and of one: there is nothing to compose. */
static simdp_theory_stability_composed of_few(const simdp_theory_stability_steps *s)
{
    if (s->k == 0) return (simdp_theory_stability_composed){0.0, 0.0, 0.0, -INFINITY, 0.0, 0.0};
    return (simdp_theory_stability_composed){s->eta, s->tau, s->nu, log_product(ball_of(1.0), s->tau), 0.0, 0.0};
}

/* tau = nu = 5 sqrt((mass + nu + nu sum_{t<k} e^(c sqrt t + d t))/m), eta = 3 (c sqrt k + d k) */
static simdp_theory_stability_composed adaptive(const simdp_theory_stability_steps *s, ball c, ball d, ball mass,
                                                ball m)
{
    const ball k = ball_of_count(s->k), log_mass = ball_log(ball_add(mass, ball_of(s->nu)));
    const ball reach = ball_add(ball_multiply(c, ball_sqrt(k)), ball_multiply(d, k));
    ball log_all = log_mass;
    if (s->nu > 0.0) {
        const ball log_sum = simdp_typical_log_sum(c, d, s->k - 1);
        log_all =
            isinf(log_sum.value) ? log_sum : ball_logaddexp(log_mass, ball_add(ball_log(ball_of(s->nu)), log_sum));
    }
    const ball log_tau = ball_add(LN5, ball_scale(ball_subtract(log_all, ball_log(m)), 0.5));
    const double log_up = ball_up(log_tau), tau = log_up >= 0.0 ? 1.0 : ball_up_probability(ball_exp(log_tau));
    return (simdp_theory_stability_composed){ball_up(ball_multiply(ball_of(3.0), reach)), tau, tau, log_up, 0.0, 0.0};
}

/* eta sqrt(2 ln(1/slack)) */
static ball root_part(double eta, double slack)
{
    const ball l = ball_negative(ball_log(ball_of(slack)));
    return ball_multiply(ball_of(eta), ball_sqrt(ball_scale(l, 2.0)));
}

simdp_theory_stability_composed simdp_typical_compose_pure(const simdp_theory_stability_steps *s)
{
    if (!are_steps(s) || !(s->eta > 0.0 && s->slack > 0.0 && s->slack < 1.0) || s->tau != 0.0) return no_result;
    if (s->k <= 1) return of_few(s);
    const ball eta = ball_of(s->eta), d = ball_multiply(eta, ball_expm1(eta));
    const ball mass = ball_multiply(ball_of_count(s->k), ball_of(s->slack));
    return adaptive(s, root_part(s->eta, s->slack), d, mass, ball_of(fmin(s->eta, 5.0)));
}

/* psi = tau (2 e^eta + 1) + tau^2 + 2 (tau e^eta/(e^eta - 1))^2 (4 e^(2 eta) + 4 e^eta - 3 - 2 e^-eta + e^(-2 eta)):
 * the quotient is at most e^eta/50, where e^eta/(e^eta - 1) may overflow. With g = e^eta - 1 and h = 1 - e^-eta the
 * last factor is 4 + 4 g (g + 3) + h^2. */
static ball psi_of(ball eta, ball tau)
{
    const ball g = ball_expm1(eta), h = ball_negative(ball_expm1(ball_negative(eta))), one = ball_of(1.0);
    const ball factor = ball_add(ball_add(ball_of(4.0), ball_multiply(ball_scale(g, 4.0), ball_add(g, ball_of(3.0)))),
                                 ball_multiply(h, h));
    const ball part = ball_divide(tau, h), linear = ball_add(ball_scale(ball_add(g, one), 2.0), one);
    return ball_add(ball_multiply(tau, ball_add(linear, tau)),
                    ball_multiply(ball_scale(ball_multiply(part, part), 2.0), factor));
}

static simdp_theory_stability_composed approximate(const simdp_theory_stability_steps *s)
{
    if (!are_steps(s) || !(s->eta > 0.0 && s->eta <= 1.5 && s->tau > 0.0 && s->tau <= s->eta / 50.0) ||
        !(s->slack > 0.0 && s->slack < 1.0))
        return no_result;
    if (s->k <= 1) return of_few(s);
    const ball eta = ball_of(s->eta), tau = ball_of(s->tau), twice = ball_scale(eta, 2.0);
    const ball tau_hat = ball_divide(ball_scale(tau, 2.0), ball_negative(ball_expm1(ball_negative(eta))));
    const ball psi = psi_of(eta, tau), kept = ball_subtract(ball_of(1.0), tau_hat);
    const ball mean = ball_divide(ball_add(ball_expm1(twice), tau_hat), kept); /* e^(2 eta)/(1 - tau_hat) - 1 */
    const ball d = ball_add(ball_multiply(twice, mean), psi);
    const ball mass = ball_multiply(ball_of_count(s->k), ball_add(tau_hat, ball_of(s->slack)));
    simdp_theory_stability_composed out = adaptive(s, ball_scale(root_part(s->eta, s->slack), 2.0), d, mass, twice);
    out.tau_hat = ball_up(tau_hat);
    out.psi = ball_up(psi);
    return out;
}

/* ---- public ---- */

static simdp_theory_stability_composed composed(const simdp_theory_stability_steps *s, simdp_theory_composition theorem)
{
    switch (theorem) {
    case SIMDP_THEORY_NONADAPTIVE: return nonadaptive(s);
    case SIMDP_THEORY_PURE: return simdp_typical_compose_pure(s);
    case SIMDP_THEORY_APPROXIMATE: return approximate(s);
    }
    return no_result;
}

simdp_status simdp_theory_compose(simdp_theory_stability_composed *total, const simdp_theory_stability_steps *steps,
                                  size_t n, simdp_theory_composition theorem)
{
    FORMS_EACH(n, form_is_number((total[i] = composed(&steps[i], theorem)).eta), FORM_ARRAY(total), FORM_ARRAY(steps));
}
