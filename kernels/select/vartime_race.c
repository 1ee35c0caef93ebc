/* vartime_race.c: see vartime_race.h. Time and addresses depend on scores and random bits. */
#include "select/vartime_race.h"

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

double simdp_vartime_floor(double weight, size_t wanted)
{
    /* the number of keys above f is Poisson with mean weight ln2 / 2^f; where 5 are expected, 1 race in 148
     * finds none */
    const double expected = wanted == 1 ? 5 : 30;
    return plain_log2(weight * (0x1.62e42fefa39efp-1 / expected));
}

void simdp_vartime_begin(vartime_race *race, const select_job *job, uint64_t position, size_t wanted, double reference,
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
} vartime_hit;

bool simdp_select_excluded(const select_job *job, size_t candidate)
{
    for (size_t i = 0; i < job->excluded_count; i++) {
        if (job->excluded[i] == candidate) return true;
    }
    return false;
}

static void admit(vartime_race *race, const select_entry *e)
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

/* Error of a key in octaves, where V is known to 2^-63. inf: V is too close to 0 or 1. */
static double error_of(double octaves, uint64_t v)
{
    if (v >> 8 == 0 || ~v >> 8 == 0) return INFINITY;
    return 2 * VALUE_ERROR + fabs(octaves) * 0x1p-49 + 4 / (double)v + 4 / (double)~v;
}

/* Refines up to 8 hits. */
static void evaluate(vartime_race *race, const vartime_hit *hits, size_t count)
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

/* An upper bound of the key of a candidate that lies `octaves` above the reference. If that distance overflowed to
 * -inf, so does the bound. v = 0 gives no bound: inf. */
static double most_of(const select_job *job, double octaves, uint32_t v)
{
    if (v == 0) return INFINITY;
    if (octaves == -INFINITY) return -INFINITY;
    return octaves - log2_below(v) + (key_above(job) + 0x1p-20) + fabs(octaves) * 0x1p-49;
}

/* Refines the hits that can still win. The most promising one comes first, as its key rules out most of the others. */
static void look_at(vartime_race *race, const race_hit *hits, size_t count, uint64_t first_unit)
{
    const select_job *job = race->job;
    vartime_hit waiting[RACE_HITS];
    size_t left = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        vartime_hit h = {.unit = first_unit + hits[i].unit, .v = hits[i].v};
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
    const vartime_hit h = waiting[0];
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

#define VARTIME_PART 0x40000 /* groups screened at a time, so that 32 bits can number the units */

/* What candidates must reach to be hits. Without a bar every finite score is one: base is inf then, and the distance to
 * the reference, which may overflow, is left out. */
static race_line line_of(const vartime_race *race)
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

static void screen_scores(vartime_race *race, const race_scores *scores, size_t first, uint64_t first_unit,
                          size_t groups)
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

void simdp_vartime_scores(vartime_race *race, size_t first, size_t count)
{
    const size_t whole = count / RACE_GROUP, rest = count % RACE_GROUP;
    for (size_t g = 0; g < whole; g += VARTIME_PART) {
        const size_t from = first + g * RACE_GROUP;
        screen_scores(race, &race->job->scores, from, from, whole - g < VARTIME_PART ? whole - g : VARTIME_PART);
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

void simdp_vartime_weights(vartime_race *race, const uint16_t *weights, size_t first, size_t groups)
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
        if (!(threshold < 65535)) { /* too low a bar for 16-bit weights: screen by scores */
            const size_t end = first + groups * RACE_GROUP < job->n ? first + groups * RACE_GROUP : job->n;
            simdp_vartime_scores(race, first + from / RACE_GROUP * RACE_GROUP,
                                 end - (first + from / RACE_GROUP * RACE_GROUP));
            return;
        }
        const size_t count =
            job->kernels->select->screen_weights(hits, &from, weights, groups, (uint16_t)threshold, coarse, &at);
        look_at(race, hits, count, first);
    }
}

/* Whether `best` holds the winners: all keys that the race may have ignored are smaller. */
static bool is_settled(const vartime_race *race)
{
    if (race->found < race->wanted) return false;
    const select_entry *last = &race->best[race->wanted - 1];
    return last->key - last->error >= race->floor;
}

static void once_more(vartime_race *race, double floor)
{
    SELECT_COUNT(race->job, again);
    simdp_vartime_begin(race, race->job, race->at.position, race->wanted, race->reference, floor);
    simdp_vartime_scores(race, 0, race->job->n);
}

/* Bound: VARTIME_DROPS + 2 races. A floor that too few keys reach falls by 4, 8, 16 and 32 octaves, 60 in all; the
 * first guess is too high by log2(n / 128) at most. If that does not do, the wanted keys lie very far below, perhaps at
 * a distance that overflows: the next floor is -inf, with which the race finds all candidates. Once enough keys are
 * found, one race with the last of them as its floor settles the order: it finds all that beat that one. */
#define VARTIME_DROPS 4

void simdp_vartime_finish(vartime_race *race)
{
    double drop = 4;
    for (int drops = 0; drops <= VARTIME_DROPS && race->found < race->wanted; drops++, drop *= 2) {
        if (race->infinite || race->too_low) return;
        once_more(race, drops < VARTIME_DROPS ? race->floor - drop : -INFINITY);
    }
    if (race->infinite || race->too_low || race->found < race->wanted || is_settled(race)) return;
    const select_entry *last = &race->best[race->wanted - 1];
    once_more(race, last->key - last->error);
}
