/* fp_mode_rows.c: rows of fp_mode_rows.h. */
#include "fp_mode_record.h"

#include "support/audits.h"
#include "support/laws.h"

/* ---- data ---- */

enum { EPSILONS = 4 };

static const double epsilons[EPSILONS] = {0.0, 0.3, 1.0, 2.5};
static const double x0s[N] = {0.5, -0.25, 0x1p-1070, 0, 1}, x1s[N] = {0.1, 0.3, -0x1p-1074, 1e-310, 0.7};
static const double scores[2][6] = {{0, 1.1, 2.3, 0x1p-1074, 2.9, -1e-310}, {0.3, 1.5, 1.9, -0x1p-1074, 2.1, 0.7}};
static const size_t chosen[6] = {0, 3, 1, 5, 2, 9};

/* ---- loss ---- */

static void losses(record *r)
{
    double scales[N], loss[N] = {0}, total;
    float single[N];
    for (int i = 0; i < N; i++) scales[i] = 0.75, single[i] = (float)i * 0.25f;
#define BOTH(law, name)                                                                                           \
    good(r, simdp_loss_##law##_f64(loss, y, N, 0.1, 0.4, 0.7)), PUT(loss);                                        \
    good(r, simdp_loss_##law##_f64(loss, y, N, 0x1p-1074, -1e-310, 0x1p-800)), PUT(loss);                         \
    good(r, simdp_loss_##law##_f32(loss, single, N, 0.1, 0.4, 0.7)), PUT(loss);                                   \
    good(r, simdp_loss_##law##_f64_each(loss, y, x0s, x1s, scales, N, 0)), PUT(loss);                             \
    good(r, simdp_loss_##law##_f64_each(loss, y, x0s, x1s, NULL, N, 0.7)), PUT(loss);                             \
    good(r, simdp_loss_sum(&total, loss + 7, 1, 20)), put(r, &total, sizeof total);                               \
    good(r, simdp_loss_sum_outputs(&total, y + 7, 20, (simdp_loss_step){SIMDP_MECHANISM_##name, 0.1, 0.4, 0.7})), \
        put(r, &total, sizeof total)
    BOTH(laplace, LAPLACE);
    BOTH(gaussian, GAUSSIAN);
    good(r, simdp_loss_randomized_response(loss, answers, 8, 0, 1, 0.7)), PUT(loss);
    good(r, simdp_loss_sum(&total, loss, 1, 4)), put(r, &total, sizeof total);
    good(r, simdp_loss_leaky_response(loss, answers, 8, 0, 1, 0.7, 0.1)), PUT(loss);
    good(r, simdp_loss_selection(loss, chosen, 6, scores[0], scores[1], 6, 0.7)), PUT(loss);
    good(r, simdp_loss_sum(&total, loss, 1, 5)), put(r, &total, sizeof total);
    good(r, simdp_loss_sum(&total, y + 7, 1, 20)), put(r, &total, sizeof total);
    good(r, simdp_loss_sum(loss, y + 7, 4, 5)), PUT(loss);
    const simdp_loss_step steps[] = {{SIMDP_MECHANISM_LAPLACE, 0.1, 0.4, 0.7},
                                     {SIMDP_MECHANISM_GAUSSIAN, 0.1, 0.4, 0.7},
                                     {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, 0, 1, 0.3}};
    double outputs[6] = {0.3, 0.2, 1, 0x1p-1074, 1.7, 0};
    good(r, simdp_loss_transcripts(loss, outputs, 2, steps, 3)), PUT(loss);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_loss_randomized_response(loss, answers, 8, 0, 1, tiny[i])), PUT(loss);
        put_status(r, simdp_loss_leaky_response(loss, answers, 8, 0, 1, 1, tiny[i])), PUT(loss);
        const simdp_loss_step step = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, 0, 1, tiny[i]},
                              bit = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, tiny[i], 1, 1};
        put_status(r, simdp_loss_transcripts(loss, outputs + 5, 1, &step, 1)), PUT(loss);
        put_status(r, simdp_loss_transcripts(loss, outputs + 5, 1, &bit, 1)), PUT(loss);
        put_status(r, simdp_loss_sum_outputs(&total, outputs + 5, 1, step)), put(r, &total, sizeof total);
    }
}

static void curves(record *r)
{
    double delta[N] = {0}, at[N], more[N];
    for (int i = 0; i < N; i++) at[i] = 0.0625 * i, more[i] = 0.875 + 0.015625 * i; /* exact in every mode */
    at[0] = 0x1p-1074, at[1] = -0x1p-1074;
    more[0] = 0x1p-1074, more[1] = 1e-310;
    good(r, simdp_delta_laplace(delta, at + 2, N - 2, 1.7)), PUT(delta);
    good(r, simdp_delta_gaussian(delta, at + 2, N - 2, 1.7)), PUT(delta);
    put_status(r, simdp_delta_laplace(delta, at, N, 1.7)), PUT(delta);
    put_status(r, simdp_delta_gaussian(delta, at, N, 1.7)), PUT(delta);
    put_status(r, simdp_loss_delta_each(delta, at, more, N, law_laplace(0))), PUT(delta);
    put_status(r, simdp_loss_delta_each(delta, at, more, N, law_gaussian(0))), PUT(delta);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_delta_laplace(delta, at, N, tiny[i])), PUT(delta);
        put_status(r, simdp_delta_gaussian(delta, at, N, tiny[i])), PUT(delta);
    }
}

static void intervals(record *r)
{
    simdp_loss_estimate e = {0, 0, 0};
    good(r, simdp_loss_interval_proportion(&e, 17, 1000, 1e-3)), put(r, &e, sizeof e);
    good(r, simdp_loss_interval_mean(&e, 0.3, 1000, 0.9, 1e-3)), put(r, &e, sizeof e);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_loss_interval_proportion(&e, 17, 1000, tiny[i])), put(r, &e, sizeof e);
        put_status(r, simdp_loss_interval_mean(&e, tiny[i], 1000, 0.9, 1e-3)), put(r, &e, sizeof e);
        put_status(r, simdp_loss_interval_mean(&e, 0, 1000, tiny[i], 1e-3)), put(r, &e, sizeof e);
    }
}

