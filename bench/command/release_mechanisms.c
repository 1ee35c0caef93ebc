#include "release_mechanisms.h"

#include <math.h>

#include "account/calibrate.h"
#include "math/outward_functions.h"

#define RUN_GRID(function)                                                                  \
    static simdp_status run_##function(simdp_rng *rng, void *out, const void *in, size_t n, \
                                       const release_given *given)                          \
    {                                                                                       \
        return simdp_release_##function(rng, out, in, n, given->scale, given->grid);        \
    }
#define RUN_SCALE(function, parameter)                                                      \
    static simdp_status run_##function(simdp_rng *rng, void *out, const void *in, size_t n, \
                                       const release_given *given)                          \
    {                                                                                       \
        return simdp_release_##function(rng, out, in, n, given->parameter);                 \
    }

RUN_GRID(laplace)
RUN_GRID(gaussian)
RUN_GRID(laplace_f32)
RUN_GRID(gaussian_f32)
RUN_SCALE(laplace_i64, scale)
RUN_SCALE(gaussian_i64, scale)
RUN_SCALE(discrete_laplace_i64, scale)
RUN_SCALE(discrete_gaussian_i64, scale)
RUN_SCALE(randomized_response, epsilon)

static simdp_status run_k_response(simdp_rng *rng, void *out, const void *in, size_t n, const release_given *given)
{
    return simdp_release_k_response(rng, out, in, n, given->values, given->epsilon);
}

#define RUN_THRESHOLD(law)                                                                                          \
    static simdp_status run_##law##_threshold(simdp_rng *rng, void *out, const void *in, size_t n,                  \
                                              const release_given *given)                                           \
    {                                                                                                               \
        return simdp_release_##law##_threshold(rng, out, NULL, in, n, given->scale, given->grid, given->threshold); \
    }
RUN_THRESHOLD(laplace)
RUN_THRESHOLD(gaussian)

/* The optimised encoding. Bits are packed for the library, some at a time. */
static simdp_status run_unary(simdp_rng *rng, void *out, const void *in, size_t n, const release_given *given)
{
    enum { AT_A_TIME = 4096 };
    simdp_status status = SIMDP_OK;
    for (size_t done = 0; status == SIMDP_OK && done < n; done += AT_A_TIME) {
        const size_t count = n - done < AT_A_TIME ? n - done : AT_A_TIME;
        const uint8_t *const bits = (const uint8_t *)in + done;
        uint8_t *const reports = (uint8_t *)out + done;
        uint8_t packed[AT_A_TIME / 8] = {0};
        for (size_t i = 0; i < count; i++) packed[i / 8] |= (uint8_t)((bits[i] != 0) << i % 8);
        status = simdp_release_unary(rng, packed, packed, count, 0.0, -given->epsilon);
        for (size_t i = 0; i < count; i++) reports[i] = packed[i / 8] >> i % 8 & 1;
    }
    return status;
}

#define BY_ID(function, ...)                                                                                   \
    static simdp_status run_##function##_by_id(simdp_rng *rng, void *out, const void *in, const simdp_id *ids, \
                                               size_t n, const release_given *given)                           \
    {                                                                                                          \
        return simdp_release_##function##_by_id(rng, out, in, ids, n, __VA_ARGS__);                            \
    }
BY_ID(laplace, given->scale, given->grid)
BY_ID(gaussian, given->scale, given->grid)
BY_ID(laplace_i64, given->scale)
BY_ID(gaussian_i64, given->scale)
BY_ID(randomized_response, given->epsilon)

#define REAL     SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX
#define WHOLE    0x1p-30, 0x1p44
#define DISCRETE SIMDP_RELEASE_DISCRETE_MIN, SIMDP_RELEASE_DISCRETE_MAX

