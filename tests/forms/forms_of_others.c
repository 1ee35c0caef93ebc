/* forms_of_others.c: rows of forms_table.h: closed forms of select, of thresholds, and of the simulation maps. */
#include "forms_table.h"

/* rows of two scores, the second one 0.25 */
#define ROW_SELECT(f)                                                     \
    static simdp_status f(void *out, size_t n, const double *const *a)    \
    {                                                                     \
        static _Thread_local double scores[2 * FORM_ELEMENTS_MAX];        \
        for (size_t i = 0; i < form_elements(n) && a[0] != NULL; i++)     \
            scores[2 * i] = a[0][i], scores[2 * i + 1] = 0.25;            \
        return simdp_##f(out, a[0] == NULL ? NULL : scores, n, 2, *a[1]); \
    }
ROW_SELECT(select_probabilities)
ROW_SELECT(select_log_probabilities)
ROW_SELECT(select_expected_score)

/* the groups of a person: 0 stands for what is no such number */
static uint64_t groups_of(double x) { return x >= 1 ? (uint64_t)x : 0; }

/* on a grid of 2^-10 */
#define ROW_THRESHOLD(f)                                                  \
    static simdp_status f(void *out, size_t n, const double *const *a)    \
    {                                                                     \
        return simdp_##f(out, a[0], n, *a[1], 0x1p-10, groups_of(*a[2])); \
    }
ROW_THRESHOLD(release_threshold_laplace)
ROW_THRESHOLD(release_threshold_gaussian)

/* with a delta of 1e-3 */
static simdp_status select_partition_probability(void *out, size_t n, const double *const *a)
{
    static _Thread_local int64_t counts[FORM_ELEMENTS_MAX];
    for (size_t i = 0; i < form_elements(n) && a[0] != NULL; i++)
        counts[i] = a[0][i] > -0x1p62 && a[0][i] < 0x1p62 ? (int64_t)a[0][i] : INT64_MAX;
    return simdp_select_partition_probability(out, form_second(out, n), a[0] == NULL ? NULL : counts, n, *a[1], 1e-3,
                                              groups_of(*a[2]));
}

#define ROW_MAP(f, form)                                                                           \
    static simdp_status f(void *out, size_t n, const double *const *a)                             \
    {                                                                                              \
        return simdp_theory_laplace_map_law(out, a[0], n, SIMDP_THEORY_##form, (int)*a[1], *a[2]); \
    }
/* clang-format off */
ROW_MAP(laplace_map_density, DENSITY)
ROW_MAP(laplace_map_cdf, CDF)
ROW_MAP(laplace_map_quantile, QUANTILE)
/* clang-format on */

const form_row forms_of_others[] = {
    R(select_probabilities, "Ag", 2, 0.7, 1.5),
    R(select_log_probabilities, "Ag", 2, 0.7, 1.5),
    R(select_expected_score, "Ag", 1, 0.7, 1.5),
    R(release_threshold_laplace, "Ucm", 1, 1e-5, 1.5, 2),
    R(release_threshold_gaussian, "Ucm", 1, 1e-5, 1.5, 2),
    RF(select_partition_probability, FORM_SIDE_BY_SIDE, "Azm", 2, 7, 0.5, 2),
    R_OF(theory_laplace_map_law, laplace_map_density, "Xtl", 1, 0.7, 1, 1.5),
    R_OF(theory_laplace_map_law, laplace_map_cdf, "Xtl", 1, 0.7, 1, 1.5),
    R_OF(theory_laplace_map_law, laplace_map_quantile, "Ptl", 1, 0.3, 1, 1.5),
    {0},
};
