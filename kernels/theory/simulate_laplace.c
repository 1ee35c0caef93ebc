/* simulate_laplace.c: the simulation map from randomized response to a Laplace pair (004, exercise 3.2): its laws and
 * its sampler.
 *
 * F(.|1) is the mirror image of F(.|0) under z -> 1 - z. With h = (1 + e^-epsilon) / 2, F(.|0) has mass h below 0,
 * where it is an exponential law, and 1 - h between 0 and 1:
 *
 *              z <= 0                          0 < z < 1                                    z >= 1
 *   density    h epsilon e^(epsilon z)         epsilon sinh(epsilon (1-z)) / (e^epsilon - 1)      0
 *   cdf        h e^(epsilon z)                 1 - 2 sinh^2(epsilon (1-z) / 2) / (e^epsilon - 1)  1
 *
 * Written in e^-epsilon, nothing overflows. */
#include <string.h>

#include "call/forms.h"
#include "call/fp_mode.h"
#include "math/plain_math.h"
#include "theory/response.h"

#define EPSILON_MIN 0x1p-100
#define EPSILON_MAX 1400.0
#define BLOCK       256

/* density of F(.|0) at z */
static double density_zero(double z, double epsilon)
{
    if (z >= 1.0) return 0.0;
    if (z <= 0.0) return 0.5 * (1.0 + plain_exp(-epsilon)) * epsilon * plain_exp(epsilon * z);
    /* sinh(a) / (e^epsilon - 1) = (1 - e^-2a) e^(a - epsilon) / (2 (1 - e^-epsilon)), a - epsilon = -epsilon z */
    const double a = epsilon * (1.0 - z);
    return 0.5 * epsilon * plain_exp(-epsilon * z) * (plain_expm1(-2.0 * a) / plain_expm1(-epsilon));
}

/* P[Z > z], Z ~ F(.|0), for 0 < z < 1: (1 - e^-a)^2 e^(a - epsilon) / (2 (1 - e^-epsilon)) */
static double above_zero(double z, double epsilon)
{
    const double e = plain_expm1(-epsilon * (1.0 - z));
    return 0.5 * plain_exp(-epsilon * z) * (e * e / -plain_expm1(-epsilon));
}

static double below(double z, double epsilon) { return 0.5 * (1.0 + plain_exp(-epsilon)) * plain_exp(epsilon * z); }

static double cdf(double z, int bit, double epsilon)
{
    if (z != z) return z;
    if (bit == 0) return z <= 0.0 ? below(z, epsilon) : z >= 1.0 ? 1.0 : 1.0 - above_zero(z, epsilon);
    return z <= 0.0 ? 0.0 : z >= 1.0 ? 1.0 - below(1.0 - z, epsilon) : above_zero(1.0 - z, epsilon);
}

/* What the quantile needs of epsilon: the edge h between the two parts, sqrt((1 - e^-epsilon) / 2), e^(epsilon/2),
 * e^-epsilon. */
typedef struct {
    double epsilon, edge, half_root, grow, shrink;
} map_law;

static map_law law_of(double epsilon)
{
    const double e = plain_expm1(-epsilon);
    return (map_law){epsilon, 1.0 + 0.5 * e, sqrt(-0.5 * e), plain_exp(0.5 * epsilon), plain_exp(-epsilon)};
}

/* epsilon (1 - z) for the point z in (0, 1) with mass `above` of F(.|0) above it: 2 asinh sqrt(above (e^epsilon - 1) /
 * 2) */
static double from_right(double above, const map_law *law)
{
    return 2.0 * plain_asinh(sqrt(above) * law->half_root * law->grow);
}

/* z itself: 1 minus that, or, where that would cancel, -2 ln(r + sqrt(r^2 + e^-epsilon)) / epsilon, r = sqrt(above (1 -
 * e^-epsilon) / 2) */
static double from_left(double above, const map_law *law)
{
    if (law->epsilon < 1.0 || above == 0.0) return 1.0 - from_right(above, law) / law->epsilon;
    const double r = sqrt(above) * law->half_root;
    return -2.0 * plain_log(r + sqrt(r * r + law->shrink)) / law->epsilon;
}

