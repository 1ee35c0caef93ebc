/* golden_curves.c: privacy curves, the law of the loss, divergences. */
#include "golden.h"
#include "support/laws.h"

static simdp_status first_error(simdp_status a, simdp_status b) { return a != SIMDP_OK ? a : b; }

static simdp_status response_delta(double *const *out, const golden_input *in)
{
    const double epsilon0 = in[0].number, leak = in[1].number;
    return first_error(simdp_loss_delta(out[0], &in[2].number, 1, law_leaky(epsilon0, leak)),
                       simdp_loss_log_delta(out[1], &in[2].number, 1, law_leaky(epsilon0, leak)));
}

static simdp_status discrete_laplace_delta(double *const *out, const golden_input *in)
{
    return first_error(simdp_loss_delta(out[0], &in[0].number, 1, law_discrete_laplace(in[1].number, in[2].whole)),
                       simdp_loss_log_delta(out[1], &in[0].number, 1, law_discrete_laplace(in[1].number, in[2].whole)));
}

static simdp_status discrete_gaussian_delta(double *const *out, const golden_input *in)
{
    return first_error(
        simdp_loss_delta(out[0], &in[0].number, 1, law_discrete_gaussian(in[1].number, in[2].whole)),
        simdp_loss_log_delta(out[1], &in[0].number, 1, law_discrete_gaussian(in[1].number, in[2].whole)));
}

static simdp_status laplace_loss_cdf(double *const *out, const golden_input *in)
{
    return first_error(simdp_loss_cdf(out[0], &in[0].number, 1, law_laplace(in[1].number)),
                       simdp_loss_sf(out[1], &in[0].number, 1, law_laplace(in[1].number)));
}

static simdp_status gaussian_loss_cdf(double *const *out, const golden_input *in)
{
    const double *l = &in[0].number, s = in[1].number;
    return first_error(
        first_error(simdp_loss_cdf(out[0], l, 1, law_gaussian(s)), simdp_loss_sf(out[1], l, 1, law_gaussian(s))),
        first_error(simdp_loss_log_cdf(out[2], l, 1, law_gaussian(s)),
                    simdp_loss_log_sf(out[3], l, 1, law_gaussian(s))));
}

static simdp_status laplace_moments(double *const *out, const golden_input *in)
{
    simdp_loss_moments m;
    const simdp_law law = law_laplace(in[0].number);
    const simdp_status status = simdp_loss_law_moments(&m, &law, 1);
    out[0][0] = m.kl, out[1][0] = m.variance, out[2][0] = m.max_divergence, out[3][0] = m.total_variation;
    return status;
}

/* the file's total variation is that without a leak */
static simdp_status response(double *const *out, const golden_input *in)
{
    simdp_loss_moments m[2];
    const double leak = in[1].number;
    const simdp_law laws[] = {law_leaky(in[0].number, leak), law_response(in[0].number)};
    const simdp_status status = simdp_loss_law_moments(m, laws, 2);
    out[2][0] = m[0].mean, out[3][0] = m[0].variance, out[4][0] = m[1].total_variation, out[5][0] = m[0].kl;
    return first_error(status, simdp_loss_response_probabilities(out[0], out[1], &in[0].number, 1, leak));
}

static simdp_status renyi_laplace(double *const *out, const golden_input *in)
{
    return simdp_loss_renyi(out[0], &in[0].number, 1, law_laplace(in[1].number));
}

static simdp_status renyi_gaussian(double *const *out, const golden_input *in)
{
    return simdp_loss_renyi(out[0], &in[0].number, 1, law_gaussian(in[1].number));
}

static simdp_status renyi_response(double *const *out, const golden_input *in)
{
    return simdp_loss_renyi(out[0], &in[0].number, 1, law_response(in[1].number));
}

static simdp_status divergences(double *const *out, const golden_input *in)
{
    const double *p = in[0].list, *q = in[1].list, epsilon[] = {0.0, 0.25, 1.0}, order = 2.0;
    const size_t size = in[0].count;
    double delta[3];
    simdp_loss_divergences d;
    const simdp_status status = first_error(simdp_loss_divergences_finite(&d, p, q, size),
                                            simdp_loss_delta_finite(delta, epsilon, 3, p, q, size));
    out[0][0] = d.kl, out[1][0] = d.kl_reverse, out[2][0] = d.max, out[3][0] = d.max_reverse,
    out[4][0] = d.total_variation;
    out[5][0] = delta[0], out[6][0] = delta[1], out[7][0] = delta[2];
    return first_error(status, simdp_loss_renyi_finite(out[8], &order, 1, p, q, size));
}

static simdp_status sampled_gaussian(double *const *out, const golden_input *in)
{
    const double *epsilon = &in[0].number, s = in[1].number, rate = in[2].number;
    const simdp_loss_direction direction = in[3].whole != 0 ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE;
    return first_error(simdp_delta_gaussian_sampled(out[0], epsilon, 1, s, rate, direction),
                       simdp_loss_log_delta_gaussian_sampled(out[1], epsilon, 1, s, rate, direction));
}

static simdp_status sampled_laplace(double *const *out, const golden_input *in)
{
    const double *epsilon = &in[0].number, t = in[1].number, rate = in[2].number;
    const simdp_loss_direction direction = in[3].whole != 0 ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE;
    return first_error(simdp_delta_laplace_sampled(out[0], epsilon, 1, t, rate, direction),
                       simdp_loss_log_delta_laplace_sampled(out[1], epsilon, 1, t, rate, direction));
}

static simdp_status renyi_sampled(double *const *out, const golden_input *in)
{
    return simdp_renyi_gaussian_sampled(out[0], &in[0].number, 1, in[1].number, in[2].number);
}

const golden_function golden_curves[] = {
    {"rr_delta", "eps0 leak eps", "delta log_delta", response_delta},
    {"discrete_laplace_delta", "eps t sens:i", "delta log_delta", discrete_laplace_delta},
    {"discrete_gaussian_delta", "eps sigma sens:i", "delta log_delta", discrete_gaussian_delta},
    {"laplace_loss_cdf", "l t", "cdf sf", laplace_loss_cdf},
    {"gaussian_loss_cdf", "l s", "cdf sf log_cdf log_sf", gaussian_loss_cdf},
    {"laplace_moments", "t", "kl variance max_divergence tv", laplace_moments},
    {"rr", "eps leak", "p_keep p_flip mean_loss var_loss tv kl", response},
    {"rdp_laplace", "alpha t", "rdp", renyi_laplace},
    {"rdp_gaussian", "alpha s", "rdp", renyi_gaussian},
    {"rdp_rr", "alpha eps", "rdp", renyi_response},
    {"sampled_gaussian_delta", "eps s q add:i", "delta log_delta", sampled_gaussian},
    {"sampled_laplace_delta", "eps t q add:i", "delta log_delta", sampled_laplace},
    {"sampled_gaussian_rdp", "alpha s q", "rdp", renyi_sampled},
    {"divergences", "p:l q:l", "kl kl_rev dmax dmax_rev tv hs_0 hs_025 hs_1 renyi2", divergences},
    {0},
};
