/* discrete_reference.c: see discrete_reference.h. */
#include "reference/discrete_reference.h"

#include <stdbool.h>
#include <stdlib.h>

#include "reference/aes_reference.h"

#define BITS 600

/* ---- Laplace ---- */

static void laplace_factor(mpfr_t h, double scale)
{
    mpfr_set_d(h, scale, MPFR_RNDN);
    mpfr_si_div(h, -1, h, MPFR_RNDN);
    mpfr_exp(h, h, MPFR_RNDN);
    mpfr_add_ui(h, h, 1, MPFR_RNDN);
    mpfr_div_2ui(h, h, 1, MPFR_RNDN);
}

/* |V| from four words, the middle of what they leave open */
static bool laplace_magnitude(mpfr_t v, const discrete_stream *s, uint64_t position, const uint64_t *word)
{
    const uint32_t domain = (s->use != 0 ? s->use : 22) << 24;
    mpz_t bits;
    mpz_init(bits);
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t w = i > 0 || word == NULL ? stream_reference(s->key, s->stream, domain + i, position) : *word;
        mpz_mul_2exp(bits, bits, 64);
        mpz_add_ui(bits, bits, w);
    }
    const bool negative = mpz_tstbit(bits, 255);
    mpz_mul_2exp(bits, bits, 1);
    mpz_add_ui(bits, bits, 1);
    if (negative) {
        mpz_t whole;
        mpz_init_set_ui(whole, 1);
        mpz_mul_2exp(whole, whole, 257);
        mpz_sub(bits, whole, bits);
        mpz_clear(whole);
    }
    mpfr_set_z(v, bits, MPFR_RNDN);
    mpfr_div_2ui(v, v, 256, MPFR_RNDN);
    mpz_clear(bits);
    return negative;
}

int64_t laplace_reference(const discrete_stream *s, uint64_t position, const uint64_t *word, double scale)
{
    mpfr_t v, h;
    mpfr_inits2(BITS, v, h, (mpfr_ptr)NULL);
    const bool negative = laplace_magnitude(v, s, position, word);
    laplace_factor(h, scale);
    mpfr_mul(v, v, h, MPFR_RNDN);
    mpfr_log(v, v, MPFR_RNDN);
    mpfr_mul_d(v, v, -scale, MPFR_RNDN);
    const int64_t magnitude = mpfr_get_si(v, MPFR_RNDD);
    mpfr_frac(h, v, MPFR_RNDN); /* the words tell the cell, or this is no reference */
    if (mpfr_cmp_d(h, 0x1p-150) < 0) abort();
    mpfr_ui_sub(h, 1, h, MPFR_RNDN);
    if (mpfr_cmp_d(h, 0x1p-150) < 0) abort();
    mpfr_clears(v, h, (mpfr_ptr)NULL);
    return negative ? -magnitude : magnitude;
}

uint64_t laplace_border(double scale, int64_t m)
{
    mpfr_t v, h;
    mpfr_inits2(BITS, v, h, (mpfr_ptr)NULL);
    laplace_factor(h, scale);
    mpfr_set_si(v, -m, MPFR_RNDN);
    mpfr_div_d(v, v, scale, MPFR_RNDN);
    mpfr_exp(v, v, MPFR_RNDN);
    mpfr_div(v, v, h, MPFR_RNDN);
    mpfr_mul_2ui(v, v, 63, MPFR_RNDN);
    const uint64_t border = mpfr_get_ui(v, MPFR_RNDD);
    mpfr_clears(v, h, (mpfr_ptr)NULL);
    return border;
}

/* ---- Gaussian ---- */

