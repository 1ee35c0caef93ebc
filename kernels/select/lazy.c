/* lazy.c: see lazy.h. Time and addresses depend on scores and random bits. */
#include "select/lazy.h"

#include <math.h>
#include <string.h>

#include "math/plain_math.h"

/* A key is at most s - log2(v) + key_above: 16, as V >= v / 2^16, and for Gumbel-max - log2(log2 e), rounded up. */
static double key_above(const select_job *job) { return job->flip ? 16 : 0x1.ef145cp+3; }

/* A lower bound of log2(v), v > 0: the bits of a float. */
static double log2_below(uint32_t v)
{
    const float x = (float)v;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-23 - 127;
}

/* An upper bound of 2^y for |y| < 1000: the chord between powers of two. */
static double exp2_above(double y)
{
    const double whole = floor(y);
    return ldexp(1 + (y - whole), (int)whole);
}

double simdp_lazy_floor(double weight, size_t wanted)
{
    /* keys above f: a Poisson number of mean weight ln2 / 2^f; with 5 expected, in 1 of 148 races there is none */
    const double expected = wanted == 1 ? 5 : 30;
    return plain_log2(weight * (0x1.62e42fefa39efp-1 / expected));
}

void simdp_lazy_begin(lazy_race *race, const select_job *job, uint64_t position, size_t wanted, double reference,
                      double floor)
{
    race->job = job;
    race->at = (simdp_bits_at){.cipher = job->cipher, .position = position, .use = job->use};
    race->reference = reference;
    race->floor = race->bar = floor;
    race->wanted = wanted;
    race->found = 0;
    race->infinite = race->too_low = false;
}

/* ---- hits ---- */

typedef struct {
    uint64_t unit;
    uint32_t v;
    double score, octaves, most; /* most: an upper bound of the key */
} lazy_hit;

bool simdp_select_excluded(const select_job *job, size_t candidate)
{
    for (size_t i = 0; i < job->excluded_count; i++) {
        if (job->excluded[i] == candidate) return true;
    }
    return false;
}

static void admit(lazy_race *race, const select_entry *e)
{
    size_t i = race->found;
    if (i == race->wanted) {
        if (!simdp_select_beats(race->job, race->at.position, e, &race->best[i - 1])) return;
        i--;
    } else {
        race->found++;
    }
    for (; i > 0 && simdp_select_beats(race->job, race->at.position, e, &race->best[i - 1]); i--)
        race->best[i] = race->best[i - 1];
    race->best[i] = *e;
    if (race->found < race->wanted) return;
    const select_entry *last = &race->best[race->wanted - 1];
    if (last->key - last->error > race->bar) race->bar = last->key - last->error;
}

/* Octaves; V is known to 2^-63. */
static double error_of(double octaves, uint64_t v)
{
    if (v >> 8 == 0 || ~v >> 8 == 0) return INFINITY;
    return 2 * VALUE_ERROR + fabs(octaves) * 0x1p-49 + 4 / (double)v + 4 / (double)~v;
}

static void evaluate(lazy_race *race, const lazy_hit *hits, size_t count) /* at most 8 */
{
    uint64_t unit[8] = {0}, v[8] = {0};
    double value[8];
    for (size_t i = 0; i < count; i++) {
        unit[i] = hits[i].unit;
        v[i] = hits[i].v;
    }
    race->job->kernels->select->values(value, v, unit, race->job->flip, &race->at);
    for (size_t i = 0; i < count; i++) {
        SELECT_COUNT(race->job, evaluated);
        const double error = error_of(hits[i].octaves, v[i]);
        const select_entry e = {.candidate = (size_t)race_candidate(hits[i].unit),
                                .score = hits[i].score,
                                .v = v[i],
                                .key = error < INFINITY ? hits[i].octaves + value[i] : 0,
                                .error = error};
        admit(race, &e);
    }
}

/* An upper bound of the key of a candidate `octaves` above the reference; both may be -inf, where the distance to the
 * reference overflows. v = 0 bounds nothing. */
static double most_of(const select_job *job, double octaves, uint32_t v)
{
    if (v == 0) return INFINITY;
    if (octaves == -INFINITY) return -INFINITY;
    return octaves - log2_below(v) + (key_above(job) + 0x1p-20) + fabs(octaves) * 0x1p-49;
}

/* The most promising one first: what it shows rules out most of the others. */
static void look_at(lazy_race *race, const race_hit *hits, size_t count, uint64_t first_unit)
{
    const select_job *job = race->job;
    lazy_hit waiting[RACE_HITS];
    size_t left = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        lazy_hit h = {.unit = first_unit + hits[i].unit, .v = hits[i].v};
        const size_t candidate = (size_t)race_candidate(h.unit);
        if (candidate >= job->n || (job->excluded_count > 0 && simdp_select_excluded(job, candidate))) continue;
        h.score = race_score(&job->scores, candidate);
        if (h.score == INFINITY) race->infinite = true;
        if (!select_is_number(h.score)) continue;
        h.octaves = (h.score - race->reference) * job->octaves;
        if (h.octaves == INFINITY) race->too_low = true;
        h.most = most_of(job, h.octaves, h.v);
        if (!(h.most >= race->bar)) continue;
        waiting[left] = h;
        if (h.most > waiting[first].most) first = left;
        left++;
    }
    if (left == 0) return;
    const lazy_hit h = waiting[0];
    waiting[0] = waiting[first];
    waiting[first] = h;
    /* bound: `left` turns, as each moves `done` on by at least one and `left` only falls */
    for (size_t now = 1, done = 0; done < left; done += now, now = left - done < 8 ? left - done : 8) {
        evaluate(race, waiting + done, now);
        size_t kept = done + now;
        for (size_t i = kept; i < left; i++) {
            if (waiting[i].most >= race->bar) waiting[kept++] = waiting[i];
        }
        left = kept;
    }
}

