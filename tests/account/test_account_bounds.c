/* test_account_bounds: what must hold between bounds, inverses and compositions on random parameters. */
#include <math.h>

#include "theory/typical.h"
#include "support/laws.h"
#include "support/random_numbers.h"

/* ---- composition ---- */

static double by(simdp_account_bound bound, simdp_account_steps steps)
{
    simdp_account_composed total;
    must(simdp_account_compose(&total, &steps, 1, bound));
    assert_true(total.epsilon >= 0 && total.delta >= total.delta_sharp && total.delta_sharp >= 0 && total.delta <= 1);
    return total.epsilon;
}

/* The exact worst case is at most every bound; bounded range at most strong; all are 0 or more; the table repeats
 * them. */
static void optimal_is_smallest(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        const double delta = spread(1e-30, 0.5);
        const bool pure = round % 2 == 0;
        simdp_account_steps s = {.epsilon = spread(1e-5, 20), .k = (int64_t)spread(1, 1e5), .slack = delta};
        double optimal;
        if (!pure) s.delta = delta * uniform(0, 1) / (double)s.k, s.slack = delta - (double)s.k * s.delta;
        must(simdp_account_exact_epsilon(&optimal, &delta, 1, law_leaky(s.epsilon, s.delta), s.k));
        assert_true(optimal >= 0.0);
        const double slightly = optimal * (1 - 1e-9);
        assert_true(slightly <= by(SIMDP_ACCOUNT_BOUND_BASIC, s) && slightly <= by(SIMDP_ACCOUNT_BOUND_STRONG, s));
        if (pure) {
            assert_true(slightly <= by(SIMDP_ACCOUNT_BOUND_AZUMA, s) &&
                        slightly <= by(SIMDP_ACCOUNT_BOUND_ADVANCED, s));
            assert_true(by(SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE, s) <= by(SIMDP_ACCOUNT_BOUND_STRONG, s) * (1 + 1e-14));
        }
        simdp_account_bound_table table;
        must(simdp_account_bounds(&table, (simdp_privacy){s.epsilon, s.delta}, s.k, delta));
        assert_true(table.epsilon[SIMDP_ACCOUNT_BOUND_OPTIMAL] == optimal &&
                    table.epsilon[SIMDP_ACCOUNT_BOUND_BASIC] == by(SIMDP_ACCOUNT_BOUND_BASIC, s));
        for (int i = 0; i < SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE; i++) {
            assert_true(slightly <= table.epsilon[i] && table.epsilon[table.smallest] <= table.epsilon[i]);
            if (i <= SIMDP_ACCOUNT_BOUND_STRONG_SHARP)
                assert_true(table.epsilon[table.smallest_formula] <= table.epsilon[i]);
        }
        assert_true(table.epsilon[SIMDP_ACCOUNT_BOUND_STRONG_SHARP] <=
                    table.epsilon[SIMDP_ACCOUNT_BOUND_STRONG] * (1 + 1e-12));
        assert_true(table.epsilon[SIMDP_ACCOUNT_BOUND_RENYI] <= table.epsilon[SIMDP_ACCOUNT_BOUND_ZCDP] * (1 + 1e-6));
    }
}

/* One step is randomized response; a second call inverts the first; steps that are equal are equal to a mixture of
 * themselves. */
