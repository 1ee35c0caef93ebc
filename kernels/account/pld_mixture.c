/* pld_mixture.c: Gaussian noise on an answer whose change is itself random: Q = N(0, 1) against P, the mixture of
 * N(m_i, 1) with probabilities p_i, m_i = sensitivity_i/sigma >= 0. The loss L(z) = ln sum p_i exp(m_i z - m_i^2/2)
 * rises with z, so that outcomes with losses above a threshold are those above a place z. When a record is removed the
 * loss is L under P, when one is added it is -L under Q.
 *
 * Upper law: the curve delta(epsilon) = max over z of P[Z > z] - e^epsilon Q[Z > z], raised by its error at multiples
 * of the grid, as the masses of its lower convex hull: connecting the dots. A place that is a little off the best one
 * costs the square of that, far less than the error. Lower law: outcomes between two places put together, masses of the
 * first law lowered and of the second raised by their errors. */
#include <stdlib.h>

#include "account/pld.h"
#include "call/fp_mode.h"
#include "math/plain_math.h"
#include "math/special.h"

#define FAR        30.0 /* standard deviations: beyond, all mass together is below 1e-196 */
#define MU_MOST    64.0
#define PARTS_MOST 4096

typedef struct {
    size_t count;
    const double *mu, *probability; /* probabilities add up to 1 within `count` u */
    double mu_most, grid;
} mixture;

/* L and its derivative */
static double loss_at(const mixture *m, double z, double *slope)
{
    double largest = -INFINITY, sum = 0, weighted = 0;
    for (size_t i = 0; i < m->count; i++) {
        const double part = m->mu[i] * (z - m->mu[i] / 2);
        if (m->probability[i] > 0) largest = fmax(largest, part);
    }
    for (size_t i = 0; i < m->count; i++) {
        const double part = m->probability[i] * plain_exp(m->mu[i] * (z - m->mu[i] / 2) - largest);
        sum += part, weighted += part * m->mu[i];
    }
    *slope = weighted / sum;
    return largest + plain_log(sum);
}

/* The place where L is `loss`, from a place below it: L is convex, so Newton's first step passes it and all others come
 * from above. Within the places that matter. */
static double place_of(const mixture *m, double loss, double from)
{
    const double last = FAR + m->mu_most + 1;
    double z = from;
    for (int round = 0; round < 200; round++) { /* each step beyond the first ones doubles the digits */
        double slope;
        const double excess = loss_at(m, z, &slope) - loss, step = slope > 0 ? -excess / slope : INFINITY;
        if (round > 0 && !(step < -1e-13 * (1 + fabs(z)))) break;
        z = fmin(z + step, last);
        if (z < -FAR - 1) return -FAR - 1;
    }
    return z;
}

/* P and Q above z (sign 1) or below it (sign -1), and a bound on the relative error of both. */
typedef struct {
    double p, q, error;
} tail_pair;

static tail_pair tails_at(const mixture *m, double z, double sign)
{
    const double far = fabs(z) + m->mu_most;
    tail_pair t = {0, simdp_special_normal_cdf(-sign * z, 0), PLD_U * (64 + 8 * (double)m->count + 4 * far * far)};
    for (size_t i = 0; i < m->count; i++) t.p += m->probability[i] * simdp_special_normal_cdf(sign * (m->mu[i] - z), 0);
    return t;
}

/* delta at epsilon by the place z, upward. Removed: P - e^epsilon Q above z; added: Q - e^epsilon P below it. */
static double delta_up(const mixture *m, double epsilon, double z, bool added)
{
    const tail_pair t = tails_at(m, z, added ? -1 : 1);
    const double first = added ? t.q : t.p, second = added ? t.p : t.q;
    const double less = second > 0 ? plain_exp(fmin(epsilon + plain_log(second), 700)) : 0;
    return fmin(1, fmax(0, first - less) + (t.error + 8 * PLD_U * fabs(epsilon)) * (first + less) + 0x1p-1070);
}

/* Multiples of the grid that hold all losses from L(-FAR) to L(FAR + mu_most), in this direction. */
static bool range_of(const mixture *m, bool added, int64_t *first, size_t *n)
{
    double slope;
    const double low = loss_at(m, -FAR, &slope), high = loss_at(m, FAR + m->mu_most, &slope);
    const double from = floor((added ? -high : low) / m->grid) - 1, to = ceil((added ? -low : high) / m->grid) + 1;
    if (!(fabs(from) < PLD_INDEX_MAX && fabs(to) < PLD_INDEX_MAX && to - from < 0x1p22)) return false;
    *first = (int64_t)from, *n = (size_t)(to - from) + 1;
    return true;
}

/* place[i] of the loss (first + i) h, or of minus that */
static void places(const mixture *m, bool added, int64_t first, size_t n, double *place)
{
    double z = -FAR - 1;
    for (size_t k = 0; k < n; k++) { /* from the lowest L up */
        const size_t i = added ? n - 1 - k : k;
        const double loss = ((double)first + (double)i) * m->grid;
        place[i] = z = place_of(m, added ? -loss : loss, z);
    }
}

