/* test_loss_curves: privacy curves, laws and divergences on random parameters: what must hold between them, and
 * discrete laws against plain sums in long double. */
#include <float.h>
#include <math.h>

#include "support/laws.h"
#include "support/random_numbers.h"

/* ---- every curve ---- */

enum { LAPLACE, GAUSSIAN, RESPONSE, DISCRETE_LAPLACE, DISCRETE_GAUSSIAN, FINITE, MECHANISMS };

typedef struct {
    int kind;
    double parameter, leak;
    int64_t sensitivity;
    double p[4], q[4];
} mechanism;

static mechanism random_mechanism(int kind)
{
    mechanism m = {.kind = kind, .parameter = spread(0.01, 20), .leak = uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.3)};
    m.sensitivity = 1 + (int64_t)(test_random(&seed) % 6);
    double sum_p = 0, sum_q = 0;
    for (int i = 0; i < 4; i++) sum_p += m.p[i] = uniform(0, 1), sum_q += m.q[i] = uniform(0, 1);
    for (int i = 0; i < 4; i++) m.p[i] /= sum_p, m.q[i] /= sum_q;
    if (kind >= DISCRETE_LAPLACE) m.parameter = spread(0.3, 100);
    return m;
}

static simdp_law law_of_mechanism(const mechanism *m)
{
    switch (m->kind) {
    case LAPLACE: return law_laplace(m->parameter);
    case GAUSSIAN: return law_gaussian(m->parameter);
    case RESPONSE: return law_leaky(m->parameter, m->leak);
    case DISCRETE_LAPLACE: return law_discrete_laplace(m->parameter, m->sensitivity);
    default: return law_discrete_gaussian(m->parameter, m->sensitivity);
    }
}

/* delta at n epsilons, and its logarithms */
static void curve(const mechanism *m, double *delta, double *log_delta, const double *epsilon, size_t n)
{
    if (m->kind == FINITE) {
        must(simdp_loss_delta_finite(delta, epsilon, n, m->p, m->q, 4));
    } else {
        must(simdp_loss_delta(delta, epsilon, n, law_of_mechanism(m)));
        must(simdp_loss_log_delta(log_delta, epsilon, n, law_of_mechanism(m)));
    }
    for (size_t i = 0; i < n; i++) {
        if (m->kind <= GAUSSIAN) delta[i] = exp(log_delta[i]);
        else if (m->kind == FINITE) log_delta[i] = log(delta[i]);
        else if (delta[i] > DBL_MIN)
            assert_true(fabs(log_delta[i] - log(delta[i])) <= 1e-12 * (1 + fabs(log_delta[i])));
    }
}

/* decreasing, between 0 and 1, convex in e^epsilon */
static void curves_have_their_shape(void **state)
{
    (void)state;
    enum { POINTS = 40 };
    for (int round = 0; round < 300 * MECHANISMS; round++) {
        const mechanism m = random_mechanism(round % MECHANISMS);
        double epsilon[POINTS], delta[POINTS], log_delta[POINTS];
        const double step = spread(0.01, 1);
        for (int i = 0; i < POINTS; i++) epsilon[i] = i * step;
        curve(&m, delta, log_delta, epsilon, POINTS);
        for (int i = 0; i < POINTS; i++) {
            assert_true(delta[i] >= 0.0 && delta[i] <= 1.0 && log_delta[i] <= 0.0);
            if (i > 0) assert_true(log_delta[i] <= log_delta[i - 1]);
            if (i < 2) continue;
            /* slopes of delta over e^epsilon do not fall: (d2-d1)/(e2-e1) >= (d1-d0)/(e1-e0), e2-e1 = e^step (e1-e0) */
            const double late = delta[i] - delta[i - 1], early = exp(step) * (delta[i - 1] - delta[i - 2]);
            if (!(late >= early - 1e-13 * delta[i - 2]))
                fail_msg("mechanism %d, parameter %g: not convex at %g", m.kind, m.parameter, epsilon[i]);
        }
    }
}

