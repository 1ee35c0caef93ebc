/* pld_rare.c: sampled Gaussian noise whose rare large losses are cut off, for very many steps of a tiny rate.
 * Chernoff's bounds of the whole law would make room for a single step that outweighs all others; with what lies above
 * a loss counted as infinite, windows are as wide as the sum spreads. Upper laws: convex hulls of the closed curves at
 * multiples of the grid. Lower laws: outcomes between the same places put together. Notation and directions as in
 * pld_sampled.c and pld_mixture.c. */
#include <stdlib.h>

#include "account/pld.h"
#include "loss/sampled.h"
#include "math/plain_math.h"
#include "math/special.h"

typedef struct {
    double mu, q, far, grid; /* far: standard deviations of M1 up to which losses are kept */
    int64_t first;
    size_t n;
} rare_steps;

/* delta of one step at any epsilon, upward; the closed forms are right to 2e-13. Below 0 by the other direction:
 * delta(-x) = 1 - e^-x + e^-x delta'(x). */
static double curve_up(const rare_steps *r, double epsilon, bool added)
{
    const double size = fabs(epsilon);
    double delta;
    const simdp_loss_direction way = added == (epsilon >= 0) ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE;
    if (simdp_delta_gaussian_sampled(&delta, &size, 1, 1 / r->mu, r->q, way) != SIMDP_OK) return 1;
    delta *= 1 + 4e-13;
    return fmin(1, (epsilon >= 0 ? delta : -plain_expm1(-size) + plain_exp(-size) * delta) * (1 + 8 * PLD_U));
}

static bool upper_law(const rare_steps *r, bool added, pld_law *law)
{
    *law =
        (pld_law){.kind = PLD_HISTOGRAM, .n = r->n, .first = r->first, .mass = malloc((r->n + 1) * sizeof *law->mass)};
    size_t *kept = malloc((r->n + 1) * sizeof *kept);
    const bool room = law->mass != NULL && kept != NULL;
    if (room) {
        double least = 1;
        for (size_t i = 0; i < r->n; i++) {
            const double epsilon = ((double)r->first + (double)i) * r->grid;
            least = fmin(least, curve_up(r, epsilon * (1 - (epsilon > 0 ? 1 : -1) * 2 * PLD_U), added));
            law->mass[i] = least;
        }
        law->infinite_up = least;
        simdp_pld_masses_of_hull(law->mass, r->n, r->grid, kept);
        simdp_pld_histogram_moments(law, r->grid);
    }
    free(kept);
    return room;
}

/* Mass of N(mean, 1) between two places by the smaller tails, and a bound on its error. */
static double between(double from, double to, double mean, double *error)
{
    const double a = from - mean, b = to - mean, sign = a > 0 ? -1 : 1;
    const double at_a = simdp_special_normal_cdf(sign * a, 0), at_b = simdp_special_normal_cdf(sign * b, 0);
    const double za = isinf(a) ? 0 : a * a, zb = isinf(b) ? 0 : b * b;
    *error = PLD_U * ((32 + 4 * za) * at_a + (32 + 4 * zb) * at_b);
    return sign * (at_b - at_a);
}

static double place_of(const rare_steps *r, double loss)
{
    if (!(loss > plain_log1p(-r->q))) return -INFINITY;
    return simdp_sampled_inner_loss(loss, r->q) / r->mu + r->mu / 2;
}

/* e^L of a piece is 1 + q (M1/M0 - 1): its error is q times that of the ratio. */
static bool lower_law(const rare_steps *r, bool added, pld_law *law)
{
    if (!simdp_pld_atoms_alloc(law, r->n + 1)) return false;
    law->n = 0;
    double before = -INFINITY;
    for (size_t k = 0; k <= r->n; k++) { /* from the lowest L up */
        const double index = (double)r->first + (double)(added ? r->n - 1 - k : k);
        const double after = k == r->n ? INFINITY : place_of(r, (added ? -index : index) * r->grid);
        if (!(after > before)) continue;
        double e0, e1;
        const double m0 = between(before, after, 0, &e0), m1 = between(before, after, r->mu, &e1);
        before = after;
        if (!(m0 - e0 > 1e-290)) continue;
        const double ratio = added ? (m1 + e1) / (m0 - e0) : fmax(0, m1 - e1) / (m0 + e0);
        const double more = r->q * (ratio - 1), loss = (added ? -1 : 1) * plain_log1p(more),
                     log_mass = plain_log(m0 - e0) + (added ? 0 : loss);
        law->loss[law->n] = loss - 16 * PLD_U * (fabs(loss) + r->q * (1 + ratio));
        law->log_mass[law->n] = log_mass - 8 * PLD_U * (1 + fabs(log_mass));
        law->n++;
    }
    return simdp_pld_atoms_finish(law);
}

simdp_status simdp_pld_add_rare(simdp_pld *pld, double mu, double q, double far, uint64_t times)
{
    const double high = simdp_sampled_loss(mu * (far + mu / 2), q), low = plain_log1p(-q), h = pld->grid;
    const double from = floor(low / h) - 1, to = ceil(high / h) + 1;
    if (!(fabs(from) < PLD_INDEX_MAX && fabs(to) < PLD_INDEX_MAX && to - from < 0x1p20)) return SIMDP_EPARAM;
    pld_law law = {.kind = PLD_MIXTURE, .times = times, .a = mu, .b = q};
    law.part = calloc(4, sizeof *law.part);
    if (law.part == NULL) return SIMDP_ENOMEMORY;
    for (int side = 0; side < 2; side++) {
        const rare_steps r = {mu, q, far, h, (int64_t)(side ? -to : from), (size_t)(to - from) + 1};
        if (upper_law(&r, side, &law.part[2 * side]) && lower_law(&r, side, &law.part[2 * side + 1])) continue;
        simdp_pld_law_clear(&law);
        return SIMDP_ENOMEMORY;
    }
    simdp_pld_mixture_turn(&law, false);
    return simdp_pld_append(pld, law);
}