static void optimal_agrees_with_itself(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const simdp_privacy step = {spread(1e-4, 8), round % 3 == 0 ? 0 : spread(1e-12, 1e-2)};
        const int64_t k = round % 5 == 0 ? 1 : (int64_t)spread(1, 1e4);
        const double epsilon = uniform(0, 0.9) * (double)k * step.epsilon;
        double delta, log_delta, back, single, again;
        must(simdp_account_exact_delta(&delta, &epsilon, 1, law_leaky(step.epsilon, step.delta), k));
        must(simdp_account_exact_log_delta(&log_delta, &epsilon, 1, law_leaky(step.epsilon, step.delta), k));
        if (delta > 1e-300 && delta < 1) assert_true(fabs(log_delta - log(delta)) < 1e-9 * (1 + fabs(log_delta)));
        if (k == 1) {
            must(simdp_loss_delta(&single, &epsilon, 1, law_leaky(step.epsilon, step.delta)));
            assert_near(delta, single, 1e-12);
        }
        if (delta > 1e-290 && delta < 0.9) {
            must(simdp_account_exact_epsilon(&back, &delta, 1, law_leaky(step.epsilon, step.delta), k));
            must(simdp_account_exact_delta(&again, &back, 1, law_leaky(step.epsilon, step.delta), k));
            if (back < INFINITY) assert_true(again <= delta * (1 + 1e-9) && back >= 0); /* the target, not more */
        }
        if (k > 8) continue;
        simdp_privacy steps[8];
        for (int i = 0; i < 8; i++) steps[i] = step;
        must(simdp_account_exact_heterogeneous_delta(&again, &epsilon, 1, steps, (size_t)k));
        assert_near(again, delta, 1e-11);
        if (delta < 0.9 && delta > 1e-200) {
            double mixed;
            must(simdp_account_exact_epsilon(&back, &delta, 1, law_leaky(step.epsilon, step.delta), k));
            must(simdp_account_exact_heterogeneous_epsilon(&mixed, &delta, 1, steps, (size_t)k));
            assert_true((back == INFINITY && mixed == INFINITY) || fabs(mixed - back) <= 1e-8 * (back + 1e-6));
        }
    }
}

/* What a peer gets wrong by overflow: values from independent sums are in test_account_reference; here only that
 * these are numbers in order. */
static void no_overflow_and_no_negative(void **state)
{
    (void)state;
    const double deltas[] = {0, 1e-300, 1e-30, 1e-6, 0.5, 1};
    const simdp_privacy steps[] = {{1, 0}, {0.01, 0}, {800, 0}, {1e-9, 1e-20}, {0, 1e-9}, {INFINITY, 0}, {5, 1e-3}};
    const int64_t counts[] = {0, 1, 2, 1000, 100000, 1000000000};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            double epsilon[6], last = INFINITY;
            must(simdp_account_exact_epsilon(epsilon, deltas, 6, law_leaky(steps[s].epsilon, steps[s].delta),
                                             counts[c]));
            for (int i = 0; i < 6; i++) {
                assert_true(epsilon[i] >= 0 && epsilon[i] <= last);
                last = epsilon[i];
                simdp_account_bound_table table;
                must(simdp_account_bounds(&table, steps[s], counts[c], deltas[i]));
                for (int b = 0; b < SIMDP_ACCOUNT_BOUNDS; b++) assert_true(table.epsilon[b] >= 0);
            }
        }
    }
}

/* The largest step for a total: within the total by strong or basic composition, and not by 1e-9 more. */
static void strong_inverse(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        const simdp_account_steps total = {.epsilon = spread(1e-6, 1e3),
                                           .k = (int64_t)spread(1, 1e9),
                                           .slack = round % 10 == 0 ? 1 : spread(1e-300, 1)};
        simdp_account_steps step = total;
        must(simdp_account_compose_inverse(&step.epsilon, &total, 1));
        assert_true(fmin(by(SIMDP_ACCOUNT_BOUND_STRONG, step), by(SIMDP_ACCOUNT_BOUND_BASIC, step)) <=
                    total.epsilon * (1 + 0x1p-48));
        step.epsilon *= 1 + 1e-9;
        assert_true(fmin(by(SIMDP_ACCOUNT_BOUND_STRONG, step), by(SIMDP_ACCOUNT_BOUND_BASIC, step)) > total.epsilon);
    }
}