/* delta(0) is the total variation; delta(epsilon) <= P[L > epsilon] */
static void curves_agree_with_losses(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        const double t = spread(1e-6, 100), s = spread(1e-2, 1e4), leak = uniform(0, 0.5), zero = 0.0;
        simdp_loss_moments m;
        double delta, log_delta, tail;
        must(simdp_loss_law_moments(&m, (const simdp_law[]){law_laplace(t)}, 1));
        must(simdp_loss_log_delta(&log_delta, &zero, 1, law_laplace(t)));
        assert_near(exp(log_delta), m.total_variation, 1e-14);
        must(simdp_loss_law_moments(&m, (const simdp_law[]){law_gaussian(s)}, 1));
        must(simdp_loss_log_delta(&log_delta, &zero, 1, law_gaussian(s)));
        assert_near(exp(log_delta), m.total_variation, 1e-14);
        must(simdp_loss_law_moments(&m, (const simdp_law[]){law_leaky(t, leak)}, 1));
        must(simdp_loss_delta(&delta, &zero, 1, law_leaky(t, leak)));
        assert_near(delta, m.total_variation, 1e-14);

        const double l = spread(1e-3, 100);
        must(simdp_loss_log_sf(&tail, &l, 1, law_gaussian(s)));
        must(simdp_loss_log_delta(&log_delta, &l, 1, law_gaussian(s)));
        assert_true(log_delta <= tail + 1e-13 * fabs(tail));
        must(simdp_loss_log_sf(&tail, &l, 1, law_laplace(t)));
        must(simdp_loss_log_delta(&log_delta, &l, 1, law_laplace(t)));
        assert_true(log_delta <= tail);
        must(simdp_loss_sf(&tail, &l, 1, law_leaky(t, leak)));
        must(simdp_loss_delta(&delta, &l, 1, law_leaky(t, leak)));
        assert_true(delta <= tail + 1e-15);
    }
}

/* cdf + sf = 1, their logarithms are theirs, and E e^-L = 1 by summing over cells of the loss */
static void laws_of_the_loss(void **state)
{
    (void)state;
    enum { CELLS = 20000 };
    static double edge[CELLS + 1], cdf[CELLS + 1], sf[CELLS + 1], log_cdf[CELLS + 1], log_sf[CELLS + 1];
    for (int round = 0; round < 12; round++) {
        const double parameter = round % 3 == 1 ? spread(0.4, 20) : spread(0.05, 5);
        const double reach = round % 3 == 1 ? 0.5 / (parameter * parameter) + 12 / parameter : parameter * (1 + 1e-9);
        for (int i = 0; i <= CELLS; i++) edge[i] = reach * (2.0 * i / (double)CELLS - 1) - (i == 0 ? 1e-9 : 0);
        const simdp_law law = round % 3 == 0   ? law_laplace(parameter)
                              : round % 3 == 1 ? law_gaussian(parameter)
                                               : law_response(parameter);
        must(simdp_loss_cdf(cdf, edge, CELLS + 1, law)), must(simdp_loss_sf(sf, edge, CELLS + 1, law));
        must(simdp_loss_log_cdf(log_cdf, edge, CELLS + 1, law)), must(simdp_loss_log_sf(log_sf, edge, CELLS + 1, law));
        double sum = cdf[0] * exp(-edge[0]);
        for (int i = 0; i <= CELLS; i++) {
            assert_true(fabs(cdf[i] + sf[i] - 1) < 1e-15);
            if (cdf[i] > 0) assert_true(fabs(log_cdf[i] - log(cdf[i])) < 1e-12 * (1 + fabs(log_cdf[i])));
            if (sf[i] > 0) assert_true(fabs(log_sf[i] - log(sf[i])) < 1e-12 * (1 + fabs(log_sf[i])));
            if (i > 0)
                assert_true(cdf[i] >= cdf[i - 1]), sum += (cdf[i] - cdf[i - 1]) * exp(-0.5 * (edge[i] + edge[i - 1]));
        }
        assert_near(sum, 1.0, 2e-3);
    }
}

/* Renyi: rises with the order, from KL to the maximum; randomized response is the worst of its epsilon, and a finite
 * pair */
static void renyi_orders(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const double parameter = spread(1e-6, 50);
        double order[12], laplace[12], response[12], gaussian[12], finite[12];
        for (int i = 0; i < 12; i++)
            order[i] = i == 0 ? 0.25 : i == 1 ? 1 : i == 11 ? INFINITY : 1 + spread(1e-12, 1e4);
        for (int i = 2; i < 11; i++) {
            for (int j = i; j > 2 && order[j] < order[j - 1]; j--) {
                const double swap = order[j];
                order[j] = order[j - 1], order[j - 1] = swap;
            }
        }
        const double keep = 1 / (1 + exp(-parameter)), p[] = {keep, 1 - keep}, q[] = {1 - keep, keep};
        simdp_loss_moments m;
        must(simdp_loss_renyi(laplace, order, 12, law_laplace(parameter)));
        must(simdp_loss_renyi(response, order, 12, law_response(parameter)));
        must(simdp_loss_renyi(gaussian, order, 11, law_gaussian(1 / parameter)));
        for (int i = 0; i < 12; i++) {
            assert_true(laplace[i] >= 0 && laplace[i] <= parameter && response[i] <= parameter);
            assert_true(response[i] >= laplace[i] * (1 - 1e-13));
            if (i > 0)
                assert_true(laplace[i] >= laplace[i - 1] * (1 - 1e-13) && response[i] >= response[i - 1] * (1 - 1e-13));
            if (i < 11) assert_near(gaussian[i], 0.5 * order[i] * parameter * parameter, 1e-14);
        }
        /* below order 1, in long double: ln(cosh(e/4)/cosh(e/2))/(-3/4), and with b = -1/4 the Laplace form */
        const long double e = parameter, quarter = e / 4;
        if (parameter > 0.1) {
            assert_near(response[0], (double)(logl(coshl(quarter) / coshl(e / 2)) / -0.75L), 1e-14);
            assert_near(laplace[0], (double)((logl(coshl(quarter) + 2 * sinhl(quarter)) - e / 2) / -0.75L), 1e-13);
        }
        must(simdp_loss_law_moments(&m, (const simdp_law[]){law_laplace(parameter)}, 1));
        assert_near(laplace[1], m.kl, 1e-13);
        must(simdp_loss_law_moments(&m, (const simdp_law[]){law_leaky(parameter, 0)}, 1));
        assert_near(response[1], m.kl, 1e-13);
        if (parameter > 20) continue; /* 1 - keep loses its digits */
        must(simdp_loss_renyi_finite(finite, order, 12, p, q, 2));
        for (int i = 0; i < 12; i++)
            assert_true(fabs(finite[i] - response[i]) < 1e-13 * (1 + response[i]) + 4e-16 * exp(parameter));
    }
}