static void statistics(record *r)
{
    static const double orders[] = {0.5, 1, 2.5};
    uint64_t counts[12];
    simdp_loss_statistics_plan plan = {.epsilon = epsilons,
                                       .epsilons = EPSILONS,
                                       .deltas = 1,
                                       .bound = 40,
                                       .order = orders,
                                       .orders = 3,
                                       .counts = counts,
                                       .bins = 10,
                                       .low = -1,
                                       .high = 1.7};
    simdp_loss_statistics s;
    simdp_loss_summary summary;
    simdp_loss_estimate e[4] = {{0, 0, 0}};
    const double share[] = {0.1, 0.5, 0x1p-1074};
    good(r, simdp_loss_statistics_init(&s, &plan));
    for (int i = 0; i < 20; i++) {
        good(r, simdp_loss_statistics_update(&s, y + 7, 20));
        good(r, simdp_loss_statistics_outputs(&s, y, N, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.1, 0.4, 0.7}));
        good(r,
             simdp_loss_statistics_outputs(&s, y + 7, 20, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.1, 0.4, 0.7}));
    }
    good(r, simdp_loss_statistics_summary(&s, &summary, 1e-3)), put(r, &summary, sizeof summary);
    good(r, simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_TAILS, 1e-3)), PUT(e);
    good(r, simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_DELTAS, 1e-3)), PUT(e);
    good(r, simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_RENYI, 1e-3)), PUT(e);
    good(r, simdp_loss_statistics_quantiles(&s, e, share, 3, 1e-3)), PUT(e);
    PUT(counts);
    for (int i = 0; i < TINY; i++) {
        plan.epsilon = plan.order = &tiny[i], plan.epsilons = plan.orders = 1, plan.bound = tiny[i];
        put_status(r, simdp_loss_statistics_init(&s, &plan));
        put_status(r, simdp_loss_statistics_update(&s, y, N));
        memset(e, 0, sizeof e);
        put_status(r, simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_TAILS, 1e-3)), PUT(e);
        put_status(r, simdp_loss_statistics_quantiles(&s, e, &tiny[i], 1, 1e-3)), PUT(e);
        put_status(r, simdp_loss_statistics_summary(&s, &summary, tiny[i]));
    }
}

static void put_rows(record *r, const simdp_loss_audit *a)
{
    simdp_loss_audit_row rows[EPSILONS];
    memset(rows, 0, sizeof rows);
    good(r, simdp_loss_audit_rows(a, rows)), PUT(rows);
}

