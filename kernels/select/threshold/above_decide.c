/* above_decide.c: see above.h: the noise of a threshold, and comparisons that doubles leave open. */
#include "select/threshold/above.h"

#include <math.h>

#include "math/wide.h"
#include "noise/noise_kernels.h"
#include "vec/rarely.h"

simdp_above_law simdp_above_law_of(const simdp_above_threshold *threshold, const simdp_kernels *kernels)
{
    const uint64_t word = threshold->words[0] | 1, sign = -(word >> 63);
    const double magnitude = (double)(int64_t)((word ^ sign) - sign), scale = threshold->scale_threshold;
    const simdp_bits_at at = {.words = threshold->words};
    simdp_above_law law = {.threshold = threshold->threshold, .scale = threshold->scale_query};
    kernels->noise->f64[NOISE_LAPLACE](&law.noise, 1, &at, scale);
    law.radius = ABOVE_SLOPE * (fabs(law.noise) + scale + threshold->scale_query) + 2.0 * scale / magnitude;
    if (rarely(magnitude <= ABOVE_LEAST)) law.radius = INFINITY;
    return law;
}

double simdp_above_query(double query)
{
    if (!(query > -ABOVE_SURE)) return -ABOVE_SURE; /* NaN too */
    if (query > ABOVE_SURE) return ABOVE_SURE;
    return query > -0x1p-1022 && query < 0x1p-1022 ? 0.0 : query;
}

/* sign(V) scale (-ln |V|), with the middle of what the words leave open of V. */
static simdp_wide noise_of(const uint64_t words[ABOVE_WORDS], double scale)
{
    const uint64_t sign = -(words[0] >> 63);
    uint64_t bits[ABOVE_WORDS + 1];
    for (int i = 0; i < ABOVE_WORDS; i++) bits[i] = words[i] ^ sign;
    bits[ABOVE_WORDS] = (uint64_t)1 << 63;
    const simdp_wide v = simdp_wide_scale(simdp_wide_from_words(bits, ABOVE_WORDS + 1), 1);
    return simdp_wide_mul_double(simdp_wide_neg_log(v), sign != 0 ? -scale : scale);
}

bool simdp_above_decide(double query, const uint64_t words[ABOVE_WORDS], const simdp_above_threshold *threshold)
{
    const simdp_wide q = simdp_wide_from_double(simdp_above_query(query)),
                     t = simdp_wide_from_double(threshold->threshold);
    const simdp_wide noise =
        simdp_wide_sub(noise_of(words, threshold->scale_query), noise_of(threshold->words, threshold->scale_threshold));
    return simdp_wide_add(simdp_wide_sub(q, t), noise).sign >= 0;
}
