/* typical.h: pieces of the typical-stability theorems that several files need. */
#ifndef SIMDP_TYPICAL_H
#define SIMDP_TYPICAL_H

#include "account/account.h"
#include "math/ball.h"

/* ln sum_{t=1}^{n} e^(c sqrt t + d t), c, d >= 0, n >= 1. Constant time for large n. */
ball simdp_typical_log_sum(ball c, ball d, int64_t n);

/* One request of 003 T4.2; all members NaN outside its domain. Rounded outward. */
simdp_theory_stability_composed simdp_typical_compose_pure(const simdp_theory_stability_steps *s);

#endif