static void audits(record *r)
{
    const simdp_loss_audit_plan plan = {
        .epsilon = epsilons, .epsilons = EPSILONS, .hockey_stick = 1, .samples = 3000, .error = 1e-6};
    static const double few[3] = {0.5, 1.5, 0x1p-1074};
    simdp_loss_audit_row rows[EPSILONS];
    simdp_loss_audit a, b;
    simdp_rng rng;
    open_stream(r, &rng);
    good(r, audit_laplace(&rng, rows, &plan, 0.1, 0.9, 0.7)), PUT(rows);
    good(r, audit_gaussian(&rng, rows, &plan, 0.1, 0.9, 0.7)), PUT(rows);
    good(r, audit_selection(&rng, rows, &plan, scores[0], scores[1], 6, 0.7)), PUT(rows);
    good(r, audit_response(&rng, rows, &plan, 0.7)), PUT(rows);
    good(r, audit_init_laplace(&a, &plan, 0.1, 0.9, 0.7));
    good(r, simdp_loss_audit_outputs(&a, y, N, 0)), good(r, simdp_loss_audit_outputs(&a, few, 3, 1));
    good(r, simdp_loss_audit_draw(&rng, &a, 500)), b = a, good(r, simdp_loss_audit_add(&a, &b)), put_rows(r, &a);
    good(r, audit_init_gaussian(&a, &plan, 0.1, 0.9, 0.7));
    good(r, simdp_loss_audit_outputs(&a, y, N, 0)), put_rows(r, &a);
    good(r, audit_init_selection(&a, &plan, scores[0], scores[1], 6, 0.7));
    good(r, simdp_loss_audit_choices(&a, chosen, 6, 0)), put_rows(r, &a);
    good(r, audit_init_response(&a, &plan, 0.7));
    good(r, simdp_loss_audit_bits(&a, answers, 8, 1)), put_rows(r, &a);
    put_position(r, &rng);
    for (int i = 0; i < TINY; i++) {
        const simdp_loss_audit_plan
            odd = {.epsilon = &tiny[i], .epsilons = 1, .hockey_stick = 1, .samples = 100, .error = 1e-6},
            error = {.epsilon = epsilons, .epsilons = 1, .hockey_stick = 1, .samples = 100, .error = tiny[i]};
        put_status(r, audit_laplace(&rng, rows, &odd, 0, 1, 1));
        put_status(r, audit_gaussian(&rng, rows, &error, 0, 1, 1));
        memset(rows, 0, sizeof rows);
        put_status(r, audit_response(&rng, rows, &plan, tiny[i])), PUT(rows); /* a loss that only subnormals see */
        put_position(r, &rng);
        if (audit_init_response(&a, &plan, tiny[i]) == SIMDP_OK)
            good(r, simdp_loss_audit_bits(&a, answers, 8, 0)), put_rows(r, &a);
        put_status(r, audit_init_laplace(&a, &plan, 0, tiny[i], 1)), good(r, audit_init_laplace(&b, &plan, 0, 0, 1));
        put_status(r, simdp_loss_audit_add(&a, &b)); /* another question */
    }
}

/* ---- account: the forms have a test of their own below ---- */

static void sampled(record *r)
{
    const double at[] = {0.1, 1, 2.5};
    double out[3] = {0};
    for (int way = 0; way < 3; way++) {
        const simdp_loss_direction d = (simdp_loss_direction)way;
        good(r, simdp_delta_laplace_sampled(out, at, 3, 1, 0.1, d)), PUT(out);
        good(r, simdp_delta_gaussian_sampled(out, at, 3, 1, 0.1, d)), PUT(out);
        good(r, simdp_loss_log_delta_laplace_sampled(out, at, 3, 1, 0.1, d)), PUT(out);
        good(r, simdp_loss_log_delta_gaussian_sampled(out, at, 3, 1, 0.1, d)), PUT(out);
    }
    good(r, simdp_renyi_gaussian_sampled(out, at, 3, 1, 0.1)), PUT(out);
    const simdp_account_sgd_run run = {1.1, 0.1, 20};
    good(r, simdp_account_sgd_epsilon(&out[0], &out[1], run, 1e-5, 0.1, NULL, NULL));
    good(r, simdp_account_sgd_noise(&out[2], (simdp_privacy){2, 1e-5}, 0.1, 20, 0.1, NULL, NULL)), PUT(out);
}

