/* sampled_curve.c: privacy curves of one step behind Poisson sampling with rate q. With D the curve of the mechanism
 * itself, r = (e^epsilon - 1)/q and g = 1 - (1 - q) r,
 *     a record is removed: delta = q D(ln(1 + r));     added: delta = q g D(epsilon - ln g), 0 where g <= 0.
 * The inner epsilon is known in double-doubles, because D multiplies its error by ln(1/delta). */
#include "call/forms.h"
#include "loss/curve.h"
#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "math/special.h"

/* delta = rate share D(epsilon) */
typedef struct {
    dd epsilon;
    double share, log_share;
} inner_point;

static const inner_point nothing = {{INFINITY, 0}, 0, -INFINITY};

#define LN2 ((dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56})

static dd log_of(double x)
{
    if (x > 0x1p-900) return dd_log(dd_of(x));
    return dd_sub(dd_log(dd_of(x * 0x1p200)), dd_mul_d(LN2, 200)); /* may be subnormal */
}

/* e^epsilon - 1 and q, both times 2^512 where they are small. */
static dd ratio_parts(double epsilon, double *q)
{
    if (*q < 0x1p-400 && epsilon < 0x1p-300) {
        *q *= 0x1p512;
        return dd_of(epsilon * 0x1p512);
    }
    return dd_expm1(dd_of(epsilon));
}

static inner_point removed(double epsilon, double q)
{
    if (q == 1) return (inner_point){dd_of(epsilon), 1, 0};
    if (epsilon > 600) return (inner_point){dd_sub(dd_of(epsilon), log_of(q)), 1, 0};
    double scaled = q;
    const dd above = ratio_parts(epsilon, &scaled);
    if (above.hi > 0x1p60 * scaled) {
        const dd difference = dd_sub(scaled == q ? dd_log(above) : log_of(epsilon), log_of(q));
        return (inner_point){dd_add_d(difference, scaled / above.hi), 1, 0};
    }
    return (inner_point){dd_log1p(dd_div(above, dd_of(scaled))), 1, 0};
}

static inner_point added(double epsilon, double q)
{
    if (q == 1) return (inner_point){dd_of(epsilon), 1, 0};
    double scaled = q;
    if (epsilon > 600) return nothing;
    const dd above = ratio_parts(epsilon, &scaled);
    if (above.hi > 0x1p60 * scaled) return nothing;
    const dd lost = dd_mul(dd_two_sum(1, -q), dd_div(above, dd_of(scaled)));
    if (!(lost.hi < 1)) return nothing;
    const dd log_share = dd_log1p(dd_neg(lost));
    if (!(log_share.hi > -INFINITY)) return nothing;
    return (inner_point){dd_sub(dd_of(epsilon), log_share), dd_double(dd_sub(dd_of(1), lost)), dd_double(log_share)};
}

/* ---- the two laws: delta, and its logarithm, of an inner epsilon ---- */

typedef struct {
    double delta, log_delta;
} curve_point;

typedef curve_point curve_function(dd epsilon, double parameter);

static curve_point gaussian(dd epsilon, double s)
{
    const gaussian_point p = simdp_curve_gaussian(epsilon.hi, s);
    const double more = epsilon.lo == 0 ? 0 : p.slope_epsilon * epsilon.lo;
    if (!(fabs(more) < 1) && !(fabs(more) < 0x1p-40 * fabs(p.log_delta))) return (curve_point){p.delta, p.log_delta};
    return (curve_point){p.delta == 0 ? 0 : p.delta * (1 + more), p.log_delta + more};
}

static curve_point laplace(dd epsilon, double t)
{
    if (isinf(t)) return (curve_point){1, 0};
    if (!(epsilon.hi < INFINITY)) return (curve_point){0, -INFINITY};
    const dd difference = dd_sub(dd_of(t), epsilon);
    const double x = 0.5 * dd_double(difference);
    if (!(x > 0)) return (curve_point){0, -INFINITY};
    return (curve_point){-plain_expm1(-x), x < 0x1p-60       ? plain_log(x)
                                           : x < SPECIAL_LN2 ? simdp_special_log1mexp(x)
                                                             : plain_log1p(-plain_exp(-x))};
}

static double direction_of(curve_function *curve, double epsilon, double parameter, double q, bool add, bool logarithm)
{
    const inner_point inner = add ? added(epsilon, q) : removed(epsilon, q);
    if (!(inner.share > 0)) return logarithm ? -INFINITY : 0;
    const curve_point p = curve(inner.epsilon, parameter);
    if (logarithm) return fmin(0, plain_log(q) + inner.log_share + p.log_delta);
    return fmin(1, q * inner.share * p.delta);
}

typedef struct {
    curve_function *curve;
    double parameter, q;
    simdp_loss_direction direction;
    bool logarithm;
} sampled_query;

static double sampled(const sampled_query *s, double epsilon)
{
    const bool good = epsilon >= 0 && s->parameter >= 0 && s->q >= 0 && s->q <= 1 && (unsigned)s->direction < 3;
    if (!good) return NAN;
    if (s->q == 0 || isinf(epsilon)) return s->logarithm ? -INFINITY : 0;
    const double remove = direction_of(s->curve, epsilon, s->parameter, s->q, false, s->logarithm);
    if (s->direction == SIMDP_LOSS_REMOVE) return remove;
    const double add = direction_of(s->curve, epsilon, s->parameter, s->q, true, s->logarithm);
    return s->direction == SIMDP_LOSS_ADD ? add : fmax(remove, add);
}

static simdp_status fill(double *out, const double *epsilon, size_t n, sampled_query query)
{
    FP_MODE_SCOPE();
    FP_PIN(query.parameter);
    FP_PIN(query.q);
    FORMS_EACH(n, form_is_number(out[i] = sampled(&query, epsilon[i])), FORM_ARRAY(out), FORM_ARRAY(epsilon));
}

simdp_status simdp_delta_gaussian_sampled(double *delta, const double *epsilon, size_t n, double sigma_over_sensitivity,
                                          double rate, simdp_loss_direction direction)
{
    return fill(delta, epsilon, n, (sampled_query){gaussian, sigma_over_sensitivity, rate, direction, false});
}

simdp_status simdp_delta_laplace_sampled(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale,
                                         double rate, simdp_loss_direction direction)
{
    return fill(delta, epsilon, n, (sampled_query){laplace, sensitivity_over_scale, rate, direction, false});
}

simdp_status simdp_loss_log_delta_gaussian_sampled(double *log_delta, const double *epsilon, size_t n,
                                                   double sigma_over_sensitivity, double rate,
                                                   simdp_loss_direction direction)
{
    return fill(log_delta, epsilon, n, (sampled_query){gaussian, sigma_over_sensitivity, rate, direction, true});
}

simdp_status simdp_loss_log_delta_laplace_sampled(double *log_delta, const double *epsilon, size_t n,
                                                  double sensitivity_over_scale, double rate,
                                                  simdp_loss_direction direction)
{
    return fill(log_delta, epsilon, n, (sampled_query){laplace, sensitivity_over_scale, rate, direction, true});
}