static void mixtures_of_equals(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        simdp_privacy steps[50];
        const simdp_account_steps same = {.epsilon = spread(1e-3, 3),
                                          .delta = spread(1e-12, 1e-3),
                                          .k = 1 + (int64_t)uniform(0, 49),
                                          .slack = spread(1e-12, 0.5)};
        for (int i = 0; i < 50; i++) steps[i] = (simdp_privacy){same.epsilon, same.delta};
        simdp_account_composed basic, strong, alone;
        must(simdp_account_compose_heterogeneous(&basic, &strong, steps, (size_t)same.k, same.slack));
        must(simdp_account_compose(&alone, &same, 1, SIMDP_ACCOUNT_BOUND_BASIC));
        assert_near(basic.epsilon, alone.epsilon, 1e-14), assert_near(basic.delta_sharp, alone.delta_sharp, 1e-14);
        must(simdp_account_compose(&alone, &same, 1, SIMDP_ACCOUNT_BOUND_STRONG));
        assert_near(strong.epsilon, alone.epsilon, 1e-14), assert_near(strong.delta_sharp, alone.delta_sharp, 1e-14);
    }
}

/* ---- calibration ---- */

/* Beyond 2^120 the noise is 1/sqrt(2 epsilon) whatever delta is, and an ulp of it decides between delta 0 and 1. */
static void sigma_of_huge_epsilon(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const double epsilon = spread(0x1p120, 0x1p1023), delta = round % 2 ? uniform(0, 1) : spread(1e-300, 0.5);
        double s;
        must(simdp_account_noise(&s, &epsilon, &delta, 1, law_gaussian(0)));
        const long double over = (long double)s * sqrtl(2 * (long double)epsilon) - 1;
        assert_true(over > -0x1p-58L && over < 0x1p-48L);
    }
}

static void gaussian_round_trips(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        const double epsilon = round % 10 == 0 ? 0 : spread(1e-6, 800),
                     delta = round % 7 == 0 ? uniform(0.01, 0.999) : spread(1e-300, 0.5);
        double s, log_delta, back, smaller;
        must(simdp_account_noise(&s, &epsilon, &delta, 1, law_gaussian(0)));
        must(simdp_loss_log_delta(&log_delta, &epsilon, 1, law_gaussian(s)));
        /* the promise: never above the target; the price: as little noise as can be */
        if (!(log_delta <= log(delta) + 1e-15 * fabs(log(delta))))
            fail_msg("epsilon %g, delta %g: log delta is %.17g", epsilon, delta, log_delta);
        smaller = s * (1 - 1e-11);
        must(simdp_loss_log_delta(&log_delta, &epsilon, 1, law_gaussian(smaller)));
        if (delta < 0.99) assert_true(log_delta > log(delta));
        must(simdp_account_epsilon(&back, &delta, 1, law_gaussian(s)));
        assert_true(back >= 0 && back <= epsilon * (1 + 1e-9) + 1e-9);

        const double multiplier = spread(1e-4, 1e4);
        must(simdp_account_epsilon(&back, &delta, 1, law_gaussian(multiplier)));
        assert_true(back >= 0);
        must(simdp_loss_log_delta(&log_delta, &back, 1, law_gaussian(multiplier)));
        if (!(log_delta <= log(delta) + 1e-14 * fabs(log(delta)) + 1e-15))
            fail_msg("delta %g, s %g: log delta is %.17g", delta, multiplier, log_delta);
    }
}

