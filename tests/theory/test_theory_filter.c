/* test_theory_filter: filters never let a run pass its budget, whatever the analyst tries, and waste nearly nothing;
 * odometers hold; costs are those of the formulas; bad input. The sums are checked in long double, by formulas written
 * down here again. */
#include <float.h>
#include <math.h>

#include "support/filters.h"
#include "support/law_check.h"

static double between(uint64_t *seed, double a, double b)
{
    return a + (b - a) * ((double)(test_random(seed) >> 11) * 0x1p-53);
}

/* ---- costs ---- */

static long double pure(const simdp_theory_mechanism *m)
{
    switch (m->kind) {
    case SIMDP_MECHANISM_SELECTION: return 2 * (long double)m->sensitivity / m->scale;
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE:
    case SIMDP_MECHANISM_LEAKY_RESPONSE: return m->epsilon;
    default: return (long double)m->sensitivity / m->scale;
    }
}

static long double rho_of(const simdp_theory_mechanism *m)
{
    const bool selection = m->kind == SIMDP_MECHANISM_SELECTION || m->kind == SIMDP_MECHANISM_SELECTION_MONOTONE;
    return pure(m) * pure(m) / (selection ? 8 : 2);
}

/* Renyi divergence of order a, by the textbook forms */
static long double renyi_of(const simdp_theory_mechanism *m, long double a)
{
    const long double t = pure(m);
    long double general = logl(coshl((a - 0.5L) * t) / coshl(t / 2)) / (a - 1);
    if (m->kind == SIMDP_MECHANISM_GAUSSIAN) return a * t * t / 2;
    if (m->kind == SIMDP_MECHANISM_LAPLACE)
        return logl((a * expl((a - 1) * t) + (a - 1) * expl(-a * t)) / (2 * a - 1)) / (a - 1);
    if (m->kind == SIMDP_MECHANISM_SELECTION || m->kind == SIMDP_MECHANISM_SELECTION_MONOTONE)
        return fminl(general, a * t * t / 8);
    return general;
}

static long double leak_of(const simdp_theory_mechanism *m)
{
    return m->kind == SIMDP_MECHANISM_LEAKY_RESPONSE ? m->delta : 0;
}

static double normal_above(double x) { return 0.5 * erfc(x * sqrt(0.5)); }
static double gaussian_delta(double epsilon, double mu)
{
    return normal_above(epsilon / mu - mu / 2) - exp(epsilon) * normal_above(epsilon / mu + mu / 2);
}

static simdp_theory_mechanism random_mechanism(uint64_t *seed, double size)
{
    static const simdp_mechanism kinds[] = {SIMDP_MECHANISM_LAPLACE,
                                            SIMDP_MECHANISM_GAUSSIAN,
                                            SIMDP_MECHANISM_SELECTION,
                                            SIMDP_MECHANISM_SELECTION_MONOTONE,
                                            SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                            SIMDP_MECHANISM_LEAKY_RESPONSE};
    simdp_theory_mechanism m = {.kind = kinds[test_random(seed) % 6]};
    m.sensitivity = between(seed, 0, 3);
    m.scale = m.sensitivity / (size * between(seed, 0.01, 1)) + 1e-9;
    m.epsilon = size * between(seed, 0, 1);
    m.delta = exp(between(seed, -30, -9));
    return m;
}

static void costs(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const simdp_theory_mechanism m = random_mechanism(&seed, exp(between(&seed, -6, 2)));
        simdp_theory_cost cost;
        must(simdp_theory_mechanism_cost(&cost, &m));
        const long double rho = rho_of(&m), epsilon = pure(&m);
        assert_true(cost.rho >= rho && cost.rho <= rho * (1 + 0x1p-50L));
        assert_true(cost.zcdp_delta == (double)leak_of(&m) && cost.nu == 0);
        if (m.kind == SIMDP_MECHANISM_GAUSSIAN) {
            assert_true(cost.delta == m.delta);
            assert_true(gaussian_delta(cost.epsilon, (double)epsilon) <= m.delta * (1 + 1e-9));
            if (cost.epsilon > 0)
                assert_true(gaussian_delta(cost.epsilon * (1 - 1e-4), (double)epsilon) > m.delta * (1 - 1e-9));
        } else {
            assert_true(cost.delta == cost.zcdp_delta && cost.epsilon >= epsilon &&
                        cost.epsilon <= epsilon * (1 + 0x1p-51L));
        }
    }
    const simdp_theory_mechanism still = {SIMDP_MECHANISM_GAUSSIAN, .sensitivity = -0.0, .scale = 1, .delta = 0.1};
    simdp_theory_cost none;
    must(simdp_theory_mechanism_cost(&none, &still));
    assert_true(none.epsilon == 0 && none.rho == 0);
    const simdp_theory_mechanism typical = {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = 3, .scale = 30, .nu = 0.01};
    simdp_theory_cost cost;
    must(simdp_theory_mechanism_cost(&cost, &typical));
    assert_true(cost.epsilon == 0.1 && cost.delta == 0 && cost.nu == 0.01 && isnan(cost.rho) && isnan(cost.zcdp_delta));
}

