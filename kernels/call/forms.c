/* forms.c: see forms.h. */
#include "call/forms.h"

simdp_status simdp_forms_gate(const form_array *arrays, size_t count, size_t n)
{
    simdp_status status = SIMDP_OK;
    if (n == 0) return SIMDP_OK;
    for (size_t j = 0; j < count; j++) {
        if (arrays[j].at == NULL) return SIMDP_ENULL;
        if (n > SIZE_MAX / arrays[j].size) status = SIMDP_EPARAM;
    }
    return status;
}

simdp_status simdp_forms_map(double *out, const double *x, size_t n, simdp_form f, const double *parameters)
{
    FORMS_EACH(n, form_is_number(out[i] = f(x[i], parameters)), FORM_ARRAY(out), FORM_ARRAY(x));
}

simdp_status simdp_forms_map_each(double *out, const double *x, const double *first, size_t n, simdp_form f)
{
    FORMS_EACH(n, form_is_number(out[i] = f(x[i], &first[i])), FORM_ARRAY(out), FORM_ARRAY(x), FORM_ARRAY(first));
}

simdp_status simdp_forms_map_pairs(double *out, const double *x, const double *first, const double *second, size_t n,
                                   simdp_form f)
{
    FORMS_EACH(n, form_is_number(out[i] = f(x[i], (const double[]){first[i], second[i]})), FORM_ARRAY(out),
               FORM_ARRAY(x), FORM_ARRAY(first), FORM_ARRAY(second));
}