/* ln(u / edge) for 0 <= u <= edge, 1/2 <= edge <= 1: a quotient of a subnormal u would have too few digits */
static double log_share(double u, double edge)
{
    return u < 0x1p-900 ? plain_log(u * 0x1p+200 / edge) - 0x1.1542457337d43p+7 : plain_log(u / edge); /* 200 ln 2 */
}

static double quantile(double u, int bit, const map_law *law)
{
    if (!(u >= 0.0 && u <= 1.0)) return NAN;
    if (bit == 0) {
        if (u <= law->edge) return log_share(u, law->edge) / law->epsilon;
        return from_left(1.0 - u, law);
    }
    if (u >= 1.0 - law->edge) return 1.0 - plain_log((1.0 - u) / law->edge) / law->epsilon;
    return from_right(u, law) / law->epsilon;
}

/* NaN where an argument is bad */
static double map_value(simdp_theory_map_form form, double x, int bit, double epsilon, const map_law *law)
{
    switch (form) {
    case SIMDP_THEORY_DENSITY: return x != x ? x : density_zero(bit == 0 ? x : 1.0 - x, epsilon);
    case SIMDP_THEORY_CDF: return cdf(x, bit, epsilon);
    case SIMDP_THEORY_QUANTILE: return quantile(x, bit, law);
    }
    return NAN;
}

simdp_status simdp_theory_laplace_map_law(double *out, const double *x, size_t n, simdp_theory_map_form form, int bit,
                                          double epsilon)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    const bool legal = (bit == 0 || bit == 1) && epsilon >= EPSILON_MIN && epsilon <= EPSILON_MAX;
    const map_law law = law_of(legal ? epsilon : 1.0);
    FORMS_EACH(n, form_is_number(out[i] = legal ? map_value(form, x[i], bit, epsilon, &law) : NAN), FORM_ARRAY(out),
               FORM_ARRAY(x));
}

/* Bit 0 gives x0 plus a step away from x1 (mass h) or a point between; bit 1 the same seen from x1. In units of scale,
 * so that epsilon may be 0: then h = 1, and fair bits give the two halves of one Laplace law. u is dense near 0, where
 * the tail is. */
static void map_block(double *out, const uint8_t *bits, const double *u, size_t n, const double x[2], double scale,
                      const map_law *law)
{
    for (size_t i = 0; i < n; i++) {
        const int bit = bits[i] != 0;
        const double near = x[bit], far = x[1 - bit];
        const int upward =
            bit == 0 ? x[1] >= x[0] : x[1] < x[0]; /* the other centre lies there (equal ones: bit 0 goes down) */
        if (u[i] <= law->edge) {
            const double away = scale * -plain_log(u[i] / law->edge);
            out[i] = upward ? near - away : near + away;
        } else {
            const double share = from_right(1.0 - u[i], law) / law->epsilon; /* of the way from far to near */
            out[i] = far + (near - far) * share;
        }
    }
}

simdp_status simdp_theory_laplace_map(simdp_rng *rng, double *out, const uint8_t *bits, size_t n, double x0, double x1,
                                      double scale)
{
    double u[BLOCK];
    if (rng == NULL || (n > 0 && (out == NULL || bits == NULL))) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(x0);
    FP_PIN(x1);
    FP_PIN(scale);
    if (!(scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX) || !(x0 - x0 == 0.0) || !(x1 - x1 == 0.0))
        return SIMDP_EPARAM;
    const uint64_t position = simdp_rng_position(rng);
    const double x[2] = {x0, x1}, epsilon = fabs(x1 - x0) / scale;
    simdp_status status = SIMDP_OK;
    if (!(epsilon <= EPSILON_MAX) || n > SIZE_MAX / sizeof *out || n > UINT64_MAX - simdp_rng_position(rng))
        status = SIMDP_EPARAM;
    const map_law law = law_of(status == SIMDP_OK ? epsilon : 1.0);
    for (size_t done = 0, count; status == SIMDP_OK && done < n; done += count) {
        count = n - done < BLOCK ? n - done : BLOCK;
        status = simdp_noise_uniform_f64(rng, u, count);
        if (status == SIMDP_OK) map_block(out + done, bits + done, u, count, x, scale, &law);
        else if (simdp_stream_spoils(status, done)) memset(out, 0xff, n * sizeof *out);
    }
    return simdp_stream_back(rng, position, status);
}