/* ---- budgets ---- */

enum { BASIC, STRONG, ZCDP, RENYI, KINDS };
static const double orders[] = {1.5, 2, 4, 8, 16, 32, 64};
enum { ORDERS = sizeof orders / sizeof *orders };

typedef struct {
    int kind;
    double epsilon, delta, slack;
    long double sum, squares, rho, leaks, renyi[ORDERS];
} book;

static void book_add(book *b, const simdp_theory_mechanism *m)
{
    simdp_theory_cost cost;
    must(simdp_theory_mechanism_cost(&cost, m));
    const long double epsilon = m->kind == SIMDP_MECHANISM_GAUSSIAN ? (long double)cost.epsilon : pure(m);
    b->sum += epsilon;
    b->squares += epsilon * epsilon;
    b->rho += rho_of(m);
    b->leaks += b->kind <= STRONG && m->kind == SIMDP_MECHANISM_GAUSSIAN ? (long double)m->delta : leak_of(m);
    for (int j = 0; j < ORDERS; j++) b->renyi[j] += renyi_of(m, orders[j]);
}

/* (alpha, r)-Renyi to epsilon at delta */
static long double convert(long double r, long double a, long double delta)
{
    return r + logl(1 - 1 / a) - logl(delta * a) / (a - 1);
}

/* rho-zCDP to epsilon at delta: the best order, by ternary search in ln(order - 1) */
static long double best_conversion(long double rho, long double delta)
{
    long double low = logl(0x1p-19L), high = logl(0x1p59L);
    for (int i = 0; i < 120; i++) {
        const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const bool left =
            convert(rho * (1 + expl(a)), 1 + expl(a), delta) < convert(rho * (1 + expl(b)), 1 + expl(b), delta);
        if (left) high = b;
        else low = a;
    }
    return convert(rho * (1 + expl(low)), 1 + expl(low), delta);
}

/* epsilon that the books prove, at slack */
static long double proved(const book *b)
{
    long double best = INFINITY;
    switch (b->kind) {
    case BASIC: return b->sum;
    case STRONG: return sqrtl(-2 * logl(b->slack) * b->squares) + b->squares / 2;
    case ZCDP: return best_conversion(b->rho, b->slack);
    default:
        for (int j = 0; j < ORDERS; j++) best = fminl(best, convert(b->renyi[j], orders[j], b->slack / (double)ORDERS));
        return best;
    }
}

static simdp_theory_filter open_filter(const book *b, double *spent)
{
    simdp_theory_filter f;
    switch (b->kind) {
    case BASIC: must(filter_basic(&f, b->epsilon, b->delta)); break;
    case STRONG: must(filter_strong(&f, b->epsilon, b->delta, b->slack)); break;
    case ZCDP: must(filter_zcdp(&f, b->epsilon, b->delta, b->slack)); break;
    default: must(filter_renyi(&f, spent, orders, ORDERS, b->epsilon, b->delta, b->slack)); break;
    }
    return f;
}

/* Random analysts ask until twenty requests in a row are refused; refused ones shrink. The books never prove more than
 * the budget, and (unless leaks ended it) at the end less than one small request fits. */
