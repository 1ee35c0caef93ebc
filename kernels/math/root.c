#include "math/root.h"

#include <math.h>

double simdp_root_increasing(simdp_root_function f, const void *context, double low, double high, double start)
{
    double x = start > low && start < high ? start : 0.5 * low + 0.5 * high;
    double last_step = high - low;
    for (int i = 0; i < 300; i++) {
        double slope;
        const double value = f(x, &slope, context);
        if (value == 0.0) return x;
        if (value < 0.0) low = x;
        else high = x;
        double next = x - value / slope;
        /* steps must shrink, or the bracket does */
        if (!(next > low && next < high) || fabs(next - x) > 0.5 * last_step) next = 0.5 * low + 0.5 * high;
        last_step = fabs(next - x);
        if (last_step <= 0x1p-53 * fabs(x) || !(next > low && next < high)) return next;
        x = next;
    }
    return x;
}
