/* renyi_account.h: Renyi bounds as scalars, for the comparison of bounds. NaN outside the domain; rounded outward. */
#ifndef SIMDP_RENYI_ACCOUNT_H
#define SIMDP_RENYI_ACCOUNT_H

#include "account/account.h"

simdp_account_renyi_optimum simdp_renyi_minimise(const simdp_account_renyi_step *steps, size_t count, double delta);
simdp_account_zcdp_bound simdp_zcdp_convert(double rho, double delta);

#endif
