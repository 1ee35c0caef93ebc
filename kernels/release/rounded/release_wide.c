/* release_wide.c: level 2 of the releases. It sees 447 bits of |V| and 436 of an angle and puts both in the middle of
 * what is left; the chance that further bits would change a cell is below 2^-380 (scale / grid at most 2^44). */
#include <string.h>

#include "math/wide.h"
#include "release/rounded/plan.h"

/* |V| of the words of V in [-1, 1), two's complement */
simdp_wide simdp_release_wide_magnitude(const uint64_t words[RELEASE_WORDS])
{
    const uint64_t sign = -(words[0] >> 63);
    uint64_t bits[RELEASE_WORDS + 1];
    for (int i = 0; i < RELEASE_WORDS; i++) bits[i] = words[i] ^ sign;
    bits[RELEASE_WORDS] = (uint64_t)1 << 63;
    return simdp_wide_scale(simdp_wide_from_words(bits, RELEASE_WORDS + 1), 1);
}

double simdp_release_wide_cell(double r, double scale, simdp_wide noise, bool negative)
{
    noise = simdp_wide_mul_double(noise, negative ? -scale : scale);
    return (double)simdp_wide_to_i64(simdp_wide_add(noise, simdp_wide_from_double(r)));
}

double simdp_release_wide_laplace(double r, double scale, const uint64_t words[RELEASE_WORDS])
{
    return simdp_release_wide_cell(r, scale, simdp_wide_neg_log(simdp_release_wide_magnitude(words)), words[0] >> 63);
}

double simdp_release_wide_gaussian(double r, double scale, const uint64_t radius[RELEASE_WORDS],
                                   const uint64_t angle[RELEASE_WORDS], bool second)
{
    uint64_t digits[RELEASE_WORDS];
    simdp_wide sine, cosine;
    for (int i = 0; i < RELEASE_WORDS; i++)
        digits[i] = angle[i] << 12 | (i + 1 < RELEASE_WORDS ? angle[i + 1] >> 52 : (uint64_t)1 << 11);
    const simdp_wide x =
        simdp_wide_sub(simdp_wide_scale(simdp_wide_from_words(digits, RELEASE_WORDS), 1), simdp_wide_from_u64(1));
    simdp_wide_sincos_pi(&sine, &cosine, x);
    /* R / sqrt 2 */
    const simdp_wide root = simdp_wide_sqrt(simdp_wide_neg_log(simdp_release_wide_magnitude(radius)));
    const simdp_wide part = second ? simdp_wide_sub(cosine, sine) : simdp_wide_add(cosine, sine);
    return simdp_release_wide_cell(r, scale, simdp_wide_mul(root, part), (second ? angle : radius)[0] >> 63);
}
