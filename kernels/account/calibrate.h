/* calibrate.h: one number at a time, for the other files of account. NaN outside the domain; rounded outward. */
#ifndef SIMDP_CALIBRATE_H
#define SIMDP_CALIBRATE_H

#include "account/account.h"

double simdp_calibrate_gaussian_epsilon(double delta, double sigma_over_sensitivity);
double simdp_calibrate_gaussian_sigma(double epsilon, double delta);   /* over sensitivity */

#endif
