/* pld.h: privacy-loss distributions: what the files of this part share.
 *
 *   pld.c          the object: create, append, destroy
 *   pld_law.c      laws of one step: cumulants, reach, masses; the walk over their kinds
 *   pld_sink.c     where the masses of a step go
 *   pld_gaussian.c, pld_laplace.c, pld_atoms.c, pld_sampled.c   masses of one step on the grid
 *   pld_mixture.c  mixtures of Gaussian noise, as laws on the grid above and below them
 *   pld_finite.c   appending laws of single outcomes: randomized response, discrete Laplace, pairs, histograms
 *   pld_plan.c     where to look: pieces of the range of epsilon, each with its weight exp(v loss) and its window
 *   pld_compose.c  masses -> powers of spectra -> curve of one piece, with everything that is not exact bounded
 *   pld_spectrum.c powers and products of spectra
 *   pld_curve.c    reading the curve: ln delta at an epsilon, epsilon at a delta
 *   pld_query.c    what the public functions ask: delta(epsilon) and epsilon(delta), with the mass at infinity
 *
 * Notation: h the grid, v the tilt of a piece, K(u) = ln E[exp(u L); L finite] of one step, S the sum of all losses.
 * "Tilted" numbers of a piece are exp(v s - log_scale) times what they stand for at loss s. */
#ifndef SIMDP_PLD_H
#define SIMDP_PLD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"
#include "vec/float_rules.h"

#define PLD_U                0x1p-53
#define PLD_INDEX_MAX        0x1p40 /* of one step; sums stay below 2^52 */
#define PLD_ENTRIES_MOST     ((size_t)1 << 26)
#define PLD_SENSITIVITY_MOST ((uint64_t)1 << 20)

typedef enum {
    PLD_LAPLACE,
    PLD_GAUSSIAN,
    PLD_ATOMS,
    PLD_DISCRETE_GAUSSIAN,
    PLD_HISTOGRAM,
    PLD_BOUNDED_RANGE,
    PLD_GAUSSIAN_SAMPLED,
    PLD_LAPLACE_SAMPLED,
    PLD_MIXTURE
} pld_kind;

/* One mechanism. */
typedef struct pld_law {
    pld_kind kind;
    double a, b; /* Laplace t; Gaussian mu = 1/s; either sampled: b the rate; discrete Gaussian sigma and sensitivity;
                  * bounded range epsilon */
    uint64_t times;
    double infinite;    /* mass at +inf, rounded down */
    double infinite_up; /* the same rounded up, and with it what entries lack of 1: mass of any loss */
    double log_excess;  /* ln of what entries add up to if that is above 1, rounded up; else 0 */
    double least, most; /* all finite losses lie in between; +-inf if unbounded */
    double variance;    /* of the finite losses, roughly: for scales only */
    size_t n;           /* ATOMS: falling losses and ln of masses; HISTOGRAM: masses, mass[0] at index first */
    double *loss, *log_mass, *mass;
    int64_t first;
    double mass_error, loss_error; /* HISTOGRAM: of each mass, relative, and of each loss that it stands for */
    bool added;                    /* sampled: which direction its numbers are of; a record is added, or else removed */
    /* MIXTURE: laws that bound it from above and from below, of a record that is removed and of one that is added; `loss`
     * has its parameters */
    struct pld_law *part;
} pld_law;

/* No bin of BINS is wider than `spread`, and no common loss of one is rounded down by more than `lowered`. Outcomes in
 * cells of several grid widths are not counted there; rounding them makes E[exp(u L)] larger by `wide` times itself at
 * most, for u the order of Chernoff's bound above a window (0) and below it (1). */
typedef struct {
    double spread, lowered;
    double wide[2];
} pld_bins;

/* Where the masses of a step go: in order from first (transform false), or index i at place i mod points in the slot
 * that the transform wants, with the sign (-1)^floor(i / points) that polynomials modulo t^points + 1 ask for. Masses
 * are tilted: exp(tilt i h - log_norm) times the mass at index i. Indices outside [first, last] are dropped. */
typedef struct {
    double *mass;
    size_t points;
    bool transform;
    int64_t first, last;
    double grid, tilt, log_norm;
    double order[2], log_moment[2]; /* orders above and below a window, and K there: for the bounds of wide cells */
    simdp_pld_rounding rounding;
    double sum;              /* out: of all masses */
    double relative;         /* out: bound on the relative error of each mass */
    double slop;             /* out: bound on the error of each loss */
    pld_bins bins;           /* out: bounds for all bins */
    struct pld_meter *meter; /* whom a long walk tells how far it is; may be NULL */
    bool stopped;            /* out: it was told to stop, and masses are missing */
} pld_sink;