static void distributions(record *r)
{
    const double p[] = {0.3, 0.3, 0.4}, q[] = {0.2, 0.4, 0.4}, at[] = {0, 0.3, 1.5, 0x1p-1074};
    const double delta[] = {1e-6, 0.1, 0};
    const double grid = simdp_pld_grid(1e-2, 0.3);
    double lower[4] = {0}, upper[4] = {0}, mass[9] = {0};
    simdp_pld *pld;
    put(r, &grid, sizeof grid);
    good(r, simdp_pld_create(&pld, 1e-2));
    good(r, simdp_pld_add_laplace(pld, 0.3, 2)), good(r, simdp_pld_add_gaussian(pld, 3, 3));
    good(r, simdp_pld_add_randomized_response(pld, 0.2, 1e-9, 1));
    good(r, simdp_pld_add_discrete_laplace(pld, 4, 1, 2)), good(r, simdp_pld_add_discrete_gaussian(pld, 4, 1, 2));
    good(r, simdp_pld_add_pair(pld, p, q, 3, 1)), good(r, simdp_pld_add_histogram(pld, p, 3, -1, 0, 2));
    good(r, simdp_pld_add_gaussian_sampled(pld, 1.1, 0.1, 2)), good(r, simdp_pld_add_laplace_sampled(pld, 0.5, 0.1, 2));
    good(r, simdp_pld_add_bounded_range(pld, 0.5, 2));
    good(r, simdp_pld_add_gaussian_mixture(pld, (const double[]){0, 1, 2}, p, 3, 4, 2));
    for (size_t m = 0; m < 11; m++) {
        for (int rounding = SIMDP_PLD_UP; rounding <= SIMDP_PLD_BINS; rounding++)
            good(r, simdp_pld_masses(pld, mass, 9, -4, m, (simdp_pld_rounding)rounding)), PUT(mass);
    }
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_pld_add_laplace(pld, tiny[i], 1));
        put_status(r, simdp_pld_add_randomized_response(pld, tiny[i], 0, 1));
        put_status(r, simdp_pld_add_randomized_response(pld, 0.2, tiny[i], 1));
        put_status(r, simdp_pld_add_histogram(pld, (const double[]){1, tiny[i]}, 2, 0, 0, 1));
        put_status(r, simdp_pld_add_pair(pld, (const double[]){1, 0}, (const double[]){1, tiny[i]}, 2, 1));
        const double odd = simdp_pld_grid(1e-300, tiny[i]), other = simdp_pld_grid(tiny[i], 1e-310);
        put(r, &odd, sizeof odd), put(r, &other, sizeof other);
    }
    put_status(r, simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    const size_t points = simdp_pld_points(pld);
    put(r, &points, sizeof points);
    put_status(r, simdp_pld_delta(pld, lower, upper, at, 4)), PUT(lower), PUT(upper);
    put_status(r, simdp_pld_log_delta(pld, lower, upper, at, 4)), PUT(lower), PUT(upper);
    put_status(r, simdp_pld_epsilon(pld, lower, upper, delta, 3)), PUT(lower), PUT(upper);
    put_status(r, simdp_pld_composed_masses(pld, mass, 9, -2)), PUT(mass);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_pld_delta(pld, lower, upper, &tiny[i], 1)), PUT(lower), PUT(upper);
        put_status(r, simdp_pld_epsilon(pld, lower, upper, &tiny[i], 1)), PUT(lower), PUT(upper);
    }
    simdp_pld_destroy(pld);
}

/* ---- select and release ---- */

