/* root.c: see root.h. */
#include "math/root.h"

#include <math.h>
#include <stddef.h>

double simdp_root_increasing(simdp_root_function f, const void *context, double low, double high, double start,
                             double *slope)
{
    double x = start > low && start < high ? start : 0.5 * low + 0.5 * high;
    double last_step = high - low;
    /* bound: 300 turns; halving a bracket takes fewer than 64 once its ends have the same exponent */
    for (int i = 0; i < 300; i++) {
        const simdp_root_point p = f(x, context);
        if (slope != NULL) *slope = p.slope;
        if (p.value == 0.0) return x;
        if (p.value < 0.0) low = x;
        else high = x;
        const double newton = p.value / p.slope, bend = 1.0 - 0.5 * newton * p.curvature / p.slope;
        double next = x - (bend > 0.5 ? newton / bend : newton);
        /* steps must shrink, or the bracket does; steps that do not and are tiny are noise */
        if (fabs(next - x) > 0.5 * last_step && fabs(next - x) <= 0x1p-50 * fabs(x)) return x;
        if (!(next > low && next < high) || fabs(next - x) > 0.5 * last_step) next = 0.5 * low + 0.5 * high;
        last_step = fabs(next - x);
        if (last_step <= 0x1p-53 * fabs(x) || !(next > low && next < high)) return next;
        x = next;
    }
    return x;
}
