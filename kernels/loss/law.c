#include "loss/law.h"

#include "math/scalar_dd.h"

/* An int64_t in two doubles. */
static dd two_doubles(int64_t x) { return dd_two_sum((double)(x >> 32) * 0x1p+32, (double)(x & 0xffffffff)); }

loss_parameters simdp_loss_parameters(const simdp_law *law)
{
    loss_parameters p = {{law->parameter, 0.0, 0.0}};
    if (law->mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE) p.parameter[1] = law->leak;
    if (law->mechanism == SIMDP_MECHANISM_DISCRETE_LAPLACE || law->mechanism == SIMDP_MECHANISM_DISCRETE_GAUSSIAN) {
        const dd sensitivity = two_doubles(law->sensitivity);
        p.parameter[1] = sensitivity.hi, p.parameter[2] = sensitivity.lo;
    }
    return p;
}

static double unknown(double x, const double *parameters)
{
    (void)x, (void)parameters;
    return NAN;
}

static simdp_form form_of(const loss_forms forms, simdp_mechanism mechanism)
{
    return (unsigned)mechanism < LOSS_LAWS && forms[mechanism] != NULL ? forms[mechanism] : unknown;
}

simdp_status simdp_loss_map(double *out, const double *x, size_t n, const loss_forms forms, simdp_law law)
{
    FP_MODE_SCOPE();
    FP_PIN(law);
    const loss_parameters p = simdp_loss_parameters(&law);
    return simdp_forms_map(out, x, n, form_of(forms, law.mechanism), p.parameter);
}

static double at_parameter(simdp_form form, double x, loss_parameters p, double parameter)
{
    p.parameter[0] = parameter;
    return form(x, p.parameter);
}

simdp_status simdp_loss_map_each(double *out, const double *x, const double *parameter, size_t n,
                                 const loss_forms forms, simdp_law law)
{
    FP_MODE_SCOPE();
    FP_PIN(law);
    const loss_parameters p = simdp_loss_parameters(&law);
    const simdp_form form = form_of(forms, law.mechanism);
    FORMS_EACH(n, form_is_number(out[i] = at_parameter(form, x[i], p, parameter[i])), FORM_ARRAY(out), FORM_ARRAY(x),
               FORM_ARRAY(parameter));
}