static void selections(record *r)
{
    size_t index[6];
    double out[6], mean;
    /* subnormal, and constants: made here they would depend on the mode */
    static const float single[6] = {0, 0x1p-140f, 0x2p-140f, 0x3p-140f, 0x4p-140f, 0x5p-140f};
    static const simdp_id ids[2] = {{1, 2}, {3, 4}};
    char workspace[2048];
    simdp_rng rng;
    open_stream(r, &rng);
#define CHOSEN(call) (memset(index, 0, sizeof index), put_status(r, (call)), PUT(index))
    /* the last scales are bad, unless subnormal numbers count as 0 */
    const double scales[] = {0, SIMDP_NOISE_SCALE_MIN, 0.7, 1e-310, -0x1p-1074};
    for (int j = 0; j < 5; j++) {
        const double s = scales[j];
        for (int f = 0; f < 2; f++) {
#define BOTH_FORMS(double_form, float_form) CHOSEN(f == 0 ? (double_form) : (float_form))
            BOTH_FORMS(simdp_select_gumbel(&rng, index, scores[0], 6, s),
                       simdp_select_gumbel_f32(&rng, index, single, 6, s));
            BOTH_FORMS(simdp_select_gumbel_many(&rng, index, 5, scores[0], 6, s),
                       simdp_select_gumbel_many_f32(&rng, index, 5, single, 6, s));
            BOTH_FORMS(simdp_select_gumbel_rows(&rng, index, scores[0], 2, 6, s),
                       simdp_select_gumbel_rows_f32(&rng, index, single, 2, 3, s));
            CHOSEN(simdp_select_gumbel_rows_by_id(&rng, index, scores[0], ids, 2, 6, s));
            BOTH_FORMS(simdp_select_gumbel_top_k(&rng, index, 6, scores[0], 6, s),
                       simdp_select_gumbel_top_k_f32(&rng, index, 6, single, 6, s));
            BOTH_FORMS(simdp_select_gumbel_vartime(&rng, index, scores[0], 6, s),
                       simdp_select_gumbel_vartime_f32(&rng, index, single, 6, s));
            BOTH_FORMS(simdp_select_gumbel_many_vartime(&rng, index, 5, scores[0], 6, s),
                       simdp_select_gumbel_many_vartime_f32(&rng, index, 5, single, 6, s));
            BOTH_FORMS(simdp_select_permute_flip(&rng, index, scores[0], 6, s),
                       simdp_select_permute_flip_f32(&rng, index, single, 6, s));
            memset(workspace, 0, sizeof workspace);
            BOTH_FORMS(simdp_select_prepare(workspace, scores[0], 6, s),
                       simdp_select_prepare_f32(workspace, single, 6, s));
            CHOSEN(simdp_select_prepared(&rng, index, 5, workspace));
            CHOSEN(simdp_select_prepared_vartime(&rng, index, 5, workspace));
        }
        put_status(r, simdp_select_probabilities(out, scores[0], 1, 6, s)), PUT(out);
        put_status(r, simdp_select_log_probabilities(out, scores[0], 1, 6, s)), PUT(out);
        put_status(r, simdp_select_expected_score(&mean, scores[0], 1, 6, s)), put(r, &mean, sizeof mean);
    }
    put_position(r, &rng);
    const double numbers[] = {0.7, 0.1, 5, 1e-310, -0x1p-1074, 0x1p-1074, 0};
    for (int i = 0; i < 7; i++) {
        const double x = numbers[i];
        const double results[] = {simdp_select_scale(x, 0.3, 0), simdp_select_scale(0.3, x, 1),
                                  simdp_select_scale(3e-308, x, 0)};
        PUT(results);
        put_status(r, simdp_select_gap_mean(&mean, 5, x)), put(r, &mean, sizeof mean);
        put_status(r, simdp_select_gap_mean(&mean, x, 0.7)), put(r, &mean, sizeof mean);
        put_status(r, simdp_select_gap_tail(&mean, 5, x, 0.3)), put(r, &mean, sizeof mean);
        put_status(r, simdp_select_gap_tail(&mean, 5, 0.3, x)), put(r, &mean, sizeof mean);
    }
    const size_t bytes = simdp_select_workspace(6);
    put(r, &bytes, sizeof bytes);
}

