#include "reference/release_reference.h"

#include <math.h>
#include <mpfr.h>

#include "reference/aes_reference.h"

/* WIDE: the largest double in units of the smallest grid, and more */
enum { WORDS = 6, BITS = 64 * WORDS, WIDE = 2400 };

uint64_t reference_stream_words(const void *context, uint64_t index, unsigned level)
{
    const reference_stream *s = context;
    return stream_reference(s->key, s->stream, (s->use << 24) + level, index);
}

/* The random bits of an element: a sign or the first of them, and a fraction, both as numbers. */
typedef struct {
    bool first;  /* the top bit of the word or half word */
    mpfr_t rest; /* those that count after it, as a binary fraction in [0, 1) */
} element_bits;

/* `kept` low bits of a (half) word, then whole words. */
static void join(element_bits *out, uint64_t main_bits, int width, int kept, uint64_t position, reference_words *words,
                 const void *context)
{
    mpfr_init2(out->rest, BITS + 64);
    out->first = main_bits >> (width - 1) & 1;
    mpfr_set_ui(out->rest, main_bits & (((uint64_t)1 << kept) - 1), MPFR_RNDN);
    for (unsigned i = 1; i < WORDS; i++) {
        mpfr_mul_2ui(out->rest, out->rest, 64, MPFR_RNDN);
        mpfr_add_ui(out->rest, out->rest, words(context, position, i), MPFR_RNDN);
    }
    mpfr_div_2ui(out->rest, out->rest, (unsigned long)kept + 64 * (WORDS - 1), MPFR_RNDN);
}

static void read_element(element_bits *out, bool halves, bool angle, uint64_t position, reference_words *words,
                         const void *context)
{
    const uint64_t word = words(context, halves ? position / 2 : position, 0);
    if (halves) join(out, word >> (position % 2 ? 32 : 0) & 0xffffffff, 32, angle ? 23 : 31, position, words, context);
    else join(out, word, 64, angle ? 52 : 63, position, words, context);
}

/* E = -ln |V| */
static void energy(mpfr_t out, const element_bits *bits)
{
    if (bits->first) mpfr_ui_sub(out, 1, bits->rest, MPFR_RNDN); /* V = rest - 1 */
    else mpfr_set(out, bits->rest, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
}

/* F in units of the grid, of the element at a position. */
static void noise(mpfr_t f, bool gaussian, bool halves, double scale, double grid, uint64_t position,
                  reference_words *words, const void *context)
{
    element_bits first, second;
    const uint64_t apart = halves ? 16 : 8; /* the two elements of a pair */
    const bool is_second = gaussian && position % (2 * apart) >= apart;
    const uint64_t radius = is_second ? position - apart : position;
    read_element(&first, halves, false, radius, words, context);
    energy(f, &first);
    bool negative = first.first;
    if (gaussian) {
        mpfr_t theta;
        mpfr_init2(theta, BITS + 64);
        read_element(&second, halves, true, radius + apart, words, context);
        mpfr_const_pi(theta, MPFR_RNDN);
        mpfr_mul(theta, theta, second.rest, MPFR_RNDN);
        mpfr_div_2ui(theta, theta, 1, MPFR_RNDN);
        if (is_second) mpfr_cos(theta, theta, MPFR_RNDN);
        else mpfr_sin(theta, theta, MPFR_RNDN);
        mpfr_mul_2ui(f, f, 1, MPFR_RNDN);
        mpfr_sqrt(f, f, MPFR_RNDN);
        mpfr_mul(f, f, theta, MPFR_RNDN);
        if (is_second) negative = second.first;
        mpfr_clears(theta, second.rest, (mpfr_ptr)0);
    }
    mpfr_clear(first.rest);
    mpfr_mul_d(f, f, negative ? -scale : scale, MPFR_RNDN);
    mpfr_div_d(f, f, grid, MPFR_RNDN);
}

static int64_t integer(bool gaussian, bool halves, int64_t answer, double scale, uint64_t position,
                       reference_words *words, const void *context)
{
    mpfr_t f;
    mpfr_init2(f, BITS + 64);
    mpfr_set_ui(f, 0, MPFR_RNDN);
    if (scale > 0) noise(f, gaussian, halves, scale, 1, position, words, context);
    mpfr_rint(f, f, MPFR_RNDN);
    mpfr_add_si(f, f, answer, MPFR_RNDN);
    const int64_t result = mpfr_cmp_si(f, INT64_MAX) >= 0   ? INT64_MAX
                           : mpfr_cmp_si(f, INT64_MIN) <= 0 ? INT64_MIN
                                                            : mpfr_get_si(f, MPFR_RNDN);
    mpfr_clear(f);
    return result;
}

int64_t release_reference_i64(bool gaussian, int64_t answer, double scale, uint64_t position, reference_words *words,
                              const void *context)
{
    return integer(gaussian, scale <= 512, answer, scale, position, words, context);
}

int64_t release_reference_whole_i64(bool gaussian, int64_t answer, double scale, uint64_t position,
                                    reference_words *words, const void *context)
{
    return integer(gaussian, false, answer, scale, position, words, context);
}

static double plain(double answer, double grid) /* what odd answers count as */
{
    if (isnan(answer) || fabs(answer) < 0x1p-1022 || fabs(answer) / fmax(grid, 1) < 0x1p-1022) return 0.0;
    return isinf(answer) ? copysign(0x1.fffffffffffffp+1023, answer) : answer;
}

static void ideal(mpfr_t y, bool gaussian, double answer, double scale, double grid, uint64_t position,
                  reference_words *words, const void *context)
{
    mpfr_t f;
    mpfr_init2(f, BITS + 64);
    mpfr_set_d(y, plain(answer, grid), MPFR_RNDN);
    mpfr_div_d(y, y, grid, MPFR_RNDN);
    if (scale > 0.0) {
        noise(f, gaussian, false, scale, grid, position, words, context);
        mpfr_add(y, y, f, MPFR_RNDN);
    }
    mpfr_clear(f);
}

double release_reference(bool gaussian, double answer, double scale, double grid, uint64_t position,
                         reference_words *words, const void *context)
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

double release_reference_y(bool gaussian, double answer, double scale, double grid, uint64_t position,
                           reference_words *words, const void *context)
{
    mpfr_t y;
    mpfr_init2(y, WIDE);
    ideal(y, gaussian, answer, scale, grid, position, words, context);
    const double result = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    return result;
}