static void never_passed(void **state)
{
    uint64_t seed = 2;
    int refusals = 0, used_up = 0;
    (void)state;
    for (int run = 0; run < 600; run++) {
        double spent[ORDERS];
        book b = {.kind = run % KINDS, .epsilon = exp(between(&seed, -3, 3)), .slack = exp(between(&seed, -25, -2))};
        b.delta = run % 3 == 0 ? 0 : exp(between(&seed, -20, -1));
        simdp_theory_filter f = open_filter(&b, spent);
        const double size = b.epsilon * exp(between(&seed, -4, 1));
        double shrink = 1;
        for (int step = 0, tries = 0; step < 400 && tries < 20; step++) {
            const simdp_theory_mechanism m = random_mechanism(&seed, size * shrink);
            const simdp_theory_filter before = f;
            int admitted = -1;
            must(simdp_theory_filter_admit(&f, &admitted, &m));
            assert_true(admitted == 0 || admitted == 1);
            if (!admitted) {
                assert_memory_equal(&before, &f, sizeof f);
                refusals++;
                tries++;
                shrink *= 0.5;
                continue;
            }
            tries = 0;
            book_add(&b, &m);
            assert_true(proved(&b) <= (long double)b.epsilon * (1 + 0x1p-60L) && b.leaks <= (long double)b.delta);
        }
        used_up += shrink < 1 && proved(&b) > 0.98L * b.epsilon;
    }
    assert_true(refusals > 500 && used_up > 150);
}

/* A filter stops before, not after: what it refused would have passed the budget. */
static void refuses_only_what_passes(void **state)
{
    uint64_t seed = 3;
    int seen = 0;
    (void)state;
    for (int run = 0; run < 400; run++) {
        double spent[ORDERS];
        book b = {.kind = run % KINDS, .epsilon = 1, .delta = 0.5, .slack = 1e-5};
        simdp_theory_filter f = open_filter(&b, spent);
        for (int step = 0; step < 300; step++) {
            simdp_theory_mechanism m = random_mechanism(&seed, 0.3);
            m.delta = 1e-9;
            int admitted;
            must(simdp_theory_filter_admit(&f, &admitted, &m));
            book_add(&b, &m);
            if (admitted) continue;
            assert_true(proved(&b) > 1 - (b.kind == ZCDP ? 1e-6 : 1e-12)); /* zCDP: the order is the best of a grid */
            seen++;
            break;
        }
    }
    assert_true(seen > 390);
}

/* ---- typical stability ---- */

static void typical(void **state)
{
    const simdp_theory_mechanism good = {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = 1, .scale = 4, .nu = 1e-6};
    const simdp_theory_mechanism dp = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 4};
    simdp_theory_mechanism worse = good, gaussian = good;
    simdp_theory_filter f, basic;
    int admitted;
    (void)state;
    must(filter_typical(&f, 0.25, 0, 1e-6, 3));
    must(filter_basic(&basic, 1, 0));
    worse.nu = 2e-6;
    must(simdp_theory_filter_admit(&f, &admitted, &worse));
    assert_int_equal(admitted, 0);
    worse = good;
    worse.scale = 3.99;
    must(simdp_theory_filter_admit(&f, &admitted, &worse));
    assert_int_equal(admitted, 0);
    gaussian.kind = SIMDP_MECHANISM_TYPICAL_GAUSSIAN;
    gaussian.delta = 1e-9;
    gaussian.scale = 100;
    must(simdp_theory_filter_admit(&f, &admitted, &gaussian));
    assert_int_equal(admitted, 0); /* tau = 0 */
    assert_int_equal(simdp_theory_filter_admit(&f, &admitted, &dp), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_filter_admit(&basic, &admitted, &good), SIMDP_EPARAM);
    for (int i = 0; i < 5; i++) {
        must(simdp_theory_filter_admit(&f, &admitted, &good));
        assert_int_equal(admitted, i < 3);
    }
}

/* ---- odometers: on random walks of losses, the reading is passed at some time with probability below slack ---- */

/* Randomized response at epsilons that depend on the loss so far: +-epsilon with the probabilities of P. */
static void odometers(void **state)
{
    enum { RUNS = 8000, STEPS = 60 };
    uint64_t seed = 4;
    (void)state;
    for (int kind = BASIC; kind < KINDS; kind++) {
        int passed = 0, passed_half = 0;
        for (int run = 0; run < RUNS; run++) {
            double spent[ORDERS], loss = 0, epsilon, delta;
            book b = {.kind = kind, .epsilon = 1e3, .delta = 0, .slack = 0.05};
            simdp_theory_filter f = open_filter(&b, spent);
            must(simdp_theory_filter_spent(&f, &epsilon, &delta));
            assert_true(epsilon == 0 && delta == (kind == BASIC ? 0 : 0.05));
            if (kind == STRONG || kind == ZCDP)
                must(kind == STRONG ? filter_strong(&f, 4, 0, 0.05) : filter_zcdp(&f, 4, 0, 0.05));
            bool over = false, over_half = false;
            for (int i = 0; i < STEPS; i++) {
                int admitted;
                const simdp_theory_mechanism m = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                                  .epsilon = loss > 0.5 ? 0.05 : 0.3};
                must(simdp_theory_filter_admit(&f, &admitted, &m));
                if (!admitted) break;
                loss += between(&seed, 0, 1) < 1 / (1 + exp(-m.epsilon)) ? m.epsilon : -m.epsilon;
                must(simdp_theory_filter_spent(&f, &epsilon, &delta));
                over |= loss > epsilon * (1 + 1e-12);
                over_half |= loss > epsilon / 2;
            }
            passed += over;
            passed_half += over_half;
        }
        assert_true(passed <= (kind == BASIC ? 0 : 0.05 * (double)RUNS));
        assert_true(passed_half > 0); /* control: half the reading is passed */
    }
}

