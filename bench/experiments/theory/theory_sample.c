/* theory_sample.c: privacy curves of samples of losses. */
#include <math.h>
#include <stdlib.h>

#include "theory.h"

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void loss_sample_set(loss_sample *s, const double *losses, size_t n)
{
    if (s->loss == NULL) {
        s->loss = theory_memory(n * sizeof *s->loss);
        s->inverse = theory_memory((n + 1) * sizeof *s->inverse);
        s->inverse_square = theory_memory((n + 1) * sizeof *s->inverse_square);
    }
    s->total = n;
    s->count = 0;
    for (size_t i = 0; i < n; i++)
        if (losses[i] > 0) s->loss[s->count++] = losses[i];
    qsort(s->loss, s->count, sizeof *s->loss, larger_first);
    for (size_t i = 0; i < s->count; i++) {
        const double e = exp(-s->loss[i]);
        s->inverse[i + 1] = s->inverse[i] + e;
        s->inverse_square[i + 1] = s->inverse_square[i] + e * e;
    }
}

void loss_sample_free(loss_sample *s)
{
    free(s->loss);
    free(s->inverse);
    free(s->inverse_square);
    *s = (loss_sample){0};
}

/* how many losses are above epsilon >= 0 */
static size_t above(const loss_sample *s, double epsilon)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->loss[middle] > epsilon) low = middle + 1;
        else high = middle;
    }
    return low;
}

double loss_sample_delta(const loss_sample *s, double epsilon, double *error)
{
    const size_t i = above(s, epsilon);
    const double n = (double)s->total, e = exp(epsilon);
    const double mean = i == 0 ? 0 : ((double)i - e * s->inverse[i]) / n;
    const double square = i == 0 ? 0 : ((double)i - 2 * e * s->inverse[i] + e * e * s->inverse_square[i]) / n;
    const double variance = square - mean * mean;
    /* nothing seen: one in n might be */
    *error = i == 0 ? 1 / n : sqrt((variance > 0 ? variance : 0) / n);
    return mean > 0 ? mean : 0;
}

double loss_sample_epsilon(const loss_sample *s, double delta)
{
    double error;
    const double target = delta * (double)s->total;
    if (loss_sample_delta(s, 0, &error) <= delta) return 0;
    /* the first i for which the curve at loss[i] is above delta: epsilon lies between loss[i] and loss[i-1] */
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t i = low + (high - low) / 2;
        const double at = s->loss[i] == INFINITY ? -1 : (double)(i + 1) - exp(s->loss[i]) * s->inverse[i + 1];
        if (at > target) high = i;
        else low = i + 1;
    }
    /* there, i losses are above epsilon: i - e^epsilon inverse[i] = target */
    if (s->inverse[low] == 0) return INFINITY;
    return log(((double)low - target) / s->inverse[low]);
}

void theory_write_bounds(const char *system, double k, const bound_value *bounds, size_t n, const loss_sample *s)
{
    for (size_t i = 0; i < n; i++) {
        theory_bound row = {
            .system = system, .bound = bounds[i].name, .k = k, .delta = bounds[i].delta, .epsilon = bounds[i].epsilon};
        row.delta_seen = loss_sample_delta(s, bounds[i].epsilon, &row.delta_error);
        row.epsilon_seen = loss_sample_epsilon(s, bounds[i].delta);
        theory_write_bound(&row);
    }
}
