/* test_account_pld: privacy-loss distributions: tiny delta, and the sum of unlike steps. */
#include "support/pld_support.h"

#include <math.h>

#include "fft/fft.h"
#include "account/pld.h"
#include "support/laws.h"

#define SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- what has no bound is not small ---------------------------------------------------------------------------- */

/* Noise so wide that its loss lies within 1e-9 of one grid point: its masses have no useful bound on their error. Then
 * an upper epsilon may be loose, but is never below that of the other steps alone. */
static void nearly_no_loss_beside_others(void **state)
{
    (void)state;
    static const double deltas[] = {1e-12, 1e-6, 1e-3};
    double alone[SIZE(deltas)], upper[SIZE(deltas)], ignored[SIZE(deltas)], delta[SIZE(deltas)];
    simdp_pld *pld = empty(0.5);
    must(simdp_pld_add_laplace(pld, 6, 20560));
    must(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_epsilon(pld, alone, ignored, deltas, SIZE(deltas)));
    must(simdp_pld_add_gaussian(pld, 0x1p30, 3));
    must(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    must(simdp_pld_epsilon(pld, ignored, upper, deltas, SIZE(deltas)));
    for (size_t i = 0; i < SIZE(deltas); i++) {
        assert_true(alone[i] > 1e5 && upper[i] >= alone[i]);
        must(simdp_pld_delta(pld, ignored, &delta[i], &upper[i], 1));
        assert_true(delta[i] <= deltas[i] * (1 + 1e-12));
    }
    simdp_pld_destroy(pld);
}

/* ---- what the bracket is worth -------------------------------------------------------------------------------- */

static void thousand_gaussians(void **state)
{
    (void)state;
    const double s = 50 / sqrt(1000);
    simdp_pld *pld = empty(1e-4);
    double lower, upper, delta = 1e-20;
    must(simdp_pld_add_gaussian(pld, 50, 1000));
    compose(pld, delta, delta);
    must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
    assert_true(lower > 5.8699 && upper < 5.8701); /* exact: 5.870004 */
    /* from one composition, all the way down */
    compose(pld, 1e-200, 1);
    for (double l = -2; l >= -200; l -= 3) {
        delta = pow(10, l);
        const double exact = gaussian_epsilon(delta, s);
        must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
        assert_true(lower <= exact && exact <= upper);
        assert_true(upper - lower < 1e-5 * (1 + sqrt(-l)));
        double log_lower, log_upper;
        must(simdp_pld_log_delta(pld, &log_lower, &log_upper, &exact, 1));
        assert_true(log_lower <= log(delta) * (1 - 1e-14) && log(delta) * (1 + 1e-14) <= log_upper);
    }
    /* no worse than what other accountants give at this grid (6.1e-6 at delta = 1e-5) */
    delta = 1e-5;
    compose(pld, delta, delta);
    must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
    assert_true(upper - gaussian_epsilon(delta, s) < 6.1e-6 && gaussian_epsilon(delta, s) - lower < 6.1e-6);
    simdp_pld_destroy(pld);
}

/* Rounding every loss is off by up to `times` grid points, in the direction that it says. */
static void plain_rounding(void **state)
{
    (void)state;
    enum { TIMES = 60 };
    const double h = 1e-3, s = 5, delta[] = {1e-3, 1e-7, 1e-30, 1e-100};
    simdp_pld *pld = empty(h);
    must(simdp_pld_add_gaussian(pld, s, TIMES));
    must(simdp_pld_compose(pld, 1e-100, 1e-3, SIMDP_PLD_UP, SIMDP_PLD_DOWN, NULL, NULL));
    for (size_t i = 0; i < SIZE(delta); i++) {
        double lower, upper;
        const double exact = gaussian_epsilon(delta[i], s / sqrt(TIMES));
        must(simdp_pld_epsilon(pld, &lower, &upper, &delta[i], 1));
        assert_true(exact < upper && upper < exact + h * (double)TIMES);
        assert_true(exact > lower && lower > exact - h * (double)TIMES);
        assert_true(upper - lower > h * (double)TIMES / 2);
    }
    simdp_pld_destroy(pld);
}

/* Gaussians of different sizes are together one Gaussian. */
static void unlike_gaussians(void **state)
{
    (void)state;
    const double s[] = {3, 7, 11.5, 40};
    const uint64_t times[] = {1, 10, 3, 200};
    simdp_pld *pld = empty(2e-3);
    double information = 0;
    for (size_t i = 0; i < SIZE(s); i++) {
        must(simdp_pld_add_gaussian(pld, s[i], times[i]));
        information += (double)times[i] / (s[i] * s[i]);
    }
    compose(pld, 1e-60, 0.1);
    for (double l = -1; l >= -60; l -= 7) {
        const double delta = pow(10, l), exact = gaussian_epsilon(delta, 1 / sqrt(information));
        double lower, upper;
        must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
        assert_true(lower <= exact && exact <= upper && upper - lower < 3e-3);
    }
    simdp_pld_destroy(pld);
}

/* delta at an epsilon that was given as upper bound is no more than was asked for. */
static void asked_and_back(const simdp_pld *pld, double delta)
{
    double lower, upper, back;
    must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
    must(simdp_pld_delta(pld, NULL, &back, &upper, 1));
    assert_true(lower <= upper && back <= delta * (1 + 1.5e-13));
}

/* In a cell of 38 nats most of the curve lies within an ulp of its lower end. */
static void wide_cells(void **state)
{
    (void)state;
    const double mass[] = {0.5, 0.25, 0.125, 0.125}, h = 38;
    simdp_pld *pld = empty(h);
    must(simdp_pld_add_histogram(pld, mass, SIZE(mass), 0, 0, 6));
    compose(pld, 1e-6, 1);
    for (double epsilon = 0; epsilon < 18 * h; epsilon += 0.5) {
        double delta;
        must(simdp_pld_delta(pld, NULL, &delta, &epsilon, 1));
        for (int ulp = -60; ulp <= 9; ulp++) asked_and_back(pld, fmin(1, delta * (1 + ulp * 0x1p-52)));
    }
    simdp_pld_destroy(pld);
}

/* Below the range composed, where Chernoff's bound is smaller than that of the window. */
static void beside_the_range(void **state)
{
    (void)state;
    const double mass[] = {0, 0x1.d402449a158ap-1, 0, 0x1.5feddb2f53ap-4};
    simdp_pld *pld = empty(0x1.3234180128c03p-11);
    must(simdp_pld_add_histogram(pld, mass, SIZE(mass), 1, 0x1p-48, 10));
    must(simdp_pld_add_randomized_response(pld, 0x1.c5cc80ee3f4acp-31, 0x1.737e97b1cda49p-30, 93));
    compose(pld, 0.0422975, 0.148004);
    for (double delta = 0.2; delta > 1e-6; delta *= 0.99) asked_and_back(pld, delta);
    simdp_pld_destroy(pld);
}

/* A law that is nearly all in one far loss: weighted for smaller losses its sum is below the least double there, and
 * what is left of it must not be taken for delta. */
static void nearly_one_loss(void **state)
{
    (void)state;
    const double p[] = {1 - 0x1p-48, 0x1p-49, 0x1p-49}, q[] = {0x1p-1074, 0.5, 0.5};
    simdp_pld *pld = empty(1 / 512.0);
    must(simdp_pld_add_pair(pld, p, q, SIZE(p), 5));
    compose(pld, 5e-7, 1);
    for (double epsilon = 0; epsilon < 3800; epsilon += 50) {
        double lower, upper;
        must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
        assert_true(lower <= 1 && upper <= 1);
        if (epsilon < 3650) assert_true(lower > 0.999999 && upper > 0.999999); /* 5 losses of 744 */
        else if (epsilon > 3730) assert_true(lower == 0 && upper < 1e-12);
    }
    simdp_pld_destroy(pld);
}

/* Where the lower law lies below the window, what wraps around is less than the least double and still no delta. */
static void nothing_above_all_losses(void **state)
{
    (void)state;
    const double small = 0x1.c414f50b90af3p-2, large = 0x1.a908ed8f05903p+3, most = 126 * small + 23 * large;
    simdp_pld *pld = empty(0x1.f62fb25d88f5dp-2);
    double lower, upper, nothing = 0;
    must(simdp_pld_add_randomized_response(pld, small, 0, 126));
    must(simdp_pld_add_randomized_response(pld, large, 0, 23));
    must(simdp_pld_compose(pld, 2e-233, 2e-217, SIMDP_PLD_UP, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_epsilon(pld, &lower, &upper, &nothing, 1));
    assert_true(lower <= most && most <= upper);
    for (double epsilon = most + 0.1; epsilon < most + 20; epsilon += 0.1) {
        must(simdp_pld_log_delta(pld, &lower, &upper, &epsilon, 1));
        assert_true(lower == -INFINITY && upper == -INFINITY);
    }
    simdp_pld_destroy(pld);
}

/* Errors of losses that are less than an ulp of epsilon count all the same. */
static void last_digit_of_epsilon(void **state)
{
    (void)state;
    const double mass[] = {1}, scale = 0x1.999999999999ap-6; /* 1/scale is 2.2e-15 less than 40 */
    const double epsilon = nextafter(9 * 8 * 1793 + 18 * 40, 0);
    simdp_pld *pld = empty(8);
    double lower, upper;
    must(simdp_pld_add_discrete_laplace(pld, scale, 1, 18));
    must(simdp_pld_add_histogram(pld, mass, 1, 9, 0, 1793));
    must(simdp_pld_compose(pld, 1.5e-4, 0.02, SIMDP_PLD_UP, SIMDP_PLD_DOWN, NULL, NULL));
    must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
    assert_true(lower <= 1.4511947199375047e-11 && 1.4511947199375047e-11 <= upper);
    simdp_pld_destroy(pld);
}

/* The same steps in another order, appended in parts, or next to steps that cost nothing. */
static void order_of_steps(void **state)
{
    (void)state;
    const double delta = 1e-9, p[] = {0.5, 0.3, 0.2}, same[] = {0.5, 0.3, 0.2};
    double lower[3], upper[3];
    for (int way = 0; way < 3; way++) {
        simdp_pld *pld = empty(1e-3);
        if (way == 1) must(simdp_pld_add_randomized_response(pld, 0.2, 1e-12, 5));
        must(simdp_pld_add_laplace(pld, 0.1, way == 1 ? 20 : 7));
        if (way == 2) must(simdp_pld_add_pair(pld, p, same, 3, 4));
        must(simdp_pld_add_discrete_gaussian(pld, 8, 1, 12));
        must(simdp_pld_add_discrete_laplace(pld, 6, 2, 9));
        if (way != 1)
            must(simdp_pld_add_laplace(pld, 0.1, 13)), must(simdp_pld_add_randomized_response(pld, 0.2, 1e-12, 5));
        must(simdp_pld_add_gaussian(pld, 5, 0));
        compose(pld, 1e-11, 1e-6);
        must(simdp_pld_epsilon(pld, &lower[way], &upper[way], &delta, 1));
        simdp_pld_destroy(pld);
        assert_true(lower[way] < upper[way] && fabs(upper[way] - upper[0]) < 1e-6 &&
                    fabs(lower[way] - lower[0]) < 1e-6);
    }
}

/* A pair and a histogram say the same as the mechanism they are made from. */
static void pairs_and_histograms(void **state)
{
    (void)state;
    const double e = 0.25, keep = 1 / (1 + exp(-e)), p[] = {keep, 1 - keep}, q[] = {1 - keep, keep},
                 epsilon[] = {0, 0.5, 1.3, 2};
    double lower[3][4], upper[3][4];
    for (int way = 0; way < 3; way++) {
        simdp_pld *pld = empty(e / 50);
        if (way == 0) must(simdp_pld_add_randomized_response(pld, e, 0, 20));
        if (way == 1) must(simdp_pld_add_pair(pld, p, q, 2, 20));
        if (way == 2) {
            double mass[101];
            simdp_pld *one = empty(e / 50);
            must(simdp_pld_add_randomized_response(one, e, 0, 1));
            must(simdp_pld_masses(one, mass, 101, -50, 0, SIMDP_PLD_BINS));
            must(simdp_pld_add_histogram(pld, mass, 101, -50, 0, 20));
            simdp_pld_destroy(one);
        }
        compose(pld, 1e-6, 1);
        must(simdp_pld_delta(pld, lower[way], upper[way], epsilon, 4));
        for (int i = 0; i < 4; i++) {
            assert_true(lower[way][i] <= upper[way][i] && upper[way][i] - lower[way][i] < 1e-9);
            assert_true(fabs(upper[way][i] - upper[0][i]) < 1e-9);
        }
        simdp_pld_destroy(pld);
    }
}

/* delta of k steps of one pair, by enumeration of all n^k outcomes. */
static long double enumerate(const double *p, const double *q, size_t n, int k, long double epsilon)
{
    long double delta = 0;
    size_t all = 1;
    for (int i = 0; i < k; i++) all *= n;
    for (size_t code = 0; code < all; code++) {
        long double under_p = 1, under_q = 1;
        size_t rest = code;
        for (int i = 0; i < k; i++, rest /= n) under_p *= p[rest % n], under_q *= q[rest % n];
        const long double part = under_p - expl(epsilon) * under_q;
        if (part > 0) delta += part;
    }
    return delta;
}

/* Laws with nothing special about them, steps of both directions, grids that meet no loss. */
static void random_pairs(void **state)
{
    (void)state;
    uint64_t seed = 2024;
    double widest = 0;
    for (int round = 0; round < 400; round++) {
        double p[6], q[6], sums[2] = {0, 0};
        const size_t n = 2 + test_random(&seed) % 5;
        const int k = 1 + (int)(test_random(&seed) % 4);
        const double sharp = 0.02 + 3 * (double)(test_random(&seed) >> 11) * 0x1p-53;
        for (size_t i = 0; i < n; i++) {
            const double a = (double)(test_random(&seed) >> 11) * 0x1p-53,
                         b = (double)(test_random(&seed) >> 11) * 0x1p-53;
            p[i] = exp(-3 * a) + 1e-3;
            q[i] = p[i] * exp(sharp * (b - 0.5));
            if (round % 7 == 3 && i == 0) p[i] = 0;
            if (round % 7 == 5 && i == 1) q[i] = 0;
            sums[0] += p[i], sums[1] += q[i];
        }
        for (size_t i = 0; i < n; i++) p[i] /= sums[0], q[i] /= sums[1];
        simdp_pld *pld = empty(0.002 + 0.03 * sharp * (double)(test_random(&seed) >> 11) * 0x1p-53);
        must(simdp_pld_add_pair(pld, p, q, n, (uint64_t)k));
        compose(pld, 1e-9, 1);
        for (double epsilon = 0; epsilon < sharp * k; epsilon += sharp * k / 13) {
            double lower, upper;
            const long double exact = enumerate(p, q, n, k, epsilon);
            must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
            if (!(lower <= exact + 1e-17L && exact - 1e-17L <= upper))
                fail_msg("round %d, epsilon %g: %.17g <= %.17Lg <= %.17g", round, epsilon, lower, exact, upper);
            widest = fmax(widest, upper - lower);
        }
        simdp_pld_destroy(pld);
    }
    print_message("widest bracket of delta: %.3g\n", widest);
    assert_true(widest < 0.15); /* two outcomes far apart cannot do better than be rounded */
}

/* k discrete Gaussians: the sum of the noise decides, and its law is a plain convolution. */
static void discrete_gaussians_off_the_grid(void **state)
{
    (void)state;
    enum { HALF = 400, K = 4 };
    static long double one[2 * HALF + 1], sum[2 * HALF + 1], next[2 * HALF + 1];
    const double sigma = 11.3;
    long double norm = 0;
    for (int x = -HALF; x <= HALF; x++) norm += one[x + HALF] = expl(-(long double)x * x / (2 * sigma * sigma));
    for (int x = -HALF; x <= HALF; x++) sum[x + HALF] = x == 0, one[x + HALF] /= norm;
    for (int k = 0; k < K; k++) {
        for (int x = -HALF; x <= HALF; x++) {
            next[x + HALF] = 0;
            for (int y = -HALF; y <= HALF; y++) {
                if (x - y >= -HALF && x - y <= HALF) next[x + HALF] += sum[y + HALF] * one[x - y + HALF];
            }
        }
        memcpy(sum, next, sizeof sum);
    }
    simdp_pld *pld = empty(1e-4);
    must(simdp_pld_add_discrete_gaussian(pld, sigma, 1, K));
    compose(pld, 1e-20, 1);
    for (double epsilon = 0; epsilon < 1.5; epsilon += 0.06) {
        long double exact = 0;
        double lower, upper;
        for (int x = -HALF; x <= HALF; x++) {
            const long double loss = ((double)K - 2 * (long double)x) / (2 * sigma * sigma);
            if (loss > epsilon) exact -= sum[x + HALF] * expm1l(epsilon - loss);
        }
        must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
        assert_true(lower <= exact && exact <= upper && upper - lower < 5e-3 * upper);
    }
    simdp_pld_destroy(pld);
}

/* Steps whose losses no grid can meet together: still second order from both sides. */
static void unlike_laplace(void **state)
{
    (void)state;
    double width[2];
    for (int fine = 0; fine < 2; fine++) {
        simdp_pld *pld = empty(fine ? 1e-4 : 4e-4);
        double lower, upper;
        const double delta = 1e-6;
        for (int i = 0; i < 40; i++) must(simdp_pld_add_laplace(pld, 0.1 + 0.00317 * i, 3));
        compose(pld, delta, delta);
        must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
        width[fine] = upper - lower;
        simdp_pld_destroy(pld);
    }
    assert_true(width[0] < 3e-3 && width[1] < width[0] / 5); /* rounding down would make it 120 * 2e-4 */
}

static void mass_at_infinity(void **state)
{
    (void)state;
    const double p[] = {0.25, 0.5, 0.25}, q[] = {0.25, 0.75, 0}, all[] = {0.5, 0.5}, none[] = {0, 0};
    double lower, upper, at = 3;
    simdp_pld *pld = empty(0.01);
    must(simdp_pld_add_randomized_response(pld, 0.1, 1e-7, 10));
    compose(pld, 1e-9, 1);
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1)); /* beyond 10 * 0.1 only the leak is left */
    const double leak = -expm1(10 * log1p(-1e-7));
    assert_true(lower <= leak && leak <= upper && upper - lower < 1e-19);
    at = INFINITY;
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1));
    assert_true(lower <= leak && leak <= upper);
    at = 1e-8;
    must(simdp_pld_epsilon(pld, &lower, &upper, &at, 1));
    assert_true(isinf(lower) && isinf(upper));
    simdp_pld_destroy(pld);

    pld = empty(0.1); /* 1 - (3/4)^2, and what p = 2/3 q gives nothing to */
    must(simdp_pld_add_pair(pld, p, q, 3, 2));
    compose(pld, 1e-3, 1);
    at = 1;
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1));
    assert_true(lower <= 0.4375 && 0.4375 <= upper && upper - lower < 1e-12);
    must(simdp_pld_add_pair(pld, all, none, 2, 1));
    compose(pld, 1e-3, 1);
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1));
    assert_true(lower > 1 - 1e-14 && upper == 1);
    simdp_pld_destroy(pld);
}

