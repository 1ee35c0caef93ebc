/* inverse.c: see inverse.h. */
#include "account/inverse.h"

#include <math.h>
#include <stddef.h>

#include "math/outward.h"
#include "math/root.h"

#define U 0x1p-53

typedef struct {
    inverse_curve curve;
    const void *context;
    double log_target;
} search;

/* The curve a quarter more than its error too high, so that its root lies on the safe side; 0 where the rest is
 * rounding of the curve or of its argument. */
static simdp_root_point shortfall(double epsilon, const void *context)
{
    const search *s = context;
    const inverse_point p = s->curve(epsilon, s->context);
    const double value = s->log_target - (p.log_delta + 1.25 * p.error), noise = 0.2 * p.error + U * p.slope * epsilon;
    return (simdp_root_point){fabs(value) < noise ? 0.0 : value, p.slope, p.curvature};
}

double simdp_inverse_epsilon(inverse_curve curve, const void *context, double log_target, double most, double guess)
{
    const search s = {curve, context, log_target};
    if (isinf(most)) return most; /* so is the result: delta falls within some ten nats of the last loss */
    double epsilon = simdp_root_increasing(shortfall, &s, 0.0, most, guess, NULL);
    /* Where it does not hold, because an ulp of epsilon matters or the root was left early, a little more does. Bound:
     * 1100 turns, as a step doubles. */
    for (double factor = 0.25; epsilon < most; factor *= 2.0) {
        const inverse_point p = curve(epsilon, context);
        if (outward_up(p.log_delta, p.error) <= log_target) return epsilon;
        epsilon = outward_up(epsilon, fmax(factor * p.error / p.slope, factor * 4.0 * U * epsilon));
    }
    return most;
}
