/* renyi.h: Renyi divergences of mechanisms, as scalars for the accountant. */
#ifndef SIMDP_RENYI_H
#define SIMDP_RENYI_H

/* Order alpha > 0, inf included; NaN outside the domain. 1e-14 relative. */
double simdp_renyi_of_laplace(double alpha, double sensitivity_over_scale);
double simdp_renyi_of_gaussian(double alpha, double sigma_over_sensitivity);
double simdp_renyi_of_randomized_response(double alpha, double epsilon);

#endif