static bool upper_law(const mixture *m, bool added, int64_t first, size_t n, const double *place, pld_law *law)
{
    *law = (pld_law){.kind = PLD_HISTOGRAM, .n = n, .first = first, .mass = malloc((n + 1) * sizeof *law->mass)};
    size_t *kept = malloc((n + 1) * sizeof *kept);
    const bool room = law->mass != NULL && kept != NULL;
    if (room) {
        double least = 1;
        for (size_t i = 0; i < n; i++) {
            const double epsilon = ((double)first + (double)i) * m->grid;
            law->mass[i] = least = fmin(least, delta_up(m, epsilon, place[i], added));
        }
        law->infinite_up = least;
        simdp_pld_masses_of_hull(law->mass, n, m->grid, kept);
        simdp_pld_histogram_moments(law, m->grid);
    }
    free(kept);
    return room;
}

/* What P and Q have between two places, and bounds on the errors. */
typedef struct {
    double p, q, p_error, q_error;
} between;

static between between_places(const mixture *m, double from, double to)
{
    const double sign = from > m->mu_most / 2 ? 1 : -1; /* by the smaller tails */
    const tail_pair a = isinf(from) ? (tail_pair){sign > 0, sign > 0, 0} : tails_at(m, from, sign),
                    b = isinf(to) ? (tail_pair){sign < 0, sign < 0, 0} : tails_at(m, to, sign);
    return (between){sign * (a.p - b.p), sign * (a.q - b.q), a.error * a.p + b.error * b.p + 4 * PLD_U * (a.p + b.p),
                     a.error * a.q + b.error * b.q + 4 * PLD_U * (a.q + b.q)};
}

static bool lower_law(const mixture *m, bool added, size_t n, const double *place, pld_law *law)
{
    if (!simdp_pld_atoms_alloc(law, n + 1)) return false;
    law->n = 0;
    for (size_t k = 0; k <= n; k++) {
        const double before = k == 0 ? (added ? INFINITY : -INFINITY) : place[k - 1],
                     after = k == n ? (added ? -INFINITY : INFINITY) : place[k];
        const between part = between_places(m, fmin(before, after), fmax(before, after));
        const double mass = added ? part.q - part.q_error : part.p - part.p_error,
                     other = added ? part.p + part.p_error : part.q + part.q_error;
        if (!(mass > 1e-290 && before != after)) continue;
        law->log_mass[law->n] = plain_log(mass) - 4 * PLD_U;
        law->loss[law->n] = plain_log(mass) - plain_log(other) - 8 * PLD_U * (1 - plain_log(mass));
        law->n++;
    }
    return simdp_pld_atoms_finish(law);
}

/* Both laws in both directions; false without memory or on a grid that is too fine. */
static simdp_status fill(const mixture *m, pld_law *part)
{
    for (int side = 0; side < 2; side++) {
        int64_t first;
        size_t n;
        if (!range_of(m, side, &first, &n)) return SIMDP_EPARAM;
        double *place = malloc(n * sizeof *place);
        bool room = place != NULL;
        if (room) {
            places(m, side, first, n, place);
            room = upper_law(m, side, first, n, place, &part[2 * side]) &&
                   lower_law(m, side, n, place, &part[2 * side + 1]);
        }
        free(place);
        if (!room) return SIMDP_ENOMEMORY;
    }
    return SIMDP_OK;
}

/* What the law shows in a direction. */
void simdp_pld_mixture_turn(pld_law *law, bool added)
{
    const pld_law *upper = &law->part[added ? 2 : 0], *lower = &law->part[added ? 3 : 1];
    law->added = added;
    law->least = fmin(upper->least, lower->least), law->most = fmax(upper->most, lower->most);
    law->variance = upper->variance;
    law->infinite = 0, law->infinite_up = upper->infinite_up;
}

simdp_status simdp_pld_add_gaussian_mixture(simdp_pld *pld, const double *sensitivity, const double *probability,
                                            size_t n, double sigma, uint64_t times)
{
    if (pld == NULL || (n > 0 && (sensitivity == NULL || probability == NULL))) return SIMDP_ENULL;
    if (n == 0 || n > PARTS_MOST) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(sigma);
    if (pld->busy || !(sigma > 0 && sigma < INFINITY)) return SIMDP_EPARAM;
    double sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(probability[i] >= 0 && probability[i] <= 1 && sensitivity[i] >= 0)) return SIMDP_EPARAM;
        if (!(sensitivity[i] / sigma <= MU_MOST)) return SIMDP_EPARAM;
        sum += probability[i];
        if (probability[i] > 0) most = fmax(most, sensitivity[i] / sigma);
    }
    if (!(fabs(sum - 1) <= 1e-9)) return SIMDP_EPARAM;
    if (most == 0) return simdp_pld_add_laplace(pld, 0, times); /* as any mechanism that costs nothing */
    pld_law law = {.kind = PLD_MIXTURE, .times = times, .n = 2 * n};
    law.loss = malloc(2 * n * sizeof *law.loss);
    law.part = calloc(4, sizeof *law.part);
    simdp_status status = law.loss == NULL || law.part == NULL ? SIMDP_ENOMEMORY : SIMDP_OK;
    if (status == SIMDP_OK) {
        for (size_t i = 0; i < n; i++) {
            law.loss[i] = probability[i] > 0 ? sensitivity[i] / sigma : 0;
            law.loss[n + i] = probability[i] / sum;
        }
        const mixture m = {n, law.loss, law.loss + n, most, pld->grid};
        status = fill(&m, law.part);
    }
    if (status != SIMDP_OK) {
        simdp_pld_law_clear(&law);
        return status;
    }
    simdp_pld_mixture_turn(&law, false);
    return simdp_pld_append(pld, law);
}