static void other_round_trips(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        const double epsilon = round % 10 == 0 ? 0 : spread(1e-6, 100), delta = spread(1e-15, 0.9),
                     leak = delta * uniform(0, 1);
        double scale, got, epsilon0, reached;
        must(simdp_account_noise(&scale, &epsilon, &delta, 1, law_laplace(0)));
        must(simdp_account_delta(&got, &epsilon, 1, law_laplace(1 / scale)));
        assert_true(got <= delta * (1 + 1e-14) + 1e-15 * epsilon);
        must(simdp_account_epsilon(&got, &delta, 1, law_laplace(1 / scale)));
        assert_true(got >= 0 && fabs(got - epsilon) <= 1e-14 * (1 + epsilon));
        must(simdp_account_noise(&epsilon0, &epsilon, &delta, 1, law_leaky(0, leak)));
        must(simdp_loss_delta(&got, &epsilon, 1, law_leaky(epsilon0, leak)));
        assert_true(epsilon0 >= epsilon && got <= delta * (1 + 1e-13));
        must(simdp_account_epsilon(&reached, &delta, 1, law_leaky(epsilon0, leak)));
        assert_true(reached >= 0 && fabs(reached - epsilon) <= 1e-12 * (1 + epsilon) + 1e-13 * exp(fmin(epsilon, 25)));

        const simdp_account_target target = {.epsilon = epsilon, .delta = delta, .sensitivity = spread(1e-3, 1e3)};
        simdp_account_planned plan, check;
        must(simdp_account_plan(&plan, &target, 1, SIMDP_MECHANISM_GAUSSIAN));
        must(simdp_account_guarantee(&check, &(simdp_account_given){plan.standard_deviation, target.sensitivity, delta},
                                     1, SIMDP_MECHANISM_GAUSSIAN));
        assert_true(check.epsilon <= epsilon * (1 + 1e-9) + 1e-9 && plan.scale == plan.standard_deviation);
        must(simdp_account_plan(&plan, &target, 1, SIMDP_MECHANISM_LAPLACE));
        assert_near(plan.standard_deviation, plan.scale * sqrt(2), 1e-14);
        must(simdp_account_guarantee(&check, &(simdp_account_given){plan.standard_deviation, target.sensitivity, delta},
                                     1, SIMDP_MECHANISM_LAPLACE));
        assert_true(check.epsilon <= epsilon * (1 + 1e-13) + 1e-14);
    }
}

/* k Gaussians are one; k = 1 Laplace is the single curve; more steps cost more; the inverse inverts. */
static void noise_composes(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        double s[20], one;
        long double all = 0;
        int64_t counts[20];
        for (int i = 0; i < 20; i++) {
            s[i] = spread(0.1, 100), counts[i] = (int64_t)uniform(0, 4);
            all += (long double)counts[i] / ((long double)s[i] * (long double)s[i]);
        }
        must(simdp_account_compose_gaussian(&one, s, counts, 20));
        if (all > 0) assert_near(one, (double)(1 / sqrtl(all)), 1e-14), assert_true(one <= 1 / sqrtl(all));
        must(simdp_account_compose_gaussian(&one, s, NULL, 1));
        assert_true(one == s[0]);

        const double t = spread(1e-3, 20), epsilon = uniform(0, 0.99) * t;
        const int64_t k = 1 + (int64_t)uniform(0, 30);
        double delta, log_delta, more, back, again;
        must(simdp_account_exact_delta(&delta, &epsilon, 1, law_laplace(t), 1));
        must(simdp_loss_log_delta(&log_delta, &epsilon, 1, law_laplace(t)));
        assert_near(delta, exp(log_delta), 1e-13);
        must(simdp_account_exact_delta(&delta, &epsilon, 1, law_laplace(t), k));
        must(simdp_account_exact_delta(&more, &epsilon, 1, law_laplace(t), k + 1));
        assert_true(more >= delta * (1 - 1e-13));
        must(simdp_account_exact_epsilon(&back, &delta, 1, law_laplace(t), k));
        must(simdp_account_exact_delta(&again, &back, 1, law_laplace(t), k));
        if (delta < 0.99) assert_near(back, epsilon, 1e-8 / (1 - delta)), assert_true(again <= delta * (1 + 1e-10));
        /* Laplace noise is epsilon-DP: never worse than the worst case */
        must(simdp_account_exact_delta(&more, &epsilon, 1, law_leaky(t, 0), k));
        assert_true(delta <= more * (1 + 1e-11));
    }
    double none;
    must(simdp_account_compose_gaussian(&none, NULL, NULL, 0));
    assert_true(none == INFINITY);
}

/* ---- Renyi ---- */

