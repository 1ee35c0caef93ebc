#include "race_reference.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

#include "aes_reference.h"

#define WORDS     9 /* of further bits that MPFR sees */
#define PRECISION 700

size_t race_reference_close;

/* The number of a candidate's 16-bit unit. */
static uint64_t unit_of(size_t candidate)
{
    const uint64_t group = candidate / 128, j = candidate % 64, high = candidate % 128 / 64;
    uint64_t half = j & ~(uint64_t)6;
    if (j & 2) half |= 4;
    if (j & 4) half |= 2;
    return 128 * group + 2 * half + high;
}

static uint32_t use_of(const race_reference *r) { return (uint32_t)(r->flip ? 33 : 32) << 24; }

static uint64_t word_of(const race_reference *r, uint32_t domain, uint64_t index)
{
    return r->own != NULL ? stream_reference_under(r->own, domain, index)
                          : stream_reference(r->key, r->stream, domain, index);
}

static uint64_t first_bits(const race_reference *r, size_t candidate)
{
    const uint64_t u = unit_of(candidate);
    return word_of(r, use_of(r), (r->position + u) / 4) >> 16 * (u % 4) & 0xffff;
}

static uint64_t further_bits(const race_reference *r, size_t candidate, uint32_t word)
{
    return word_of(r, use_of(r) + 1 + word, r->position + unit_of(candidate));
}

static long double log_energy(bool flip, long double v) { return logl(flip ? v : -log1pl(-v)); }

typedef struct {
    size_t index;
    int kind; /* 2: +inf, 1: a number, 0: neither */
    uint64_t v16;
    long double x, most, least, log_energy, error;
} entry;

static const race_reference *sorting;

static void exact_log_energy(mpfr_t out, const race_reference *race, size_t candidate)
{
    mpfr_set_ui(out, first_bits(race, candidate), MPFR_RNDN);
    for (uint32_t w = 0; w < WORDS; w++) {
        mpfr_mul_2ui(out, out, 64, MPFR_RNDN);
        mpfr_add_ui(out, out, further_bits(race, candidate, w), MPFR_RNDN);
    }
    mpfr_div_2ui(out, out, 16 + 64 * WORDS, MPFR_RNDN);
    if (!race->flip) {
        mpfr_neg(out, out, MPFR_RNDN);
        mpfr_log1p(out, out, MPFR_RNDN);
        mpfr_neg(out, out, MPFR_RNDN);
    }
    mpfr_log(out, out, MPFR_RNDN);
}

/* sign of key(a) - key(b) */
static int exact_sign(const entry *a, const entry *b)
{
    mpfr_t gap, log_a, log_b;
    race_reference_close++;
    mpfr_inits2(PRECISION, gap, log_a, log_b, (mpfr_ptr)0);
    exact_log_energy(log_a, sorting, a->index);
    exact_log_energy(log_b, sorting, b->index);
    mpfr_set_d(gap, sorting->scores[a->index], MPFR_RNDN);
    mpfr_sub_d(gap, gap, sorting->scores[b->index], MPFR_RNDN);
    mpfr_div_d(gap, gap, sorting->scale, MPFR_RNDN);
    mpfr_add(gap, gap, log_b, MPFR_RNDN);
    mpfr_sub(gap, gap, log_a, MPFR_RNDN);
    const int sign = mpfr_sgn(gap);
    mpfr_clears(gap, log_a, log_b, (mpfr_ptr)0);
    return sign;
}

static int by_key(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    int sign = a->kind - b->kind;
    if (sign == 0 && a->kind == 1) {
        const long double x = ((long double)sorting->scores[a->index] - sorting->scores[b->index]) / sorting->scale;
        const long double gap = x + b->log_energy - a->log_energy,
                          error = (fabsl(x) + 100) * 1e-18L + a->error + b->error;
        if (fabsl(gap) > error) sign = gap > 0 ? 1 : -1;
        else if (a->index != b->index) sign = exact_sign(a, b);
    }
    if (sign == 0) sign = a->index < b->index ? 1 : -1;
    return -sign;
}

void race_reference_tie(double *score_a, double *score_b, const race_reference *race, size_t a, size_t b)
{
    mpfr_t log_a, log_b;
    mpfr_inits2(PRECISION, log_a, log_b, (mpfr_ptr)0);
    exact_log_energy(log_a, race, a);
    exact_log_energy(log_b, race, b);
    mpfr_sub(log_a, log_a, log_b, MPFR_RNDN);
    *score_a = mpfr_get_d(log_a, MPFR_RNDN);
    mpfr_sub_d(log_a, log_a, *score_a, MPFR_RNDN);
    *score_b = -mpfr_get_d(log_a, MPFR_RNDN);
    mpfr_clears(log_a, log_b, (mpfr_ptr)0);
}

static int by_least(const void *left, const void *right)
{
    const long double a = *(const long double *)left, b = *(const long double *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

void race_reference_rank(size_t *index, size_t k, const race_reference *race)
{
    entry *all = calloc(race->n, sizeof *all);
    long double *least = calloc(race->n, sizeof *least), top = -INFINITY;
    size_t count = 0;
    if (all == NULL || least == NULL) abort();
    for (size_t i = 0; i < race->n; i++) {
        if (isfinite(race->scores[i]) && race->scores[i] > top) top = race->scores[i];
    }
    for (size_t i = 0; i < race->n; i++) { /* 16 bits tell who may be among the best */
        entry *e = &all[i];
        e->index = i;
        e->kind = isfinite(race->scores[i]) ? 1 : race->scores[i] == INFINITY ? 2 : 0;
        e->most = e->least = e->kind == 2 ? INFINITY : -INFINITY;
        if (e->kind == 1) {
            e->v16 = first_bits(race, i);
            e->x = ((long double)race->scores[i] - top) / race->scale;
            e->most = e->v16 == 0 ? INFINITY : e->x - log_energy(race->flip, (long double)e->v16 * 0x1p-16L) + 1e-9L;
            e->least = e->v16 == 65535 ? e->x - 9
                                       : e->x - log_energy(race->flip, (long double)(e->v16 + 1) * 0x1p-16L) - 1e-9L;
        }
        least[i] = e->least;
    }
    qsort(least, race->n, sizeof *least, by_least);
    for (size_t i = 0; i < race->n; i++) {
        if (!(all[i].most >= least[k - 1])) continue;
        all[count] = all[i];
        entry *e = &all[count++];
        if (e->kind != 1) continue;
        const long double v =
            ((long double)e->v16 + (long double)further_bits(race, e->index, 0) * 0x1p-64L) * 0x1p-16L;
        e->error = 0x1p-79L / v;
        e->log_energy = v < 0x1p-40L || v > 1 - 0x1p-20L ? NAN : log_energy(race->flip, v); /* NaN: ask MPFR */
    }
    sorting = race;
    qsort(all, count, sizeof *all, by_key);
    for (size_t i = 0; i < k; i++) index[i] = all[i].index;
    free(all);
    free(least);
}