/* ---- laws of noise ---- */

static void quantiles_invert(simdp_mechanism law, bool discrete)
{
    for (int round = 0; round < 2000; round++) {
        const double scale = discrete ? spread(0.2, 1e5) : spread(1e-3, 1e3),
                     p = uniform(0, 1) < 0.5 ? spread(1e-300, 0.5) : uniform(0.01, 0.99);
        double x, at, before, upper;
        must(simdp_noise_quantile(&x, &p, 1, law, scale));
        must(simdp_noise_cdf(&at, &x, 1, law, scale));
        must(simdp_noise_sf(&upper, &x, 1, law, scale));
        assert_true(fabs(at + upper - 1) < 1e-15);
        if (!discrete) {
            assert_near(at, p, 1e-12);
            continue;
        }
        const double below = x - 1;
        must(simdp_noise_cdf(&before, &below, 1, law, scale));
        assert_true(x == floor(x) && at >= p * (1 - 1e-12) && before < p * (1 + 1e-12));
    }
}

static void quantiles_are_inverses(void **state)
{
    (void)state;
    quantiles_invert(SIMDP_MECHANISM_LAPLACE, false);
    quantiles_invert(SIMDP_MECHANISM_GAUSSIAN, false);
    quantiles_invert(SIMDP_MECHANISM_GUMBEL, false);
    quantiles_invert(SIMDP_MECHANISM_EXPONENTIAL, false);
    quantiles_invert(SIMDP_MECHANISM_DISCRETE_LAPLACE, true);
    quantiles_invert(SIMDP_MECHANISM_DISCRETE_GAUSSIAN, true);
}

/* ---- discrete laws and curves by plain sums: also where the library does not sum ---- */

static long double weight(int kind, long double y, long double scale)
{
    return kind == DISCRETE_LAPLACE ? expl(-fabsl(y) / scale) : expl(-0.5L * (y / scale) * (y / scale));
}