/* The same masses at other losses are another step. */
static void histograms_differ_by_place(void **state)
{
    (void)state;
    const double mass[] = {0.5, 0.5}, h = 0.25, at = 0;
    double lower, upper, second[2];
    simdp_pld *pld = empty(h);
    must(simdp_pld_add_histogram(pld, mass, 2, 0, 0, 1));
    must(simdp_pld_add_histogram(pld, mass, 2, 1, 0, 1));
    must(simdp_pld_masses(pld, second, 2, 2, 1, SIMDP_PLD_UP));
    assert_true(second[0] == 0.5 && second[1] == 0);
    compose(pld, 1e-3, 1);
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1));
    const double truth = -(expm1(-h) + 2 * expm1(-2 * h) + expm1(-3 * h)) / 4;
    assert_true(lower <= truth && truth <= upper && upper - lower < 1e-12);
    simdp_pld_destroy(pld);
}

/* Sums of many entries, and of entries that are not quite a law: 1e5 outcomes of which half are infinite, 1e6 uses of a
 * step that lacks 9e-10, or has as much too much. */
static void entries_are_added_up(void **state)
{
    (void)state;
    enum { N = 100000 };
    static double p[N], q[N];
    const double one[] = {1 - 9e-10, 1 + 9e-10}, at = INFINITY;
    double lower, upper;
    for (size_t i = 0; i < N; i++) p[i] = 1e-5, q[i] = i % 2 == 0 ? 0 : 1e-5;
    simdp_pld *pld = empty(0.1);
    must(simdp_pld_add_pair(pld, p, q, N, 1));
    compose(pld, 1e-3, 1);
    must(simdp_pld_delta(pld, &lower, &upper, &at, 1));
    const long double sum = N / 2 * (long double)1e-5; /* 1e5 of them exceed 1 by 8e-17 */
    assert_true(lower <= sum && sum <= upper && upper - lower < 4e-15);
    simdp_pld_destroy(pld);

    for (int i = 0; i < 2; i++) {
        const double mass[] = {0.5, one[i] - 0.5};
        pld = empty(0.1);
        must(simdp_pld_add_histogram(pld, mass, 2, -1, 0, 1000000));
        compose(pld, 1e-9, 1);
        const double epsilon = 1;
        must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
        const double truth = i == 0 ? -expm1(1e6 * log1p(one[0] - 1)) : 0;
        assert_true(lower <= 1e-300 && truth <= upper && upper <= truth * (1 + 1e-12));
        simdp_pld_destroy(pld);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_no_loss_beside_others),
        cmocka_unit_test(thousand_gaussians),
        cmocka_unit_test(plain_rounding),
        cmocka_unit_test(unlike_gaussians),
        cmocka_unit_test(wide_cells),
        cmocka_unit_test(beside_the_range),
        cmocka_unit_test(nearly_one_loss),
        cmocka_unit_test(nothing_above_all_losses),
        cmocka_unit_test(last_digit_of_epsilon),
        cmocka_unit_test(order_of_steps),
        cmocka_unit_test(pairs_and_histograms),
        cmocka_unit_test(random_pairs),
        cmocka_unit_test(discrete_gaussians_off_the_grid),
        cmocka_unit_test(unlike_laplace),
        cmocka_unit_test(mass_at_infinity),
        cmocka_unit_test(entries_are_added_up),
        cmocka_unit_test(histograms_differ_by_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
