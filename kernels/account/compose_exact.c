/* compose_exact.c: the exact cost of k uses of one mechanism, for arrays of epsilons or deltas. */
#include "account/compose_exact.h"

#include "call/forms.h"

typedef double optimal_form(double x, simdp_privacy step, int64_t k);
typedef double laplace_form(double x, double t, int64_t k);

/* The number at x of the law's curve; NaN also for a law that has none here. */
static double value_of(double x, const simdp_law *law, int64_t k, optimal_form *of_response, laplace_form *of_laplace)
{
    switch (law->mechanism) {
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: return of_response(x, (simdp_privacy){law->parameter, law->leak}, k);
    case SIMDP_MECHANISM_LAPLACE: return of_laplace(x, law->parameter, k);
    default: return NAN;
    }
}

static simdp_status sweep(double *out, const double *x, size_t n, const simdp_law *law, int64_t k,
                          optimal_form *of_response, laplace_form *of_laplace)
{
    FORMS_EACH(n, form_is_number(out[i] = value_of(x[i], law, k, of_response, of_laplace)), FORM_ARRAY(out),
               FORM_ARRAY(x));
}

simdp_status simdp_account_exact_delta(double *delta, const double *epsilon, size_t n, simdp_law law, int64_t k)
{
    return sweep(delta, epsilon, n, &law, k, simdp_optimal_delta, simdp_laplace_delta);
}

simdp_status simdp_account_exact_log_delta(double *log_delta, const double *epsilon, size_t n, simdp_law law, int64_t k)
{
    return sweep(log_delta, epsilon, n, &law, k, simdp_optimal_log_delta, simdp_laplace_log_delta);
}

simdp_status simdp_account_exact_epsilon(double *epsilon, const double *delta, size_t n, simdp_law law, int64_t k)
{
    return sweep(epsilon, delta, n, &law, k, simdp_optimal_epsilon, simdp_laplace_epsilon);
}
