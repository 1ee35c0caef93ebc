#include "tune_curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "options.h"

static double median_of_3(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

tune_choice tune_choose(const tune_curve *curve)
{
    double smooth[TUNE_POINTS_MAX];
    const size_t last = curve->count - 1;
    size_t best = 0, chosen = 0;
    for (size_t i = 0; i <= last; i++) {
        const double own = curve->point[i].rate;
        /* an end has one neighbour: the smaller of the two, so that a lucky end does not set the mark */
        if (i == 0 || i == last) smooth[i] = last == 0 ? own : fmin(own, curve->point[i == 0 ? 1 : last - 1].rate);
        else smooth[i] = median_of_3(curve->point[i - 1].rate, own, curve->point[i + 1].rate);
        if (smooth[i] > smooth[best]) best = i;
    }
    while (smooth[chosen] < 0.95 * smooth[best]) chosen++;
    return (tune_choice){curve->point[chosen].batch, smooth[chosen], curve->point[best].batch, smooth[best]};
}

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
        curve->point[curve->count].batch = batch;
        curve->point[curve->count++].rate = rate;
    }
    input_close(&in);
    if (curve->count == 0) usage_error("%s: no points", name);
}
