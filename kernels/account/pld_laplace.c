/* pld_laplace.c: the Laplace law on the grid. Under P the loss has mass 1/2 at t, e^-t / 2 at -t and density
 * e^((l - t) / 2) / 4 in between; in the measure sqrt(P Q) = exp(-l / 2) P the density is the constant e^(-t / 2) / 4,
 * so every integral is one of sinh or cosh. */
#include "account/pld.h"

#include "math/plain_math.h"

/* A part of a cell: it begins `above` beyond i h, ends `below` before (i + 1) h, at the loss `top`. */
typedef struct {
    double i, above, width, below, top;
} cell_part;

/* Its mass is e^((top - t) / 2) (1 - e^(-width / 2)) / 2. For DOTS the integrals are those of sinh(x/2) and
 * sinh((h-x)/2) over sinh(h/2) in the measure sqrt(P Q), x the distance from i h; written so that wide cells do not
 * overflow. */
static void put_part(pld_sink *sink, double t, cell_part part)
{
    const double h = sink->grid, v = sink->tilt, s = part.i * h, next = (part.i + 1) * h;
    const double share = -0.5 * plain_expm1(-part.width / 2), high = (part.top - t) / 2 - sink->log_norm;
    const int64_t index = (int64_t)part.i;
    switch (sink->rounding) {
    case SIMDP_PLD_UP: simdp_pld_sink_add(sink, index + 1, share * plain_exp(high + v * next)); break;
    case SIMDP_PLD_DOWN: simdp_pld_sink_add(sink, index, share * plain_exp(high + v * s)); break;
    default: {
        const double all = plain_expm1(-h), low = (s - part.above - t) / 2 - sink->log_norm;
        simdp_pld_sink_add(sink, index,
                           share * plain_exp(low + v * s) * (plain_expm1(-part.below - part.width / 2) / all));
        simdp_pld_sink_add(sink, index + 1,
                           share * plain_exp(high + v * next) * (plain_expm1(-part.above - part.width / 2) / all));
    }
    }
}

/* Cells between multiples of the grid, i from first to last - 1, whose mass is that of a part with the whole width.
 * With DOTS as much of a cell stays at its lower end as comes there from the cell below. */
static void put_whole_cells(pld_sink *sink, double t, double first, double last)
{
    const double h = sink->grid, v = sink->tilt, rest = -t / 2 - sink->log_norm, share = -0.5 * plain_expm1(-h / 2),
                 dots = 0.5 * plain_tanh(h / 4);
    /* bound: the places of the sink and three more, and not above 1500 / h */
    for (double i = first; i <= last; i++) {
        const double s = i * h;
        switch (sink->rounding) {
        case SIMDP_PLD_UP:
            if (i > first) simdp_pld_sink_add(sink, (int64_t)i, share * plain_exp((v + 0.5) * s + rest));
            break;
        case SIMDP_PLD_DOWN:
            if (i < last) simdp_pld_sink_add(sink, (int64_t)i, share * plain_exp(v * s + (i + 1) * h / 2 + rest));
            break;
        default:
            simdp_pld_sink_add(sink, (int64_t)i, ((i > first) + (i < last)) * dots * plain_exp((v + 0.5) * s + rest));
        }
    }
}

/* Cells cut at the multiples of the grid. */
static void put_cells(pld_sink *sink, double t)
{
    const double h = sink->grid, v = sink->tilt;
    const pld_cell bottom = simdp_pld_cell_of(-t, h), top = simdp_pld_cell_of(t, h);
    double low = bottom.index, high = top.index;
    put_part(sink, t, (cell_part){low, bottom.above, bottom.below, 0, (low + 1) * h});
    if (top.above > 0) put_part(sink, t, (cell_part){high, 0, top.above, top.below, t});
    if (low + 1 < (double)sink->first - 1) low = (double)sink->first - 2;
    if (high > (double)sink->last + 1) high = (double)sink->last + 1;
    const double vanished = floor((t / 2 + sink->log_norm - 750) / ((v + 0.5) * h)); /* densities below are 0 */
    if (low < vanished) low = vanished;
    put_whole_cells(sink, t, low + 1, high);
}

/* A bin of the mass at one end and what lies next to it. The mass lies x beyond the multiple of the grid; inward the
 * bin reaches w further than the multiple, cosh(w / 2) = e^(x / 2): about 2 sqrt(x). Its mass, in the measure sqrt(P Q)
 * and against the mass at the end, is e^(x / 2) + sinh(w / 2). */
static double end_bin(double x, double *mass)
{
    const double more = plain_expm1(x / 2), root = sqrt(plain_expm1(x)); /* cosh(w / 2) - 1, sinh(w / 2) */
    *mass = 1 + more + root;
    return 2 * plain_log1p(more + root);
}

/* Bins of what lies between bottom and top: outcomes with loss within y of a multiple of the grid have exactly that loss
 * together. The first centre is far enough down to make a bin of a grid width or so, each next one is one grid point
 * below, or two if its bin became thin. */
