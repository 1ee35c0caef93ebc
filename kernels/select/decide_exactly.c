/* decide_exactly.c: which of two candidates has the larger key: in doubles if their errors allow it, else in
 * double-double with 128 random bits each, else in 512-bit arithmetic with 512 random bits each. Built with the flags
 * of a unit: contraction would break dd.inc. */
#include "bits/bits_kernels.h"
#include "math/dd.inc"
#include "math/wide.h"
#include "select/select_job.h"

#define WIDE_WORDS 8
_Static_assert(WIDE_WORDS < BITS_SELECT_GUMBEL_LEVELS && WIDE_WORDS < BITS_SELECT_FLIP_LEVELS,
               "digits from level 1 on");

/* The first 64 count bits of V. */
static void bits_of(uint64_t *bits, int count, const select_job *job, uint64_t position, const select_entry *e)
{
    uint64_t words[WIDE_WORDS];
    for (int i = 0; i < count; i++) {
        const simdp_bits_at at = {.cipher = job->cipher,
                                  .position = position + race_unit(e->candidate),
                                  .use = bits_level(job->use, 1 + (uint32_t)i)};
        job->kernels->bits->cipher_words(words + i, 1, &at);
    }
    bits[0] = e->v;
    for (int i = 1; i < count; i++) bits[i] = words[i - 1] << 48 | words[i] >> 16;
}

static double first(vd x)
{
    double lanes[VEC_LANES];
    vd_store(lanes, x);
    return lanes[0];
}

/* ln E, where E = -ln(1 - V), or V for permute and flip, and a bound of its error: 2^-98 for the two logarithms and the
 * sum of 128 bits, and the effect of the bits of V behind the first 128, which is at most 2^-127 (1/V + 1/(1 - V)). If
 * the first 64 bits are all 0 or all 1, there is no bound: 2^1000. */
static vdd log_energy(const select_job *job, uint64_t position, const select_entry *e, double *error)
{
    uint64_t bits[2];
    bits_of(bits, 2, job, position, e);
    const vdd v = dd_from_u128(vu_set1(e->v | (e->v == 0)), vu_set1(bits[1]), 0x1p-128);
    const double v_high = (double)e->v * 0x1p-64 + 0x1p-200, u_high = (double)~e->v * 0x1p-64 + 0x1p-200;
    const vdd log = dd_log_v(job->flip ? v : dd_neg_log1m_v(v));
    const double size = first(log.hi) < 0 ? -first(log.hi) : first(log.hi);
    *error = e->v == 0 || ~e->v == 0 ? 0x1p1000 : (1 + size) * 0x1p-98 + 0x1p-126 / v_high + 0x1p-126 / u_high;
    return log;
}

/* 1: a has the larger key, -1: b has, 0: too close to tell */
static int compare_pairs(const select_job *job, uint64_t position, const select_entry *a, const select_entry *b)
{
    double error_a, error_b;
    const vdd gap = dd_div(dd_two_sum(vd_set1(a->score), vd_set1(-b->score)), dd_set1(job->scale, 0.0));
    const vdd log_a = log_energy(job, position, a, &error_a), log_b = log_energy(job, position, b, &error_b);
    const double gap_high = first(gap.hi), size = gap_high < 0 ? -gap_high : gap_high;
    const double key = first(dd_add(gap, dd_sub(log_b, log_a)).hi),
                 error = error_a + error_b + size * 0x1p-98 + 0x1p-100;
    SELECT_COUNT(job, pairs);
    return key > error ? 1 : key < -error ? -1 : 0;
}

static simdp_wide wide_log_energy(const select_job *job, uint64_t position, const select_entry *e)
{
    uint64_t bits[WIDE_WORDS];
    bits_of(bits, WIDE_WORDS, job, position, e);
    bits[WIDE_WORDS - 1] |= 1; /* V = 0 has no logarithm */
    const simdp_wide v = simdp_wide_from_words(bits, WIDE_WORDS);
    return simdp_wide_log(job->flip ? v : simdp_wide_neg_log1m(v));
}

static int compare_wide(const select_job *job, uint64_t position, const select_entry *a, const select_entry *b)
{
    const simdp_wide gap = simdp_wide_sub(simdp_wide_from_double(a->score), simdp_wide_from_double(b->score));
    const simdp_wide x = simdp_wide_div(gap, simdp_wide_from_double(job->scale));
    const simdp_wide logs = simdp_wide_sub(wide_log_energy(job, position, b), wide_log_energy(job, position, a));
    const simdp_wide key = simdp_wide_add(x, logs);
    SELECT_COUNT(job, wide);
    return key.sign == 0 || key.exponent < -400 ? 0 : key.sign;
}

bool simdp_select_beats(const select_job *job, uint64_t position, const select_entry *a, const select_entry *b)
{
    const double far = (a->score - b->score) / job->scale; /* or inf */
    int sign = 0;
    if (far > 1000 || far < -1000) return far > 0; /* logarithms of 512 bits, and of theirs, stay below 360 */
    if (job->from <= SELECT_FROM_VARTIME) {
        const double gap = a->key - b->key, error = a->error + b->error;
        sign = gap > error ? 1 : gap < -error ? -1 : 0;
    }
    if (sign == 0 && job->from <= SELECT_FROM_PAIRS) sign = compare_pairs(job, position, a, b);
    if (sign == 0) sign = compare_wide(job, position, a, b);
    return sign != 0 ? sign > 0 : a->candidate < b->candidate;
}
