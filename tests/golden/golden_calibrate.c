/* golden_calibrate.c: calibration of Gaussian noise, its composition, Renyi and zCDP conversions. */
#include "golden.h"
#include "support/laws.h"

static simdp_status first_error(simdp_status a, simdp_status b) { return a != SIMDP_OK ? a : b; }

static simdp_status gaussian_sigma(double *const *out, const golden_input *in)
{
    return simdp_account_noise(out[0], &in[0].number, &in[1].number, 1, law_gaussian(0));
}

static simdp_status gaussian_epsilon(double *const *out, const golden_input *in)
{
    return simdp_account_epsilon(out[0], &in[0].number, 1, law_gaussian(in[1].number));
}

static simdp_status gaussian_compose(double *const *out, const golden_input *in)
{
    double s;
    const simdp_status status = simdp_account_compose_gaussian(&s, &in[0].number, &in[1].whole, 1);
    return first_error(status, first_error(simdp_account_delta(out[0], &in[2].number, 1, law_gaussian(s)),
                                           simdp_loss_log_delta(out[1], &in[2].number, 1, law_gaussian(s))));
}

/* The files have the formula of the conversion at divergence 0 too, where the library knows better: laws of divergence
 * 0 are equal, so epsilon and delta are 0 (tests/property). The least divergence above 0 gives the formula's number. */
static double least_divergence(double divergence) { return divergence == 0.0 ? 0x1p-1074 : divergence; }

static simdp_status renyi_epsilon(double *const *out, const golden_input *in)
{
    const double divergence = least_divergence(in[1].number);
    return first_error(
        simdp_account_renyi_convert(out[0], &in[0].number, &divergence, &in[2].number, 1, SIMDP_ACCOUNT_EPSILON),
        simdp_account_renyi_convert(out[1], &in[0].number, &divergence, &in[2].number, 1,
                                    SIMDP_ACCOUNT_EPSILON_CLASSIC));
}

static simdp_status renyi_delta(double *const *out, const golden_input *in)
{
    const double divergence = least_divergence(in[1].number);
    return first_error(
        simdp_account_renyi_convert(out[0], &in[0].number, &divergence, &in[2].number, 1, SIMDP_ACCOUNT_DELTA),
        simdp_account_renyi_convert(out[1], &in[0].number, &divergence, &in[2].number, 1, SIMDP_ACCOUNT_LOG_DELTA));
}

static simdp_status zcdp(double *const *out, const golden_input *in)
{
    simdp_account_zcdp_bound bound;
    const simdp_status status = simdp_account_zcdp_epsilon(&bound, &in[0].number, &in[1].number, 1);
    out[0][0] = bound.epsilon_simple, out[1][0] = bound.epsilon, out[2][0] = bound.order;
    return status;
}

const golden_function golden_calibrate[] = {
    {"gaussian_sigma", "eps delta", "s:u", gaussian_sigma},
    {"gaussian_eps", "delta s", "eps:u", gaussian_epsilon},
    {"gaussian_compose", "s k:i eps", "delta:u log_delta", gaussian_compose},
    {"rdp_to_eps", "alpha rdp delta", "eps:u eps_classic:u", renyi_epsilon},
    {"rdp_to_delta", "alpha rdp eps", "delta:u log_delta:u", renyi_delta},
    {"zcdp_to_eps", "rho delta", "eps_simple:u eps_opt:u alpha_opt", zcdp},
    {0},
};