static void put_inner_bins(pld_sink *sink, double t, double top, double bottom)
{
    const double h = sink->grid, v = sink->tilt;
    /* Two bins in a row take 2 h or 4 h, and the next begins at the same place between multiples of the grid: above the
     * sink, bins are passed by in fours of h. */
    const double above = floor((simdp_pld_cell_of(top, h).index - (double)sink->last - 8) / 4);
    if (above > 0) top -= 4 * h * above;
    /* bound: 20 turns more than the sink has places, and not many above 1700 / h, as a bin takes 7/8 h or more; and
     * that moves `top`, which is at most 2^40 h */
    while (top > bottom) {
        const pld_cell at = simdp_pld_cell_of(top, h);
        double g = at.index, y = at.above;
        if (g < (double)sink->first || (top - t) / 2 + v * top - sink->log_norm + h < -760) break; /* masses are 0 */
        if (y < 0.4375 * h) g -= 1, y = top - g * h;
        const double s = g * h;
        double centre = s, half = y;
        if (s - y < bottom) { /* what is left is narrower: its loss is the middle, rounded down */
            centre = (top + bottom) / 2, half = (top - bottom) / 2;
            g = simdp_pld_cell_of(centre, h).index;
        }
        if (half > 0) /* e^(centre / 2) sinh(half / 2) */
            simdp_pld_sink_add(sink, (int64_t)g,
                               -0.5 * plain_expm1(-half) *
                                   plain_exp((centre + half - t) / 2 + v * (g * h) - sink->log_norm));
        top = s - y;
    }
}

/* At both ends the atoms with what lies next to them, if that leaves something between and is not too wide; then the
 * rest from the top. */
static void put_bins(pld_sink *sink, double t)
{
    const double h = sink->grid, v = sink->tilt, slop = 16 * PLD_U * (t + h);
    const pld_cell end = simdp_pld_cell_of(t, h);
    double mass, top = t, bottom = -t, high = end.index, x = end.above;
    if (end.below <= slop) high += 1, x = 0; /* a multiple missed by rounding is met */
    if (x <= slop) x = 0;
    if (slop > sink->slop) sink->slop = slop;
    sink->bins.spread = fmax(sink->bins.spread, 3 * h);
    sink->bins.lowered = h; /* the last of the narrow ones */
    const double s_high = high * h, w = end_bin(x, &mass);
    if (s_high > w && w + x <= simdp_pld_bin_limit(h, v)) { /* the lower end is the mirror image */
        top = s_high - w, bottom = -top;
        sink->bins.spread = fmax(sink->bins.spread, w + x);
        simdp_pld_sink_add(sink, (int64_t)high, 0.5 * plain_exp((s_high - t) / 2 + v * s_high - sink->log_norm) * mass);
        simdp_pld_sink_add(sink, -(int64_t)high,
                           0.5 * plain_exp((-s_high - t) / 2 - v * s_high - sink->log_norm) * mass);
    } else {
        simdp_pld_put_atom(sink, t, 0.5 * plain_exp(v * t - sink->log_norm));
        simdp_pld_put_atom(sink, -t, 0.5 * plain_exp(-t - v * t - sink->log_norm));
    }
    put_inner_bins(sink, t, top, bottom);
}
void simdp_pld_put_laplace(pld_sink *sink, double t)
{
    if (sink->rounding == SIMDP_PLD_BINS) {
        put_bins(sink, t);
    } else {
        simdp_pld_put_atom(sink, t, 0.5 * plain_exp(sink->tilt * t - sink->log_norm));
        simdp_pld_put_atom(sink, -t, 0.5 * plain_exp(-t - sink->tilt * t - sink->log_norm));
        if (t > 0) put_cells(sink, t);
    }
    const double relative = PLD_U * (64 + 4 * ((sink->tilt + 1) * (t + sink->grid) + fabs(sink->log_norm)));
    if (relative > sink->relative) sink->relative = relative;
}

/* The pair that dominates every mechanism whose losses, on any two neighbours, span epsilon at most: its curve is the
 * largest of theirs, (e^(epsilon/2) - e^(x/2))^2 / (e^epsilon - 1). The loss has the density of Laplace noise between
 * its ends, with t = epsilon, times 2 / (1 - e^-epsilon), and no mass at the ends. */
void simdp_pld_put_bounded_range(pld_sink *sink, double epsilon)
{
    if (epsilon == 0) {
        simdp_pld_put_atom(sink, 0, 1);
        return;
    }
    const double log_norm = sink->log_norm;
    sink->log_norm += plain_log(-plain_expm1(-epsilon) / 2);
    if (sink->rounding == SIMDP_PLD_BINS) {
        const double slop = 16 * PLD_U * (epsilon + sink->grid);
        if (slop > sink->slop) sink->slop = slop;
        sink->bins.spread = fmax(sink->bins.spread, 3 * sink->grid);
        sink->bins.lowered = sink->grid;
        put_inner_bins(sink, epsilon, epsilon, -epsilon);
    } else {
        put_cells(sink, epsilon);
    }
    const double relative = PLD_U * (80 + 4 * ((sink->tilt + 1) * (epsilon + sink->grid) + fabs(sink->log_norm)));
    if (relative > sink->relative) sink->relative = relative;
    sink->log_norm = log_norm;
}
