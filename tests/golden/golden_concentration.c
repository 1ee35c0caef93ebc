/* golden_concentration.c: concentration bounds and typical stability. */
#include <string.h>

#include "golden.h"

static simdp_status hoeffding(double *const *out, const golden_input *in)
{
    simdp_theory_tail tail;
    const simdp_status status = simdp_theory_hoeffding(&tail, in[3].number, in[0].whole, in[1].number, in[2].number);
    out[0][0] = tail.log_tail, out[1][0] = tail.tail, out[2][0] = tail.tail_two_sided;
    return status;
}

static simdp_status hoeffding_inverse(double *const *out, const golden_input *in)
{
    return simdp_theory_hoeffding_deviation(out[0], out[1], in[3].number, in[0].whole, in[1].number, in[2].number);
}

static simdp_status hoeffding_lemma(double *const *out, const golden_input *in)
{
    return simdp_theory_hoeffding_lemma(out[0], in[0].number, in[1].number, in[2].number, in[3].number);
}

static simdp_status azuma(double *const *out, const golden_input *in)
{
    simdp_theory_azuma_bound bound;
    const simdp_status status = simdp_theory_azuma(&bound, in[3].number, in[0].whole, in[1].number, in[2].number);
    out[0][0] = bound.threshold, out[1][0] = bound.log_tail, out[2][0] = bound.tail;
    return status;
}

static simdp_status azuma_inverse(double *const *out, const golden_input *in)
{
    return simdp_theory_azuma_threshold(out[0], in[3].number, in[0].whole, in[1].number, in[2].number);
}

static simdp_status polya(double *const *out, const golden_input *in)
{
    simdp_theory_polya_bound bound;
    const simdp_status status = simdp_theory_polya(&bound, in[0].whole, in[1].whole, in[2].whole, in[3].number);
    out[0][0] = bound.mean, out[1][0] = bound.standard_deviation;
    out[2][0] = bound.threshold_printed, out[3][0] = bound.threshold_tight;
    return status;
}

static simdp_status exponential_tail(double *const *out, const golden_input *in)
{
    simdp_theory_exponential_tail_bound b;
    const simdp_status status = simdp_theory_exponential_tail(&b, in[0].number, in[1].whole);
    out[0][0] = b.x, out[1][0] = b.tail, out[2][0] = b.log_tail, out[3][0] = b.tail_mid, out[4][0] = b.tail_simple,
    out[5][0] = b.log_hoeffding;
    return status;
}

static simdp_status proposition(double *const *out, const golden_input *in)
{
    return simdp_theory_expected_maximum(out[0], in[0].whole, in[1].whole);
}

static simdp_status main_lemma(double *const *out, const golden_input *in)
{
    return simdp_theory_expected_column_maximum(out[0], in[0].number, in[1].whole, in[2].number);
}

/* class, p1, p2, n, the first four inputs of several files */
static simdp_theory_concentration query_of(const golden_input *in)
{
    simdp_theory_concentration q = {
        .kind = (simdp_theory_concentration_kind)-1, .parameter = in[1].number, .b = in[2].number, .n = in[3].whole};
    if (strcmp(in[0].text, "sensitive") == 0) q.kind = SIMDP_THEORY_SENSITIVE;
    if (strcmp(in[0].text, "subgaussian") == 0) q.kind = SIMDP_THEORY_SUBGAUSSIAN;
    if (strcmp(in[0].text, "subexponential") == 0) q.kind = SIMDP_THEORY_SUBEXPONENTIAL;
    return q;
}

static simdp_status gamma_n(double *const *out, const golden_input *in)
{
    simdp_theory_exponent e;
    const simdp_status status = simdp_theory_concentration_exponent(&e, in[4].number, query_of(in));
    out[0][0] = e.gamma, out[1][0] = e.gamma_simple, out[2][0] = e.gamma_printed;
    return status;
}

static simdp_status gamma_inverse(double *const *out, const golden_input *in)
{
    simdp_theory_typical_plan plan;
    const simdp_status status =
        simdp_theory_typical_noise(&plan, query_of(in), (simdp_theory_stability){1.0, 0.5, in[4].number});
    out[0][0] = plan.alpha;
    return status;
}

static simdp_status typical_calibration(double *const *out, const golden_input *in)
{
    simdp_theory_typical_plan plan;
    const simdp_theory_stability target = {.eta = in[4].number, .tau = in[5].number, .nu = in[6].number};
    const simdp_status status = simdp_theory_typical_noise(&plan, query_of(in), target);
    out[0][0] = plan.alpha, out[1][0] = plan.laplace_scale, out[2][0] = plan.gaussian_sigma,
    out[3][0] = plan.gaussian_sigma_analytic;
    return status;
}

static simdp_status typical_error(double *const *out, const golden_input *in)
{
    simdp_theory_typical_errors errors;
    const simdp_theory_stability target = {.eta = in[1].number, .tau = in[2].number};
    const simdp_status status = simdp_theory_typical_error(&errors, in[0].number, target, in[3].number);
    out[0][0] = errors.laplace, out[1][0] = errors.gaussian, out[2][0] = errors.gaussian_exact;
    return status;
}

