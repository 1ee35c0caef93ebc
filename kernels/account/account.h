/* account.h: what the files of account share: domains of arguments. */
#ifndef SIMDP_ACCOUNT_INTERNAL_H
#define SIMDP_ACCOUNT_INTERNAL_H

#include <math.h>
#include <stdbool.h>

#include "call/fp_mode.h"
#include "simdp/simdp.h"

static inline bool is_epsilon(double epsilon) { return epsilon >= 0.0; }
static inline bool is_probability(double p) { return p >= 0.0 && p <= 1.0; }

#endif
