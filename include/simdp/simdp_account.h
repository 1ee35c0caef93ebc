/* simdp_account.h: composition, calibration, bounds, privacy-loss distributions, and the interactions they speak of. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_ACCOUNT_H
#define SIMDP_ACCOUNT_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