/* ---- bad input ---- */

static void bad_input(void **state)
{
    static const double bad[] = {-1, NAN, INFINITY};
    simdp_theory_filter f;
    double spent[2], epsilon, delta;
    int admitted = 5;
    simdp_theory_cost cost;
    const simdp_theory_mechanism good = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 4};
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(filter_basic(&f, bad[i], 0), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_filter_admit(&f, &admitted, &good), SIMDP_EPARAM);
        assert_int_equal(admitted, 0);
        assert_int_equal(filter_basic(&f, 1, bad[i]), SIMDP_EPARAM);
        assert_int_equal(filter_strong(&f, 1, 0, bad[i]), SIMDP_EPARAM);
        assert_int_equal(filter_zcdp(&f, 1, bad[i], 0.1), SIMDP_EPARAM);
        assert_int_equal(filter_renyi(&f, spent, &bad[i], 1, 1, 0, 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_filter_admit(&f, &admitted, &good), SIMDP_EPARAM);
        assert_int_equal(filter_typical(&f, bad[i], 0, 0.1, 1), SIMDP_EPARAM);
        assert_int_equal(filter_typical(&f, 1, 0, bad[i], 1), SIMDP_EPARAM);
        simdp_theory_mechanism m = good;
        m.scale = bad[i];
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        m = good;
        m.sensitivity = bad[i];
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        m = (simdp_theory_mechanism){SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = 1, .delta = bad[i]};
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        m = (simdp_theory_mechanism){SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = bad[i]};
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        m = (simdp_theory_mechanism){SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 1, .delta = bad[i]};
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        m = (simdp_theory_mechanism){SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = 1, .scale = 1, .nu = bad[i]};
        assert_int_equal(simdp_theory_mechanism_cost(&cost, &m), SIMDP_EPARAM);
        assert_true(isnan(cost.epsilon) && isnan(cost.delta) && isnan(cost.rho) && isnan(cost.zcdp_delta) &&
                    isnan(cost.nu));
    }
    assert_int_equal(filter_strong(&f, 1, 0, 0), SIMDP_EPARAM);
    assert_int_equal(filter_strong(&f, 1, 0, 1), SIMDP_EPARAM);
    assert_int_equal(filter_renyi(&f, spent, (double[]){1.0}, 1, 1, 0, 0.1), SIMDP_EPARAM);
    assert_int_equal(filter_renyi(&f, spent, orders, 0, 1, 0, 0.1), SIMDP_EPARAM);
    assert_int_equal(filter_renyi(&f, NULL, orders, 1, 1, 0, 0.1), SIMDP_ENULL);
    assert_int_equal(filter_renyi(&f, spent, NULL, 1, 1, 0, 0.1), SIMDP_ENULL);
    assert_int_equal(filter_basic(NULL, 1, 0), SIMDP_ENULL);
    const simdp_theory_mechanism none = {.kind = SIMDP_MECHANISM_NONE},
                                 unknown = {.kind = (simdp_mechanism)99, .scale = 1};
    assert_int_equal(simdp_theory_mechanism_cost(&cost, &none), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_mechanism_cost(&cost, &unknown), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_mechanism_cost(NULL, &good), SIMDP_ENULL);
    assert_int_equal(simdp_theory_mechanism_cost(&cost, NULL), SIMDP_ENULL);
    must(filter_basic(&f, 1, 0));
    assert_int_equal(simdp_theory_filter_admit(&f, &admitted, &none), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_filter_admit(&f, NULL, &good), SIMDP_ENULL);
    assert_int_equal(simdp_theory_filter_admit(NULL, &admitted, &good), SIMDP_ENULL);
    assert_int_equal(simdp_theory_filter_admit(&f, &admitted, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_theory_filter_spent(&f, NULL, &delta), SIMDP_ENULL);
    assert_int_equal(simdp_theory_filter_spent(&f, &epsilon, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_theory_filter_spent(NULL, &epsilon, &delta), SIMDP_ENULL);
    must(filter_typical(&f, 1, 0, 0.1, 1));
    assert_int_equal(simdp_theory_filter_spent(&f, &epsilon, &delta), SIMDP_EPARAM);
    assert_true(isnan(epsilon) && isnan(delta));
    /* a budget of nothing admits what costs nothing */
    must(filter_basic(&f, 0, 0));
    const simdp_theory_mechanism free_of_charge = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 0, .scale = 1};
    must(simdp_theory_filter_admit(&f, &admitted, &free_of_charge));
    assert_int_equal(admitted, 1);
    must(simdp_theory_filter_admit(&f, &admitted, &good));
    assert_int_equal(admitted, 0);
}