static void renyi_conversions(void **state)
{
    (void)state;
    for (int round = 0; round < 1000; round++) {
        const double s = spread(0.1, 100), delta = spread(1e-30, 0.1), order = 1 + spread(1e-3, 1e3);
        const int64_t k = (int64_t)spread(1, 1e4);
        double divergence, epsilon, classic, exact, multiplier, back;
        must(simdp_loss_renyi(&divergence, &order, 1, law_gaussian(s)));
        must(simdp_account_renyi_convert(&epsilon, &order, &divergence, &delta, 1, SIMDP_ACCOUNT_EPSILON));
        must(simdp_account_renyi_convert(&classic, &order, &divergence, &delta, 1, SIMDP_ACCOUNT_EPSILON_CLASSIC));
        must(simdp_account_epsilon(&exact, &delta, 1, law_gaussian(s)));
        assert_true(exact <= epsilon * (1 + 1e-12) + 1e-12 &&
                    epsilon <= classic * (1 + 1e-14)); /* a bound, and an improvement */
        if (epsilon > 0) {
            must(simdp_account_renyi_convert(&back, &order, &divergence, &epsilon, 1, SIMDP_ACCOUNT_DELTA));
            assert_near(back, delta, 1e-10 * order);
        }
        /* the best order of k Gaussians: by zCDP in closed form, and by search */
        const simdp_account_renyi_step steps = {{.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = s}, k};
        simdp_account_renyi_optimum best;
        simdp_account_zcdp_bound bound;
        const double rho = 0.5 * (double)k / (s * s);
        must(simdp_account_renyi_compose_epsilon(&best, &delta, 1, &steps, 1));
        must(simdp_account_zcdp_epsilon(&bound, &rho, &delta, 1));
        assert_true(fabs(best.epsilon - bound.epsilon) <= 1e-9 * bound.epsilon + 1e-11 &&
                    bound.epsilon <= bound.epsilon_simple * (1 + 1e-14));
        must(simdp_account_compose_gaussian(&multiplier, &s, &k, 1));
        must(simdp_account_epsilon(&exact, &delta, 1, law_gaussian(multiplier)));
        assert_true(exact <= best.epsilon * (1 + 1e-12) + 1e-12);

        double orders[3] = {1.5, order, 40}, curve[3], total[3] = {0, 0, 0};
        must(simdp_loss_renyi(curve, orders, 3, law_gaussian(s)));
        must(simdp_account_renyi_add(total, curve, 3, k));
        must(simdp_account_renyi_best(&best, orders, total, 3, delta));
        must(simdp_account_renyi_compose_epsilon(&(simdp_account_renyi_optimum){0}, &delta, 1, &steps, 1));
        assert_true(best.epsilon >= bound.epsilon * (1 - 1e-12) &&
                    (best.order == orders[0] || best.order == orders[1] || best.order == orders[2]));
    }
}

/* ---- typical stability, concentration ---- */

static void typical_sums(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        const double c = round % 4 == 0 ? 0 : spread(1e-7, 5), d = round % 5 == 0 ? 0 : spread(1e-12, 1);
        const int n = round % 3 == 0 ? (int)spread(1, 5000) : (int)spread(5000, 1e6);
        const long double top = c * sqrtl(n) + (long double)d * n;
        long double sum = 0;
        for (int t = n; t >= 1; t--) {
            const long double exponent = c * sqrtl(t) + (long double)d * t - top;
            if (exponent < -60) break;
            sum += expl(exponent);
        }
        const double want = (double)(top + logl(sum)),
                     got = simdp_typical_log_sum(ball_of(c), ball_of(d), (int64_t)n).value;
        if (!(fabs(got - want) <= 1e-13 + 1e-15 * want))
            fail_msg("c %g, d %g, n %d: %.17g, want %.17g", c, d, n, got, want);
    }
}

