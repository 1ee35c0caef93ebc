/* tune_replay.c: curves from files, for `simdp tune --replay`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "options.h"
#include "tune_curve.h"

void tune_read(tune_curve *curve, const char *name)
{
    char line[256];
    size_t number;
    input in;
    input_open(&in, name);
    curve->count = 0;
    while (input_line(&in, line, sizeof line, &number)) {
        double batch, rate;
        char rest;
        if (line[0] == '#' || line[strspn(line, " \t\r")] == '\0') continue;
        if (sscanf(line, "%lf %lf %c", &batch, &rate, &rest) != 2) input_error(&in, number, "not two numbers");
        if (!(batch >= 1 && isfinite(batch) && rate > 0 && isfinite(rate)))
            input_error(&in, number, "batch and rate must be positive");
        if (curve->count > 0 && batch <= curve->point[curve->count - 1].batch)
            input_error(&in, number, "batches must rise");
        if (curve->count == TUNE_POINTS_MAX) input_error(&in, number, "more than %d points", TUNE_POINTS_MAX);
        curve->point[curve->count] = (tune_point){.batch = batch};
        tune_add(curve, curve->count++, rate);
    }
    input_close(&in);
    if (curve->count == 0) usage_error("%s: no points", name);
}
