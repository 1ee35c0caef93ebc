/* pld_atoms.c: laws of single outcomes on the grid: finite pairs, discrete Gaussian noise, histograms. */
#include "account/pld.h"
#include "math/plain_math.h"

/* Bins of single outcomes, from the highest loss down. A bin begins with an outcome somewhat above a multiple of the
 * grid, then takes outcomes, the last one in part, from below until all together have that loss: their (1 -
 * exp(multiple - loss)) / 2 add up to 0 under P. If the next outcome is too far away the bin ends early and its common
 * loss, still above the multiple, is rounded down to it. Either way its mass is what its outcomes have. */
typedef struct {
    pld_sink *sink;
    double limit; /* between the highest and the lowest outcome of a bin */
    bool open;
    int64_t index;
    double top, bottom, need, mass;
} binner;

static void close_bin(binner *b)
{
    if (!b->open) return;
    simdp_pld_sink_add(b->sink, b->index, b->mass);
    b->sink->bins.spread = fmax(b->sink->bins.spread, b->top - b->bottom);
    if (b->need > 0) b->sink->bins.lowered = fmax(b->sink->bins.lowered, b->top - (double)b->index * b->sink->grid);
    b->open = false;
}

static void bin_atom(binner *b, double loss, double tilted)
{
    const double h = b->sink->grid, v = b->sink->tilt, slop = 16 * PLD_U * (fabs(loss) + b->limit + h);
    if (slop > b->sink->slop) b->sink->slop = slop;
    if (b->open && b->top - loss > b->limit) close_bin(b);
    if (b->open) {
        b->bottom = loss;
        const double above = loss - (double)b->index * h,
                     supply = tilted * plain_exp(-v * above) * plain_expm1(-above) / 2;
        if (supply <= b->need) { /* also from above the multiple, where it is negative */
            b->need -= supply;
            b->mass += tilted * plain_exp(-v * above);
            return;
        }
        const double part = b->need / supply;
        b->mass += part * tilted * plain_exp(-v * above);
        b->need = 0;
        close_bin(b);
        tilted *= 1 - part;
    }
    const pld_cell cell = simdp_pld_cell_of(loss, h);
    const bool met = cell.below <= slop; /* a multiple of the grid missed by rounding is met */
    const double x = met ? -cell.below : cell.above;
    b->index = (int64_t)cell.index + met;
    b->mass = tilted * plain_exp(-v * x);
    b->need = -tilted * plain_exp(-v * x) * plain_expm1(-x) / 2;
    b->top = b->bottom = loss;
    b->open = true;
    if (fabs(x) > slop) return;
    b->need = 0;
    close_bin(b);
}

/* Connect the dots: of a mass at i h + x the part (1 - e^-x) / (1 - e^-h) goes up and the rest stays, so that both its
 * mass and its mass under Q are kept. */
void simdp_pld_put_atom(pld_sink *sink, double loss, double tilted)
{
    const double h = sink->grid, v = sink->tilt, slop = 8 * PLD_U * (fabs(loss) + h);
    const pld_cell cell = simdp_pld_cell_of(loss, h);
    const int64_t i = (int64_t)cell.index;
    const double here = tilted * plain_exp(-v * cell.above), above = tilted * plain_exp(v * cell.below);
    if (slop > sink->slop) sink->slop = slop;
    switch (sink->rounding) {
    case SIMDP_PLD_UP:
        if (cell.above == 0) simdp_pld_sink_add(sink, i, tilted);
        else simdp_pld_sink_add(sink, i + 1, above);
        break;
    case SIMDP_PLD_DOWN: simdp_pld_sink_add(sink, i, here); break;
    case SIMDP_PLD_BINS: {
        binner alone = {.sink = sink};
        bin_atom(&alone, loss, tilted);
        close_bin(&alone);
        break;
    }
    default:
        simdp_pld_sink_add(sink, i, here * plain_exp(-cell.above) * (plain_expm1(-cell.below) / plain_expm1(-h)));
        if (cell.above > 0) simdp_pld_sink_add(sink, i + 1, above * (plain_expm1(-cell.above) / plain_expm1(-h)));
    }
}

