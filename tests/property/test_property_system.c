/* test_property_system: simulation maps, costs, filters and exact sums against MPFR; property.h has the rules. */
#include "property/system_maps.h"

static const property_row rows[] = {
    PROPERTY(system_laplace_map_density, 3, 1, .draw = draw_map_point, .rule = {NEAR(0)}, .slack = density_slack, .share = 0.3),
    PROPERTY(system_laplace_map_cdf, 3, 1, .draw = draw_map_point, .rule = {{PROPERTY_NEAR, 0, 1e-15}}, .share = 0.3),
    PROPERTY(system_laplace_map_quantile, 3, 1, .draw = draw_map_probability, .rule = {NEAR(1e-15)}, .slack = quantile_slack, .share = 0.3),
    PROPERTY(system_discrete_map, 2 + 2 * POINTS, 2 * POINTS + 4, .draw = draw_laws, .slack = discrete_map_slack, .share = 0.3),
    PROPERTY(release_clamped_sum, 5, 1, .draw = draw_clamped, .rule = {NEAR(0)}),
    PROPERTY(release_clamped_sum_i64, 4, 2, .draw = draw_clamped_i64, .rule = {NEAR(0), NEAR(0)}),
    {0},
};

static const property_planted planted[] = {
    {"each row by its own quotient", "system_discrete_map", discrete_map_quotients},
    {"sum of doubles", "release_clamped_sum", clamped_sum_of_doubles},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
