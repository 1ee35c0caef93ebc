/* release_support.h: what the tests of releases share: kernels run with a plan of the test's own, given words, odd
 * answers. */
#ifndef SIMDP_RELEASE_SUPPORT_H
#define SIMDP_RELEASE_SUPPORT_H

#include <math.h>

#include "call/fp_mode.h"
#include "reference/release_reference.h"
#include "support/test_support.h"

static const char *const law_names[RELEASE_LAWS] __attribute__((unused)) = {"Laplace", "Gaussian"};

static inline simdp_status release_by_law(int law, simdp_rng *rng, double *out, const double *answers, size_t n,
                                          double scale, double grid)
{
    return (law == RELEASE_LAPLACE ? simdp_release_laplace : simdp_release_gaussian)(rng, out, answers, n, scale, grid);
}

static inline simdp_status release_by_law_i64(int law, simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n,
                                              double scale)
{
    return (law == RELEASE_LAPLACE ? simdp_release_laplace_i64 : simdp_release_gaussian_i64)(rng, out, answers, n,
                                                                                             scale);
}

/* The active kernel with a plan that is not the public function's, from the words of a stream or from given ones. */
static inline void release_planned(int law, double *out, const double *answers, size_t n, const simdp_bits_at *at,
                                   const simdp_release_plan *plan)
{
    const unsigned mode = fp_mode_enter_flushing();
    simdp_kernels_active()->release->f64[law](out, answers, n, at, plan);
    fp_mode_leave_flushing(mode);
}

static inline void release_planned_i64(int law, int64_t *out, const int64_t *answers, size_t n, const simdp_bits_at *at,
                                       const simdp_release_plan *plan)
{
    const unsigned mode = fp_mode_enter_flushing();
    simdp_kernels_active()->release->i64[law](out, answers, n, at, plan);
    fp_mode_leave_flushing(mode);
}

/* Given words for the reference, those of level 0; then 1000..., the middle of what is left open. */
static inline uint64_t given_words(const void *context, uint64_t index, unsigned level)
{
    return level == 0 ? ((const uint64_t *)context)[index] : (uint64_t)(level == 1) << 63;
}

/* Answers of all kinds: many magnitudes in units of the grid, and the odd ones. */
static inline void odd_answers(double *x, size_t n, double grid, uint64_t seed)
{
    static const double odd[] = {NAN,
                                 -NAN,
                                 INFINITY,
                                 -INFINITY,
                                 -0.0,
                                 0.0,
                                 0x1p-1074,
                                 -0x1.8p-1030,
                                 0x1.fffffffffffffp+1023,
                                 -0x1.fffffffffffffp+1023,
                                 1e300,
                                 -1e300,
                                 0x1p-1022,
                                 1.0};
    const size_t kinds = sizeof odd / sizeof odd[0];
    for (size_t i = 0; i < n; i++) {
        const double unit = (double)(int64_t)test_random(&seed) * 0x1p-63;
        const uint64_t choice = test_random(&seed);
        x[i] = unit * ldexp(grid, (int)(choice % 70) - 8);
        if (choice >> 8 & 1) x[i] = ((double)(choice >> 60) - 7.5) * grid; /* ties and whole cells */
        if (choice >> 9 & 1) x[i] = ((double)(choice >> 60) - 7.0) * grid;
        if ((choice >> 10) % 8 == 0) x[i] = odd[(choice >> 20) % kinds];
    }
}

#endif
