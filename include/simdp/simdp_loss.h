/* simdp_loss.h: privacy loss of outputs, its statistics, and privacy curves in closed form. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_LOSS_H
#define SIMDP_LOSS_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- closed forms -------------------------------------------------------------------------------------------------------
 *
 * Scalar C on libm, batched over arrays: an array argument first, its parameters as scalars; where parameters are swept, a twin
 * whose name ends in _each takes one parameter per element. Outputs may be the inputs. Results are rounded to nearest (the bounds
 * of simdp_account.h round outward), the last digits may differ between C libraries. Units: nats. Sensitivity and scale enter
 * as their ratio.
 *
 * Bad input. A NaN element or one outside the stated domain gives NaN in that place, the other elements are right, and the call
 * returns SIMDP_EPARAM. A bad scalar parameter makes all outputs NaN. NULL with n > 0: SIMDP_ENULL, nothing written. For legal
 * input no result is NaN, none is negative that cannot be, no probability exceeds 1; overflow is inf. */

/* Laws of the noise: P[X <= x], P[X > x], the logarithm of the density, and the quantile of p. Errors below 1e-14 relative
 * (1e-15 absolute where the result passes 0). scale > 0 and finite; x any number, infinities included; 0 <= p <= 1. */
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
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_pdf_exponential(double *log_pdf, const double *x, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_ppf_exponential(double *x, const double *p, size_t n, double scale);

#ifdef __cplusplus
}
#endif

#endif
