/* pld_gaussian.c: the Gaussian law on the grid. Under P the loss is N(mu^2 / 2, mu^2); in the measure sqrt(P Q) it is
 * exp(-mu^2 / 8) times N(0, mu^2), and the tilted one is N(c, mu^2) with c = (v + 1/2) mu^2, so nothing ever underflows
 * where it matters. With s = i h and theta = s h / mu^2 every tilted mass is
 *     exp(-(s - c)^2 / (2 mu^2)) / (mu sqrt(2 pi)) J(theta),
 *     J(theta) = integral of g(x) exp(-theta x / h - x^2 / (2 mu^2)) dx,
 * g the share of a loss s + x that goes to s, in the measure sqrt(P Q): sinh((h - |x|) / 2) / sinh(h / 2) for DOTS,
 * exp(x / 2) below 0 (UP) or above 0 (DOWN). All terms are positive. */
#include "account/pld.h"

#include "math/plain_math.h"
#include "math/quadrature.h"

enum { NODES = 12, BIN_NODES = 8, TERMS = 22 };
#define PANELS_MOST 10000.0 /* of one cell or bin */

static double share(simdp_pld_rounding rounding, double x, double h)
{
    switch (rounding) {
    case SIMDP_PLD_UP: return x <= 0 ? plain_exp(x / 2) : 0;
    case SIMDP_PLD_DOWN: return x >= 0 ? plain_exp(x / 2) : 0;
    default: return plain_sinh((h - fabs(x)) / 2) / plain_sinh(h / 2);
    }
}

typedef struct {
    double h, mu, tilt, inverse_variance, centre, norm;
    double node[NODES], weight[NODES];
} gaussian_grid;

static double exponent(const gaussian_grid *g, double s)
{
    const double z = (s - g->centre) / g->mu;
    return -z * z / 2;
}

/* What a loss l, x beyond s = i h, gives to the mass at i, tilted and under P: all of its e^(-v x), or with DOTS the
 * part (1 - e^-y) / (1 - e^-h), y the distance from the other end of its cell, and where x > 0 e^-x of that. */
static double given(const gaussian_grid *g, simdp_pld_rounding rounding, double i, int side, double l)
{
    const double x = l - i * g->h, z = (l - g->centre) / g->mu, power = -z * z / 2 - g->tilt * x;
    if (rounding != SIMDP_PLD_DOTS) return plain_exp(power);
    const double y = side > 0 ? fma(i + 1, g->h, -l) : fma(1 - i, g->h, l);
    return plain_exp(side > 0 ? power - x : power) * (plain_expm1(-y) / plain_expm1(-g->h));
}

/* By quadrature, on panels short against mu and against the decay of the density; for grids that are not fine. As v h
 * <= 30 (pld_plan.c), what lies further than 42 mu from the centre is below the smallest double. */
static double mass_by_panels(const gaussian_grid *g, simdp_pld_rounding rounding, double i)
{
    const double far = 42 * g->mu;
    double total = 0;
    for (int side = -1; side <= 1; side += 2) {
        if ((rounding == SIMDP_PLD_UP && side > 0) || (rounding == SIMDP_PLD_DOWN && side < 0)) continue;
        const double from = fmax((side > 0 ? i : i - 1) * g->h, g->centre - far),
                     to = fmin((side > 0 ? i + 1 : i) * g->h, g->centre + far);
        if (!(from < to)) continue;
        const double slope = fmax(fabs(from - g->centre), fabs(to - g->centre)) * g->inverse_variance + g->tilt + 1;
        const double panels = fmin(ceil(fmax((to - from) / (g->mu / 4), (to - from) * slope / 4) + 0.5), PANELS_MOST),
                     width = (to - from) / panels;
        for (double p = 0; p < panels; p++) { /* bound: PANELS_MOST turns */
            for (int k = 0; k < NODES; k++)
                total += g->weight[k] * width * given(g, rounding, i, side, from + (p + g->node[k]) * width);
        }
    }
    return total * g->norm;
}

