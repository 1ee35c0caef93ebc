/* simdp-distinguish: attackers that learn from released bytes, as lines of JSON for learned_page.py.
 *
 *   simdp-distinguish [SIGHTS [TARGET]]   of either answer, for the test (1e7); an eighth at most is learned from. Numbers
 *                                         come from fixed keys: one target, by its number, says what it says among all
 *   simdp-distinguish --bytes TARGET ANSWER SIGHTS SEED   raw sights on standard output, for other learners
 *
 * What is learned. The best test of real-number noise looks at the size of one element. The attacker says what that test
 * says, but for those sights whose bits, seen through one of some sixty windows of twelve bits, came more often with the
 * other answer while it learned. What that gains is counted on fresh sights, where the two verdicts differ: so it is
 * known far better than the advantage itself. Of a mechanism that follows the real-number law it is 0 or less. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distinguish.h"

enum { WINDOW = 12, CELLS = 4 << WINDOW, SHIFTS = 14, PAIRS = 6, VIEWS = SIGHT_WORDS * SHIFTS + PAIRS + 3 };
#define RISK 1e-11

static uint32_t count[VIEWS][2][CELLS];
static bool turned[VIEWS][CELLS]; /* where the attacker contradicts the size */

static unsigned zeros_below(uint64_t word) { return word == 0 ? 63 : (unsigned)__builtin_ctzll(word); }

