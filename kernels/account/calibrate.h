/* calibrate.h: one number at a time, for the other files of account. NaN outside the domain; rounded outward. */
#ifndef SIMDP_CALIBRATE_H
#define SIMDP_CALIBRATE_H

#include "account/account.h"

/* sigma/sensitivity = s 2^exponent: quotients that leave the range of doubles are legal on the way to a result */
typedef struct {
    double s;
    int exponent;
} gaussian_noise;

gaussian_noise simdp_calibrate_gaussian_noise(double epsilon, double delta);
double simdp_calibrate_gaussian_epsilon_of(double delta, gaussian_noise noise);

double simdp_calibrate_gaussian_delta(double epsilon, double sigma_over_sensitivity);
double simdp_calibrate_gaussian_epsilon(double delta, double sigma_over_sensitivity);
double simdp_calibrate_gaussian_sigma(double epsilon, double delta); /* over sensitivity */

/* Discrete Laplace and Gaussian noise. p: the scale, then the whole sensitivity in two doubles; of a scale that is
 * looked for p[0] is not read. */
double simdp_calibrate_discrete_delta(simdp_mechanism mechanism, double epsilon, const double *p);
double simdp_calibrate_discrete_epsilon(simdp_mechanism mechanism, double delta, const double *p);
double simdp_calibrate_discrete_scale(simdp_mechanism mechanism, double epsilon, double delta, const double *p);

/* The least noise, in answer units, that makes answers of this sensitivity (epsilon, delta)-private: the scale of
 * Laplace noise, the sigma of Gaussian noise. 0 for sensitivity 0; inf if it is beyond the largest double. */
double simdp_calibrate_laplace_for(double sensitivity, double epsilon, double delta);
double simdp_calibrate_gaussian_for(double sensitivity, double epsilon, double delta);

#endif
