/* simdp_loss.h: privacy loss of outputs, its statistics, and privacy curves in closed form. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_LOSS_H
#define SIMDP_LOSS_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
