/* sgd_rare.c: steps of a rate so small that the moments of one step explode where those of the sum are needed: a loss of
 * e^l/10^8 is nothing, but its exponential at the order 10^5 is dominated by noise of 10^5 standard deviations, which
 * never comes. Here the law of a step ends: larger losses, next to no mass for all steps together, count as infinite.
 * What is left are masses on a grid, from which cumulants are summed, and all of them are finite. */
#include <stdlib.h>

#include "account/pld.h"
#include "account/sgd.h"
#include "loss/sampled.h"
#include "math/plain_math.h"

#define POINTS_OF_STEP 0x1p19 /* at most: a plan sums over them some thousand times */
#define Z_MOST         41.0   /* standard deviations: beyond, masses are below the smallest double */

/* Where a step ends: its largest loss, what may lie above under either law, and its smallest loss. */
typedef struct {
    double loss, mass, least;
} step_end;

/* P[Z > z] <= e^(-z^2/2) / (z sqrt(2 pi)), Mills' ratio; z > 0. The sum is for exponentials that underflow. */
static double tail_above(double z) { return plain_exp(-z * z / 2) / (z * 2.5066) * (1 + 0x1p-30) + 0x1p-1060; }

static step_end end_of_step(simdp_account_sgd_run run, double delta, double error)
{
    const double mu = 1 / run.noise, wanted = delta * error / (16 * (double)run.steps);
    double z = mu + 1, mass = INFINITY;
    for (; z < mu + 40 && mass > wanted; z += 0.125) mass = tail_above(z) + run.rate * tail_above(z - mu);
    return (step_end){simdp_sampled_loss(mu * (z - mu / 2), run.rate), mass,
                      fmax(plain_log1p(-run.rate), simdp_sampled_loss(-mu * (Z_MOST + mu / 2), run.rate))};
}

/* One step on the grid as a law of masses: those of a record that is removed, or added. */
static bool law_of_step(pld_law *law, simdp_account_sgd_run run, double grid, step_end end, bool added,
                        simdp_pld_rounding rounding)
{
    pld_law sampled = {.kind = PLD_GAUSSIAN_SAMPLED, .a = 1 / run.noise, .b = run.rate, .times = 1};
    simdp_pld_law_turn(&sampled, added);
    const int64_t low = (int64_t)floor(end.least / grid) - 2, high = (int64_t)ceil(end.loss / grid) + 1;
    const size_t n = (size_t)(high - low) + 1;
    pld_sink sink = {.mass = calloc(n, sizeof *sink.mass),
                     .points = n,
                     .first = added ? -high : low,
                     .last = added ? -low : high,
                     .grid = grid,
                     .rounding = rounding};
    if (sink.mass == NULL) return false;
    simdp_pld_put(&sink, &sampled);
    *law = (pld_law){.kind = PLD_HISTOGRAM,
                     .times = run.steps,
                     .infinite_up = end.mass,
                     .n = n,
                     .mass = sink.mass,
                     .first = sink.first,
                     .mass_error = sink.relative + 136 * PLD_U, /* and of a run in sums over them */
                     .loss_error = sink.slop};
    simdp_pld_histogram_moments(law, grid);
    return true;
}

/* The epsilon of all steps in one direction by DOTS, from above, or by BINS, from below. */
static simdp_status one_side(double *epsilon, simdp_account_sgd_run run, double grid, step_end end, bool added,
                             bool upper, const sgd_request *r)
{
    simdp_pld *pld = NULL;
    pld_law law;
    simdp_status status = simdp_pld_create(&pld, grid);
    if (status != SIMDP_OK) return status;
    pld->points_most = SGD_WINDOW_MOST;
    pld->heavy = true;
    status = SIMDP_ENOMEMORY;
    if (law_of_step(&law, run, grid, end, added, upper ? SIMDP_PLD_DOTS : SIMDP_PLD_BINS))
        status = simdp_pld_append(pld, law);
    if (status == SIMDP_OK)
        status = simdp_pld_compose(pld, r->delta, r->delta, SIMDP_PLD_DOTS, upper ? SIMDP_PLD_NONE : SIMDP_PLD_DOWN,
                                   r->call, r->context);
    double lower, higher;
    if (status == SIMDP_OK) status = simdp_pld_epsilon(pld, &lower, &higher, &r->delta, 1);
    if (status == SIMDP_OK) *epsilon = upper ? higher : lower;
    simdp_pld_destroy(pld);
    return status;
}

/* A sum of variance V is about Gaussian, if not heavier. */
static double guess_of(double variance, double delta) { return variance / 2 + sqrt(-2 * variance * plain_log(delta)); }

simdp_status simdp_sgd_rare_bracket(double *lower, double *upper, simdp_account_sgd_run run, double error,
                                    const sgd_request *r)
{
    const double steps = (double)run.steps, variance = steps * simdp_sgd_step_variance(run);
    const step_end end = end_of_step(run, r->delta, error);
    const double slope = simdp_sgd_slope(variance, r->delta);
    const double guess = fmin(guess_of(variance, r->delta), *upper);
    const double least = fmax((end.loss - end.least) / POINTS_OF_STEP, 0x1p-60);
    double grid = fmax(sqrt(error * guess / (2 * steps * slope)), least);
    if (!(end.mass * steps < r->delta && grid < guess)) return SIMDP_OK;
    for (int attempt = 0; attempt < 3; attempt++) {
        double above[2] = {INFINITY, INFINITY}, below = 0;
        simdp_status status = SIMDP_OK;
        for (int added = 0; added < 2 && status == SIMDP_OK; added++)
            status = one_side(&above[added], run, grid, end, added, true, r);
        if (status == SIMDP_OK) status = one_side(&below, run, grid, end, false, false, r);
        if (status == SIMDP_EPARAM) return SIMDP_OK; /* no window: the bounds that there are hold */
        if (status != SIMDP_OK) return status;
        *upper = fmin(*upper, fmax(above[0], above[1]));
        *lower = fmax(*lower, below);
        const double gap = *upper - *lower, finer = fmax(0.8 * sqrt(error * *upper / gap), 1.0 / 16);
        if (gap <= error * *upper || grid * finer < least) break;
        grid *= finer;
    }
    return SIMDP_OK;
}