void simdp_pld_sink_add(pld_sink *sink, int64_t index, double mass);

/* How far apart the outcomes of one bin may lie. */
double simdp_pld_bin_limit(double grid, double tilt);

/* A single outcome; tilted = exp(tilt loss - log_norm) times its mass. */
void simdp_pld_put_atom(pld_sink *sink, double loss, double tilted);

void simdp_pld_put_laplace(pld_sink *sink, double t);
void simdp_pld_put_bounded_range(pld_sink *sink, double epsilon);
void simdp_pld_put_sampled(pld_sink *sink, const pld_law *law);
void simdp_pld_put_gaussian(pld_sink *sink, double mu);
void simdp_pld_put_discrete_gaussian(pld_sink *sink, double sigma, double sensitivity);
void simdp_pld_put_atoms(pld_sink *sink, const pld_law *law);
void simdp_pld_put_histogram(pld_sink *sink, const pld_law *law);

/* Adds the masses of one step of the law. */
void simdp_pld_put(pld_sink *sink, const pld_law *law);

/* K(u), or a little more where no closed form is at hand (discrete Gaussian). */
double simdp_pld_cumulant(const pld_law *law, double grid, double u);

/* By how much rounding by DOTS in cells of this width makes ln E[exp(u L)] larger, at most. */
double simdp_pld_dots_excess(double width, double u);

/* An upper bound of K(u) of the rounded law. */
double simdp_pld_rounded_cumulant(const pld_law *law, simdp_pld_rounding rounding, double grid, pld_bins bins,
                                  double u);

/* Indices such that what a step has outside, tilted and divided by exp(K(tilt)), is at most exp(log_outside); true if
 * that is nothing. */
bool simdp_pld_reach(const pld_law *law, double grid, double tilt, double log_outside, int64_t *first, int64_t *last);

/* Sampled laws: the same for them, and turning all of them to one direction; false if there are none that are used. */
bool simdp_pld_is_sampled(const pld_law *law);
double simdp_pld_sampled_cumulant(const pld_law *law, double u);
void simdp_pld_sampled_reach(const pld_law *law, double grid, double tilt, double log_outside, int64_t *first,
                             int64_t *last);
void simdp_pld_law_turn(pld_law *law, bool added);
bool simdp_pld_turn(simdp_pld *pld, bool added);
void simdp_pld_mixture_turn(pld_law *law, bool added);

/* The law itself, or the part of a mixture that bounds it on this side. */
const pld_law *simdp_pld_part(const pld_law *law, bool upper);

/* Room for n single outcomes, false without memory; sorting them and their moments, the same. */
bool simdp_pld_atoms_alloc(pld_law *law, size_t n);
bool simdp_pld_atoms_finish(pld_law *law);
void simdp_pld_histogram_moments(pld_law *law, double grid);

/* n values of a curve that falls, at multiples of the grid, become the masses of a law whose curve is nowhere below the
 * largest convex curve below them, but for what is left at the last one, which is mass at +inf. kept: room for n. */
void simdp_pld_masses_of_hull(double *delta, size_t n, double grid, size_t *kept);

/* x = index h + above = (index + 1) h - below: index is floor(x / h), right also where x / h rounds to a whole number;
 * above in [0, h] and below in (0, h] are each rounded once, so that either is right where it is small. */
typedef struct {
    double index, above, below;
} pld_cell;
pld_cell simdp_pld_cell_of(double x, double h);

/* The place of an index, and whether its sign is turned. */
static inline size_t simdp_pld_place(int64_t index, size_t points, bool *turned)
{
    const int64_t n = (int64_t)points;
    int64_t wraps = index / n, place = index % n;
    if (place < 0) place += n, wraps -= 1;
    *turned = wraps & 1;
    return (size_t)place;
}

/* One piece of the curve, over the indices first .. first + points - 1 in the slots of the transform:
 * delta_finite(s) <= or >= exp(log_scale - tilt s) (at[i] + extra) + or - exp(log_absolute) at s = i h. Between two
 * indices the curve is linear in exp(epsilon). In cells that end at `from` or below, extra_below takes the place of
 * extra. */
