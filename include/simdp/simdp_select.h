/* simdp_select.h: choosing one of many candidates: the exponential mechanism. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_SELECT_H
#define SIMDP_SELECT_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
