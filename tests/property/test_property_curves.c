/* test_property_curves: curves, distributions and divergences in closed form against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"

/* ---- delta(epsilon) of Laplace noise: 1 - e^((epsilon - t)/2) below t ---- */

static void draw_epsilon_t(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_chance(r, 0.3) ? property_nudge(r, a[0]) : property_epsilon(r);
    if (a[1] < 0.0) a[1] = 0.0;
}

static simdp_status delta_laplace(double *out, const double *a) { return simdp_delta_laplace(out, &a[0], 1, a[1]); }

static void delta_laplace_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    mpfr_sub_d(out[0], out[0], a[1], MPFR_RNDN);
    mpfr_div_ui(out[0], out[0], 2, MPFR_RNDN);
    mpfr_expm1(out[0], out[0], MPFR_RNDN);
    mpfr_neg(out[0], out[0], MPFR_RNDN);
    if (a[0] >= a[1]) mpfr_set_ui(out[0], 0, MPFR_RNDN);
}

/* defect: the difference of e^epsilon and e^t, which cancels near t */
static simdp_status delta_laplace_cancelled(double *out, const double *a)
{
    out[0] = a[0] < a[1] ? 1.0 - exp((a[0] - a[1]) / 2.0) : 0.0;
    return SIMDP_OK;
}

static const property_row rows[] = {
    PROPERTY(delta_laplace, 2, 1, .draw = draw_epsilon_t, .rule = {NEAR(0x1p-50)}),
    {0},
};

static const property_planted planted[] = {
    {"1 - exp instead of expm1", "delta_laplace", delta_laplace_cancelled},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
