/* audit_draw.c: outputs of this library's mechanisms, drawn and counted in the first-level cache or in registers. */
#include <math.h>
#include <string.h>

#include "bits/rng.h"
#include "loss/audit.h"
#include "math/plain_math.h"
#include "noise/noise_kernels.h"

/* Ways that exclude each other: in one function their blocks would take stack side by side. */
#define OWN_FRAME static __attribute__((noinline))

/* ---- Laplace by words ---- */

/* A word becomes a deviate, the deviate an output, the output a loss; each step is monotone, so the loss exceeds
 * epsilon on one side of a threshold among the words. Read as unsigned numbers, growing words give falling deviates. */
typedef struct {
    const simdp_kernels *kernels;
    loss_affine law;
    double scale, epsilon;
    bool rising; /* the loss rises with the word */
} word_test;

enum { SECTIONS = 31 }; /* words that are tried at a time: a call of a kernel costs more than so many elements */

/* How many of these halves of odd words come before the first whose loss is on the far side of epsilon: above it, or
 * not, if losses fall. */
static size_t halves_before(const word_test *t, const uint64_t half[SECTIONS])
{
    uint64_t word[SECTIONS];
    double noise[SECTIONS], loss[SECTIONS];
    size_t before = 0;
    for (size_t i = 0; i < SECTIONS; i++) word[i] = 2 * half[i] + 1;
    t->kernels->noise->f64[NOISE_LAPLACE](noise, SECTIONS, &(simdp_bits_at){.words = word}, t->scale);
    t->kernels->loss->fixed_f64(loss, noise, SECTIONS, &t->law);
    while (before < SECTIONS && (loss[before] > t->epsilon) != t->rising) before++;
    return before;
}

#define HALVES ((uint64_t)1 << 63) /* of all odd words */

/* How many halves come before the threshold, by the law in real numbers; a wrong number costs time only. */
static uint64_t halves_likely(const word_test *t)
{
    const double sum = t->epsilon / t->law.slope1 / t->law.slope2,
                 noise = 0.5 * (sum + t->law.x0 + t->law.x1) / t->law.f - t->law.shift, energy = fabs(noise) / t->scale,
                 halves = energy < 40.0 ? 0x1p62 * plain_exp(-energy) : 0.0; /* also where the law has no such point */
    return noise > 0.0 ? (uint64_t)halves : HALVES - (uint64_t)halves;
}

/* Both ends, and points around the likely one: doubles give it to 2^13 or so. */
static void sections_around(uint64_t half[SECTIONS], uint64_t likely)
{
    enum { MIDDLE = SECTIONS / 2 };
    half[0] = 0;
    half[SECTIONS - 1] = HALVES - 1;
    half[MIDDLE] = likely < HALVES ? likely : HALVES - 1;
    for (unsigned i = 1; i < MIDDLE; i++) {
        const uint64_t far = (uint64_t)4 << i;
        half[MIDDLE - i] = likely > far ? likely - far : 0;
        half[MIDDLE + i] = likely + far < HALVES ? likely + far : HALVES - 1;
    }
}

/* Of a short range every word, and the last ones more than once. */
static void sections_between(uint64_t half[SECTIONS], uint64_t low, uint64_t high)
{
    const uint64_t step = (high - low) / (SECTIONS + 1);
    for (uint64_t i = 0; i < SECTIONS; i++)
        half[i] = step > 0 ? low + (i + 1) * step : low + i < high ? low + i : high - 1;
}

/* The number of odd words that do not pass. */
static uint64_t words_before(const word_test *t)
{
    uint64_t low = 0, high = HALVES, half[SECTIONS]; /* those below low do not pass, those from high on do */
    sections_around(half, halves_likely(t));
    while (low < high) { /* bound: 16 turns, as each but the first leaves a 32nd of the range */
        const size_t before = halves_before(t, half);
        if (before < SECTIONS) high = half[before];
        if (before > 0) low = half[before - 1] + 1;
        sections_between(half, low, high);
    }
    return low;
}

static bool is_rising(const simdp_loss_audit *a) { return a->x1 >= a->x0; }

/* word[side][j]: how many halves of words lie before the threshold. The samplers set the lowest bit of a word, so
 * halves are all that counts. */
static void find_thresholds(simdp_loss_audit *a, const simdp_kernels *kernels)
{
    for (int side = 0; side < 2 && !a->thresholds; side++) {
        word_test test = {kernels, audit_law(a, side), a->scale, 0.0, is_rising(a)};
        for (size_t j = 0; j < a->epsilons; j++) {
            test.epsilon = a->epsilon[j];
            a->word[side][j] = words_before(&test);
        }
    }
    a->thresholds = 1;
}

static void count_words(simdp_loss_audit *a, const simdp_kernels *kernels, size_t n, const simdp_bits_at *at)
{
    uint64_t above[AUDIT_THRESHOLDS] = {0}, flipped[AUDIT_THRESHOLDS];
    size_t m = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t j = 0; j < a->epsilons; j++) {
            const uint64_t halves = a->word[side][j];
            /* words above 2 halves - 1 pass; at the ends of the range all do, or none */
            if (halves != 0 && halves >> 63 == 0) flipped[m++] = (2 * halves - 1) ^ 0x8000000000000000;
        }
    }
    kernels->loss->words(above, n, at, flipped, m);
    m = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t j = 0; j < a->epsilons; j++) {
            const uint64_t halves = a->word[side][j], passed = halves == 0 ? n : halves >> 63 ? 0 : above[m++];
            a->above[side][j] += is_rising(a) ? passed : n - passed;
        }
        a->outputs[side] += n;
    }
}

/* ---- noise in the cache ---- */

