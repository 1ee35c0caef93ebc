/* reach.c: mechanisms turned round. Which words would have made this output? Only a few can; each is tried. */
#include <math.h>

#include "support/attacks.h"
#include "dispatch/table.h"
#include "call/fp_mode.h"

/* ---- words that make noise near a given number: noise/laplace.inc and gaussian.inc, also for releases ---- */

#define MAGNITUDE    0x1p63L
#define QUADRANT     0x1p52L
#define QUARTER_TURN 1.57079632679489661923132169163975144L

/* The magnitudes of signed words around one become doubles before they become noise: how far they lie apart. */
static uint64_t magnitude_step(uint64_t magnitude)
{
    const int bits = 64 - __builtin_clzll(magnitude | 1);
    return bits > 53 ? (uint64_t)1 << (bits - 53) : 1;
}

static uint64_t signed_word(long double magnitude, int steps, bool negative)
{
    const uint64_t limit = 0x7fffffffffffffff, middle = magnitude < MAGNITUDE ? (uint64_t)magnitude : limit;
    const uint64_t step = magnitude_step(middle), away = (uint64_t)(steps < 0 ? -steps : steps) * step;
    const uint64_t m = steps < 0 ? middle - away : limit - middle < away ? limit : middle + away;
    return negative ? -(m | 1) : m | 1;
}

/* ---- naive noise ----
 *
 * Errors of the noise, 10 ulp (Laplace) and 2^-49 sigma R (Gaussian), say how many words around the ideal one may have
 * made it. Where E is large, words lie so densely that they reach nearly every double: not worth a search. */

#define LAPLACE_WORTH  2.0L /* E: up to there */
#define GAUSSIAN_WORTH 4.0L
#define LAPLACE_NEAR   44 /* steps either side: 20 E and the rounding of the sum */
#define ANGLES_NEAR    4  /* 2^-49 in steps of pi 2^-52, and the rounding */

/* 0, 1, -1, 2, -2 ...: the likeliest words come first */
static int outwards(int k) { return k % 2 ? (k + 1) / 2 : -k / 2; }

static bool naive_laplace(double output, double answer, double scale)
{
    enum { TRIES = 2 * LAPLACE_NEAR + 1 };
    uint64_t words[TRIES];
    double noise[TRIES];
    const long double wanted = (long double)output - (long double)answer, energy = fabsl(wanted) / (long double)scale;
    if (energy > LAPLACE_WORTH) return true;
    const long double magnitude = expl(-energy) * MAGNITUDE;
    for (int k = 0; k < TRIES; k++) words[k] = signed_word(magnitude, outwards(k), wanted < 0);
    const simdp_bits_at at = {.words = words};
    simdp_kernels_active()->noise->f64[NOISE_LAPLACE](noise, TRIES, &at, scale);
    for (int k = 0; k < TRIES; k++) {
        if (answer + noise[k] == output) return true;
    }
    return false;
}

/* What both noises of a pair say about their words. */
typedef struct {
    long double energy, turn; /* R^2 / 2; angle in quarter turns */
    bool negative[2];
} polar;

static polar polar_of(long double first, long double second, double sigma)
{
    const long double x = fabsl(first) / (long double)sigma, y = fabsl(second) / (long double)sigma;
    return (polar){(x * x + y * y) / 2, atan2l(x, y) / QUARTER_TURN, {first < 0, second < 0}};
}

static uint64_t angle_word(const polar *p, int steps)
{
    const int64_t digits = (int64_t)(p->turn * QUADRANT) + 2 * steps, last = ((int64_t)1 << 52) - 1;
    return (uint64_t)(digits < 0 ? 0 : digits > last ? last : digits) | (uint64_t)p->negative[1] << 63;
}

static bool naive_gaussian(const attack_sight *seen, double answer, double sigma)
{
    enum { ANGLES = 2 * ANGLES_NEAR + 1, GROUPS = 8 };
    uint64_t words[16 * GROUPS];
    double noise[16 * GROUPS];
    const polar p = polar_of((long double)seen->output - (long double)answer, (long double)seen->partner, sigma);
    if (p.energy > GAUSSIAN_WORTH) return true;
    const int near = 18 + (int)(32 * p.energy), tries = (2 * near + 1) * ANGLES;
    const long double magnitude = expl(-p.energy) * MAGNITUDE;
    const simdp_bits_at at = {.words = words};
    for (int first = 0; first < tries; first += 8 * GROUPS) {
        for (int k = 0; k < 8 * GROUPS; k++) {
            const int try = first + k < tries ? first + k : tries - 1, i = k / 8 * 16 + k % 8;
            words[i] = signed_word(magnitude, outwards(try / ANGLES), p.negative[0]);
            words[i + 8] = angle_word(&p, outwards(try % ANGLES));
        }
        simdp_kernels_active()->noise->f64[NOISE_GAUSSIAN](noise, 16 * GROUPS, &at, sigma);
        for (int k = 0; k < 8 * GROUPS; k++) {
            const int i = k / 8 * 16 + k % 8;
            if (answer + noise[i] == seen->output && noise[i + 8] == seen->partner) return true;
        }
    }
    return false;
}

/* ---- releases: the words in the middle of the cell must do ---- */

static bool release_makes(const attack_target *target, const attack_sight *seen, double answer)
{
    enum { N = 64 };
    uint64_t words[N] = {0};
    double answers[N] = {0}, out[N];
    const long double wanted = (long double)seen->output - (long double)answer;
    answers[0] = answer;
    if (target->law == ATTACK_LAPLACE) {
        words[0] = signed_word(expl(-fabsl(wanted) / (long double)target->scale) * MAGNITUDE, 0, wanted < 0);
    } else {
        const polar p = polar_of(wanted, (long double)seen->partner, target->scale);
        words[0] = signed_word(expl(-p.energy) * MAGNITUDE, 0, p.negative[0]);
        words[8] = angle_word(&p, 0);
    }
    const int law = target->law == ATTACK_LAPLACE ? RELEASE_LAPLACE : RELEASE_GAUSSIAN;
    simdp_release_scratch scratch;
    const simdp_release_plan plan =
        simdp_release_plan_of(law, target->scale, simdp_release_grid(target->scale), &scratch);
    const simdp_bits_at at = {.words = words};
    const unsigned mode = fp_mode_enter_flushing();
    simdp_kernels_active()->release->f64[law](out, answers, N, &at, &plan);
    fp_mode_leave_flushing(mode);
    return out[0] == seen->output && (target->law == ATTACK_LAPLACE || out[8] == seen->partner);
}

bool attack_can_be(const attack_target *target, const attack_sight *seen, double answer)
{
    if (target->release) return release_makes(target, seen, answer);
    if (target->law == ATTACK_LAPLACE) return naive_laplace(seen->output, answer, target->scale);
    return naive_gaussian(seen, answer, target->scale);
}
