/* simdp_loss.h: privacy loss of outputs, its statistics, and privacy curves in closed form. Part of simdp.h, which
 * has the conventions. */
#ifndef SIMDP_LOSS_H
#define SIMDP_LOSS_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- closed forms ----------------------------------------------------------------------------------------------
 *
 * Scalar C on libm, batched over arrays: an array argument first, its parameters as scalars; where parameters are
 * swept, a twin whose name ends in _each takes one parameter per element. Outputs may be the inputs. Results are
 * rounded to nearest (the bounds of simdp_account.h round outward), the last digits may differ between C libraries.
 * Units: nats. Sensitivity and scale enter as their ratio.
 *
 * Bad input. A NaN element or one outside the stated domain gives NaN in that place, the other elements are right,
 * and the call returns SIMDP_EPARAM. A bad scalar parameter makes all outputs NaN. NULL with n > 0: SIMDP_ENULL,
 * nothing written. For legal input no result is NaN, none is negative that cannot be, no probability exceeds 1;
 * overflow is inf. */

/* delta(epsilon), the smallest delta for which a mechanism is (epsilon, delta)-DP, and its logarithm, which stays
 * right where delta is below 2^-1074 or close to 1. epsilon in [0, inf]. Errors below 1e-14 relative, of log delta
 * also where it is small.
 *   laplace               t = sensitivity/scale in [0, inf]:  max(0, 1 - e^((epsilon - t)/2))
 *   gaussian              s = sigma/sensitivity in [0, inf]:
 *                         Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s)
 *   randomized_response   epsilon0 in [0, inf], leak in [0, 1]:
 *                         leak + (1-leak) max(0, (e^epsilon0 - e^epsilon)/(1 + e^epsilon0))
 *   discrete_laplace      scale > 0 finite, on the integers, whole sensitivity
 *   discrete_gaussian     sigma > 0 finite, on the integers, whole sensitivity; 1e-12; time grows with sigma up to
 *                         400, not beyond
 *   finite                two vectors of `size` >= 1 finite masses >= 0, used as given: sum (p - e^epsilon q)+ */
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_laplace(double *out, const double *epsilon, size_t n,
                                                             double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_laplace_each(double *out, const double *epsilon,
                                                                  const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_gaussian(double *out, const double *epsilon, size_t n,
                                                              double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_gaussian_each(double *out, const double *epsilon,
                                                                   const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_randomized_response(double *delta, const double *epsilon, size_t n,
                                                                     double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_randomized_response(double *out, const double *epsilon, size_t n,
                                                                         double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_randomized_response_each(double *delta, const double *epsilon,
                                                                          const double *epsilon0, const double *leak,
                                                                          size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_discrete_laplace(double *delta, const double *epsilon, size_t n,
                                                                  double scale, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_discrete_laplace(double *out, const double *epsilon, size_t n,
                                                                      double scale, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_discrete_gaussian(double *delta, const double *epsilon, size_t n,
                                                                   double sigma, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_discrete_gaussian(double *out, const double *epsilon, size_t n,
                                                                       double sigma, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_finite(double *delta, const double *epsilon, size_t n, const double *p,
                                                        const double *q, size_t size);

/* The law of the privacy loss L under the first input: P[L <= loss], P[L > loss], and their logarithms; parameters
 * as for delta. Laplace: mass 1/2 at t and e^-t/2 at -t; Gaussian: normal, mean 1/(2s^2), variance 1/s^2; randomized
 * response: epsilon0 or -epsilon0, and inf with probability leak. Errors below 1e-14 relative. loss: any number,
 * infinities included. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_laplace(double *out, const double *loss, size_t n,
                                                            double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_laplace(double *out, const double *loss, size_t n,
                                                           double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_laplace(double *out, const double *loss, size_t n,
                                                                double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_laplace(double *out, const double *loss, size_t n,
                                                               double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_gaussian(double *out, const double *loss, size_t n,
                                                             double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_gaussian(double *out, const double *loss, size_t n,
                                                            double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_gaussian(double *out, const double *loss, size_t n,
                                                                 double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_gaussian(double *out, const double *loss, size_t n,
                                                                double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_randomized_response(double *out, const double *loss, size_t n,
                                                                        double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_randomized_response(double *out, const double *loss, size_t n,
                                                                       double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_randomized_response(double *out, const double *loss, size_t n,
                                                                            double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_randomized_response(double *out, const double *loss, size_t n,
                                                                           double epsilon0, double leak);

/* mean and variance of the loss, given that it is finite; KL divergence (the mean; inf if the mechanism leaks), max
 * divergence, total variation (delta at epsilon = 0). One result per parameter: t, s, or epsilon0. Errors below
 * 1e-14 relative. */
typedef struct {
    double mean, variance;
    double kl, max_divergence, total_variation;
} simdp_loss_moments;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_laplace(simdp_loss_moments *out,
                                                                const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_gaussian(simdp_loss_moments *out,
                                                                 const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_randomized_response(simdp_loss_moments *out,
                                                                            const double *epsilon0, size_t n,
                                                                            double leak);

/* Probabilities that (leaky) randomized response keeps or flips the bit: (1-leak) e^epsilon/(1+e^epsilon),
 * (1-leak)/(1+e^epsilon). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_randomized_response_probabilities(double *keep, double *flip,
                                                                             const double *epsilon, size_t n,
                                                                             double leak);

/* Renyi divergence of order > 0, inf included (1: KL, inf: max divergence), parameters as for delta. Errors below
 * 1e-13 relative. For finite vectors 0 ln 0 = 0, and mass of p where q has none gives inf from order 1 on; 1e-13
 * relative or 1e-15 absolute. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_laplace(double *divergence, const double *order, size_t n,
                                                         double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_gaussian(double *divergence, const double *order, size_t n,
                                                          double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_randomized_response(double *divergence, const double *order, size_t n,
                                                                     double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_finite(double *divergence, const double *order, size_t n,
                                                        const double *p, const double *q, size_t size);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_laplace_each(double *divergence, const double *order,
                                                              const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_gaussian_each(double *divergence, const double *order,
                                                               const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_randomized_response_each(double *divergence, const double *order,
                                                                          const double *epsilon, size_t n);

/* Divergences of two vectors of `size` >= 1 finite masses >= 0, used as given. Entries with p = 0 do not enter max;
 * p > 0 = q gives inf. Errors below 1e-13 relative or 1e-15 absolute. simdp_delta_finite and simdp_renyi_finite have
 * the hockey stick and Renyi. */
typedef struct {
    double kl, kl_reverse, max, max_reverse, total_variation;
} simdp_divergences;
SIMDP_API SIMDP_CHECKED simdp_status simdp_divergences_finite(simdp_divergences *out, const double *p, const double *q,
                                                              size_t size);

/* Laws of the noise: P[X <= x], P[X > x], the logarithm of the density, and the quantile of p. Errors below 1e-14
 * relative (1e-15 absolute where the result passes 0). scale > 0 and finite; x any number, infinities included; 0 <=
 * p <= 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_laplace(double *cdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_laplace(double *sf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pdf_laplace(double *log_pdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_laplace(double *x, const double *p, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_gaussian(double *cdf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_gaussian(double *sf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pdf_gaussian(double *log_pdf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_gaussian(double *x, const double *p, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_gumbel(double *cdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_gumbel(double *sf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pdf_gumbel(double *log_pdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_gumbel(double *x, const double *p, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_exponential(double *cdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_exponential(double *sf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pdf_exponential(double *log_pdf, const double *x, size_t n,
                                                               double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_exponential(double *x, const double *p, size_t n, double scale);

/* The same on the integers: discrete Laplace, P[X = x] = tanh(1/(2 scale)) e^(-|x|/scale), and discrete Gaussian,
 * proportional to e^(-x^2/(2 sigma^2)). x any number: between integers the pmf is 0 and the cdf constant. The
 * quantile is the smallest integer with P[X <= x] >= p; -inf at p = 0, inf at p = 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pmf_discrete_laplace(double *pmf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pmf_discrete_laplace(double *log_pmf, const double *x, size_t n,
                                                                    double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_discrete_laplace(double *cdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_discrete_laplace(double *sf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_discrete_laplace(double *x, const double *p, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pmf_discrete_gaussian(double *pmf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pmf_discrete_gaussian(double *log_pmf, const double *x, size_t n,
                                                                     double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_cdf_discrete_gaussian(double *cdf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sf_discrete_gaussian(double *sf, const double *x, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_discrete_gaussian(double *x, const double *p, size_t n, double sigma);

#ifdef __cplusplus
}
#endif

#endif