/* However an open fails, the filter that was there before does not go on admitting. */
static void failed_open(void **state)
{
    const simdp_theory_mechanism good = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 4};
    double spent[2], epsilon, delta;
    (void)state;
    for (int c = 0; c < 12; c++) {
        simdp_theory_filter f;
        simdp_status status = SIMDP_OK;
        int admitted = 5;
        must(filter_basic(&f, 10, 0));
        must(simdp_theory_filter_admit(&f, &admitted, &good));
        assert_int_equal(admitted, 1);
        if (c == 0) status = filter_basic(&f, NAN, 0);
        if (c == 1) status = filter_strong(&f, 1, 0, 0);
        if (c == 2) status = filter_strong(&f, -1, 0, 0.1);
        if (c == 3) status = filter_zcdp(&f, 1, 2, 0.1);
        if (c == 4) status = filter_renyi(&f, NULL, orders, 1, 1, 0, 0.1);
        if (c == 5) status = filter_renyi(&f, spent, NULL, 1, 1, 0, 0.1);
        if (c == 6) status = filter_renyi(&f, spent, orders, 0, 1, 0, 0.1);
        if (c == 7) status = filter_renyi(&f, spent, orders, SIZE_MAX, 1, 0, 0.1);
        if (c == 8) status = filter_renyi(&f, spent, (double[]){1.0}, 1, 1, 0, 0.1);
        if (c == 9) status = filter_typical(&f, 1, 0, 0, 1);
        if (c == 10) memset(&f, 0x5a, sizeof f), status = SIMDP_EPARAM; /* never opened */
        if (c == 11) memset(&f, 0, sizeof f), status = SIMDP_EPARAM;
        assert_true(status == SIMDP_EPARAM || status == SIMDP_ENULL);
        assert_int_equal(simdp_theory_filter_admit(&f, &admitted, &good), SIMDP_EPARAM);
        assert_int_equal(admitted, 0);
        assert_int_equal(simdp_theory_filter_spent(&f, &epsilon, &delta), SIMDP_EPARAM);
        assert_true(isnan(epsilon) && isnan(delta));
    }
}

/* A slack so small that its share per order is no double. */
static void least_slack(void **state)
{
    (void)state;
    const double twos[] = {2, 2}, budget = 1000 + 2 * log(2) + log(1.5) - 1074 * log(2); /* by convert() */
    for (int beyond = 0; beyond < 2; beyond++) {
        double spent[2];
        simdp_theory_filter f;
        int admitted;
        must(filter_renyi(&f, spent, twos, 2, 1000, 0, 0x3p-1074));
        const simdp_theory_mechanism m = {.kind = SIMDP_MECHANISM_GAUSSIAN,
                                          .sensitivity = 1,
                                          .delta = 0.5,
                                          .scale = 1 / sqrt(budget + (beyond ? 0.01 : -0.01))};
        must(simdp_theory_filter_admit(&f, &admitted, &m));
        assert_int_equal(admitted, !beyond);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs),       cmocka_unit_test(never_passed), cmocka_unit_test(refuses_only_what_passes),
        cmocka_unit_test(typical),     cmocka_unit_test(odometers),    cmocka_unit_test(bad_input),
        cmocka_unit_test(failed_open), cmocka_unit_test(least_slack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