typedef struct {
    double tilt, log_scale, log_scale_error;
    double to;    /* up to this epsilon this piece is the one to ask */
    int64_t from; /* index where it begins to be sharp */
    int64_t first;
    size_t points;
    bool transform;
    double *at;
    double extra, extra_below, log_absolute;
    double log_delta_to; /* bound at `to`: the least by this piece and those below (upper), the most by those above */
    double top_order;    /* Renyi moment for what lies above the window, */
    double top_cumulant; /* and its cumulant: delta_finite(epsilon) <= exp(top_cumulant - top_order epsilon) */
} pld_piece;

typedef struct {
    pld_piece *piece; /* by increasing epsilon */
    size_t count;
    double infinite; /* mass at +inf */
    double slop;     /* all losses are within this of what they stand for */
} pld_curve;

/* The composition in one direction. */
typedef struct {
    pld_curve upper, lower; /* lower.count = 0: none */
    double most;            /* no finite sum of losses is larger */
} pld_side;

struct simdp_pld {
    double grid;
    double points_most; /* of a window: a composition that needs more is refused */
    pld_law *law;
    size_t count, capacity;
    bool heavy; /* a single step may outweigh the sum of all others, as behind sampling */
    bool composed;
    bool busy;        /* being composed: progress functions run, and must find an object that nothing can change */
    bool unwanted;    /* destroyed while busy: goes when the composition ends */
    pld_side side[2]; /* a record is removed; a record is added, if that is not the same */
    size_t sides;
};

/* K(u) of the sum; of the rounded sum an upper bound. */
double simdp_pld_total_cumulant(const simdp_pld *pld, simdp_pld_rounding rounding, pld_bins bins, double u);
double simdp_pld_total_times(const simdp_pld *pld);
void simdp_pld_curve_clear(pld_curve *curve);
void simdp_pld_forget_composition(simdp_pld *pld);

/* Appends a law or adds to the times of one that is there; SIMDP_EPARAM while the object is composed. Takes its arrays
 * over, also if it fails. */
simdp_status simdp_pld_append(simdp_pld *pld, pld_law law);
void simdp_pld_law_clear(pld_law *law);

typedef struct {
    double error, modulus; /* sums over all frequencies, of the product that is there now */
} pld_spectrum_sums;

/* product <- product factor^k, k >= 1, with error bounds per frequency; `first`: there is no product yet. errors may be
 * NULL if factor is the first and the last one. */
pld_spectrum_sums simdp_pld_multiply_power(double *product, double *errors, const double *factor, size_t frequencies,
                                           uint64_t k, double transform_error, bool first);

/* Where to look. */
typedef struct {
    double tilt, to;
    int64_t from, first, last;      /* window: indices of the sum that matter */
    bool whole_above, whole_below;  /* nothing of the sum lies outside on that side */
    double top_order, bottom_order; /* orders of the Chernoff bounds for P[S > last h], P[S < first h] */
} pld_window;

enum { PLD_PIECES_MOST = 64 };

/* Cuts the range of epsilon into pieces; returns how many, 0 if some window is too large. */
size_t simdp_pld_plan(const simdp_pld *pld, simdp_pld_rounding upper, double delta_least, double delta_most,
                      pld_window window[PLD_PIECES_MOST]);

/* How far a composition is, and whom it tells. */
typedef struct pld_meter {
    const simdp_pld *pld;
    simdp_pld_progress *call;
    void *context;
    unsigned mode; /* the caller's floating-point mode */
    double done, total;
} pld_meter;

/* Tells that `part` of the next piece of work is done, in [0, 1]; false if the work is to stop. */
bool simdp_pld_tell(const pld_meter *m, double part);

/* The curve over these windows, whatever they leave out: an upper bound if the rounding is one of those and upper is
 * set. On failure the curve holds what there was, for simdp_pld_curve_clear. */
simdp_status simdp_pld_build(const simdp_pld *pld, const pld_window *window, size_t count, simdp_pld_rounding rounding,
                             bool upper, pld_meter *meter, pld_curve *curve);

/* ln delta at epsilon by one bound of the finite part, as the piece has it: -inf to 0. */
double simdp_pld_log_finite(const pld_curve *curve, bool upper, double grid, double epsilon);

/* The smallest epsilon >= from where the finite part by this piece is at most target; inf if not within the window. */
double simdp_pld_piece_epsilon(const pld_piece *piece, bool upper, double grid, double target);

/* ln(e^x + e^y) */
double simdp_pld_log_plus(double x, double y);

#endif
