/* tune_curve.h: a curve of rate by batch size, and the batch it recommends. */
#ifndef SIMDP_TUNE_CURVE_H
#define SIMDP_TUNE_CURVE_H

#include <stddef.h>

enum { TUNE_POINTS_MAX = 64 };

typedef struct {
    size_t count;
    struct {
        double batch, rate;   /* elements; elements per second */
    } point[TUNE_POINTS_MAX]; /* by rising batch */
} tune_curve;

typedef struct {
    double batch, rate; /* the smallest batch with at least 95 % of the best rate */
    double best_batch, best_rate;
} tune_choice;

/* Rates are first replaced by the median of themselves and their neighbours, so that one lucky or disturbed measurement
 * decides nothing. The curve has at least one point. */
tune_choice tune_choose(const tune_curve *curve);

/* Reads lines "batch rate" (# begins a comment). A broken file is a message with its name, line and reason, and exit
 * 2. */
void tune_read(tune_curve *curve, const char *file);

#endif