void gaussian_reference_init(gaussian_reference *g, double sigma)
{
    mpfr_t weight[GAUSSIAN_CELLS], whole;
    g->sigma = sigma;
    g->bound = 0;
    for (g->k = 0; sigma > 6.5 * (double)((uint64_t)1 << g->k);) g->k++;
    mpfr_inits2(BITS, g->e, whole, (mpfr_ptr)NULL);
    mpfr_set_d(g->e, sigma, MPFR_RNDN);
    mpfr_sqr(g->e, g->e, MPFR_RNDN);
    mpfr_ui_div(g->e, 1, g->e, MPFR_RNDN);
    mpfr_mul_2si(g->e, g->e, 2 * g->k - 1, MPFR_RNDN);
    for (unsigned j = 0; j < GAUSSIAN_CELLS; j++) {
        mpfr_init2(weight[j], BITS);
        mpfr_mul_ui(weight[j], g->e, (unsigned long)j * j, MPFR_RNDN);
        mpfr_neg(weight[j], weight[j], MPFR_RNDN);
        mpfr_exp(weight[j], weight[j], MPFR_RNDN);
    }
    if (g->k == 0) mpfr_div_2ui(weight[0], weight[0], 1, MPFR_RNDN); /* of both signs of 0 */
    mpfr_set_ui(whole, 0, MPFR_RNDN);
    for (unsigned j = GAUSSIAN_CELLS; j-- > 0;) {
        mpfr_add(whole, whole, weight[j], MPFR_RNDN);
        mpfr_init2(g->tail[j], BITS);
        mpfr_set(g->tail[j], whole, MPFR_RNDN);
    }
    for (unsigned j = 0; j < GAUSSIAN_CELLS; j++) {
        mpfr_div(g->tail[j], g->tail[j], whole, MPFR_RNDN);
        mpfr_mul_2ui(weight[j], g->tail[j], 63, MPFR_RNDN);
        g->digits[j] = mpfr_get_ui(weight[j], MPFR_RNDD);
        mpfr_clear(weight[j]);
    }
    mpfr_clear(whole);
}

void gaussian_reference_clear(gaussian_reference *g)
{
    for (unsigned j = 0; j < GAUSSIAN_CELLS; j++) mpfr_clear(g->tail[j]);
    mpfr_clear(g->e);
}

void gaussian_chance(const gaussian_reference *g, mpfr_t chance, uint64_t j, uint64_t more)
{
    mpfr_set_ui(chance, more, MPFR_RNDN);
    mpfr_mul_ui(chance, chance, 2 * (j << g->k) + more, MPFR_RNDN);
    mpfr_div_2si(chance, chance, 2 * g->k, MPFR_RNDN);
    mpfr_mul(chance, chance, g->e, MPFR_RNDN);
    mpfr_neg(chance, chance, MPFR_RNDN);
    mpfr_exp(chance, chance, MPFR_RNDN);
}

/* Whether a uniform number is below p: its first `count` digits are the number word, those after them in words of the
 * domain + 2^12, 2 2^12, ... */
static bool is_below(const mpfr_t p, uint64_t word, unsigned count, const discrete_stream *s, uint64_t position,
                     uint32_t domain)
{
    mpfr_t x;
    mpz_t digits;
    mpfr_init2(x, BITS);
    mpz_init(digits);
    bool below = false;
    for (uint32_t level = 0; level < 8; level++) {
        mpfr_mul_2ui(x, level == 0 ? p : x, level == 0 ? count : 64, MPFR_RNDN);
        mpfr_get_z(digits, x, MPFR_RNDD);
        mpfr_frac(x, x, MPFR_RNDN);
        const uint64_t u = level == 0 ? word : stream_reference(s->key, s->stream, domain + (level << 12), position);
        const int order = mpz_cmp_ui(digits, u);
        below = order > 0;
        if (order != 0) break;
    }
    mpz_clear(digits);
    mpfr_clear(x);
    return below;
}

int64_t gaussian_number(const gaussian_reference *g, const discrete_stream *s, uint64_t position, const uint64_t *words)
{
    mpfr_t chance;
    int64_t result = 0;
    mpfr_init2(chance, BITS);
    for (uint32_t attempt = 0;; attempt++) {
        const uint32_t domain = ((s->use != 0 ? s->use : 23) << 24) + 2 * attempt;
        const uint64_t first =
            words != NULL && attempt == 0 ? words[0] : stream_reference(s->key, s->stream, domain, position);
        const bool negative = first >> 63;
        uint64_t j = 0, magnitude;
        while (is_below(g->tail[j + 1], first << 1 >> 1, 63, s, position, domain)) j++;
        magnitude = j;
        bool accepted = true;
        if (g->k > 0) {
            const uint64_t second =
                words != NULL && attempt == 0 ? words[1] : stream_reference(s->key, s->stream, domain + 1, position);
            const uint64_t more = (second & (((uint64_t)1 << g->k) - 1)) + negative;
            gaussian_chance(g, chance, j, more);
            accepted = is_below(chance, second >> g->k, 64 - (unsigned)g->k, s, position, domain + 1);
            magnitude = (j << g->k) + more;
        }
        result = negative ? -(int64_t)magnitude : (int64_t)magnitude;
        if (accepted && (g->bound == 0 || magnitude <= g->bound)) break;
    }
    mpfr_clear(chance);
    return result;
}