static simdp_status near_independence(double *const *out, const golden_input *in)
{
    simdp_theory_independence i;
    const simdp_status status = simdp_theory_near_independence(
        &i, (simdp_theory_stability){in[0].number, in[1].number, in[2].number}, in[3].number);
    out[0][0] = i.joint, out[1][0] = i.joint_sharp, out[2][0] = i.generalization, out[3][0] = i.generalization_sharp;
    return status;
}

static simdp_status theorem_61(double *const *out, const golden_input *in)
{
    simdp_theory_accuracy a;
    const simdp_theory_adaptive_setup setup = {.sigma = in[0].number,
                                               .k = in[1].whole,
                                               .eta = in[2].number,
                                               .nu = in[3].number,
                                               .slack = in[4].number,
                                               .beta = in[5].number,
                                               .alpha1 = in[6].number};
    const simdp_status status = simdp_theory_adaptive_accuracy(&a, &setup);
    out[0][0] = a.alpha0, out[1][0] = a.error, out[2][0] = a.eta, out[3][0] = a.log_tau, out[4][0] = a.failure;
    return status;
}

static simdp_theory_stability_composed typical(simdp_status *status, simdp_theory_composition theorem,
                                               simdp_theory_stability_steps steps)
{
    simdp_theory_stability_composed total;
    *status = simdp_theory_compose(&total, &steps, 1, theorem);
    return total;
}

static simdp_status typical_nonadaptive(double *const *out, const golden_input *in)
{
    simdp_status status;
    const simdp_theory_stability_composed t = typical(
        &status, SIMDP_THEORY_NONADAPTIVE,
        (simdp_theory_stability_steps){.eta = in[0].number, .tau = in[1].number, .nu = in[2].number, .k = in[3].whole});
    out[0][0] = t.eta, out[1][0] = t.tau, out[2][0] = t.nu;
    return status;
}

static simdp_status typical_pure(double *const *out, const golden_input *in)
{
    simdp_status status;
    const simdp_theory_stability_composed t =
        typical(&status, SIMDP_THEORY_PURE,
                (simdp_theory_stability_steps){
                    .eta = in[0].number, .nu = in[1].number, .slack = in[2].number, .k = in[3].whole});
    out[0][0] = t.eta, out[1][0] = t.log_tau, out[2][0] = t.tau;
    return status;
}

static simdp_status typical_approximate(double *const *out, const golden_input *in)
{
    simdp_status status;
    const simdp_theory_stability_composed t = typical(
        &status, SIMDP_THEORY_APPROXIMATE,
        (simdp_theory_stability_steps){
            .eta = in[0].number, .tau = in[1].number, .nu = in[2].number, .slack = in[3].number, .k = in[4].whole});
    out[0][0] = t.tau_hat, out[1][0] = t.psi, out[2][0] = t.eta, out[3][0] = t.log_tau, out[4][0] = t.tau;
    return status;
}

const golden_function golden_concentration[] = {
    {"hoeffding", "n:i a b t", "log_tail:u tail:u tail_two_sided:u", hoeffding},
    {"hoeffding_inverse", "n:i a b delta", "t:u t_two_sided:u", hoeffding_inverse},
    {"hoeffding_lemma", "lambda a b mu", "log_mgf_bound:u", hoeffding_lemma},
    {"azuma", "k:i mu a z", "threshold:u log_tail:u tail:u", azuma},
    {"azuma_inverse", "k:i mu a delta", "threshold:u", azuma_inverse},
    {"polya", "r:i b:i k:i z", "mean sd threshold_printed:u threshold_tight:u", polya},
    {"tail_001", "eps n:i", "x tail:u log_tail:u tail_mid:u tail_simple:u log_hoeffding", exponential_tail},
    {"prop_001", "n:i m:i", "bound:u", proposition},
    {"main_lemma_001", "mu m:i eta", "bound:u", main_lemma},
    {"gamma_n", "class:t p1 p2 n:i alpha", "gamma:d gamma_simple:d gamma_printed", gamma_n},
    {"gamma_n_inverse", "class:t p1 p2 n:i nu", "alpha:u", gamma_inverse},
    {"typical_calibration", "class:t p1 p2 n:i eta tau nu",
     "alpha:u laplace_scale:u gaussian_sigma:u gaussian_sigma_analytic:u", typical_calibration},
    {"typical_error", "alpha eta tau beta", "laplace_error:u gaussian_error:u gaussian_error_exact:u", typical_error},
    {"near_independence", "eta tau nu p", "joint:u joint_sharp:u generalization:u generalization_sharp:u",
     near_independence},
    {"theorem_61", "sigma k:i eta nu tau_prime beta alpha1", "alpha0:u error:u eta_star:u log_tau_star:u failure:u",
     theorem_61},
    {"compose_typical_nonadaptive", "eta tau nu k:i", "eta_total:u tau_total:u nu_total:u", typical_nonadaptive},
    {"compose_typical_pure", "eta nu tau_prime k:i", "eta_star:u log_tau_star:u tau_star:u", typical_pure},
    {"compose_typical_approx", "eta tau nu tau_prime k:i", "tau_hat:u psi:u eta_star:u log_tau_star:u tau_star:u",
     typical_approximate},
    {0},
};
