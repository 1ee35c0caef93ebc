/* test_property_system: simulation maps, costs, filters and exact sums against MPFR; property.h has the rules. */
#include "property/system_filters.h"
#include "property/system_maps.h"

static const property_row rows[] = {
    PROPERTY_OF(theory_laplace_map_law, system_laplace_map_density, 3, 1, .draw = draw_map_point, .rule = {NEAR(0)},
                .slack = density_slack, .share = 0.3),
    PROPERTY_OF(theory_laplace_map_law, system_laplace_map_cdf, 3, 1, .draw = draw_map_point,
                .rule = {{PROPERTY_NEAR, 0, 1e-15}}, .share = 0.3),
    PROPERTY_OF(theory_laplace_map_law, system_laplace_map_quantile, 3, 1, .draw = draw_map_probability,
                .rule = {NEAR(1e-15)}, .slack = quantile_slack, .share = 0.3),
    PROPERTY_OF(theory_discrete_map, system_discrete_map, 2 + 2 * POINTS, 2 * POINTS + 4, .draw = draw_laws,
                .slack = discrete_map_slack, .share = 0.3),
    PROPERTY(release_clamped_sum, 5, 1, .draw = draw_clamped, .rule = {NEAR(0)}),
    PROPERTY(release_clamped_sum_i64, 4, 2, .draw = draw_clamped_i64, .rule = {NEAR(0), NEAR(0)}),
    PROPERTY_OF(
        theory_mechanism_cost, system_cost, MECHANISM_SIZE, 5, .draw = draw_cost,
        .rule =
            {{PROPERTY_ABOVE, 0x1p-50, 0x1p-1071}, NEAR(0), {PROPERTY_ABOVE, 0x1p-50, 0x1p-1071}, NEAR(0), NEAR(0)}),
    PROPERTY_OF(theory_filter_open, system_filter_basic, FILTER_ARGUMENTS, 2, .draw = draw_basic,
                .rule = {NEAR(0), NEAR(0)}, .share = 0.1),
    PROPERTY_OF(theory_filter_open, system_filter_strong, FILTER_SIZE, 1, .draw = draw_strong,
                .rule = {{PROPERTY_BELOW, 0x1p-47, 0x1p-1069}}, .share = 0.3),
    PROPERTY_OF(theory_filter_open, system_filter_zcdp, FILTER_SIZE, 1, .draw = draw_zcdp,
                .rule = {{PROPERTY_BELOW, 1e-6, 1e-13}}, .share = 0.03),
    PROPERTY_OF(theory_filter_open, system_filter_renyi, FILTER_ARGUMENTS, 2, .draw = draw_renyi,
                .rule = {NEAR(0), NEAR(0)}, .share = 0.03),
    PROPERTY_OF(theory_filter_admit, system_filter_admit, FILTER_ARGUMENTS, 2, .draw = draw_filter,
                .rule = {NEAR(0), NEAR(0)}, .share = 0.1),
    PROPERTY_OF(theory_filter_spent, system_filter_spent, FILTER_ARGUMENTS, 2, .draw = draw_filter,
                .rule = {{PROPERTY_ABOVE, 0x1p-40, 0x1p-1060}, {PROPERTY_ABOVE, 0x1p-47, 0}}, .share = 0.1),
    {0},
};

static const property_planted planted[] = {
    {"each row by its own quotient", "system_discrete_map", discrete_map_quotients},
    {"nearest", "system_cost", cost_nearest},
    {"sums to nearest", "system_filter_spent", spent_nearest},
    {"sum of doubles", "release_clamped_sum", clamped_sum_of_doubles},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
