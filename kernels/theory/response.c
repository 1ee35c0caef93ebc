/* response.c: leaky randomized response and name-and-shame, both from ranges of 127-bit numbers. */
#include "theory/response.h"

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/publish.h"
#include "math/plain_math.h"

#define BLOCK 128 /* elements, of two words each */

/* x 2^127 cut to an even integer; 0 <= x <= 1 */
static simdp_u128 even_share(double x)
{
    const simdp_u128 share = (simdp_u128)(x * 0x1p127); /* exact product; below 2^128 */
    return share & ~(simdp_u128)1;
}

/* Leaks are rounded down. Wrong answers are rounded up, so that true ones are at most e^epsilon times as many: the
 * double estimate of their share is good to 6 units of 2^-53, which 1 + 2^-50 covers. They are never more than half of
 * what leaks leave (an even number), which makes epsilon = 0 exact; nor fewer than one, whatever epsilon. */
simdp_response_law simdp_response_law_of(double epsilon, double delta)
{
    simdp_response_law law;
    law.leak = even_share(delta);
    const simdp_u128 rest = ((simdp_u128)1 << 127) - law.leak, half = rest >> 1;
    const double e = plain_exp(-epsilon), share = e / (1.0 + e) * (1.0 + 0x1p-50);
    simdp_u128 flip = half;
    if (share < 0.5) {
        /* rest as a double is within 2^-52 of itself: the part of 1 + 2^-50 that is left covers it */
        const double wrong = (double)rest * share;
        flip = (simdp_u128)wrong + 1;
        if (flip > half) flip = half;
    }
    law.flip = flip;
    return law;
}

/* symbols[i], from words 2i and 2i + 1; no branch on them. who NULL: all U */
static void answer(uint8_t *symbols, const uint64_t *words, const uint8_t *who, size_t n, const simdp_response_law *law)
{
    for (size_t i = 0; i < n; i++) {
        const simdp_u128 number = ((simdp_u128)words[2 * i] << 64 | words[2 * i + 1]) >> 1;
        const unsigned speaker = who != NULL && who[i] != 0, leak = number < law->leak,
                       flip = number < law->leak + law->flip;
        symbols[i] = (uint8_t)(((speaker ^ flip) & (leak - 1u)) | ((2u + speaker) & (0u - leak)));
    }
}

static SCRUB_BELOW simdp_status draw_blocks(simdp_rng *rng, uint32_t use, uint8_t *out, const uint8_t *who, size_t n,
                                            const simdp_response_law *law)
{
    uint64_t words[2 * BLOCK];
    simdp_status status = SIMDP_OK;
    for (size_t done = 0, count; status == SIMDP_OK && done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        status = rng_words_of(rng, use, 2, words, count);
        if (status == SIMDP_OK) answer(out + done, words, who == NULL ? NULL : who + done, count, law);
    }
    simdp_wipe(words, sizeof words);
    return status;
}

static simdp_status draw_symbols(simdp_rng *rng, uint32_t use, uint8_t *out, const uint8_t *who, size_t n,
                                 double epsilon, double delta)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    simdp_response_law law = {0, 0};
    const unsigned mode = fp_mode_enter(); /* first: a negative subnormal number is no probability */
    const bool good = simdp_is_epsilon(epsilon) && simdp_is_probability(delta);
    if (good) law = simdp_response_law_of(epsilon, delta);
    fp_mode_leave(mode);
    /* two words an element: positions end at 2^63 */
    const uint64_t position = simdp_rng_position(rng);
    if (!good || !publish_fits(n, 1) || position > INT64_MAX || n > INT64_MAX - position) return SIMDP_EPARAM;
    const simdp_status status = draw_blocks(rng, use, out, who, n, &law);
    if (rng->kind == RNG_ENTROPY && n > 0 && kernels != NULL) simdp_scrub(kernels, SCRUB_NOISE);
    return simdp_stream_back(rng, position, status);
}

simdp_status simdp_theory_leaky_response(simdp_rng *rng, uint8_t *out, const uint8_t *who, size_t n, double epsilon,
                                         double delta)
{
    if (rng == NULL || (n > 0 && (out == NULL || who == NULL))) return SIMDP_ENULL;
    return publish(draw_symbols(rng, BITS_LEAKY_RESPONSE, out, who, n, epsilon, delta), out, n, PUBLISH_BYTES);
}

simdp_status simdp_theory_name_and_shame(simdp_rng *rng, uint8_t *published, size_t n, double delta)
{
    if (rng == NULL || (published == NULL && n > 0)) return SIMDP_ENULL;
    const simdp_status status = draw_symbols(rng, BITS_NAME_AND_SHAME, published, NULL, n, 0.0, delta);
    for (size_t i = 0; status == SIMDP_OK && i < n; i++)
        published[i] >>= 1; /* a leak of U is 2, the bits are 0 and 1 */
    return publish(status, published, n, PUBLISH_FLAGS);
}
