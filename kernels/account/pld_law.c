/* pld_law.c: laws of one step: cumulants, reach, masses by kind. */
#include "account/pld.h"

#include "loss/renyi.h"
#include "math/plain_math.h"

/* K(u) = u D_(1+u), symmetric around -1/2 */
static double laplace_cumulant(double t, double u)
{
    const double above = u >= -0.5 ? u : -1 - u, order = 1 + above;
    const double divergence = simdp_renyi_of_laplace(order, t);
    return isnan(divergence) ? INFINITY : above * divergence;
}

/* ln of sinh((2 u + 1) epsilon / 2) / ((2 u + 1) sinh(epsilon / 2)), an even function of u + 1/2 */
static double bounded_range_cumulant(double epsilon, double u)
{
    const double x = fabs(u + 0.5) * epsilon, y = epsilon / 2;
    if (epsilon == 0) return 0;
    if (x < 1e-4 && y < 1e-4) return (x * x - y * y) / 6;
    /* ln(sinh(x) / x) is x - ln(2 x) + ln(1 - e^(-2 x)) */
    const double at_x = x < 1e-4 ? x * x / 6 : x + plain_log(-plain_expm1(-2 * x) / (2 * x));
    const double at_y = y < 1e-4 ? y * y / 6 : y + plain_log(-plain_expm1(-2 * y) / (2 * y));
    return at_x - at_y;
}

static double atoms_cumulant(const pld_law *law, double u)
{
    double largest = -INFINITY, sum = 0;
    for (size_t j = 0; j < law->n; j++) largest = fmax(largest, law->log_mass[j] + u * law->loss[j]);
    if (largest == -INFINITY) return largest;
    for (size_t j = 0; j < law->n; j++) sum += plain_exp(law->log_mass[j] + u * law->loss[j] - largest);
    return largest + plain_log(sum);
}

enum { HISTOGRAM_RUN = 64 };

/* Weights exp(u i h) relative to that of the heavier end, downward by products within runs: some 1e-14, and one
 * exponential per run. */
static double histogram_cumulant(const pld_law *law, double u, double grid)
{
    const double unit = fabs(u) * grid, ratio = plain_exp(-unit);
    double sum = 0;
    for (size_t from = 0; from < law->n; from += HISTOGRAM_RUN) {
        double weight = plain_exp(-unit * (double)from), part = 0;
        for (size_t p = from; p < law->n && p < from + HISTOGRAM_RUN; p++, weight *= ratio)
            part += law->mass[u > 0 ? law->n - 1 - p : p] * weight;
        sum += part;
    }
    return plain_log(sum) + u * grid * (double)(u > 0 ? law->first + (int64_t)law->n - 1 : law->first);
}

const pld_law *simdp_pld_part(const pld_law *law, bool upper)
{
    return law->kind == PLD_MIXTURE ? &law->part[2 * law->added + !upper] : law;
}

static bool is_upper(simdp_pld_rounding rounding) { return rounding == SIMDP_PLD_UP || rounding == SIMDP_PLD_DOTS; }

double simdp_pld_cumulant(const pld_law *law, double grid, double u)
{
    law = simdp_pld_part(law, true);
    switch (law->kind) {
    case PLD_LAPLACE: return laplace_cumulant(law->a, u);
    case PLD_GAUSSIAN: return u * (u + 1) / 2 * (law->a * law->a);
    case PLD_DISCRETE_GAUSSIAN: { /* sums over shifted integers are at most the sum over the integers */
        const double mu = law->b / law->a;
        return u * (u + 1) / 2 * (mu * mu);
    }
    case PLD_BOUNDED_RANGE: return bounded_range_cumulant(law->a, u);
    case PLD_GAUSSIAN_SAMPLED:
    case PLD_LAPLACE_SAMPLED: return simdp_pld_sampled_cumulant(law, u);
    case PLD_ATOMS: return atoms_cumulant(law, u);
    default: return histogram_cumulant(law, u, grid);
    }
}

/* A finite law is rounded exactly as simdp_pld_put_atom does. */
static double rounded_atoms_cumulant(const pld_law *law, simdp_pld_rounding rounding, double h, double u)
{
    double largest = -INFINITY, sum = 0;
    for (size_t j = 0; j < law->n; j++) largest = fmax(largest, law->log_mass[j] + u * law->loss[j]);
    if (largest == -INFINITY) return largest;
    largest += fabs(u) * h;
    for (size_t j = 0; j < law->n; j++) {
        const double x = simdp_pld_cell_of(law->loss[j], h).above;
        const double here = plain_exp(law->log_mass[j] + u * (law->loss[j] - x) - largest),
                     above = here * plain_exp(u * h);
        const double up = plain_expm1(-x) / plain_expm1(-h);
        switch (rounding) {
        case SIMDP_PLD_UP: sum += x == 0 ? here : above; break;
        case SIMDP_PLD_DOTS: sum += (1 - up) * here + up * above; break;
        default: sum += here;
        }
    }
    return largest + plain_log(sum);
}

