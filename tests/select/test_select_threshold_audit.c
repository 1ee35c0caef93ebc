/* test_select_threshold_audit: the sparse vector technique as an attacker sees it. Two neighbouring data sets, whose
 * queries differ by at most 1, and one event: its frequencies on both bound the privacy loss from below. The variants of
 * the literature that promise more than they keep (Lyu, Su and Li, 2017, section 3) must be caught above the epsilon
 * that they promise; simdp_select_above_threshold and its states must not. Bounds miss with probability below 1e-10. */
#include <math.h>

#include "support/test_support.h"

enum { MOST = 8 };

/* Queries of both data sets, the threshold being 0, and the answers that make the event. */
typedef struct {
    size_t n;
    double queries[2][MOST];
    uint8_t answers[MOST];
    double shown; /* if above 0, the noisy value of the last query lies within so much of 0 */
} scene;

typedef struct {
    double epsilon, scale_threshold, scale_query;
    bool no_query_noise, redraws, shows; /* noise of the threshold drawn for every query; values shown */
} variant;

/* Laplace noise, many at a time. */
static double next_noise(simdp_rng *rng)
{
    static double stage[4096];
    static size_t left;
    if (left == 0) {
        must(simdp_noise_laplace_f64(rng, stage, 4096, 1.0));
        left = 4096;
    }
    return stage[--left];
}

/* One run of a variant that goes on after reports: whether it shows the event. */
static bool run_variant(const scene *s, const variant *v, int who, simdp_rng *rng)
{
    double bar = v->scale_threshold * next_noise(rng), value = 0;
    bool is_event = true;
    for (size_t i = 0; i < s->n; i++) {
        if (v->redraws && i > 0) bar = v->scale_threshold * next_noise(rng);
        value = s->queries[who][i] + (v->no_query_noise ? 0 : v->scale_query * next_noise(rng));
        is_event &= (value >= bar) == s->answers[i];
    }
    return is_event && (!v->shows || fabs(value) <= s->shown);
}

/* The library: one report, or the number that the epsilon was split for. */
static bool run_ours(const scene *s, const variant *v, int who, simdp_rng *rng)
{
    uint64_t reports = 0;
    for (size_t i = 0; i < s->n; i++) reports += s->answers[i];
    if (reports <= 1) {
        size_t index, want = SIZE_MAX;
        uint8_t found;
        for (size_t i = 0; i < s->n; i++) want = s->answers[i] && want == SIZE_MAX ? i : want;
        must(simdp_select_above_threshold(rng, &index, &found, s->queries[who], s->n, 0.0, v->scale_threshold,
                                          v->scale_query));
        return index == want;
    }
    simdp_select_threshold state;
    bool is_event = true;
    must(simdp_select_threshold_open(rng, &state, 0.0, v->scale_threshold, v->scale_query, reports));
    for (size_t i = 0; i < s->n && is_event; i++) {
        uint8_t above = 0;
        must(simdp_select_threshold_ask(rng, &state, &above, s->queries[who][i]));
        is_event = above == s->answers[i];
    }
    simdp_select_threshold_wipe(&state);
    return is_event;
}

typedef bool run_function(const scene *s, const variant *v, int who, simdp_rng *rng);

/* A lower bound of the loss of the event. */
static double measured_loss(const scene *s, const variant *v, run_function *run, uint64_t runs)
{
    simdp_loss_estimate p[2];
    for (int who = 0; who < 2; who++) {
        uint64_t seen = 0;
        simdp_rng rng;
        test_stream(&rng, 1000 + s->n, (uint64_t)who, 0);
        for (uint64_t i = 0; i < runs; i++) seen += run(s, v, who, &rng);
        must(simdp_loss_interval_proportion(&p[who], seen, runs, 1e-10));
    }
    return p[0].low > 0 ? log(p[0].low / p[1].high) : -INFINITY;
}

/* No answer above, then one; answers below and above; none at all. */
static const scene first_above = {2, {{0, 1}, {1, 0}}, {0, 1}, 0},
                   half_and_half = {6, {{0}, {1, 1, 1, -1, -1, -1}}, {0, 0, 0, 1, 1, 1}, 0},
                   none = {8, {{0}, {1, 1, 1, 1, 1, 1, 1, 1}}, {0}, 0},
                   value_seen = {6, {{0}, {1, 1, 1, 1, 1, 0}}, {0, 0, 0, 0, 0, 1}, 0.5};