/* What a view shows of a sight. */
static unsigned seen_through(unsigned view, const sight *s)
{
    static const unsigned char pair[PAIRS][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const uint64_t *const w = s->word;
    const unsigned other = view - SIGHT_WORDS * SHIFTS;
    uint64_t bits;
    if (view < SIGHT_WORDS * SHIFTS) bits = w[view / SHIFTS] >> 4 * (view % SHIFTS);
    else if (other < PAIRS) bits = (w[pair[other][0]] & 63) << 6 | (w[pair[other][1]] & 63);
    else if (other == PAIRS) bits = (w[0] & 7) << 9 | (w[1] & 7) << 6 | (w[2] & 7) << 3 | (w[3] & 7);
    else if (other == PAIRS + 1) bits = zeros_below(w[0]) << 6 | (w[0] >> 52 & 63); /* last digit, and the exponent */
    else bits = zeros_below(w[0]) << 6 | zeros_below(w[2]);
    return (unsigned)(bits & ((1 << WINDOW) - 1)) << 2 | (unsigned)s->by_size << 1 | s->near;
}

/* ---- sights ---- */

typedef struct {
    simdp_rng rng;
    uint64_t random;
    const target *from;
    double leak;
    int answer;
} eye;

static void open_eye(eye *e, const target *from, double leak, int answer, uint64_t seed)
{
    static const uint8_t key[32] = {0xa7};
    *e = (eye){.random = seed * 0x9e3779b97f4a7c15, .from = from, .leak = leak, .answer = answer};
    if (simdp_rng_init_deterministic(&e->rng, key, 2 * seed + (uint64_t)answer) != SIMDP_OK) abort();
}

static void look(eye *e, sight *seen)
{
    e->from->observe(seen, &e->rng, e->answer);
    if (e->leak > 0 && e->answer == 1) plant_leak(seen, e->leak, &e->random);
}

/* ---- learning ---- */

static void learn(const target *from, double leak, uint64_t sights, uint64_t seed)
{
    static sight seen[SIGHT_BATCH];
    static eye e;
    memset(count, 0, sizeof count);
    for (int answer = 0; answer < 2; answer++) {
        open_eye(&e, from, leak, answer, seed);
        for (uint64_t done = 0; done < sights; done += SIGHT_BATCH) {
            look(&e, seen);
            for (unsigned view = 0; view < VIEWS; view++)
                for (size_t k = 0; k < SIGHT_BATCH; k++) count[view][answer][seen_through(view, &seen[k])]++;
        }
    }
}

static double against_size(unsigned view, unsigned cell)
{
    const double difference = (double)count[view][1][cell] - (double)count[view][0][cell];
    return cell & 2 ? -difference : difference; /* bit 1: the size says 1 */
}

/* Turns cells that speak against the size, by 2.5 standard deviations; then keeps the view that gains most on sights of
 * its own. */
static unsigned choose_view(const target *from, double leak, uint64_t sights)
{
    double best = -1;
    unsigned chosen = 0;
    learn(from, leak, sights, 1);
    for (unsigned view = 0; view < VIEWS; view++)
        for (unsigned cell = 0; cell < CELLS; cell++) {
            const double sum = (double)count[view][0][cell] + (double)count[view][1][cell];
            turned[view][cell] = against_size(view, cell) > 2.5 * sqrt(sum);
        }
    learn(from, leak, sights, 2);
    for (unsigned view = 0; view < VIEWS; view++) {
        double gain = 0;
        for (unsigned cell = 0; cell < CELLS; cell++) gain += turned[view][cell] ? against_size(view, cell) : 0;
        if (gain > best) best = gain, chosen = view;
    }
    return chosen;
}

/* ---- the test ---- */

typedef struct {
    uint64_t n, by_size[2];  /* sights of either answer; how many the size calls 1 */
    uint64_t up[2], down[2]; /* and how many of the others, or of these, the attacker turns round */
} tally;

static tally test(const target *from, double leak, uint64_t sights, unsigned view)
{
    static sight seen[SIGHT_BATCH];
    static eye e;
    tally t = {.n = (sights + SIGHT_BATCH - 1) / SIGHT_BATCH * SIGHT_BATCH};
    for (int answer = 0; answer < 2; answer++) {
        open_eye(&e, from, leak, answer, 3);
        for (uint64_t done = 0; done < sights; done += SIGHT_BATCH) {
            look(&e, seen);
            uint64_t by_size = 0, up = 0, down = 0;
            for (size_t k = 0; k < SIGHT_BATCH; k++) {
                const bool turn = turned[view][seen_through(view, &seen[k])], one = seen[k].by_size;
                by_size += one;
                up += turn & !one;
                down += turn & one;
            }
            t.by_size[answer] += by_size;
            t.up[answer] += up;
            t.down[answer] += down;
        }
    }
    return t;
}

static simdp_loss_estimate proportion(uint64_t successes, uint64_t n, double risk)
{
    simdp_loss_estimate p;
    if (simdp_loss_interval_proportion(&p, successes, n, risk) != SIMDP_OK) abort();
    return p;
}

/* a - b of independent proportions */
static simdp_loss_estimate difference(uint64_t a, uint64_t b, uint64_t n, double risk)
{
    const simdp_loss_estimate p = proportion(a, n, risk / 2), q = proportion(b, n, risk / 2);
    return (simdp_loss_estimate){.value = p.value - q.value, .low = p.low - q.high, .high = p.high - q.low};
}

static void attack(const target *from, double leak, uint64_t sights)
{
    const uint64_t most = 1 << 24, learned = sights / 8 < most ? sights / 8 : most;
    const unsigned view = choose_view(from, leak, learned);
    const tally t = test(from, leak, sights, view);
    const simdp_loss_estimate size = difference(t.by_size[1], t.by_size[0], t.n, RISK),
                              up = difference(t.up[1], t.up[0], t.n, RISK / 2),
                              down = difference(t.down[0], t.down[1], t.n, RISK / 2);
    printf("{\"target\": \"%s\", \"naive\": %s, \"leak\": %g, \"n\": %" PRIu64 ", \"learned\": %" PRIu64
           ", \"view\": %u, \"limit\": %.17g",
           from->name, from->naive ? "true" : "false", leak, t.n, learned, view, from->limit);
    printf(", \"by_size\": [%" PRIu64 ", %" PRIu64 "], \"up\": [%" PRIu64 ", %" PRIu64 "], \"down\": [%" PRIu64
           ", %" PRIu64 "]",
           t.by_size[0], t.by_size[1], t.up[0], t.up[1], t.down[0], t.down[1]);
    printf(", \"size\": [%.17g, %.17g, %.17g], \"gain\": [%.17g, %.17g, %.17g], \"risk\": %g}\n", size.value, size.low,
           size.high, up.value + down.value, up.low + down.low, up.high + down.high, RISK);
    fflush(stdout);
}

static int write_bytes(char **arguments)
{
    static sight seen[SIGHT_BATCH];
    static eye e;
    const target *const from = target_at(strtoul(arguments[0], NULL, 10));
    const double sights = atof(arguments[2]);
    if (from == NULL) return 2;
    open_eye(&e, from, 0, arguments[1][0] == '1', strtoull(arguments[3], NULL, 10));
    for (double done = 0; done < sights; done += SIGHT_BATCH) {
        look(&e, seen);
        for (size_t k = 0; k < SIGHT_BATCH; k++) {
            const uint64_t row[SIGHT_WORDS + 1] = {seen[k].word[0], seen[k].word[1], seen[k].word[2], seen[k].word[3],
                                                   seen[k].by_size};
            if (fwrite(row, sizeof row, 1, stdout) != 1) return 1;
        }
    }
    return 0;
}

int main(int arguments, char **argument)
{
    if (arguments == 6 && strcmp(argument[1], "--bytes") == 0) return write_bytes(argument + 2);
    const double sights = arguments > 1 ? atof(argument[1]) : 1e7;
    const size_t only = arguments > 2 ? strtoul(argument[2], NULL, 10) : SIZE_MAX;
    if (arguments > 3 || !(sights >= 1e5 && sights <= 1e11)) {
        fprintf(stderr,
                "usage: simdp-distinguish [SIGHTS, 1e5 to 1e11 (1e7) [TARGET]] | --bytes TARGET ANSWER SIGHTS SEED\n");
        return 2;
    }
    const target *from;
    for (size_t i = 0; (from = target_at(i)) != NULL; i++) {
        if (only != SIZE_MAX && i != only) continue;
        const uint64_t n = (uint64_t)sights / (from->naive ? 1 : from->part), least = 1 << 17;
        attack(from, 0, from->naive && n > 1 << 24 ? 1 << 24 : n > least ? n : least);
        if (!from->naive) attack(from, from->leak, n > least ? n : least);
    }
    return 0;
}
