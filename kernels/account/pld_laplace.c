/* pld_laplace.c: the Laplace law on the grid. Under P the loss has mass 1/2 at t, e^-t / 2 at -t and density
 * e^((l - t) / 2) / 4 in between; in the measure sqrt(P Q) = exp(-l / 2) P the density is the constant e^(-t / 2) / 4,
 * so every integral is one of sinh or cosh. */
#include "account/pld.h"

/* The continuous part between (i h + x0) and (i h + x1), 0 <= x0 < x1 <= h. */
static void put_part(pld_sink *sink, double t, double i, double x0, double x1)
{
    const double h = sink->grid, v = sink->tilt, s = i * h;
    const double density = 0.25 * exp((v + 0.5) * s - t / 2 - sink->log_norm);   /* at i h, tilted */
    const int64_t index = (int64_t)i;
    switch (sink->rounding) {
    case SIMDP_PLD_UP:   /* integral of e^(x/2) */
        simdp_pld_sink_add(sink, index + 1, density * exp(v * h) * 2 * exp(x0 / 2) * expm1((x1 - x0) / 2));
        break;
    case SIMDP_PLD_DOWN: simdp_pld_sink_add(sink, index, density * 2 * exp(x0 / 2) * expm1((x1 - x0) / 2)); break;
    default: {   /* DOTS: integrals of sinh(x/2) and sinh((h-x)/2) over sinh(h/2) */
        const double width = 4 * sinh((x1 - x0) / 4) / sinh(h / 2);
        simdp_pld_sink_add(sink, index, density * width * sinh((2 * h - x0 - x1) / 4));
        simdp_pld_sink_add(sink, index + 1, density * exp((v + 0.5) * h) * width * sinh((x0 + x1) / 4));
    }
    }
}

/* Cells cut at the multiples of the grid. Inner cells are all alike, but for the density. */
static void put_cells(pld_sink *sink, double t)
{
    const double h = sink->grid, v = sink->tilt;
    double x_low, x_high;
    double low = simdp_pld_floor(-t, h, &x_low), high = simdp_pld_floor(t, h, &x_high);
    put_part(sink, t, low, x_low, h);
    if (x_high > 0) put_part(sink, t, high, 0, x_high);
    if (low + 1 < (double)sink->first - 1) low = (double)sink->first - 2;
    if (high > (double)sink->last + 1) high = (double)sink->last + 1;
    const double vanished = floor((t / 2 + sink->log_norm - 750) / ((v + 0.5) * h));   /* densities below are 0 */
    if (low < vanished) low = vanished;
    double stays, moves;   /* of a cell of density 1 at its lower end */
    switch (sink->rounding) {
    case SIMDP_PLD_UP: stays = 0, moves = 2 * expm1(h / 2) * exp(v * h); break;
    case SIMDP_PLD_DOWN: stays = 2 * expm1(h / 2), moves = 0; break;
    default: stays = 2 * tanh(h / 4), moves = stays * exp((v + 0.5) * h);
    }
    /* bound: the places of the sink and two more, and not above 1500 / h */
    for (double i = low + 1; i < high; i++) {
        const double density = 0.25 * exp((v + 0.5) * (i * h) - t / 2 - sink->log_norm);
        if (stays != 0) simdp_pld_sink_add(sink, (int64_t)i, density * stays);
        if (moves != 0) simdp_pld_sink_add(sink, (int64_t)i + 1, density * moves);
    }
}

/* A bin of the mass at one end and what lies next to it. The mass lies x beyond the multiple of the grid; inward the
 * bin reaches w further than the multiple, cosh(w / 2) = e^(x / 2): about 2 sqrt(x). Its mass, in the measure sqrt(P Q)
 * and against the mass at the end, is e^(x / 2) + sinh(w / 2). */
static double end_bin(double x, double *mass)
{
    const double more = expm1(x / 2), root = sqrt(expm1(x));   /* cosh(w / 2) - 1, sinh(w / 2) */
    *mass = 1 + more + root;
    return 2 * log1p(more + root);
}

/* Bins: outcomes with loss within y of a multiple of the grid have exactly that loss together. At both ends the atoms
 * with what lies next to them, if that leaves something between and is not too wide; then from the top: the first
 * centre is far enough down to make a bin of a grid width or so, each next one is one grid point below, or two if its
 * bin became thin. */
static void put_bins(pld_sink *sink, double t)
{
    const double h = sink->grid, v = sink->tilt, slop = 16 * PLD_U * (t + h);
    double x, mass, top = t, bottom = -t, high = simdp_pld_floor(t, h, &x);
    if (h - x <= slop) high += 1, x = 0;   /* a multiple missed by rounding is met */
    if (x <= slop) x = 0;
    if (slop > sink->slop) sink->slop = slop;
    sink->bins.spread = fmax(sink->bins.spread, 3 * h);
    sink->bins.lowered = h;   /* the last of the narrow ones */
    const double s_high = high * h, w = end_bin(x, &mass);
    if (s_high > w && w + x <= simdp_pld_bin_limit(h, v)) {   /* the lower end is the mirror image */
        top = s_high - w, bottom = -top;
        sink->bins.spread = fmax(sink->bins.spread, w + x);
        simdp_pld_sink_add(sink, (int64_t)high, 0.5 * exp((s_high - t) / 2 + v * s_high - sink->log_norm) * mass);
        simdp_pld_sink_add(sink, -(int64_t)high, 0.5 * exp((-s_high - t) / 2 - v * s_high - sink->log_norm) * mass);
    } else {
        simdp_pld_put_atom(sink, t, 0.5 * exp(v * t - sink->log_norm));
        simdp_pld_put_atom(sink, -t, 0.5 * exp(-t - v * t - sink->log_norm));
    }
    /* Two bins in a row take 2 h or 4 h, and the next begins at the same place between multiples of the grid: above the
     * sink, bins are passed by in fours of h. */
    const double above = floor((simdp_pld_floor(top, h, &x) - (double)sink->last - 8) / 4);
    if (above > 0) top -= 4 * h * above;
    /* bound: 20 turns more than the sink has places, and not many above 1700 / h, as a bin takes 7/8 h or more; and
     * that moves `top`, which is at most 2^40 h */
    while (top > bottom) {
        double y, g = simdp_pld_floor(top, h, &y);
        if (g < (double)sink->first || (top - t) / 2 + v * top - sink->log_norm + h < -760) break;   /* masses are 0 */
        if (y < 0.4375 * h) g -= 1, y = top - g * h;
        const double s = g * h;
        double centre = s, half = y;
        if (s - y < bottom) {   /* what is left is narrower: its loss is the middle, rounded down */
            centre = (top + bottom) / 2, half = (top - bottom) / 2;
            g = simdp_pld_floor(centre, h, &x);
        }
        if (half > 0)
            simdp_pld_sink_add(sink, (int64_t)g, exp((centre - t) / 2 + v * (g * h) - sink->log_norm) * sinh(half / 2));
        top = s - y;
    }
}

void simdp_pld_put_laplace(pld_sink *sink, double t)
{
    if (sink->rounding == SIMDP_PLD_BINS) {
        put_bins(sink, t);
    } else {
        simdp_pld_put_atom(sink, t, 0.5 * exp(sink->tilt * t - sink->log_norm));
        simdp_pld_put_atom(sink, -t, 0.5 * exp(-t - sink->tilt * t - sink->log_norm));
        if (t > 0) put_cells(sink, t);
    }
    const double relative = PLD_U * (64 + 4 * ((sink->tilt + 1) * (t + sink->grid) + fabs(sink->log_norm)));
    if (relative > sink->relative) sink->relative = relative;
}