static void test_broken_variants(void **state)
{
    (void)state;
    const uint64_t runs = (uint64_t)1 << 22;
    static const struct {
        const char *name;
        const scene *scene;
        variant variant;
    } broken[] = {
        {"no noise on queries", &first_above, {1, 2, 4, .no_query_noise = true}},
        {"threshold noise drawn again without payment", &none, {1, 2, 4, .redraws = true}},
        {"many reports with the noise of one", &half_and_half, {4, 0.5, 1, .redraws = false}},
        {"values shown", &value_seen, {4, 0.5, 1, .shows = true}},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        const double loss = measured_loss(broken[i].scene, &broken[i].variant, run_variant, runs);
        print_message("%s: promises %g, loses at least %.3f\n", broken[i].name, broken[i].variant.epsilon, loss);
        if (!(loss > broken[i].variant.epsilon)) fail_msg("%s was not caught", broken[i].name);
    }
}

/* The same scenes, and the same scales where one report is made; the audit has power: it sees a good part of epsilon. */
static void test_ours(void **state)
{
    (void)state;
    const uint64_t runs = is_short() ? 20000 : 300000;
    double most = 0;
    const scene *const scenes[] = {&first_above, &none, &value_seen, &half_and_half};
    for (size_t i = 0; i < 4; i++) {
        for (int e = 1; e <= 4; e += 3) {
            variant v = {.epsilon = e, .scale_threshold = 2.0 / e, .scale_query = 4.0 / e};
            if (scenes[i] == &half_and_half)
                must(simdp_select_threshold_scales(&v.scale_threshold, &v.scale_query, e, 1, 3, 0));
            const double loss = measured_loss(scenes[i], &v, run_ours, runs);
            if (loss > e) fail_msg("scene %zu: promises %d, loses %g", i, e, loss);
            most = fmax(most, loss / e);
        }
    }
    print_message("at most %.2f of epsilon was seen\n", most);
    assert_true(most > 0.2 || is_short());
}

/* ---- accounting: the pairs that the header names ---- */

/* delta(epsilon) of a pair of Bernoulli numbers p, q is at most that of the pair that stands for them. */
static double delta_of(double p, double p_rest, double q, double q_rest, double epsilon)
{
    const double e = exp(epsilon);
    return fmax(0, p - e * q) + fmax(0, p_rest - e * q_rest);
}

static void test_partition_pairs(void **state)
{
    (void)state;
    enum { N = 60 };
    static const double laws[][2] = {{1.0, 1e-5}, {0.5, 1e-2}, {3.0, 0.1}};
    for (size_t i = 0; i < 3; i++) {
        const double epsilon = laws[i][0], delta = laws[i][1];
        int64_t counts[N];
        double p[N], rest[N], at[40], dominating[40], worst[40] = {0};
        for (int n = 0; n < N; n++) counts[n] = n;
        must(simdp_select_partition_probability(p, rest, counts, N, epsilon, delta, 1));
        for (int k = 0; k < 40; k++) at[k] = epsilon * k / 39;
        simdp_law pair = {.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = epsilon, .leak = delta};
        must(simdp_loss_delta(dominating, at, 40, pair));
        for (int k = 0; k < 40; k++) {
            for (int n = 1; n < N; n++) {
                worst[k] = fmax(worst[k], delta_of(p[n], rest[n], p[n - 1], rest[n - 1], at[k]));
                worst[k] = fmax(worst[k], delta_of(p[n - 1], rest[n - 1], p[n], rest[n], at[k]));
            }
            assert_true(worst[k] <= dominating[k] + 1e-13); /* what the sums above can lose */
        }
        assert_true(worst[39] > delta * (1 - 1e-8)); /* met at epsilon: the rule is the best there is */
    }
}

/* Seven groups a person: the composition of seven pairs is no worse than the promise. */
static void test_pld(void **state)
{
    (void)state;
    const double epsilon = 1.4, delta = 1e-6, share = -expm1(log1p(-delta) / 7);
    double lower, upper;
    simdp_pld *pld;
    must(simdp_pld_create(&pld, simdp_pld_grid(1e-3, epsilon / 7)));
    must(simdp_pld_add_randomized_response(pld, epsilon / 7, share, 7));
    must(simdp_pld_compose(pld, 1e-9, 1e-3, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
    assert_true(upper <= delta * (1 + 1e-6) && lower >= delta * (1 - 1e-6));
    simdp_pld_destroy(pld);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_variants),
        cmocka_unit_test(test_ours),
        cmocka_unit_test(test_partition_pairs),
        cmocka_unit_test(test_pld),
    };
    return cmocka_run_group_tests_name("select_threshold_audit", tests, NULL, NULL);
}
