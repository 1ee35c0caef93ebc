/* tune_curve.h: a curve of rate by batch size, and what it recommends. No clock and no kernel: tests give it recorded
 * curves. */
#ifndef SIMDP_TUNE_CURVE_H
#define SIMDP_TUNE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

enum { TUNE_POINTS_MAX = 64, TUNE_SAMPLES_MAX = 192 };

typedef struct {
    double batch;     /* elements a call */
    double rate;      /* elements a second: the median of its samples */
    double low, high; /* their quartiles */
    size_t count;
    double sample[TUNE_SAMPLES_MAX]; /* sorted */
} tune_point;

typedef struct {
    size_t count;
    tune_point point[TUNE_POINTS_MAX]; /* by rising batch */
    tune_point speed;                  /* of the machine, round by round, against what the rates are for */
} tune_curve;

typedef struct {
    double batch, rate; /* the smallest batch with at least 95 % of the best rate */
    double best_batch, best_rate;
    double memory_batch; /* the largest batch before the rate falls for good below 85 % of the best; 0 if it does not */
    double memory_rate;  /* that of the largest batch */
} tune_choice;

/* Takes a sample of point i into its rate, while there is room. The median, because a machine has both: spells in which
 * others slow it down and, if it shares cores with other machines, moments in which a core is for once its own and a fifth
 * faster. The best sample is then a matter of luck, and so would be the batch that it recommends. */
void tune_add(tune_curve *curve, size_t i, double rate);

/* Rates are first replaced by the median of themselves and their neighbours, so that one lucky or disturbed measurement
 * decides nothing. The curve has at least one point. */
tune_choice tune_choose(const tune_curve *curve);

/* The rate at any batch, between points on a straight line over the logarithm of the batch. */
double tune_rate_at(const tune_curve *curve, double batch);

/* ---- measuring one ---- */

typedef struct {
    double rate, seconds; /* seconds: what the sample took */
    double call;          /* seconds of one call */
} tune_sample;

/* Calls with `batch` elements for about so long. */
typedef tune_sample tune_measure(void *context, size_t batch, double seconds);

/* Takes about `budget` seconds of samples. The first pass, of a curve without points, makes them: powers of two from 16
 * to `most`, ending with a batch of which one call takes an eighth of the budget. Then every pass samples, in turn up
 * and down, the points that can still change what is recommended. What all samples of a round have in common is the speed
 * of the machine at that time, which is taken out of them: a batch is not better for having been tried in a better
 * moment. Rates are in the end those at the machine's median speed. Passes of several curves in turn spread the samples of
 * each over the whole time, so that a busy spell of the machine meets one pass of a curve and not all of it. */
enum { TUNE_PASSES = 3 };
void tune_pass(tune_curve *curve, tune_measure *measure, void *context, size_t most, double budget);

/* Reads lines "batch rate" (# begins a comment). A broken file is a message with its name, line and reason, and exit
 * 2. */
void tune_read(tune_curve *curve, const char *file);

#endif
