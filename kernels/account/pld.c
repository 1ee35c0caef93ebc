/* pld.c: the object of privacy-loss distributions: create, append mechanisms, look at one step, destroy. */
#include "account/pld.h"

#include <stdlib.h>
#include <string.h>

#include "call/fp_mode.h"
#include "fft/fft.h"

double simdp_pld_grid(double most, double loss)
{
    FP_MODE_SCOPE();
    FP_PIN(most);
    FP_PIN(loss);
    if (!(most > 0 && most < INFINITY && loss > 0 && loss < INFINITY)) return NAN;
    /* As many parts as loss / most says, or one less if that is too few by rounding alone; of grids so small that parts
     * cannot be counted every loss is a multiple, up to rounding. */
    const double parts = fmax(1, ceil(loss / most)), larger = loss / fmax(1, parts - 1);
    double grid = parts < 0x1p53 ? fmin(larger <= most * (1 + 0x1p-52) ? larger : loss / parts, most) : most;
    FP_PIN(grid);
    return grid;
}

simdp_status simdp_pld_create(simdp_pld **pld, double grid)
{
    if (pld == NULL) return SIMDP_ENULL;
    *pld = NULL;
    FP_MODE_SCOPE();
    FP_PIN(grid);
    if (!(grid >= 0x1p-60 && grid <= 0x1p60)) return SIMDP_EPARAM;
    *pld = calloc(1, sizeof **pld);
    if (*pld == NULL) return SIMDP_ENOMEMORY;
    (*pld)->grid = grid;
    (*pld)->points_most = (double)FFT_POINTS_MOST;
    return SIMDP_OK;
}

void simdp_pld_curve_clear(pld_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++) simdp_fft_free(curve->piece[i].at);
    free(curve->piece);
    *curve = (pld_curve){0};
}

void simdp_pld_forget_composition(simdp_pld *pld)
{
    for (size_t i = 0; i < 2; i++) {
        simdp_pld_curve_clear(&pld->side[i].upper);
        simdp_pld_curve_clear(&pld->side[i].lower);
    }
    pld->composed = false;
}

void simdp_pld_law_clear(pld_law *law)
{
    free(law->loss);
    free(law->log_mass);
    free(law->mass);
    for (int i = 0; i < 4 && law->part != NULL; i++) simdp_pld_law_clear(&law->part[i]); /* which have no parts */
    free(law->part);
    *law = (pld_law){.times = 0}; /* so that whoever holds it may clear it again */
}

void simdp_pld_destroy(simdp_pld *pld)
{
    if (pld == NULL) return;
    if (pld->busy) {
        pld->unwanted = true;
        return;
    }
    simdp_pld_forget_composition(pld);
    for (size_t i = 0; i < pld->count; i++) simdp_pld_law_clear(&pld->law[i]);
    free(pld->law);
    free(pld);
}

static bool same_law(const pld_law *x, const pld_law *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->n == y->n && x->first == y->first &&
           x->infinite == y->infinite && x->infinite_up == y->infinite_up && x->log_excess == y->log_excess &&
           (x->loss == NULL || memcmp(x->loss, y->loss, x->n * sizeof *x->loss) == 0) &&
           (x->log_mass == NULL || memcmp(x->log_mass, y->log_mass, x->n * sizeof *x->log_mass) == 0) &&
           (x->mass == NULL || memcmp(x->mass, y->mass, x->n * sizeof *x->mass) == 0);
}

