/* pld_law.c: laws of one step: cumulants, reach, masses by kind. */
#include "account/pld.h"

/* K(u) = -t/2 + ln(cosh(a t) + sinh(a t) / (2a)), a = |u + 1/2| */
static double laplace_cumulant(double t, double u)
{
    const double a = fabs(u + 0.5), fall = exp(-2 * a * t);
    const double inner = a * t < 1e-4 ? t / 2 * (1 - a * t) : -expm1(-2 * a * t) / (4 * a);
    return (a - 0.5) * t + log((1 + fall) / 2 + inner);
}

static double atoms_cumulant(const pld_law *law, double u)
{
    double largest = -INFINITY, sum = 0;
    for (size_t j = 0; j < law->n; j++) largest = fmax(largest, law->log_mass[j] + u * law->loss[j]);
    if (largest == -INFINITY) return largest;
    for (size_t j = 0; j < law->n; j++) sum += exp(law->log_mass[j] + u * law->loss[j] - largest);
    return largest + log(sum);
}

/* Weights exp(u i h) relative to the larger end, by products within runs: some 1e-14, and one exponential per run. */
static double histogram_cumulant(const pld_law *law, double u, double grid)
{
    enum { RUN = 64 };
    const double unit = u * grid, shift = u > 0 ? unit * (double)(law->n - 1) : 0, ratio = exp(unit);
    double sum = 0;
    for (size_t from = 0; from < law->n; from += RUN) {
        double weight = exp(unit * (double)from - shift), part = 0;
        for (size_t j = from; j < law->n && j < from + RUN; j++, weight *= ratio) part += law->mass[j] * weight;
        sum += part;
    }
    return log(sum) + shift + unit * (double)law->first;
}

double simdp_pld_cumulant(const pld_law *law, double grid, double u)
{
    switch (law->kind) {
    case PLD_LAPLACE: return laplace_cumulant(law->a, u);
    case PLD_GAUSSIAN: return u * (u + 1) / 2 * (law->a * law->a);
    case PLD_DISCRETE_GAUSSIAN: {   /* sums over shifted integers are at most the sum over the integers */
        const double mu = law->b / law->a;
        return u * (u + 1) / 2 * (mu * mu);
    }
    case PLD_ATOMS: return atoms_cumulant(law, u);
    default: return histogram_cumulant(law, u, grid);
    }
}

/* UP moves a loss up by less than h, DOWN down. BINS make the law a post-processing, so moments of order above 1 fall; no loss
 * moves by 3h. DOTS: a loss L becomes L + e with E[exp(-e)] = 1 and e in an interval of length h, so its mean is at most h^2/8 and
 * E[exp(u e)] <= exp((u + u^2) h^2 / 8) for u >= 0 (Hoeffding's lemma twice). Rounding of losses is within the last term. */
double simdp_pld_cumulant_excess(const pld_law *law, simdp_pld_rounding rounding, double grid, double u)
{
    double excess = 0;
    if (law->kind != PLD_HISTOGRAM) {
        const double size = fabs(u), h = grid;
        switch (rounding) {
        case SIMDP_PLD_UP: excess = u > 0 ? u * h : 0; break;
        case SIMDP_PLD_DOWN: excess = u > 0 ? 0 : size * h; break;
        case SIMDP_PLD_BINS: excess = u > 0 ? 0 : 3 * size * h; break;
        default: excess = u > 0 ? (u + u * u) * h * h / 8 : size * h;
        }
    }
    const double reach = isfinite(law->most - law->least) ? fmax(fabs(law->most), fabs(law->least)) : 64 * sqrt(law->variance);
    return excess + 32 * PLD_U * (1 + fabs(u) * (reach + grid));
}

bool simdp_pld_reach(const pld_law *law, double grid, double tilt, double log_outside, int64_t *first, int64_t *last)
{
    double low = law->least, high = law->most;
    const bool whole = isfinite(high - low);
    if (!whole) {   /* the two Gaussian laws: the tilted one is subgaussian around its centre */
        const double mu = sqrt(law->variance), centre = (tilt + 0.5) * law->variance;
        const double reach = mu * sqrt(2 * (fabs(tilt) * grid + 1 - log_outside));
        low = centre - reach, high = centre + reach;
    }
    *first = (int64_t)floor(low / grid) - 2;
    *last = (int64_t)ceil(high / grid) + 2;
    return whole;
}

void simdp_pld_put(pld_sink *sink, const pld_law *law)
{
    switch (law->kind) {
    case PLD_LAPLACE: simdp_pld_put_laplace(sink, law->a); break;
    case PLD_GAUSSIAN: simdp_pld_put_gaussian(sink, law->a); break;
    case PLD_DISCRETE_GAUSSIAN: simdp_pld_put_discrete_gaussian(sink, law->a, law->b); break;
    case PLD_ATOMS: simdp_pld_put_atoms(sink, law); break;
    case PLD_HISTOGRAM: simdp_pld_put_histogram(sink, law); break;
    }
}