/* J(theta) / h as a power series: moments of the share times exp(-x^2 / (2 mu^2)) over the grid. For |theta| <= 1. */
static void moments(const gaussian_grid *g, simdp_pld_rounding rounding, double coefficient[TERMS])
{
    for (int n = 0; n < TERMS; n++) coefficient[n] = 0;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < NODES; k++) {
            const double r = side * g->node[k], x = r * g->h;
            double term = g->weight[k] * share(rounding, x, g->h) * plain_exp(-x * x * g->inverse_variance / 2);
            for (int n = 0; n < TERMS; n++) coefficient[n] += term, term *= -r / (n + 1);
        }
    }
}

static void put_cells(pld_sink *sink, const gaussian_grid *g)
{
    double coefficient[TERMS];
    const double h = g->h;
    const bool fine = h <= g->mu / 4;
    if (fine) moments(g, sink->rounding, coefficient);
    for (int64_t i = sink->first; i <= sink->last; i++) {
        const double s = (double)i * h, theta = s * h * g->inverse_variance;
        double mass;
        if (fine && fabs(theta) <= 1) {
            double sum = coefficient[TERMS - 1];
            if (sink->rounding == SIMDP_PLD_DOTS) { /* an even function */
                sum = coefficient[TERMS - 2];
                for (int n = TERMS - 4; n >= 0; n -= 2) sum = coefficient[n] + sum * theta * theta;
            } else {
                for (int n = TERMS - 2; n >= 0; n--) sum = coefficient[n] + sum * theta;
            }
            mass = plain_exp(exponent(g, s)) * g->norm * h * sum;
        } else {
            mass = mass_by_panels(g, sink->rounding, (double)i);
        }
        simdp_pld_sink_add(sink, i, mass);
    }
}

/* sinh(x / 2); the series to 1e-15 relative */
static double sinh_half(double x)
{
    if (fabs(x) > 1.25) return plain_sinh(x / 2);
    const double q = x * x / 4;
    return x / 2 * (1 + q / 6 * (1 + q / 20 * (1 + q / 42 * (1 + q / 72 * (1 + q / 110 * (1 + q / 156))))));
}

typedef struct {
    double node[BIN_NODES], weight[BIN_NODES];
    double balance, mass; /* integrals of sinh(x / 2) and cosh(x / 2) times the density, relative to that at s */
} bin_integral;

/* Where the grid is wider than mu only what lies within `far` of 0 counts: the rest is below the smallest double,
 * tilted or not. Bound: PANELS_MOST panels; 6000 suffice where sinh(h / 2) is finite, as the tilt is at most 30 / h
 * (pld_plan.c). Beyond there is no balance: NaN, and no mass. */
static void integrate_bin(bin_integral *b, const gaussian_grid *g, double s, double below, double above)
{
    const double far = fabs(g->centre) + 42 * g->mu;
    const bool wide = g->h > g->mu;
    const double from = wide ? fmax(-below, -far - s) : -below, to = wide ? fmin(above, far - s) : above;
    const double all = to - from, steepest = (s + to) * g->inverse_variance;
    b->balance = b->mass = 0;
    if (!(all > 0)) return;
    const double panels = ceil(fmax(2 * all / g->mu, all * steepest / 2)), width = all / panels;
    if (!(panels <= PANELS_MOST)) {
        b->balance = NAN;
        return;
    }
    for (double p = 0; p < panels; p++) {
        for (int k = 0; k < BIN_NODES; k++) {
            const double x = (p + b->node[k]) * width + from, sh = sinh_half(x);
            const double density = b->weight[k] * width * plain_exp(-x * (s + x / 2) * g->inverse_variance);
            b->balance += density * sh;
            b->mass += density * sqrt(1 + sh * sh);
        }
    }
}