/* clang-format off */
static const release_mechanism mechanisms[] = {
    {"laplace", "numbers + Laplace noise, on a grid", ELEMENT_F64, PROMISE_LAPLACE, REAL, true, false, run_laplace, run_laplace_by_id, NULL},
    {"gaussian", "numbers + Gaussian noise, on a grid", ELEMENT_F64, PROMISE_GAUSSIAN, REAL, true, false, run_gaussian, run_gaussian_by_id, NULL},
    {"laplace-f32", "the same for floats", ELEMENT_F32, PROMISE_LAPLACE, REAL, true, false, run_laplace_f32, NULL, NULL},
    {"gaussian-f32", "the same for floats", ELEMENT_F32, PROMISE_GAUSSIAN, REAL, true, false, run_gaussian_f32, NULL, NULL},
    {"laplace-i64", "whole numbers + rounded Laplace noise", ELEMENT_I64, PROMISE_LAPLACE, WHOLE, false, false, run_laplace_i64, run_laplace_i64_by_id, NULL},
    {"gaussian-i64", "whole numbers + rounded Gaussian noise", ELEMENT_I64, PROMISE_GAUSSIAN, WHOLE, false, false, run_gaussian_i64, run_gaussian_i64_by_id, NULL},
    {"discrete-laplace", "whole numbers + discrete Laplace noise", ELEMENT_I64, PROMISE_LAPLACE, DISCRETE, false, false, run_discrete_laplace_i64, NULL, NULL},
    {"discrete-gaussian", "whole numbers + discrete Gaussian noise", ELEMENT_I64, PROMISE_DISCRETE_GAUSSIAN, DISCRETE, false, false, run_discrete_gaussian_i64, NULL, NULL},
    {"randomized-response", "answers 0 or 1, turned with probability 1 / (1 + e^epsilon)", ELEMENT_BIT,
     PROMISE_EPSILON, 0, 0, false, false, run_randomized_response, run_randomized_response_by_id, NULL},
    {"k-response", "answers 0 to K - 1, kept with probability e^epsilon / (e^epsilon + K - 1)", ELEMENT_U32,
     PROMISE_EPSILON, 0, 0, false, true, run_k_response, NULL, NULL},
    {"unary", "bits of a value among many, of which one is 1: optimised unary encoding", ELEMENT_BIT,
     PROMISE_EPSILON, 0, 0, false, false, run_unary, NULL, NULL},
    {"laplace-threshold", "counts of groups + Laplace noise, shown from a threshold on", ELEMENT_F64, PROMISE_LAPLACE,
     REAL, true, false, run_laplace_threshold, NULL, simdp_release_threshold_laplace},
    {"gaussian-threshold", "counts of groups + Gaussian noise, shown from a threshold on", ELEMENT_F64, PROMISE_GAUSSIAN,
     REAL, true, false, run_gaussian_threshold, NULL, simdp_release_threshold_gaussian},
};
/* clang-format on */

const release_mechanism *release_mechanism_at(size_t i)
{
    return i < sizeof mechanisms / sizeof *mechanisms ? &mechanisms[i] : NULL;
}

bool is_same_name(const char *name, const char *word)
{
    for (; *name != '\0'; name++, word++) {
        if (*name != *word && !(*name == '-' && *word == '_') && !(*name == '_' && *word == '-')) return false;
    }
    return *word == '\0';
}

const release_mechanism *release_mechanism_named(const char *name)
{
    const release_mechanism *m;
    for (size_t i = 0; (m = release_mechanism_at(i)) != NULL; i++) {
        if (is_same_name(m->name, name)) return m;
    }
    return NULL;
}

/* Does noise of this sigma make answers (epsilon, delta)-private, by the zCDP of discrete Gaussian noise? */
static bool is_enough(double sigma, double sensitivity, double epsilon, double delta)
{
    const double ratio = div_up(sensitivity, sigma), rho = times_up(times_up(ratio, ratio), 0.5);
    simdp_account_zcdp_bound bound;
    return simdp_account_zcdp_epsilon(&bound, &rho, &delta, 1) == SIMDP_OK && bound.epsilon <= epsilon;
}

/* The least sigma that is enough, to 12 digits. */
static double discrete_gaussian_for(double sensitivity, double epsilon, double delta)
{
    double low = SIMDP_RELEASE_DISCRETE_MIN, high = SIMDP_RELEASE_DISCRETE_MAX;
    if (is_enough(low, sensitivity, epsilon, delta)) return low;
    if (!is_enough(high, sensitivity, epsilon, delta)) return INFINITY;
    while (high - low > 1e-12 * high) {
        const double middle = sqrt(low) * sqrt(high);
        if (is_enough(middle, sensitivity, epsilon, delta)) high = middle;
        else low = middle;
    }
    return high;
}

double release_scale_for(const release_mechanism *m, double sensitivity, double epsilon, double delta)
{
    double scale = NAN;
    if (sensitivity == 0) return 0;
    if (m->promise == PROMISE_LAPLACE) scale = simdp_calibrate_laplace_for(sensitivity, epsilon, 0.0);
    if (m->promise == PROMISE_GAUSSIAN) scale = simdp_calibrate_gaussian_for(sensitivity, epsilon, delta);
    if (m->promise == PROMISE_DISCRETE_GAUSSIAN) scale = discrete_gaussian_for(sensitivity, epsilon, delta);
    return scale < m->scale_min ? m->scale_min : scale;
}
