#include "support/attacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const attack_names[ATTACKS] = {"size alone", "precision", "learned digits", "reachable values"};

static void check(simdp_status status)
{
    if (status != SIMDP_OK) abort();
}

/* ---- observations ---- */

enum { BLOCK = 4096 };

static void naive(double *out, size_t n, simdp_rng *rng, const attack_target *target)
{
    static double noise[BLOCK];
    if (target->law == ATTACK_LAPLACE) check(simdp_noise_laplace_f64(rng, noise, n, target->scale));
    else check(simdp_noise_gaussian_f64(rng, noise, n, target->scale));
    for (size_t i = 0; i < n; i++) out[i] = out[i] + noise[i];
}

static void release(double *out, size_t n, simdp_rng *rng, const attack_target *target)
{
    const double grid = simdp_release_grid(target->scale);
    if (target->law == ATTACK_LAPLACE) check(simdp_release_laplace(rng, out, out, n, target->scale, grid));
    else check(simdp_release_gaussian(rng, out, out, n, target->scale, grid));
}

void attack_observe(attack_sight *seen, size_t n, simdp_rng *rng, const attack_target *target, double answer)
{
    static double out[BLOCK];
    const bool pairs = target->law == ATTACK_GAUSSIAN; /* elements j and 8 + j of sixteen; positions begin at 0 */
    for (size_t done = 0, taken; done < n; done += taken) {
        for (size_t i = 0; i < BLOCK; i++) out[i] = pairs && i % 16 >= 8 ? 0.0 : answer;
        (target->release ? release : naive)(out, BLOCK, rng, target);
        taken = pairs ? BLOCK / 2 : BLOCK;
        if (taken > n - done) taken = n - done;
        for (size_t k = 0; k < taken; k++) {
            const size_t i = pairs ? k / 8 * 16 + k % 8 : k;
            seen[done + k] = (attack_sight){out[i], pairs ? out[i + 8] : 0.0};
        }
    }
}

/* ---- what counts prove ---- */

typedef struct {
    simdp_loss_estimate p[2];
} both_sides;

static both_sides intervals_of(const uint64_t count[2], uint64_t n, double risk)
{
    both_sides b;
    for (int side = 0; side < 2; side++) check(simdp_loss_interval_proportion(&b.p[side], count[side], n, risk / 2));
    return b;
}

double attack_epsilon(const uint64_t count[2], uint64_t n, double risk)
{
    const both_sides b = intervals_of(count, n, risk);
    double most = 0;
    for (int side = 0; side < 2; side++) {
        const simdp_loss_estimate p = b.p[side], q = b.p[!side];
        if (p.low > q.high) most = fmax(most, log(p.low / q.high));
        if (1 - p.high > 1 - q.low) most = fmax(most, log((1 - p.high) / (1 - q.low)));
    }
    return most;
}

double attack_delta(const uint64_t count[2], uint64_t n, double epsilon, double risk)
{
    const both_sides b = intervals_of(count, n, risk);
    const double factor = exp(epsilon);
    double most = 0;
    for (int side = 0; side < 2; side++) {
        const simdp_loss_estimate p = b.p[side], q = b.p[!side];
        most = fmax(most, fmax(p.low - factor * q.high, 1 - p.high - factor * (1 - q.low)));
    }
    return most;
}

double attack_limit(const attack_target *target)
{
    return target->law == ATTACK_LAPLACE ? -expm1(-0.5 / target->scale) : erf(0.5 / target->scale * sqrt(0.5));
}

/* ---- attacks ---- */

static attack_verdict by_size(double output) { return output > 0.5 ? GUESS_ONE : GUESS_ZERO; }

/* 1 + noise is a multiple of 2^-53 whatever the noise: a sum below 1/2 comes from noise beyond 1/2, whose last digit it
 * keeps; a larger one is such a multiple by its own size. 0 + noise has finer digits if it is small. */
static attack_verdict by_precision(double output)
{
    if (output * 0x1p53 != rint(output * 0x1p53)) return SURELY_ZERO;
    return fabs(output) < 0.5 ? GUESS_ONE : by_size(output);
}