simdp_status simdp_pld_append(simdp_pld *pld, pld_law law)
{
    const double far = isfinite(law.most - law.least) ? fmax(fabs(law.most), fabs(law.least))
                                                      : 64 * sqrt(law.variance) + 64 * law.variance;
    simdp_status status = SIMDP_OK;
    if (pld->busy || !(far / pld->grid <= PLD_INDEX_MAX)) {
        status = SIMDP_EPARAM;
    } else {
        for (size_t i = 0; i < pld->count; i++) {
            if (!same_law(&pld->law[i], &law)) continue;
            if (law.times > UINT64_MAX - pld->law[i].times) {
                status = SIMDP_EPARAM;
            } else if (law.times > 0) {
                pld->law[i].times += law.times;
                simdp_pld_forget_composition(pld);
            }
            simdp_pld_law_clear(&law);
            return status;
        }
        if (pld->count == pld->capacity) {
            const size_t capacity = 2 * pld->capacity + 4;
            pld_law *bigger = realloc(pld->law, capacity * sizeof *bigger);
            if (bigger != NULL) pld->law = bigger, pld->capacity = capacity;
            else status = SIMDP_ENOMEMORY;
        }
    }
    if (status == SIMDP_OK) {
        pld->law[pld->count++] = law;
        simdp_pld_forget_composition(pld);
    } else {
        simdp_pld_law_clear(&law);
    }
    return status;
}

simdp_status simdp_pld_add_laplace(simdp_pld *pld, double t, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(t);
    if (!(t >= 0 && t <= 1e6)) return SIMDP_EPARAM;
    const simdp_status status = simdp_pld_append(
        pld,
        (pld_law){.kind = PLD_LAPLACE, .a = t, .times = times, .least = -t, .most = t, .variance = fmin(t * t, 3)});
    return status;
}

simdp_status simdp_pld_add_gaussian(simdp_pld *pld, double s, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(s);
    if (!(s >= 1e-6 && s <= 1e12)) return SIMDP_EPARAM;
    const double mu = 1 / s;
    const simdp_status status = simdp_pld_append(
        pld,
        (pld_law){
            .kind = PLD_GAUSSIAN, .a = mu, .times = times, .least = -INFINITY, .most = INFINITY, .variance = mu * mu});
    return status;
}

simdp_status simdp_pld_add_discrete_gaussian(simdp_pld *pld, double sigma, uint64_t sensitivity, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(sigma);
    const double d = (double)sensitivity;
    if (!(sigma >= 1e-3 && sigma <= 1e8 && sensitivity <= PLD_SENSITIVITY_MOST && d <= 1e6 * sigma))
        return SIMDP_EPARAM;
    const double variance = d / sigma * (d / sigma), far = d == 0 ? 0 : INFINITY;
    const simdp_status status = simdp_pld_append(pld, (pld_law){.kind = PLD_DISCRETE_GAUSSIAN,
                                                                .a = sigma,
                                                                .b = d,
                                                                .times = times,
                                                                .least = -far,
                                                                .most = far,
                                                                .variance = variance});
    return status;
}

simdp_status simdp_pld_add_bounded_range(simdp_pld *pld, double epsilon, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    if (!(epsilon >= 0 && epsilon <= 1e6)) return SIMDP_EPARAM;
    const double variance = fmin(epsilon * epsilon / 3, 4);
    return simdp_pld_append(pld, (pld_law){.kind = PLD_BOUNDED_RANGE,
                                           .a = epsilon,
                                           .times = times,
                                           .least = -epsilon,
                                           .most = epsilon,
                                           .variance = variance});
}

simdp_status simdp_pld_masses(const simdp_pld *pld, double *mass, size_t n, int64_t first, size_t mechanism,
                              simdp_pld_rounding rounding)
{
    if (pld == NULL || (n > 0 && mass == NULL)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *mass) return SIMDP_EPARAM;
    const bool good = mechanism < pld->count && n <= PLD_ENTRIES_MOST && first <= (int64_t)PLD_INDEX_MAX &&
                      first >= -(int64_t)PLD_INDEX_MAX && rounding >= SIMDP_PLD_UP && rounding <= SIMDP_PLD_BINS;
    for (size_t i = 0; i < n; i++) mass[i] = good ? 0 : NAN;
    if (!good) return SIMDP_EPARAM;
    if (n == 0) return SIMDP_OK;
    const unsigned saved = fp_mode_enter();
    pld_sink sink = {.mass = mass,
                     .points = n,
                     .first = first,
                     .last = first + (int64_t)n - 1,
                     .grid = pld->grid,
                     .rounding = rounding};
    pld_law law = pld->law[mechanism];
    simdp_pld_law_turn(&law, false);
    simdp_pld_put(&sink, &law);
    fp_mode_leave(saved);
    return SIMDP_OK;
}
