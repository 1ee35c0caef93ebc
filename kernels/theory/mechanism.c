/* mechanism.c: running one mechanism, its loss, its cost. */
#include "theory/mechanism.h"

#include <math.h>

#include "call/fp_mode.h"
#include "loss/renyi.h"
#include "math/outward.h"
#include "theory/response.h"

static bool is_scale(double x) { return x >= SIMDP_NOISE_SCALE_MIN && x <= SIMDP_NOISE_SCALE_MAX; }

bool simdp_mechanism_is_good(const simdp_theory_mechanism *m)
{
    switch (m->kind) {
    case SIMDP_MECHANISM_LAPLACE:
    case SIMDP_MECHANISM_SELECTION:
    case SIMDP_MECHANISM_SELECTION_MONOTONE: return simdp_is_epsilon(m->sensitivity) && is_scale(m->scale);
    case SIMDP_MECHANISM_GAUSSIAN:
        return simdp_is_epsilon(m->sensitivity) && is_scale(m->scale) && simdp_is_inside(m->delta);
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: return simdp_is_epsilon(m->epsilon);
    case SIMDP_MECHANISM_LEAKY_RESPONSE: return simdp_is_epsilon(m->epsilon) && simdp_is_probability(m->delta);
    case SIMDP_MECHANISM_TYPICAL_LAPLACE:
        return simdp_is_epsilon(m->sensitivity) && is_scale(m->scale) && simdp_is_inside(m->nu);
    case SIMDP_MECHANISM_TYPICAL_GAUSSIAN:
        return simdp_is_epsilon(m->sensitivity) && is_scale(m->scale) && simdp_is_inside(m->delta) &&
               simdp_is_inside(m->nu);
    default: return false;
    }
}

/* Sensitivity in units of scale: the largest loss of Laplace and monotone selection, half that of selection, 1/s of the
 * Gaussian. */
static double shift(const simdp_theory_mechanism *m) { return div_up(m->sensitivity, m->scale); }

/* The Gaussian's s, rounded down; inf for a sensitivity of 0, also -0. */
static double noise_multiplier(const simdp_theory_mechanism *m) { return div_down(m->scale, fabs(m->sensitivity)); }

/* Gaussian kinds: mu */
static double pure_epsilon(const simdp_theory_mechanism *m)
{
    if (simdp_is_response(m->kind)) return m->epsilon;
    return m->kind == SIMDP_MECHANISM_SELECTION ? 2.0 * shift(m) : shift(m);
}

simdp_status simdp_mechanism_pair(const simdp_theory_mechanism *m, double *epsilon, double *delta)
{
    *delta = simdp_is_gaussian(m->kind) ? m->delta : simdp_mechanism_leak(m);
    *epsilon = pure_epsilon(m);
    if (!simdp_is_gaussian(m->kind)) return SIMDP_OK;
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = noise_multiplier(m)};
    return simdp_account_epsilon(epsilon, &m->delta, 1, law);
}

/* Any pure epsilon-DP mechanism is epsilon^2/2-zCDP; a selection's losses stay within an interval of length epsilon,
 * which makes it epsilon^2/8. Gaussian: mu^2/2. */
double simdp_mechanism_rho(const simdp_theory_mechanism *m)
{
    const double epsilon = pure_epsilon(m);
    return mul_up(mul_up(simdp_is_selection(m->kind) ? 0.125 : 0.5, epsilon), epsilon);
}

/* The curves are good to 1e-13. A selection is both pure and of bounded range. */
double simdp_mechanism_renyi(const simdp_theory_mechanism *m, double alpha)
{
    const double by_rho = mul_up(alpha, simdp_mechanism_rho(m)), epsilon = pure_epsilon(m);
    if (simdp_is_gaussian(m->kind)) return by_rho;
    const double curve = m->kind == SIMDP_MECHANISM_LAPLACE ? simdp_renyi_of_laplace(alpha, epsilon)
                                                            : simdp_renyi_of_randomized_response(alpha, epsilon);
    const double above = outward_up(curve, 0x1p-42 * curve);
    return above < by_rho ? above : by_rho; /* rho bounds D_alpha / alpha in any case */
}

simdp_status simdp_theory_mechanism_cost(simdp_theory_cost *cost, const simdp_theory_mechanism *mechanism)
{
    if (cost == NULL || mechanism == NULL) return SIMDP_ENULL;
    *cost = (simdp_theory_cost){NAN, NAN, NAN, NAN, NAN};
    FP_MODE_SCOPE();
    if (!simdp_mechanism_is_good(mechanism)) return SIMDP_EPARAM;
    const bool typical = simdp_is_typical(mechanism->kind);
    simdp_theory_cost c = {.nu = typical ? mechanism->nu : 0.0};
    const simdp_status status = simdp_mechanism_pair(mechanism, &c.epsilon, &c.delta);
    c.rho = typical ? NAN : simdp_mechanism_rho(mechanism);
    c.zcdp_delta = typical ? NAN : simdp_mechanism_leak(mechanism);
    if (status == SIMDP_OK) *cost = c;
    return status;
}

simdp_status simdp_mechanism_run(simdp_rng *rng, double *output, const simdp_theory_mechanism *m,
                                 const simdp_answers *a)
{
    simdp_status status;
    if (simdp_is_selection(m->kind)) {
        size_t chosen = 0;
        status = simdp_select_gumbel(rng, &chosen, a->answers[0], a->n, m->scale);
        *output = (double)chosen;
    } else if (simdp_is_response(m->kind)) {
        const uint8_t bit = a->answers[0][0] != 0.0;
        uint8_t symbol = 0;
        if (m->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE)
            status = simdp_release_randomized_response(rng, &symbol, &bit, 1, m->epsilon);
        else status = simdp_theory_leaky_response(rng, &symbol, &bit, 1, m->epsilon, m->delta);
        *output = symbol;
    } else if (simdp_is_gaussian(m->kind)) {
        status = simdp_release_gaussian(rng, output, a->answers[0], 1, m->scale, simdp_release_grid(m->scale));
    } else {
        status = simdp_release_laplace(rng, output, a->answers[0], 1, m->scale, simdp_release_grid(m->scale));
    }
    return status;
}

simdp_status simdp_mechanism_loss(double *loss, double output, const simdp_theory_mechanism *m, const simdp_answers *a)
{
    const double *x0 = a->answers[0], *x1 = a->answers[1];
    if (simdp_is_selection(m->kind)) {
        const size_t chosen = (size_t)output;
        return simdp_loss_selection(loss, &chosen, 1, x0, x1, a->n, m->scale);
    }
    if (simdp_is_response(m->kind)) {
        const uint8_t symbol = (uint8_t)output;
        return simdp_loss_leaky_response(loss, &symbol, 1, x0[0] != 0.0, x1[0] != 0.0, m->epsilon,
                                         simdp_mechanism_leak(m));
    }
    if (simdp_is_gaussian(m->kind)) return simdp_loss_gaussian_f64(loss, &output, 1, x0[0], x1[0], m->scale);
    return simdp_loss_laplace_f64(loss, &output, 1, x0[0], x1[0], m->scale);
}