static void thresholds(record *r)
{
    static const int64_t people[6] = {0, 1, 3, 7, 12, 40};
    static const simdp_id ids[6] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    const double numbers[] = {0.7, 0.1, 0, 1e-310, -0x1p-1074, SIMDP_NOISE_SCALE_MIN};
    simdp_rng rng;
    open_stream(r, &rng);
    for (int i = 0; i < 6; i++) {
        const double x = numbers[i];
        uint8_t keep[6], found, above;
        size_t index;
        double out[6], second[6];
        int64_t whole[6];
        simdp_select_threshold state;
        put_status(r, simdp_select_partitions(&rng, keep, people, 6, x, 0.01, 1)), PUT(keep);
        put_status(r, simdp_select_partitions(&rng, keep, people, 6, 0.7, x, 2)), PUT(keep);
        put_status(r, simdp_select_partitions_by_id(&rng, keep, people, ids, 6, x, 0.01, 2)), PUT(keep);
        put_status(r, simdp_select_quantile_scores(second, numbers, 6, numbers, 6, 1, 3)), PUT(second);
        put_status(r, simdp_select_partition_probability(out, second, people, 6, x, 0.01, 3)), PUT(out), PUT(second);
        put_status(r, simdp_select_above_threshold(&rng, &index, &found, y, N, 1, x, 0.7)), put(r, &index, 8);
        put_status(r, simdp_select_above_threshold(&rng, &index, &found, y, N, x, 0.7, 2)), put(r, &index, 8);
        put_status(r, simdp_select_threshold_open(&rng, &state, x, 0.7, 2, 1));
        put_status(r, simdp_select_threshold_ask(&rng, &state, &above, x)), put(r, &above, 1);
        simdp_select_threshold_wipe(&state);
        put_status(r, simdp_select_threshold_scales(out, second, x, 0.7, 3, 0)), put(r, out, 8), put(r, second, 8);
        put_status(r, simdp_release_laplace_threshold(&rng, out, keep, scores[0], 6, 0.7, 0.25, x)), PUT(out),
            PUT(keep);
        put_status(r, simdp_release_gaussian_threshold(&rng, out, keep, scores[0], 6, x, 0.25, 1)), PUT(out), PUT(keep);
        put_status(r, simdp_release_laplace_threshold_i64(&rng, whole, keep, people, 6, x, 2)), PUT(whole), PUT(keep);
        put_status(r, simdp_release_gaussian_threshold_i64(&rng, whole, keep, people, 6, x, 2)), PUT(whole);
        put_status(r, simdp_release_threshold_laplace(out, numbers, 6, 0.7, 0.25, 2)), PUT(out);
        put_status(r, simdp_release_threshold_gaussian(out, numbers, 6, 0.7, 0.25, 2)), PUT(out);
    }
    put_position(r, &rng);
}

