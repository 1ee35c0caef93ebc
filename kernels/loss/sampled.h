/* sampled.h: moments of mechanisms behind Poisson sampling, as scalars for the accountant.
 *
 * l is the loss of the mechanism without sampling, M1 against M0, and L = ln(1 - q + q e^l) the loss of the sampled one
 * when a record is removed, P = (1 - q) M0 + q M1 against Q = M0. Every moment of either direction is one of
 * G(c) = ln E[e^(c L)], l drawn from M0: E_P[e^(u L)] = e^G(1 + u), and when a record is added E_Q[e^(-u L)] = e^G(-u).
 * G(0) = G(1) = 0; G is convex. */
#ifndef SIMDP_SAMPLED_H
#define SIMDP_SAMPLED_H

/* Losses of Gaussian noise are N(-mu^2/2, mu^2), 0 <= mu <= SAMPLED_MU_MOST; |c| <= SAMPLED_ORDER_MOST; q in [0, 1].
 * Relative error 1e-13. */
#define SAMPLED_MU_MOST    64.0
#define SAMPLED_ORDER_MOST 0x1p24
double simdp_sampled_gaussian_moment(double c, double mu, double q);

/* Laplace noise, t = sensitivity/scale, 0 <= t <= SAMPLED_T_MOST. */
#define SAMPLED_T_MOST 500.0
double simdp_sampled_laplace_moment(double c, double t, double q);

/* L at l, also where e^l overflows; and l at L > ln(1 - q). */
double simdp_sampled_loss(double l, double q);
double simdp_sampled_inner_loss(double loss, double q);

/* The Renyi divergence of order alpha > 0 of the mixture from M0. */
double simdp_renyi_of_gaussian_sampled(double alpha, double mu, double q);

#endif
