/* discrete_laplace.h: integers with the law P[x] = tanh(1/(2t)) e^(-|x|/t), exactly.
 *
 * The bits of an element, those of its word first, write in two's complement a real number V in [-1, 1). x has the sign
 * of V and |x| = floor(t E), E = -ln(|V| h), h = (1 + e^(-1/t)) / 2. For m >= 1, |x| >= m says that |V| <= e^(-m/t) /
 * h, which has the probability 2 e^(-m/t) / (1 + e^(-1/t)) of the law; zero is not met twice.
 *
 * That is the rounding of a release: of the answer -1/2 or, for negative V, 1/2, with the grid 1 and the noise +-t E.
 * So arithmetics, further words and radii are those of plan.h, with one more factor under the logarithm. */
#ifndef SIMDP_DISCRETE_LAPLACE_H
#define SIMDP_DISCRETE_LAPLACE_H

#include "math/wide.h"
#include "release/rounded/plan.h"

#define DISCRETE_LAPLACE_BLOCK 1024 /* elements of a block at most */

/* As simdp_release_scratch. */
typedef struct {
    _Alignas(64) double noise[DISCRETE_LAPLACE_BLOCK];
    _Alignas(64) double radius[DISCRETE_LAPLACE_BLOCK];
} simdp_discrete_scratch;

typedef struct {
    simdp_release_plan release; /* first: a pointer to it is one to the whole */
    double factor, factor_low;  /* h, within 2^-115 */
} simdp_discrete_laplace;

/* scale from 2^-10 to 2^40; shrink and least as for simdp_release_plan_forced, 1 and PRECISION_F64 for use */
void simdp_discrete_laplace_plan(simdp_discrete_laplace *plan, double scale, double shrink, int least,
                                 simdp_discrete_scratch *scratch);

/* h in 512 bits. */
simdp_wide simdp_discrete_laplace_factor(double scale);

#endif
