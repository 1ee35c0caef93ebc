/* pld_sink.c: where the masses of one step go, whatever their law: cells of the grid, and the array of a piece. */
#include "fft/fft.h"
#include "account/pld.h"

pld_cell simdp_pld_cell_of(double x, double h)
{
    double i = floor(x / h);
    if (fma(-i, h, x) < 0) i -= 1; /* the sign of an fma is exact */
    else if (fma(-(i + 1), h, x) >= 0) i += 1;
    return (pld_cell){i, fma(-i, h, x), fma(i + 1, h, -x)};
}

void simdp_pld_sink_add(pld_sink *sink, int64_t index, double mass)
{
    if (index < sink->first || index > sink->last) return;
    sink->sum += mass;
    if (sink->transform) {
        bool turned;
        const size_t place = simdp_pld_place(index, sink->points, &turned);
        sink->mass[simdp_fft_slot(sink->points, place)] += turned ? -mass : mass;
    } else {
        sink->mass[index - sink->first] += mass;
    }
}

double simdp_pld_bin_limit(double grid, double tilt) { return tilt >= 1 ? 1 / (tilt + 0.5) : 4 * sqrt(grid); }
