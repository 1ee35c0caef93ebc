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

/* 0 where the rest is rounding: of the curve, or of its argument */
static simdp_root_point shortfall(double epsilon, const void *context)
{
    const search *s = context;
    const inverse_point p = s->curve(epsilon, s->context);
    const double value = s->log_target - p.log_delta, noise = 0.1 * p.error + U * p.slope * epsilon;
    return (simdp_root_point){fabs(value) < noise ? 0.0 : value, p.slope, p.curvature};
}

double simdp_inverse_epsilon(inverse_curve curve, const void *context, double log_target, double most, double guess)
{
    const search s = {curve, context, log_target};
    if (isinf(most)) return most;   /* so is the result: delta falls within some ten nats of the last loss */
    double epsilon = simdp_root_increasing(shortfall, &s, 0.0, most, guess, NULL), factor = 1.1;
    /* The root is where the curve meets the target but for noise: go up by the error and see. Beyond a bend the slope is
     * smaller and the first step too short. Bound: 1100 turns, as a step doubles. */
    inverse_point p = curve(epsilon, context);
    for (; epsilon < most; factor *= 2.0) {
        const double step = fmax(factor * p.error / p.slope, factor * U * epsilon);
        if (!(step > 0.0)) return most;
        epsilon = outward_up(epsilon, step);
        p = curve(epsilon, context);
        if (outward_up(p.log_delta, p.error) <= log_target) return fmin(epsilon, most);
    }
    return most;
}
