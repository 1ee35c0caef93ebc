/* test_property_loss: losses of outputs and choices, their sums and statistics, and intervals, against MPFR; property.h
 * has the rules. */
#include "property/loss_choices.h"
#include "property/loss_intervals.h"
#include "property/loss_outputs.h"
#include "property/loss_statistics.h"
#include "property/threshold_rows.h"

#define OUTPUT(public, f, law, of_draw)                                                                 \
    {                                                                                                   \
        .name = #f, .function = #public, .arguments = 4, .outputs = 1, .call = f, .truth = law##_truth, \
        .slack = law##_slack, .draw = of_draw, .rule = {                                                \
            NEAR(0)                                                                                     \
        }                                                                                               \
    }
#define SUM(public, f, law, of_draw)                                                                       \
    {                                                                                                      \
        .name = #f, .function = #public, .arguments = STEPS * STEP_SIZE, .outputs = 1, .call = f,          \
        .truth = law##_truth, .slack = law##_slack, .draw = of_draw, .rule = {NEAR(0x1p-52)}, .share = 0.3 \
    }

static const property_row rows[] = {
    OUTPUT(loss_laplace_f64, loss_laplace_f64, laplace, draw_output),
    OUTPUT(loss_laplace_f32, loss_laplace_f32, laplace, draw_output_f32),
    OUTPUT(loss_laplace_f64_each, loss_laplace_f64_centres, laplace, draw_output),
    OUTPUT(loss_laplace_f64_each, loss_laplace_f64_arrays, laplace, draw_output),
    OUTPUT(loss_gaussian_f64, loss_gaussian_f64, gaussian, draw_output),
    OUTPUT(loss_gaussian_f32, loss_gaussian_f32, gaussian, draw_output_f32),
    OUTPUT(loss_gaussian_f64_each, loss_gaussian_f64_centres, gaussian_each, draw_output),
    OUTPUT(loss_gaussian_f64_each, loss_gaussian_f64_arrays, gaussian_each, draw_output),
    PROPERTY(loss_randomized_response, 4, 1, .draw = draw_response, .rule = {NEAR(0)}),
    PROPERTY_OF(loss_leaky_response, loss_leaky_randomized_response, 5, 1, .draw = draw_response, .rule = {NEAR(0)}),
    PROPERTY(loss_sum, 1 + SUM_MOST, 1, .draw = draw_sum, .rule = {NEAR(0x1p-53)}, .slack = loss_sum_slack),
    PROPERTY_OF(loss_sum, loss_sum_rows, 1 + SUM_MOST, 2, .draw = draw_sum, .rule = {NEAR(0x1p-53), NEAR(0x1p-53)},
                .slack = loss_sum_rows_slack),
    SUM(loss_sum_outputs, loss_laplace_f64_sum, laplace_sum, draw_steps_fixed),
    SUM(loss_sum_outputs, loss_gaussian_f64_sum, gaussian_sum, draw_steps_fixed),
    SUM(loss_sum, loss_laplace_f64_centres_sum, laplace_sum, draw_steps_scale),
    SUM(loss_sum, loss_gaussian_f64_centres_sum, gaussian_sum, draw_steps_scale),
    SUM(loss_transcripts, loss_transcripts, loss_transcripts, draw_transcript),
    PROPERTY_OF(loss_sum, loss_randomized_response_sum, 4, 1, .draw = draw_responses, .rule = {NEAR(0x1p-53)}),
    PROPERTY(loss_selection, 19, 1, .draw = draw_choice, .rule = {NEAR(0)}, .slack = choice_slack, .share = 0.5),
    PROPERTY_OF(loss_sum, loss_selection_sum, 19, 1, .draw = draw_choice_finite, .rule = {NEAR(0x1p-52)},
                .slack = choice_slack, .share = 0.2),
    PROPERTY(release_threshold_laplace, 4, 1, .draw = draw_threshold, .rule = {ABOVE(0x1p-45)},
             .slack = threshold_slack),
    PROPERTY(release_threshold_gaussian, 4, 1, .draw = draw_threshold, .rule = {ABOVE(0x1p-45)},
             .slack = threshold_slack, .share = 0.1),
    PROPERTY(select_threshold_scales, 4, 2, .draw = draw_scales, .rule = {NEAR(0x1p-49), NEAR(0x1p-49)}),
    PROPERTY(select_partition_probability, 3, 2, .draw = draw_group,
             .rule = {{PROPERTY_NEAR, 0x1p-53, 0x1p-280}, {PROPERTY_NEAR, 0x1p-53, 0x1p-280}}, .share = 0.1),
    PROPERTY(select_scale, 3, 1, .draw = draw_select_scale, .rule = {{PROPERTY_ABOVE, 0x1p-51, 0x1p-1072}}),
    PROPERTY(select_gap_mean, 2, 1, .draw = draw_gap, .rule = {{PROPERTY_ABOVE, 0x1p-49, 0x1p-1072}}),
    PROPERTY(select_gap_tail, 3, 1, .draw = draw_gap, .rule = {{PROPERTY_ABOVE, 0x1p-49, 0x1p-1072}}),
    PROPERTY(select_probabilities, 11, CHOICES, .draw = draw_law, .rule = {NEAR(0)},
             .slack = select_probabilities_slack, .share = 0.2),
    PROPERTY(select_log_probabilities, 11, CHOICES, .draw = draw_law, .rule = {NEAR(0)},
             .slack = select_log_probabilities_slack, .share = 0.2),
    PROPERTY(select_expected_score, 11, 1, .draw = draw_law, .rule = {{PROPERTY_NEAR, 0x1p-52, 0x1p-1070}},
             .slack = select_expected_score_slack, .share = 0.2),
    PROPERTY(loss_statistics_summary, DATA_SIZE + 1, 5, .draw = draw_summary, .slack = summary_slack, .share = 0.1,
             .rule = {NEAR(0x1p-52), {PROPERTY_NEAR, 0x1p-44, 0x1p-1000}, NEAR(0), NEAR(0), ABOVE(0x1p-49)}),
    PROPERTY_OF(loss_statistics_estimates, loss_statistics_renyi, DATA_SIZE + 2, 3, .draw = draw_statistics_renyi,
                .rule = {NEAR(0x1p-51)}, .slack = statistics_renyi_slack, .share = 0.1),
    PROPERTY_OF(loss_statistics_estimates, loss_statistics_tails, DATA_SIZE + 2, 1, .draw = draw_deltas,
                .rule = {NEAR(0x1p-53)}),
    PROPERTY_OF(loss_statistics_estimates, loss_statistics_deltas, DATA_SIZE + 2, 1, .draw = draw_deltas,
                .rule = {{PROPERTY_NEAR, 0, 1e-13}}, .share = 0.1),
    PROPERTY(loss_statistics_quantiles, DATA_SIZE + 2, 3, .draw = draw_quantiles, .slack = quantiles_slack,
             .share = 0.1, .rule = {BELOW(INFINITY), ABOVE(INFINITY), NEAR(0)}),
    PROPERTY_OF(loss_interval_proportion, interval_proportion, 3, 3, .draw = draw_proportion, .slack = interval_slack,
                .share = 0.03,
                .rule = {{PROPERTY_BELOW, 0x1p-49, 1e-298}, {PROPERTY_ABOVE, 0x1p-49, 0}, NEAR(0x1p-51)}),
    PROPERTY_OF(loss_interval_mean, interval_mean, 4, 2, .draw = draw_mean, .slack = interval_slack, .share = 0.03,
                .rule = {{PROPERTY_BELOW, 0x1p-49, 1e-198}, ABOVE(0x1p-49)}),
    {0},
};

static const property_planted planted[] = {
    {"no clamp before the difference", "loss_laplace_f64", laplace_unclamped},
    {"sigma^2 first", "loss_gaussian_f64_arrays", gaussian_square_first},
    {"plain sum", "loss_sum", plain_sum},
    {"differences between vectors, rounded", "loss_selection", selection_offset},
    {"half a step forgotten", "release_threshold_laplace", threshold_without_rounding},
    {"always monotonic", "select_threshold_scales", scales_monotonic},
    {"one person more", "select_partition_probability", group_off_by_one},
    {"nearest", "select_scale", select_scale_nearest},
    {"nearest", "select_gap_tail", gap_nearest},
    {"plain mean and variance", "loss_statistics_summary", plain_summary},
    {"logarithm of a mean near 1", "loss_statistics_renyi", renyi_by_logarithm},
    {"no bound", "interval_proportion", proportion_wilson},
    {"an end moved inward", "interval_proportion", proportion_inward},
    {"floats", "select_probabilities", probabilities_f32},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
