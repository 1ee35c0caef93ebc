#include "math/forms.h"

#include <math.h>

#include "noise/fp_mode.h"

static simdp_status check(const void *out, const void *x, size_t n)
{
    if (n == 0) return SIMDP_OK;
    if (out == NULL || x == NULL) return SIMDP_ENULL;
    return n > SIZE_MAX / sizeof(double) ? SIMDP_EPARAM : SIMDP_OK;
}

simdp_status simdp_forms_map(double *out, const double *x, size_t n, simdp_form f, const double *parameters)
{
    simdp_status status = check(out, x, n);
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        out[i] = f(x[i], parameters);
        if (isnan(out[i])) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_forms_map_each(double *out, const double *x, const double *first, const double *second, size_t n,
                                  simdp_form f)
{
    simdp_status status = check(out, x, n);
    if (status == SIMDP_OK) status = check(out, first, n);
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        const double parameters[] = {first[i], second != NULL ? second[i] : 0.0};
        out[i] = f(x[i], parameters);
        if (isnan(out[i])) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}