/* UP moves a loss up by less than h, DOWN down.
 *
 * DOTS: a loss L becomes L + e with E[exp(-e)] = 1 and e in an interval of length h that contains 0. By Hoeffding's
 * lemma its mean is at most h^2/8, and under exp(-e) at least -h^2/8. For u >= 0 the lemma, around the first mean, gives
 * E[exp(u e)] <= exp(u (u + 1) h^2 / 8); for u <= -1, around the second, the same; between, E[exp(u e)] <= 1, as
 * exp(-e) has the mean 1 and x^|u| is concave. And |e| < h.
 *
 * BINS are a post-processing, and then some are rounded down. Moments of order above 1, that is for u > 0 and u <= -1,
 * fall. For u between, with p(u) = ln E[exp(u L)] within a bin of spread w, the common loss of the bin is -p(-1), and
 * p'' <= w^2 / 4 gives -u p(-1) <= p(u) + |u| (1 - |u|) w^2 / 8.
 *
 * Rounding of losses is the last term. */
double simdp_pld_dots_excess(double width, double u)
{
    return fmin(fabs(u) * width, fmax(0, u * (u + 1)) * (width * width) / 8);
}

double simdp_pld_rounded_cumulant(const pld_law *law, simdp_pld_rounding rounding, double grid, pld_bins bins, double u)
{
    law = simdp_pld_part(law, is_upper(rounding));
    const double size = fabs(u), h = grid;
    double cumulant;
    if (law->kind == PLD_ATOMS && rounding != SIMDP_PLD_BINS) {
        cumulant = rounded_atoms_cumulant(law, rounding, grid, u);
    } else {
        cumulant = simdp_pld_cumulant(law, grid, u);
        if (law->kind != PLD_HISTOGRAM) {
            switch (rounding) {
            case SIMDP_PLD_UP: cumulant += u > 0 ? u * h : 0; break;
            case SIMDP_PLD_DOWN: cumulant += u > 0 ? 0 : size * h; break;
            case SIMDP_PLD_BINS:
                cumulant +=
                    u > 0 ? 0 : size * bins.lowered + fmax(0, size * (1 - size)) * bins.spread * bins.spread / 8;
                break;
            default: cumulant += simdp_pld_dots_excess(h, u);
            }
        }
        if (simdp_pld_is_sampled(law)) cumulant += plain_log1p(bins.wide[u > 0 ? 0 : 1]);
    }
    const double reach =
        isfinite(law->most - law->least) ? fmax(fabs(law->most), fabs(law->least)) : 64 * sqrt(law->variance);
    /* of all masses at once, and so of their logarithm; and of the sum of the runs of histogram_cumulant */
    const double masses =
        law->mass_error > 0 ? 1.01 * (law->mass_error + PLD_U * (double)law->n / (double)HISTOGRAM_RUN) : 0;
    return cumulant + masses + 32 * PLD_U * (1 + fabs(cumulant) + size * (reach + grid));
}

bool simdp_pld_reach(const pld_law *law, double grid, double tilt, double log_outside, int64_t *first, int64_t *last)
{
    const bool whole = isfinite(law->most - law->least);
    if (law->kind == PLD_GAUSSIAN_SAMPLED) {
        simdp_pld_sampled_reach(law, grid, tilt, log_outside, first, last);
    } else if (whole) {
        *first = (int64_t)simdp_pld_cell_of(law->least, grid).index;
        *last = -(int64_t)simdp_pld_cell_of(-law->most, grid).index;
    } else { /* the two Gaussian laws: the tilted one is subgaussian around its centre */
        const double mu = sqrt(law->variance), centre = (tilt + 0.5) * law->variance;
        const double reach = mu * sqrt(2 * (fabs(tilt) * grid + 1 - log_outside));
        *first = (int64_t)floor((centre - reach) / grid) - 2;
        *last = (int64_t)ceil((centre + reach) / grid) + 2;
    }
    return whole;
}

void simdp_pld_put(pld_sink *sink, const pld_law *law)
{
    law = simdp_pld_part(law, is_upper(sink->rounding));
    switch (law->kind) {
    case PLD_LAPLACE: simdp_pld_put_laplace(sink, law->a); break;
    case PLD_GAUSSIAN: simdp_pld_put_gaussian(sink, law->a); break;
    case PLD_DISCRETE_GAUSSIAN: simdp_pld_put_discrete_gaussian(sink, law->a, law->b); break;
    case PLD_ATOMS: simdp_pld_put_atoms(sink, law); break;
    case PLD_HISTOGRAM: simdp_pld_put_histogram(sink, law); break;
    case PLD_BOUNDED_RANGE: simdp_pld_put_bounded_range(sink, law->a); break;
    case PLD_GAUSSIAN_SAMPLED:
    case PLD_LAPLACE_SAMPLED: simdp_pld_put_sampled(sink, law); break;
    case PLD_MIXTURE: break; /* its parts are no mixtures */
    }
}