static void releases(record *r)
{
    double out[N], sum;
    float floats[N];
    int64_t counts[N], sum_i64;
    uint32_t values[N];
    uint8_t bits[N];
    simdp_id ids[N];
    simdp_rng rng;
    open_stream(r, &rng);
    for (uint64_t i = 0; i < N; i++) ids[i] = (simdp_id){i, 1};
    const double scales[] = {0, SIMDP_NOISE_SCALE_MIN, 0.7, 1e-310, -0x1p-1074};
    const simdp_theory_concentration query = {SIMDP_THEORY_SUBGAUSSIAN, 0.7, 1, 5};
    const simdp_theory_concentration tiny_query = {SIMDP_THEORY_SUBGAUSSIAN, 1e-310, 1, 5};
    for (int j = 0; j < 5; j++) {
        const double s = scales[j], grid = simdp_release_grid(s);
        put(r, &grid, sizeof grid);
        put_status(r, simdp_release_laplace(&rng, out, y, N, s, grid)), PUT(out);
        put_status(r, simdp_release_gaussian(&rng, out, y, N, s, grid)), PUT(out);
        put_status(r, simdp_release_laplace(&rng, out, y, N, s, SIMDP_RELEASE_GRID_MIN)), PUT(out);
        put_status(r, simdp_release_laplace(&rng, out, y, N, 0.7, s)), PUT(out);
        put_status(r, simdp_release_laplace_by_id(&rng, out, y, ids, N, s, grid)), PUT(out);
        put_status(r, simdp_release_gaussian_by_id(&rng, out, y, ids, N, s, grid)), PUT(out);
        for (int i = 0; i < N; i++) floats[i] = i % 3 == 0 ? -0x1p-149f : (float)i * 0.25f;
        put_status(r, simdp_release_laplace_f32(&rng, floats, floats, N, s, grid)), PUT(floats);
        for (int i = 0; i < N; i++) floats[i] = i % 3 == 0 ? 0x1p-127f : (float)i * 0x1p119f;
        put_status(r, simdp_release_gaussian_f32(&rng, floats, floats, N, s, grid)), PUT(floats);
        put_status(r, simdp_release_laplace_private(&rng, out, y, N, s, 0.7)), PUT(out);
        put_status(r, simdp_release_laplace_private(&rng, out, y, N, 1e-310, s)), PUT(out);
        put_status(r, simdp_release_gaussian_private(&rng, out, y, N, s, 0.7, 1e-6)), PUT(out);
        put_status(r, simdp_release_gaussian_private(&rng, out, y, N, 1e-310, s, 1e-310)), PUT(out);
        put_status(r, simdp_release_gaussian_private(&rng, out, y, N, 0.7, 0.7, s)), PUT(out);
        for (int i = 0; i < N; i++) counts[i] = i * 1000 - 7;
        put_status(r, simdp_release_laplace_i64_by_id(&rng, counts, counts, ids, N, s)), PUT(counts);
        put_status(r, simdp_release_gaussian_i64_by_id(&rng, counts, counts, ids, N, s)), PUT(counts);
        for (int i = 0; i < N; i++) counts[i] = i * 1000 - 7;
        put_status(r, simdp_release_laplace_i64(&rng, counts, counts, N, s)), PUT(counts);
        put_status(r, simdp_release_gaussian_i64(&rng, counts, counts, N, s)), PUT(counts);
        put_status(r, simdp_release_discrete_laplace_i64(&rng, counts, counts, N, s)), PUT(counts);
        put_status(r, simdp_release_discrete_gaussian_i64(&rng, counts, counts, N, s)), PUT(counts);
        put_status(r, simdp_release_discrete_laplace_bounded_i64(&rng, counts, counts, N, s, -900, 900)), PUT(counts);
        put_status(r, simdp_release_discrete_gaussian_truncated_i64(&rng, counts, counts, N, s, 40)), PUT(counts);
        memset(counts, 0, sizeof counts);
        put_status(r, simdp_noise_discrete_laplace_i64(&rng, counts, N, s)), PUT(counts);
        put_status(r, simdp_noise_discrete_gaussian_i64(&rng, counts, N, s)), PUT(counts);
        memset(bits, 1, sizeof bits);
        put_status(r, simdp_release_randomized_response(&rng, bits, bits, N, s)), PUT(bits);
        put_status(r, simdp_release_randomized_response_by_id(&rng, bits, bits, ids, N, s)), PUT(bits);
        put_status(r, simdp_release_randomized_response_packed(&rng, bits, bits, 8 * N, s)), PUT(bits);
        put_status(r, simdp_release_unary(&rng, bits, bits, 8 * N, s, -0.7)), PUT(bits);
        put_status(r, simdp_release_unary(&rng, bits, bits, 8 * N, 0.7, -s)), PUT(bits);
        for (uint32_t i = 0; i < N; i++) values[i] = i % 9;
        put_status(r, simdp_release_k_response(&rng, values, values, N, 7, s)), PUT(values);
        put_status(r, simdp_release_clamped_sum(&sum, y, N, -0.7, s, 0x1p-40)), put(r, &sum, sizeof sum);
        put_status(r, simdp_release_clamped_sum(&sum, y, N, s, 0.7, 0x1p-40)), put(r, &sum, sizeof sum);
        put_status(r, simdp_release_clamped_sum(&sum, y, N, -s, s, SIMDP_RELEASE_GRID_MIN)), put(r, &sum, sizeof sum);
        put_status(r, simdp_release_clamped_sum(&sum, y, N, -0.7, 0.7, s)), put(r, &sum, sizeof sum);
        const simdp_theory_stability target = {s, 1e-6, 1e-6}, other = {0.7, s, 1e-6}, third = {0.7, 1e-6, s};
        const simdp_theory_stability targets[] = {target, other, third};
        for (int t = 0; t < 3; t++) {
            put_status(r, simdp_theory_release_laplace(&rng, out, y, N, query, targets[t])), PUT(out);
            put_status(r, simdp_theory_release_gaussian(&rng, out, y, N, tiny_query, targets[t])), PUT(out);
        }
    }
    for (int i = 0; i < N; i++) counts[i] = i * 1000 - 7;
    good(r, simdp_release_clamped_sum_i64(&sum_i64, counts, N, -5, 900)), put(r, &sum_i64, sizeof sum_i64);
    put_position(r, &rng);
}

/* ---- counts of reports ---- */

static void report_counts(record *r)
{
    const uint64_t counts[4] = {0, 3, 70, 100};
    simdp_loss_count out[4];
    memset(out, 0, sizeof out);
    good(r, simdp_loss_count_k_response(out, counts, 4, 100, 5, 0.7, 0.01)), PUT(out);
    good(r, simdp_loss_count_unary(out, counts, 4, 100, 0.7, -0.3, 0.01)), PUT(out);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_loss_count_k_response(out, counts, 4, 100, 5, tiny[i], 0.01)), PUT(out);
        put_status(r, simdp_loss_count_unary(out, counts, 4, 100, tiny[i], 0.0, 0.01)), PUT(out);
    }
}

