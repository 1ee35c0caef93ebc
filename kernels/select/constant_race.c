/* constant_race.c: the constant-time road. The candidates pass the screen in blocks, the few that it keeps are refined
 * after each epoch, and the winner is certified by the error of the refined keys and the bound of all other keys. Where
 * that does not do, about once in 2^17 selections, the variable-time road decides. */
#include <float.h>
#include <math.h>

#include "call/fp_mode.h"
#include "call/scrub.h"
#include "select/select_job.h"
#include "vec/rarely.h"

/* Arithmetic on subnormal numbers takes longer, so they count as 0 here, which moves no score by more than 2^-45
 * scales. Subnormal floats can be as large as 2^-126: at scales below 2^-80 they count as what they are. */
static unsigned mode_of(const select_job *job)
{
    return job->scores.single && job->scale < 0x1p-80 ? FP_MODE_DEFAULT : FP_MODE_FLUSHING;
}

static void empty(race_state *s, int kind)
{
    const int depth = kind == RACE_EIGHT ? RACE_DEPTH_EIGHT : RACE_DEPTH_ONE,
              fine = kind == RACE_EIGHT ? RACE_FINE_EIGHT : RACE_FINE_ONE;
    for (int l = 0; l < RACE_LANES; l++) {
        for (int d = 0; d < depth; d++) s->key[d][l] = -INFINITY, s->unit[d][l] = 0;
        for (int d = 0; d < fine; d++) s->fine[d][l] = -INFINITY, s->fine_unit[d][l] = 0;
        s->bound[l] = -INFINITY;
    }
}

/* a if mask, else b, without a branch */
static uint64_t choose(uint64_t mask, uint64_t a, uint64_t b) { return (a & mask) | (b & ~mask); }
static double choose_double(uint64_t mask, double a, double b)
{
    union {
        double d;
        uint64_t u;
    } x = {a}, y = {b};
    x.u = choose(mask, x.u, y.u);
    return x.d;
}
static uint64_t above(double a, double b) { return -(uint64_t)(a > b); }
static double larger(double a, double b) { return choose_double(above(a, b), a, b); } /* fmax() branches on NaN */

typedef struct {
    double key, next; /* the largest key; the largest of the others */
    uint64_t unit, place;
} finalist;

static finalist better(finalist a, finalist b)
{
    const uint64_t more = above(b.key, a.key);
    const double loser = choose_double(more, a.key, b.key), next = choose_double(above(b.next, a.next), b.next, a.next);
    return (finalist){.key = choose_double(more, b.key, a.key),
                      .next = choose_double(above(loser, next), loser, next),
                      .unit = choose(more, b.unit, a.unit),
                      .place = choose(more, b.place, a.place)};
}

/* The best of `count` keys, a power of two: neighbours in pairs, the winners again, so that comparisons wait for few
 * others. */
static finalist best_of(const double *keys, const uint64_t *units, size_t count)
{
    finalist f[RACE_FINE * RACE_LANES];
    for (size_t i = 0; i < count; i++) f[i] = (finalist){keys[i], -INFINITY, units[i], i};
    for (size_t half = count / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; i++) f[i] = better(f[i], f[i + half]);
    }
    return f[0];
}

/* Writes the best `wanted` candidates in order. True if the errors allow no other order and no other candidate. */
static bool decide(const race_state *s, size_t *index, size_t wanted, double error)
{
    const size_t count = (wanted == 1 ? RACE_FINE_ONE : RACE_FINE_EIGHT) * RACE_LANES;
    double keys[RACE_FINE * RACE_LANES], bound = -INFINITY;
    uint64_t good = ~(uint64_t)0;
    for (size_t i = 0; i < count; i++) keys[i] = s->fine[i / RACE_LANES][i % RACE_LANES];
    for (int l = 0; l < RACE_LANES; l++) bound = choose_double(above(s->bound[l], bound), s->bound[l], bound);
    for (size_t w = 0; w < wanted; w++) {
        const finalist f = best_of(keys, (const uint64_t *)s->fine_unit, count);
        good &= above(f.key - error, f.next + error) & above(f.key - error, bound);
        index[w] = (size_t)race_candidate(f.unit);
        for (size_t i = 0; i < count && w + 1 < wanted; i++)
            keys[i] = choose_double(-(uint64_t)(i == f.place), -INFINITY, keys[i]);
    }
    return good != 0;
}

/* A copy of the block's scores in which excluded candidates are NaN; NULL if there is none in the block. Which
 * candidates are excluded is public: they are output already. */
static const race_scores *without_excluded(const select_job *job, size_t first, size_t count, double copy[RACE_BLOCK],
                                           race_scores *to)
{
    size_t found = 0;
    for (size_t i = 0; i < job->excluded_count; i++) {
        const size_t candidate = job->excluded[i];
        if (candidate < first || candidate >= first + count) continue;
        if (found++ == 0) {
            for (size_t j = 0; j < count; j++) copy[j] = race_score(&job->scores, first + j);
        }
        copy[candidate - first] = NAN;
    }
    *to = (race_scores){copy, false};
    return found == 0 ? NULL : to;
}

