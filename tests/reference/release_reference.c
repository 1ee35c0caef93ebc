#include "reference/release_reference.h"

#include <math.h>
#include <mpfr.h>

#include "reference/aes_reference.h"

enum { WORDS = 6, BITS = 64 * WORDS, WIDE = 2400 };   /* WIDE: the largest double in units of the smallest grid, and more */

uint64_t reference_stream_words(const void *context, uint64_t position, unsigned level)
{
    const reference_stream *s = context;
    return stream_reference(s->key, s->stream, level == 0 ? 0 : 31 + level, position);
}

/* The words as one integer of 384 bits; the first with its top bits cleared. */
static void join(mpfr_t out, const uint64_t *words, int drop)
{
    mpfr_set_ui(out, words[0] << drop >> drop, MPFR_RNDN);
    for (int i = 1; i < WORDS; i++) {
        mpfr_mul_2ui(out, out, 64, MPFR_RNDN);
        mpfr_add_ui(out, out, words[i], MPFR_RNDN);
    }
}

static void read_words(uint64_t *out, uint64_t position, reference_words *words, const void *context)
{
    for (unsigned i = 0; i < WORDS; i++) out[i] = words(context, position, i);
}

/* E = -ln |V|; returns whether V is negative */
static bool energy(mpfr_t out, const uint64_t *words)
{
    const bool negative = words[0] >> 63;
    join(out, words, 1);
    mpfr_mul_2si(out, out, 1 - BITS, MPFR_RNDN);   /* the value of the bits but the first: V, or V + 1 if negative */
    if (negative) mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    return negative;
}

/* F in units of the grid. */
static void noise(mpfr_t f, bool gaussian, double scale, double grid, uint64_t position, reference_words *words, const void *context)
{
    uint64_t first[WORDS], second[WORDS];
    const bool is_second = gaussian && position % 16 >= 8;
    read_words(first, gaussian ? position - position % 16 + position % 8 : position, words, context);
    bool negative = energy(f, first);
    if (gaussian) {
        mpfr_t theta, pi;
        mpfr_inits2(BITS + 64, theta, pi, (mpfr_ptr)0);
        read_words(second, position - position % 16 + 8 + position % 8, words, context);
        join(theta, second, 12);
        mpfr_const_pi(pi, MPFR_RNDN);
        mpfr_mul(theta, theta, pi, MPFR_RNDN);
        mpfr_mul_2si(theta, theta, 12 - BITS - 1, MPFR_RNDN);   /* pi/2 times digits */
        if (is_second) mpfr_cos(theta, theta, MPFR_RNDN);
        else mpfr_sin(theta, theta, MPFR_RNDN);
        mpfr_mul_2ui(f, f, 1, MPFR_RNDN);
        mpfr_sqrt(f, f, MPFR_RNDN);
        mpfr_mul(f, f, theta, MPFR_RNDN);
        if (is_second) negative = second[0] >> 63;
        mpfr_clears(theta, pi, (mpfr_ptr)0);
    }
    mpfr_mul_d(f, f, negative ? -scale : scale, MPFR_RNDN);
    mpfr_div_d(f, f, grid, MPFR_RNDN);
}

static double plain(double answer)   /* what odd answers count as */
{
    if (isnan(answer) || fabs(answer) < 0x1p-1022) return 0.0;
    return isinf(answer) ? copysign(0x1.fffffffffffffp+1023, answer) : answer;
}

static void ideal(mpfr_t y, bool gaussian, double answer, double scale, double grid, uint64_t position, reference_words *words,
                  const void *context)
{
    mpfr_t f;
    mpfr_init2(f, BITS + 64);
    mpfr_set_d(y, plain(answer), MPFR_RNDN);
    mpfr_div_d(y, y, grid, MPFR_RNDN);
    if (scale > 0.0) {
        noise(f, gaussian, scale, grid, position, words, context);
        mpfr_add(y, y, f, MPFR_RNDN);
    }
    mpfr_clear(f);
}

double release_reference(bool gaussian, double answer, double scale, double grid, uint64_t position, reference_words *words,
                         const void *context)
{
    mpfr_t y;
    mpfr_init2(y, WIDE);
    ideal(y, gaussian, answer, scale, grid, position, words, context);
    mpfr_rint(y, y, MPFR_RNDN);
    mpfr_mul_d(y, y, grid, MPFR_RNDN);
    const double result = mpfr_get_d(y, MPFR_RNDN) + 0.0;
    mpfr_clear(y);
    return isinf(result) ? copysign(0x1.fffffffffffffp+1023, result) : result;
}

double release_reference_y(bool gaussian, double answer, double scale, double grid, uint64_t position, reference_words *words,
                           const void *context)
{
    mpfr_t y;
    mpfr_init2(y, WIDE);
    ideal(y, gaussian, answer, scale, grid, position, words, context);
    const double result = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    return result;
}