static void exponents_invert(void **state)
{
    (void)state;
    for (int round = 0; round < 5000; round++) {
        const simdp_theory_concentration q = {(simdp_theory_concentration_kind)(round % 3), spread(1e-6, 1e3),
                                              spread(1e-6, 1e3), (int64_t)spread(1, 1e6)};
        const double nu = spread(1e-300, 0.99);
        double alpha;
        simdp_theory_exponent e;
        simdp_theory_typical_plan plan;
        must(simdp_theory_typical_noise(&plan, q, (simdp_theory_stability){1.0, 0.5, nu}));
        alpha = plan.alpha;
        must(simdp_theory_concentration_exponent(&e, alpha, q));
        assert_true(fabs(e.gamma + log(nu)) <= 1e-14 * (1 - log(nu)));
        assert_true(e.gamma_simple <= e.gamma * (1 + 1e-14) + 1e-15 && e.gamma >= 0);
        const double larger = alpha * 1.5;
        simdp_theory_exponent f;
        must(simdp_theory_concentration_exponent(&f, larger, q));
        assert_true(f.gamma > e.gamma);
    }
    /* the deviation of this query is below the least double */
    const simdp_theory_concentration still = {SIMDP_THEORY_SENSITIVE, 0x1p-1074, 1, 1};
    simdp_theory_exponent e;
    must(simdp_theory_concentration_exponent(&e, 0, still));
    assert_true(e.gamma == 0 && e.gamma_simple == 0 && e.gamma_printed == 0);
    must(simdp_theory_concentration_exponent(&e, 0x1p-1074, still));
    assert_true(e.gamma_printed == 2);
}

/* Bounds against what they bound: exact binomial tails, Polya's exact variance. */
static void tails_bound_the_binomial(void **state)
{
    (void)state;
    for (int n = 1; n <= 60; n++) {
        long double tail = 0, mass = powl(0.5L, n), masses[61];
        for (int h = 0; h <= n; h++, mass *= (long double)(n - h + 1) / h) masses[h] = mass;
        for (int h = n; 2 * h > n; h--) {
            tail += masses[h];
            const double deviation = h - 0.5 * n;
            simdp_theory_tail hoeffding;
            simdp_theory_azuma_bound azuma;
            simdp_theory_exponential_tail_bound demonstration;
            must(simdp_theory_hoeffding(&hoeffding, deviation, n, 0, 1));
            must(simdp_theory_azuma(&azuma, deviation / (0.5 * sqrt(n)), n, 0, 0.5));
            must(simdp_theory_exponential_tail(&demonstration, deviation / n, n));
            assert_true(tail <= hoeffding.tail && tail <= azuma.tail && tail <= demonstration.tail);
            assert_true(demonstration.tail <= demonstration.tail_mid &&
                        demonstration.tail_mid <= demonstration.tail_simple * (1 + 1e-14));
            assert_near(azuma.threshold, deviation, 1e-14);
            double one, two;
            must(simdp_theory_hoeffding_deviation(&one, &two, hoeffding.tail, n, 0, 1));
            assert_near(one, deviation, 1e-13);
        }
    }
    simdp_theory_polya_bound urn;
    must(simdp_theory_polya(&urn, 50, 50, 1000000, 3));
    assert_true(fabs(urn.standard_deviation - 49754) < 1 && urn.threshold_tight <= urn.threshold_printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_is_smallest),
        cmocka_unit_test(optimal_agrees_with_itself),
        cmocka_unit_test(no_overflow_and_no_negative),
        cmocka_unit_test(strong_inverse),
        cmocka_unit_test(mixtures_of_equals),
        cmocka_unit_test(sigma_of_huge_epsilon),
        cmocka_unit_test(gaussian_round_trips),
        cmocka_unit_test(other_round_trips),
        cmocka_unit_test(noise_composes),
        cmocka_unit_test(renyi_conversions),
        cmocka_unit_test(typical_sums),
        cmocka_unit_test(exponents_invert),
        cmocka_unit_test(tails_bound_the_binomial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