typedef struct {
    const int32_t *heights;
    double top;       /* the largest score so far */
    double reference; /* max(top, -DBL_MAX) */
} height_source;

static void next_heights(height_source *source, const select_job *job, size_t first, size_t count,
                         const select_prepared *prepared)
{
    race_scores patched;
    if (prepared != NULL) {
        source->heights = prepared->heights + first;
        source->top = source->reference = prepared->reference;
        return;
    }
    const race_scores *scores = without_excluded(job, first, count, job->scratch->race.copy, &patched);
    const size_t from = scores == NULL ? first : 0;
    if (scores == NULL) scores = &job->scores;
    source->top = larger(source->top, job->kernels->select->top(scores, from, count));
    source->reference = larger(source->top, -DBL_MAX);
    job->kernels->select->heights(job->scratch->race.heights, scores, from, count, source->reference,
                                  job->octaves * HEIGHT_OCTAVE);
    source->heights = job->scratch->race.heights;
}

/* Screens and refines all candidates for up to SELECT_DRAWS selections. Returns the largest score. */
static double run(race_state *state, const select_job *job, uint64_t position, uint64_t stride, size_t draws, int kind,
                  const select_prepared *prepared)
{
    height_source source;
    const size_t blocks = (job->n + RACE_BLOCK - 1) / RACE_BLOCK;
    source.top = -INFINITY;
    source.reference = -DBL_MAX;
    for (size_t b = 0; b < blocks; b++) {
        const size_t first = b * RACE_BLOCK, count = job->n - first < RACE_BLOCK ? job->n - first : RACE_BLOCK;
        const double before = source.reference;
        next_heights(&source, job, first, count, prepared);
        const double shift = b == 0 ? 0 : (source.reference - before) * job->octaves;
        for (size_t d = 0; d < draws; d++) {
            const simdp_bits_at at = {.cipher = job->cipher, .position = position + d * stride, .use = job->use};
            job->kernels->select->race[kind](&state[d], source.heights, race_groups(count), first, shift, &at);
            if (b % RACE_EPOCH == RACE_EPOCH - 1 || b == blocks - 1) job->kernels->select->refine[kind](&state[d], &at);
        }
    }
    return source.top;
}

/* Writes the winner of one selection of few candidates. */
static void run_few(const select_job *job, uint64_t position, size_t *index)
{
    const simdp_bits_at at = {.cipher = job->cipher, .position = position, .use = job->use};
    const double error = fmax(job->error, FEW_ERROR);
    race_winner winner;
    fp_mode_put(mode_of(job));
    job->kernels->select->few(&winner, &job->scores, job->n, job->octaves, job->flip, &at);
    fp_mode_put(FP_MODE_DEFAULT);
    *index = winner.candidate;
    SELECT_COUNT(job, selections);
    if (rarely(!select_is_number(winner.top))) {
        simdp_select_rest(job, index, 0, 1);
    } else if (job->from != SELECT_FROM_START || rarely(!(winner.key - error > winner.next + error))) {
        SELECT_COUNT(job, undecided);
        simdp_select_vartime(job, position, index, 1);
        if (job->keys != NULL) simdp_scrub(job->kernels, SCRUB_SELECT); /* the caller scrubs less */
    }
}

void simdp_select_constant(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                           size_t wanted, const select_prepared *prepared)
{
    const int kind = job->flip ? RACE_FLIP : wanted == 1 ? RACE_ONE : RACE_EIGHT;
    race_state *const state = job->scratch->race.state;
    if (wanted == 1 && job->n <= RACE_GROUP && job->excluded_count == 0) {
        for (size_t d = 0; d < draws && simdp_select_goes_on(job); d++) run_few(job, position + d * stride, &index[d]);
        return;
    }
    for (size_t done = 0; done < draws; done += SELECT_DRAWS) {
        const size_t now = draws - done < SELECT_DRAWS ? draws - done : SELECT_DRAWS;
        const uint64_t first = position + done * stride;
        if (!simdp_select_goes_on(job)) return;
        for (size_t d = 0; d < now; d++) empty(&state[d], kind);
        fp_mode_put(mode_of(job));
        const double top = run(state, job, first, stride, now, kind, prepared);
        fp_mode_put(FP_MODE_DEFAULT);
        for (size_t d = 0; d < now; d++) {
            size_t *out = index + (done + d) * wanted;
            SELECT_COUNT(job, selections);
            if (rarely(!select_is_number(top))) {
                simdp_select_rest(job, out, 0, wanted);
            } else if (job->from != SELECT_FROM_START ||
                       rarely(!decide(&state[d], out, wanted, fmax(job->error, RACE_ERROR)))) {
                SELECT_COUNT(job, undecided);
                simdp_select_vartime(job, first + d * stride, out, wanted);
            }
        }
    }
}
