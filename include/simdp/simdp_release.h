/* simdp_release.h: noisy answers that are safe to publish. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RELEASE_H
#define SIMDP_RELEASE_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