/* ---- screens ---- */

#define LAZY_PART 0x40000 /* groups: hits count units of a part in 32 bits */

/* The line that candidates must reach. Without a bar every finite score passes: its distance to the reference, which
 * may overflow, is then left out. */
static race_line line_of(const lazy_race *race)
{
    const select_job *job = race->job;
    const double offset = race->reference * job->octaves;
    race_line line = {.per_score = job->octaves, .base = INFINITY};
    if (race->bar == -INFINITY) return line;
    line.reference = race->reference;
    line.centred = !(fabs(offset) < 0x1p36);
    line.base = 127 + key_above(job) + 0x1p-9 - race->bar - (line.centred ? 0 : offset);
    return line;
}

static void screen_scores(lazy_race *race, const race_scores *scores, size_t first, uint64_t first_unit, size_t groups)
{
    const select_job *job = race->job;
    race_hit hits[RACE_HITS];
    size_t from = 0;
    simdp_bits_at at = race->at;
    at.position += first_unit;
    /* bound: two turns for each group, as a screen moves `from` on by half a group or more (RACE_HITS leaves room) */
    while (from < groups * RACE_GROUP) {
        const race_line line = line_of(race);
        const size_t count = job->kernels->select->screen_scores(hits, &from, scores, first, groups, &line, &at);
        look_at(race, hits, count, first_unit);
        if (race->infinite || race->too_low) return;
    }
}

void simdp_lazy_scores(lazy_race *race, size_t first, size_t count)
{
    const size_t whole = count / RACE_GROUP, rest = count % RACE_GROUP;
    for (size_t g = 0; g < whole; g += LAZY_PART) {
        const size_t from = first + g * RACE_GROUP;
        screen_scores(race, &race->job->scores, from, from, whole - g < LAZY_PART ? whole - g : LAZY_PART);
    }
    if (rest == 0) return;
    double tail[RACE_GROUP];
    const race_scores scores = {tail, false};
    const size_t from = first + whole * RACE_GROUP;
    for (size_t i = 0; i < RACE_GROUP; i++) tail[i] = i < rest ? race_score(&race->job->scores, from + i) : -INFINITY;
    screen_scores(race, &scores, 0, from, 1);
}

/* 2^32 m / WEIGHT_ONE, rounded up, m = ln2 / 2^bar. */
static double weight_threshold(double bar)
{
    const double y = 0x1.ef14b8p+3 - bar; /* 32 + log2(ln2 / 65534), rounded up */
    return y > 40 ? 0x1p40 : y < -10 ? 1 : exp2_above(y) + 1;
}

void simdp_lazy_weights(lazy_race *race, const uint16_t *weights, size_t first, size_t groups)
{
    const select_job *job = race->job;
    race_hit hits[RACE_HITS];
    size_t from = 0;
    simdp_bits_at at = race->at;
    at.position += first;
    while (from < groups * RACE_GROUP) { /* bound: as in screen_scores */
        double threshold = weight_threshold(race->bar);
        const bool coarse = !(threshold < 65535);
        if (coarse) threshold = threshold / 16 + 1;
        if (!(threshold < 65535)) { /* hopeless for weights */
            const size_t end = first + groups * RACE_GROUP < job->n ? first + groups * RACE_GROUP : job->n;
            simdp_lazy_scores(race, first + from / RACE_GROUP * RACE_GROUP,
                              end - (first + from / RACE_GROUP * RACE_GROUP));
            return;
        }
        const size_t count =
            job->kernels->select->screen_weights(hits, &from, weights, groups, (uint16_t)threshold, coarse, &at);
        look_at(race, hits, count, first);
    }
}

bool simdp_lazy_settled(const lazy_race *race)
{
    if (race->found < race->wanted) return false;
    const select_entry *last = &race->best[race->wanted - 1];
    return last->key - last->error >= race->floor;
}

static void once_more(lazy_race *race, double floor)
{
    SELECT_COUNT(race->job, again);
    simdp_lazy_begin(race, race->job, race->at.position, race->wanted, race->reference, floor);
    simdp_lazy_scores(race, 0, race->job->n);
}

/* Bound: LAZY_DROPS + 2 races. A floor that too few keys reach falls by 4, 8, 16 and 32 octaves, 60 in all, and a guess
 * is too high by log2(n / 128) at most. The keys that are wanted may yet lie anywhere below, also at a distance that
 * overflows; so the next floor is -inf, which shows all candidates. Once there are enough, one race from the last of
 * them settles it: it shows all that beat that one. */
#define LAZY_DROPS 4

void simdp_lazy_finish(lazy_race *race)
{
    double drop = 4;
    for (int drops = 0; drops <= LAZY_DROPS && race->found < race->wanted; drops++, drop *= 2) {
        if (race->infinite || race->too_low) return;
        once_more(race, drops < LAZY_DROPS ? race->floor - drop : -INFINITY);
    }
    if (race->infinite || race->too_low || race->found < race->wanted || simdp_lazy_settled(race)) return;
    const select_entry *last = &race->best[race->wanted - 1];
    once_more(race, last->key - last->error);
}