/* Bins around every multiple of the grid, such that the outcomes of a bin have exactly that loss together: in the
 * measure sqrt(P Q) the integral of sinh(x / 2) over the bin, x from its multiple, is 0. Each bin ends where the one
 * above begins; where it begins itself is found by Newton's method. Inward from the highest: an error in one end
 * shrinks from bin to bin (outward it would grow like exp(s^2 / (3 mu^2))). The bin of 0 is symmetric and the negative
 * side the mirror image. As the density falls outward, ends lie about h theta / 12 further out than midway. */
static void put_bins(pld_sink *sink, const gaussian_grid *g)
{
    const double h = g->h;
    const double mass_ends = ceil((fabs(g->centre) + 42 * g->mu) / h) + 2; /* beyond: below the smallest double */
    const int64_t needed = sink->last > -sink->first ? sink->last : -sink->first,
                  far = mass_ends < (double)needed ? (int64_t)mass_ends : needed,
                  near = sink->first > 0  ? sink->first
                         : sink->last < 0 ? -sink->last
                                          : 0;
    bin_integral b;
    sink->bins.spread = fmax(sink->bins.spread, 2 * h);
    simdp_gauss_legendre(BIN_NODES, b.node, b.weight);
    double above = fmin(h / 2 + (double)far * h * h * h * g->inverse_variance / 12, 0.9 * h), past[4] = {0};
    for (int64_t i = far; i >= near; i--) { /* bound: as many turns as the sink has places, or half as many */
        const double s = (double)i * h;
        double below = i > far - 4 || i == 0 ? above : fmin(above, 2 * past[1] - past[3]), step = h, mass = 0;
        for (int round = 0; round < 64 && fabs(step) > 0x1p-24 * h; round++) {
            if (!(below > 0)) below = above; /* from there Newton's method comes down without passing the end */
            integrate_bin(&b, g, s, below, above);
            const double sh = sinh_half(below), end = plain_exp(below * (s - below / 2) * g->inverse_variance);
            step = i == 0 ? 0 : b.balance / (end * sh);
            /* of a bin without mass, end may be inf */
            mass = b.mass + (step == 0 ? 0 : step * end * sqrt(1 + sh * sh));
            below += step;
        }
        if (!(below > 0 && below <= h && fabs(step) <= 0x1p-24 * h && isfinite(mass)))
            return; /* what is left out only lowers the bound */
        /* after a last step e the balance is off by the square of e times the slope of the density at the end */
        const double slop = step * step * (1 / h + 4 * s * g->inverse_variance) + 8 * PLD_U * (s + h);
        if (slop > sink->slop) sink->slop = slop;
        if (i <= sink->last) simdp_pld_sink_add(sink, i, plain_exp(exponent(g, s)) * g->norm * mass);
        if (i > 0 && -i >= sink->first) simdp_pld_sink_add(sink, -i, plain_exp(exponent(g, -s)) * g->norm * mass);
        past[3] = past[2], past[2] = past[1], past[1] = past[0], past[0] = below;
        above = h - below;
    }
}

void simdp_pld_put_gaussian(pld_sink *sink, double mu)
{
    gaussian_grid g = {.h = sink->grid, .mu = mu, .tilt = sink->tilt, .inverse_variance = 1 / (mu * mu)};
    g.centre = (sink->tilt + 0.5) * mu * mu;
    g.norm = 0x1.9884533d43651p-2 / mu; /* 1 / sqrt(2 pi) */
    simdp_gauss_legendre(NODES, g.node, g.weight);
    const double far = fmax(fabs((double)sink->first * g.h - g.centre), fabs((double)sink->last * g.h - g.centre)) / mu;
    const double relative = PLD_U * (64 + 4 * far * (far + fabs(g.centre) / mu)); /* mu, s and the centre are rounded */
    if (relative > sink->relative) sink->relative = relative;
    if (sink->rounding == SIMDP_PLD_BINS) put_bins(sink, &g);
    else put_cells(sink, &g);
}
