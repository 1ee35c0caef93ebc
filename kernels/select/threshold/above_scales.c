/* above_scales.c: how an epsilon is split between a noisy threshold and the queries that are compared with it. */
#include <math.h>

#include "call/fp_mode.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "simdp/simdp.h"

/* Any split keeps the promise as long as e1 + e2 <= epsilon, so only these two are rounded with care. */
simdp_status simdp_select_threshold_scales(double *scale_threshold, double *scale_query, double epsilon,
                                           double sensitivity, uint64_t reports, int monotonic)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(sensitivity);
    if (scale_threshold == NULL || scale_query == NULL) return SIMDP_ENULL;
    *scale_threshold = *scale_query = NAN;
    if (!(epsilon > 0) || isinf(epsilon) || !(sensitivity > 0) || isinf(sensitivity) || reports == 0)
        return SIMDP_EPARAM;
    const double count = reports >> 53 == 0 ? (double)reports : outward_next((double)reports),
                 shares = monotonic ? count : 2 * count;
    const double first = epsilon / (1 + plain_pow(shares, 2.0 / 3.0)), second = outward_down(epsilon, first);
    *scale_threshold = div_up(sensitivity, first);
    *scale_query = times_up(shares, div_up(sensitivity, second));
    return SIMDP_OK;
}