/* ---- the list ---- */

const mode_row mode_rows[] = {
    {"loss_laplace_f64 loss_gaussian_f64 loss_laplace_f32 loss_gaussian_f32 loss_laplace_f64_each "
     "loss_gaussian_f64_each loss_randomized_response loss_leaky_response loss_selection loss_sum loss_sum_outputs "
     "loss_transcripts",
     losses},
    {"delta_laplace delta_gaussian loss_delta_each", curves},
    {"loss_count_k_response loss_count_unary", report_counts},
    {"loss_interval_proportion loss_interval_mean", intervals},
    {"loss_statistics_init loss_statistics_update loss_statistics_outputs loss_statistics_summary "
     "loss_statistics_estimates loss_statistics_quantiles",
     statistics},
    {"loss_audit_run loss_audit_init loss_audit_draw loss_audit_outputs loss_audit_choices "
     "loss_audit_bits loss_audit_rows loss_audit_add",
     audits},
    {"pld_grid pld_create pld_destroy pld_add_laplace pld_add_gaussian pld_add_randomized_response "
     "pld_add_discrete_laplace pld_add_discrete_gaussian pld_add_pair pld_add_histogram pld_masses pld_compose "
     "pld_points pld_delta pld_log_delta pld_epsilon pld_add_gaussian_sampled pld_add_laplace_sampled "
     "pld_add_bounded_range pld_add_gaussian_mixture pld_composed_masses",
     distributions},
    {"delta_laplace_sampled delta_gaussian_sampled loss_log_delta_laplace_sampled loss_log_delta_gaussian_sampled "
     "renyi_gaussian_sampled account_sgd_epsilon account_sgd_noise",
     sampled},
    {"theory_leaky_response theory_name_and_shame theory_polya_urn", mode_theory_responses},
    {"theory_laplace_map_law theory_laplace_map theory_discrete_map theory_discrete_map_draw theory_select_column",
     mode_theory_maps},
    {"theory_mechanism_cost", mode_theory_costs},
    {"theory_filter_open theory_filter_admit theory_filter_spent", mode_theory_filters},
    {"theory_interact theory_transcript_map", mode_theory_interactions},
    {"select_gumbel select_gumbel_f32 select_gumbel_many select_gumbel_many_f32 select_gumbel_rows "
     "select_gumbel_rows_f32 select_gumbel_top_k select_gumbel_top_k_f32 select_gumbel_vartime "
     "select_gumbel_vartime_f32 select_gumbel_many_vartime select_gumbel_many_vartime_f32 select_permute_flip "
     "select_permute_flip_f32 select_workspace select_prepare select_prepare_f32 select_prepared "
     "select_prepared_vartime select_scale select_gap_mean select_gap_tail select_probabilities "
     "select_log_probabilities select_expected_score select_gumbel_rows_by_id",
     selections},
    {"select_quantile_scores select_partitions select_partitions_by_id select_partition_probability "
     "select_above_threshold "
     "select_threshold_open select_threshold_ask select_threshold_wipe select_threshold_scales "
     "release_laplace_threshold release_gaussian_threshold release_laplace_threshold_i64 "
     "release_gaussian_threshold_i64 release_threshold_laplace release_threshold_gaussian",
     thresholds},
    {"release_laplace release_gaussian release_grid release_laplace_private release_gaussian_private "
     "release_laplace_f32 release_gaussian_f32 release_laplace_i64 release_gaussian_i64 release_laplace_by_id "
     "release_gaussian_by_id release_laplace_i64_by_id release_gaussian_i64_by_id release_randomized_response_by_id "
     "release_randomized_response release_randomized_response_packed release_unary release_k_response "
     "noise_discrete_laplace_i64 release_discrete_laplace_bounded_i64 release_discrete_gaussian_truncated_i64 "
     "noise_discrete_gaussian_i64 release_discrete_laplace_i64 release_discrete_gaussian_i64 release_clamped_sum "
     "release_clamped_sum_i64 theory_release_laplace theory_release_gaussian",
     releases},
    {"account_bound_name", NULL}, /* a text */
    {NULL, NULL},
};