/* Learned: classes by sign, exponent and place of the last digit. */
enum { EXPONENT_LEAST = -12, EXPONENTS = 20, PLACE_LEAST = -64, PLACES = 64, CLASSES = 2 * EXPONENTS * PLACES };

static int within(int x, int least, int count) { return x < least ? 0 : x >= least + count ? count - 1 : x - least; }

static int class_of(double output)
{
    int exponent;
    const double fraction = frexp(output, &exponent);
    const uint64_t digits = (uint64_t)(fabs(fraction) * 0x1p53);
    const int place = digits == 0 ? 0 : exponent - 53 + __builtin_ctzll(digits);
    const int size = within(exponent, EXPONENT_LEAST, EXPONENTS);
    return (size * PLACES + within(place, PLACE_LEAST, PLACES)) * 2 + (output < 0);
}

typedef struct {
    uint32_t count[2][CLASSES];
} learned_digits;

static attack_verdict by_digits(const learned_digits *learned, double output)
{
    const int class = class_of(output);
    const uint32_t zeros = learned->count[0][class], ones = learned->count[1][class];
    return ones == zeros ? by_size(output) : ones > zeros ? GUESS_ONE : GUESS_ZERO;
}

static attack_verdict by_reach(const attack_target *target, const attack_sight *seen)
{
    const bool zero = attack_can_be(target, seen, 0.0), one = attack_can_be(target, seen, 1.0);
    return zero == one ? by_size(seen->output) : zero ? SURELY_ZERO : SURELY_ONE;
}

static void tally(attack_result *r, int answer, attack_verdict verdict)
{
    const int called = verdict == GUESS_ONE || verdict == SURELY_ONE;
    r->ones[answer] += called;
    if (verdict != SURELY_ZERO && verdict != SURELY_ONE) return;
    if (called == answer) r->sure[answer]++;
    else r->wrong[answer]++;
}

attack_result attack_run(int attack, const attack_target *target, size_t n, uint64_t seed)
{
    attack_result r = {.n = n};
    simdp_rng rng;
    uint8_t key[32] = {0};
    learned_digits *learned = calloc(1, sizeof *learned);
    attack_sight *seen = malloc(n * sizeof *seen);
    if (learned == NULL || seen == NULL) abort();
    memcpy(key, &seed, sizeof seed);
    const int stream = (attack * ATTACK_LAWS + target->law) * 2 + target->release;
    check(simdp_rng_init_deterministic(&rng, key, (uint64_t)stream));
    for (int answer = 0; answer < 2 && attack == ATTACK_LEARNED; answer++) {
        attack_observe(seen, n, &rng, target, answer);
        for (size_t i = 0; i < n; i++) learned->count[answer][class_of(seen[i].output)]++;
    }
    for (int answer = 0; answer < 2; answer++) {
        attack_observe(seen, n, &rng, target, answer);
        for (size_t i = 0; i < n; i++) {
            const double output = seen[i].output;
            tally(&r, answer,
                  attack == ATTACK_REACHABLE   ? by_reach(target, &seen[i])
                  : attack == ATTACK_LEARNED   ? by_digits(learned, output)
                  : attack == ATTACK_PRECISION ? by_precision(output)
                                               : by_size(output));
        }
    }
    free(seen);
    free(learned);
    const both_sides b = intervals_of(r.ones, n, ATTACK_RISK);
    r.advantage =
        (simdp_loss_estimate){b.p[1].value - b.p[0].value, b.p[1].low - b.p[0].high, b.p[1].high - b.p[0].low};
    /* called 1, surely 0, surely 1 */
    const uint64_t events[3][2] = {{r.ones[0], r.ones[1]}, {r.sure[0], r.wrong[1]}, {r.wrong[0], r.sure[1]}};
    for (int e = 0; e < 3; e++) r.epsilon = fmax(r.epsilon, attack_epsilon(events[e], n, ATTACK_RISK / 3));
    return r;
}