/* Far outcomes in one bin cost information, about (v + 1/2) times the distance as much as rounding down. Where nothing
 * is tilted the bins also stay narrow for the sake of Chernoff bounds. */

static void note_relative(pld_sink *sink, double relative)
{
    if (relative > sink->relative) sink->relative = relative;
}

void simdp_pld_put_atoms(pld_sink *sink, const pld_law *law)
{
    binner b = {.sink = sink, .limit = simdp_pld_bin_limit(sink->grid, sink->tilt)};
    for (size_t j = 0; j < law->n; j++) {
        const double weight = sink->tilt * law->loss[j], power = law->log_mass[j] + weight - sink->log_norm;
        note_relative(sink, PLD_U * (32 + 4 * (fabs(law->log_mass[j]) + fabs(weight) + fabs(sink->log_norm))));
        if (sink->rounding == SIMDP_PLD_BINS) bin_atom(&b, law->loss[j], plain_exp(power));
        else simdp_pld_put_atom(sink, law->loss[j], plain_exp(power));
    }
    close_bin(&b);
}

void simdp_pld_put_histogram(pld_sink *sink, const pld_law *law)
{
    sink->slop = fmax(sink->slop, law->loss_error);
    for (size_t j = 0; j < law->n; j++) {
        if (law->mass[j] == 0) continue;
        const int64_t i = law->first + (int64_t)j;
        const double weight = sink->tilt * ((double)i * sink->grid);
        note_relative(sink, law->mass_error + PLD_U * (8 + 3 * (fabs(weight) + fabs(sink->log_norm))));
        simdp_pld_sink_add(sink, i, law->mass[j] * plain_exp(weight - sink->log_norm));
    }
}

#define TURNS_TOLD 65536 /* outcomes between two calls of a progress function: some milliseconds */

/* Outcome x has loss D (D - 2x) / (2 sigma^2). Tilting moves the centre to -v D; log_norm is
 * v (v + 1) D^2 / (2 sigma^2). */
void simdp_pld_put_discrete_gaussian(pld_sink *sink, double sigma, double sensitivity)
{
    const double zero = 0, unit = sensitivity / sigma / sigma; /* two outcomes are this far apart */
    double log_most;                                           /* ln P[X = 0] */
    if (sensitivity == 0 ||
        simdp_noise_log_density(&log_most, &zero, 1, SIMDP_MECHANISM_DISCRETE_GAUSSIAN, sigma) != SIMDP_OK) {
        simdp_pld_put_atom(sink, 0, 1);
        return;
    }
    const double centre = -sink->tilt * sensitivity, reach = 40 * sigma; /* beyond: below the smallest double */
    double low = ceil(sensitivity / 2 - (double)(sink->last + 1) * sink->grid / unit);
    double high = floor(sensitivity / 2 - (double)(sink->first - 1) * sink->grid / unit);
    if (low < centre - reach) low = ceil(centre - reach);
    if (high > centre + reach) high = floor(centre + reach);
    binner b = {.sink = sink, .limit = simdp_pld_bin_limit(sink->grid, sink->tilt)};
    /* bound: 80 sigma + 1 turns, or the outcomes that the sink has room for; sigma is at most 1e8 */
    uint32_t turn = 0;
    for (double x = low; x <= high; x++) {
        if (++turn % TURNS_TOLD == 0 && sink->meter != NULL &&
            !simdp_pld_tell(sink->meter, (x - low) / (high - low + 1))) {
            sink->stopped = true;
            return;
        }
        const double z = (x - centre) / sigma, loss = unit * (sensitivity / 2 - x),
                     tilted = plain_exp(log_most - z * z / 2);
        if (sink->rounding == SIMDP_PLD_BINS) bin_atom(&b, loss, tilted);
        else simdp_pld_put_atom(sink, loss, tilted);
    }
    close_bin(&b);
    const double far = fmax(fabs(low - centre), fabs(high - centre)) / sigma;
    note_relative(sink, PLD_U * (32 + 2 * far * (far + (fabs(centre) + fabs(low) + fabs(high)) / sigma)));
}