static void count_noise(simdp_loss_audit *a, const simdp_kernels *kernels, size_t n, simdp_bits_at at)
{
    const loss_affine law[2] = {audit_law(a, 0), audit_law(a, 1)};
    double noise[AUDIT_BLOCK], loss[AUDIT_BLOCK];
    while (n > 0) {
        const size_t count = n < AUDIT_BLOCK ? n : AUDIT_BLOCK;
        kernels->noise->f64[a->kind == SIMDP_MECHANISM_LAPLACE ? NOISE_LAPLACE : NOISE_GAUSSIAN](noise, count, &at,
                                                                                                 a->scale);
        for (int side = 0; side < 2; side++) {
            kernels->loss->fixed_f64(loss, noise, count, &law[side]);
            simdp_loss_audit_tally(a, kernels->loss, loss, count, side);
        }
        at.position += count;
        if (at.words != NULL) at.words += count;
        n -= count;
    }
}

OWN_FRAME simdp_status draw_noise(simdp_rng *rng, simdp_loss_audit *a, uint64_t samples)
{
    /* the words of the noise that is audited */
    static const rng_need laplace = {BITS_LAPLACE_F64, 1, 1, 1, SCRUB_AUDIT},
                          gaussian = {BITS_GAUSSIAN_F64, 1, 1, 16, SCRUB_AUDIT};
    rng_draw draw;
    const bool by_words = a->kind == SIMDP_MECHANISM_LAPLACE && !a->hockey;
    const unsigned mode = fp_mode_enter();
    simdp_status status =
        rng_draw_begin(&draw, rng, a->kind == SIMDP_MECHANISM_GAUSSIAN ? &gaussian : &laplace, samples);
    if (status == SIMDP_OK && by_words) find_thresholds(a, draw.kernels);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        if (by_words) count_words(a, draw.kernels, draw.count, &draw.at);
        else count_noise(a, draw.kernels, draw.count, draw.at);
    }
    fp_mode_leave(mode);
    return status;
}

/* ---- mechanisms of other rooms ---- */

enum { CHOICES = 1024, ANSWER_BYTES = 4096 };

OWN_FRAME simdp_status draw_choices(simdp_rng *rng, simdp_loss_audit *a, uint64_t samples)
{
    size_t chosen[CHOICES];
    simdp_status status = SIMDP_OK;
    for (int side = 0; side < 2; side++) {
        for (uint64_t done = 0; status == SIMDP_OK && done < samples; done += CHOICES) {
            const size_t count = samples - done < CHOICES ? (size_t)(samples - done) : CHOICES;
            status = simdp_select_gumbel_many_vartime(rng, chosen, count, a->scores[side], a->candidates, a->scale);
            if (status == SIMDP_OK) status = simdp_loss_audit_choices(a, chosen, count, side);
        }
    }
    return status;
}

OWN_FRAME simdp_status draw_answers(simdp_rng *rng, simdp_loss_audit *a, uint64_t samples)
{
    uint8_t bits[ANSWER_BYTES], out[ANSWER_BYTES + sizeof(uint64_t)];
    simdp_status status = SIMDP_OK;
    for (int side = 0; side < 2; side++) {
        memset(bits, side == 0 ? 0x00 : 0xff, sizeof bits);
        for (uint64_t done = 0; status == SIMDP_OK && done < samples; done += 8 * ANSWER_BYTES) {
            const size_t count = samples - done < 8 * ANSWER_BYTES ? (size_t)(samples - done) : 8 * ANSWER_BYTES;
            uint64_t ones = 0, word;
            memset(out, 0, count / 8 + sizeof word); /* so that bits past the last answer count nothing */
            status = simdp_release_randomized_response_packed(rng, out, bits, count, a->scale);
            for (size_t i = 0; 8 * i < count; i += sizeof word) {
                memcpy(&word, out + i, sizeof word);
                ones += (uint64_t)__builtin_popcountll(word);
            }
            if (status == SIMDP_OK) simdp_loss_audit_answers(a, count, count - ones, side);
        }
    }
    return status;
}

/* In pieces, each a call of its own, of which a later one may fail: then the stream and the audit are put back. */
simdp_status simdp_loss_audit_draw(simdp_rng *rng, simdp_loss_audit *audit, uint64_t samples)
{
    if (rng == NULL || audit == NULL) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || samples > SIZE_MAX) return SIMDP_EPARAM;
    if (!audit_has_room(audit, samples, 0) || !audit_has_room(audit, samples, 1)) return SIMDP_EPARAM;
    const bool by_noise = audit_is_noise(audit);
    /* the others draw apart for each side, and a sample takes a position or more: no need to try */
    if (!by_noise && samples > (UINT64_MAX - simdp_rng_position(rng)) / 2) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    const simdp_loss_audit before = *audit;
    const uint64_t position = rng->position;
    const simdp_status status = by_noise                                   ? draw_noise(rng, audit, samples)
                                : audit->kind == SIMDP_MECHANISM_SELECTION ? draw_choices(rng, audit, samples)
                                                                           : draw_answers(rng, audit, samples);
    if (status != SIMDP_OK) {
        *audit = before;
        rng->position = position;
    }
    return status;
}

/* ---- all at once ---- */

simdp_status simdp_loss_audit_run(simdp_rng *rng, simdp_loss_audit_row *rows, const simdp_loss_audit_plan *plan)
{
    simdp_loss_audit audit;
    simdp_status status = simdp_loss_audit_init(&audit, plan);
    if (status != SIMDP_OK) return status;
    if (rng == NULL || (rows == NULL && plan->epsilons > 0)) return SIMDP_ENULL;
    status = simdp_loss_audit_draw(rng, &audit, plan->samples);
    return status == SIMDP_OK ? simdp_loss_audit_rows(&audit, rows) : status;
}