static void discrete_sums(void **state)
{
    (void)state;
    const double scales[] = {0.07, 0.6, 1, 2.5, 30, 399, 401, 900, 3000};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        for (int kind = DISCRETE_LAPLACE; kind <= DISCRETE_GAUSSIAN; kind++) {
            const double scale = scales[s];
            const simdp_mechanism law =
                kind == DISCRETE_LAPLACE ? SIMDP_MECHANISM_DISCRETE_LAPLACE : SIMDP_MECHANISM_DISCRETE_GAUSSIAN;
            const int reach = (int)((kind == DISCRETE_LAPLACE ? 90 : 14) * scale) + 20;
            long double total = 0;
            for (int y = -reach; y <= reach; y++) total += weight(kind, y, scale);
            for (int round = 0; round < 12; round++) {
                const int m = round < 2 ? round : (int)(spread(0.01, 10) * scale);
                const double x = m;
                long double tail = 0, curve = 0, curve_complement = 0;
                for (int y = reach; y > m; y--) tail += weight(kind, y, scale);
                double sf, cdf, pmf, log_pmf, low = -x - 1;
                must(simdp_noise_sf(&sf, &x, 1, law, scale)), must(simdp_noise_cdf(&cdf, &low, 1, law, scale));
                must(simdp_noise_probability(&pmf, &x, 1, law, scale));
                must(simdp_noise_log_density(&log_pmf, &x, 1, law, scale));
                const double want = (double)(tail / total), mass = (double)(weight(kind, x, scale) / total);
                if (want > 1e-300) assert_near(sf, want, 1e-13), assert_true(cdf == sf);
                if (mass > 1e-300)
                    assert_near(pmf, mass, 1e-13), assert_true(fabs(log_pmf - log(mass)) < 1e-12 * (1 + fabs(log_pmf)));

                /* the curve: noise shifted by D; loss of y = ln w(y) - ln w(y + D) */
                const int64_t d = round % 4 == 0   ? 1
                                  : round % 4 == 1 ? 1 + (int64_t)(scale / 3)
                                                   : 1 + (int64_t)(spread(0.1, 5) * scale);
                const double epsilon = uniform(0, 1) < 0.2        ? 0
                                       : kind == DISCRETE_LAPLACE ? uniform(0, 1.05) * (double)d / scale
                                                                  : spread(0.01, 8) * (double)d / scale;
                for (int y = reach; y >= -reach - (int)d; y--) {
                    const long double here = weight(kind, y, scale),
                                      there = expl(epsilon) * weight(kind, y + (int)d, scale);
                    if (here > there) curve += here - there, curve_complement += there;
                    else curve_complement += here;
                }
                double delta, log_delta;
                const simdp_law noise =
                    kind == DISCRETE_LAPLACE ? law_discrete_laplace(scale, d) : law_discrete_gaussian(scale, d);
                must(simdp_loss_delta(&delta, &epsilon, 1, noise));
                must(simdp_loss_log_delta(&log_delta, &epsilon, 1, noise));
                const double exact = (double)(curve / total);
                if (exact > 1e-14) { /* differences of long doubles lose digits below */
                    if (!(fabs(delta - exact) <= 2e-11 * exact + 1e-17 * exp(epsilon)))
                        fail_msg("kind %d, scale %g, D %lld, epsilon %g: %.17g, want %.17g", kind, scale, (long long)d,
                                 epsilon, delta, exact);
                    assert_true(fabs(log_delta - log(exact)) <=
                                2e-11 + 1e-12 * fabs(log_delta) + 1e-17 * exp(epsilon) / exact);
                    const double complement = (double)(curve_complement / total);
                    if (exact > 0.9 && complement > 0) assert_near(log_delta, log1p(-complement), 1e-9);
                }
            }
        }
    }
}

/* Divergences of vectors that nearly agree keep their digits; swapped vectors swap directions. */
static void finite_divergences(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        double p[6], q[6], epsilon = spread(1e-3, 3), delta, log_moment, order = 1 + spread(1e-3, 30);
        const double difference = spread(1e-9, 0.3);
        for (int i = 0; i < 6; i += 2) { /* pairs (1/6 + d, 1/6 - d): sums stay 1 */
            const double d = difference / 6 * uniform(-1, 1);
            p[i] = 1.0 / 6 + d, p[i + 1] = 1.0 / 6 - d;
            q[i] = q[i + 1] = 1.0 / 6;
        }
        simdp_loss_divergences forward, backward;
        must(simdp_loss_divergences_finite(&forward, p, q, 6));
        must(simdp_loss_divergences_finite(&backward, q, p, 6));
        assert_true(forward.kl == backward.kl_reverse && forward.max == backward.max_reverse &&
                    forward.total_variation == backward.total_variation);
        long double kl = 0, variation = 0, stick = 0, moment = 0;
        for (int i = 0; i < 6; i++) {
            kl += p[i] * logl((long double)p[i] / q[i]);
            variation += 0.5L * fabsl((long double)p[i] - q[i]);
            stick += fmaxl(0, p[i] - expl(epsilon) * q[i]);
            moment += p[i] * powl((long double)p[i] / q[i], order - 1);
        }
        assert_true(fabs(forward.kl - (double)kl) <= 1e-13 * (double)kl + 2e-18);
        assert_near(forward.total_variation, (double)variation, 1e-14);
        must(simdp_loss_delta_finite(&delta, &epsilon, 1, p, q, 6));
        assert_true(fabs(delta - (double)stick) <= 1e-16);
        must(simdp_loss_renyi_finite(&log_moment, &order, 1, p, q, 6));
        assert_true(fabs(log_moment - (double)(logl(moment) / (order - 1))) <=
                    1e-13 * log_moment + 1e-17 / (order - 1));
    }
    const double apart[2][2] = {{1, 0}, {0, 1}}, orders[] = {0.5, 1, 2, INFINITY};
    double divergence[4];
    must(simdp_loss_renyi_finite(divergence, orders, 4, apart[0], apart[1], 2));
    for (int i = 0; i < 4; i++) assert_true(divergence[i] == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_have_their_shape), cmocka_unit_test(curves_agree_with_losses),
        cmocka_unit_test(laws_of_the_loss),        cmocka_unit_test(renyi_orders),
        cmocka_unit_test(quantiles_are_inverses),  cmocka_unit_test(discrete_sums),
        cmocka_unit_test(finite_divergences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
