/* calibrate_discrete.c: exact calibration of discrete Laplace and discrete Gaussian noise: the curves of loss/curve.h
 * rounded upward, and searches on them. A search walks the doubles by halves and keeps an end that holds the promise,
 * so what it returns holds it, whatever the shape of the curve. */
#include "account/calibrate.h"

#include <string.h>

#include "loss/curve.h"
#include "math/outward.h"
#include "math/scalar_dd.h"

#define LEAST 0x1p-1074 /* the least positive double */

/* What both laws differ in. p: the scale, then the whole sensitivity in two doubles. */
typedef struct {
    simdp_form delta, log_delta;
    double error; /* of delta, relative */
} discrete_curve;

static const discrete_curve laplace = {simdp_curve_discrete_laplace_delta, simdp_curve_discrete_laplace_log_delta,
                                       1.1e-14},
                            gaussian = {simdp_curve_discrete_gaussian_delta, simdp_curve_discrete_gaussian_log_delta,
                                        1.1e-13};

static const discrete_curve *curve_of(simdp_mechanism mechanism)
{
    return mechanism == SIMDP_MECHANISM_DISCRETE_LAPLACE ? &laplace : &gaussian;
}

/* The curve of a discrete Gaussian is that of an epsilon up to 2^-90 of it away: the double below it is farther. */
static double delta_up(const discrete_curve *curve, double epsilon, const double *p)
{
    if (curve == &gaussian) epsilon = outward_previous(epsilon);
    const double delta = curve->delta(epsilon, p);
    if (isnan(delta)) return NAN;
    if (delta == 0.0) return curve->log_delta(epsilon, p) == -INFINITY ? 0.0 : LEAST;
    return outward_up_probability(delta, curve->error * delta + 2.0 * LEAST);
}

double simdp_calibrate_discrete_delta(simdp_mechanism mechanism, double epsilon, const double *p)
{
    return is_epsilon(epsilon) ? delta_up(curve_of(mechanism), epsilon, p) : NAN;
}

/* ---- searches ---- */

typedef struct {
    const discrete_curve *curve;
    double epsilon, delta;
    const double *p;
} promise;

typedef bool holds_function(double x, const promise *wanted);

static bool epsilon_holds(double epsilon, const promise *wanted)
{
    return delta_up(wanted->curve, epsilon, wanted->p) <= wanted->delta;
}

static bool scale_holds(double scale, const promise *wanted)
{
    return delta_up(wanted->curve, wanted->epsilon, (const double[]){scale, wanted->p[1], wanted->p[2]}) <=
           wanted->delta;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A double at which the promise holds, while it does not at the one before; `fails` >= 0 is a double where it does not.
 * The bits of positive doubles are ordered as the doubles are. Bound: 1100 doublings, 64 halvings. */
static double least_that_holds(holds_function *holds, double fails, double guess, const promise *wanted)
{
    while (!holds(guess, wanted)) {
        fails = guess;
        guess *= 2.0;
        if (isinf(guess)) return guess;
    }
    uint64_t low = bits_of(fails), high = bits_of(guess);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (holds(double_of(middle), wanted)) high = middle;
        else low = middle;
    }
    return double_of(high);
}

static bool is_discrete(const double *p) { return p[0] > 0.0 && p[0] < INFINITY && p[1] >= 0.0; }

/* Discrete Laplace noise has no loss above sensitivity/scale; the far tail of a Gaussian is at delta = 0 only. */
double simdp_calibrate_discrete_epsilon(simdp_mechanism mechanism, double delta, const double *p)
{
    const promise wanted = {.curve = curve_of(mechanism), .delta = delta, .p = p};
    if (!is_probability(delta) || !is_discrete(p)) return NAN;
    if (epsilon_holds(0.0, &wanted)) return 0.0;
    if (delta == 0.0) return wanted.curve == &laplace ? div_up(add_up(p[1], p[2]), p[0]) : INFINITY;
    return least_that_holds(epsilon_holds, 0.0, 1.0, &wanted);
}

double simdp_calibrate_discrete_scale(simdp_mechanism mechanism, double epsilon, double delta, const double *p)
{
    const promise wanted = {.curve = curve_of(mechanism), .epsilon = epsilon, .delta = delta, .p = p};
    if (!is_epsilon(epsilon) || !is_probability(delta) || !(p[1] >= 0.0)) return NAN;
    if (isinf(epsilon) || delta == 1.0 || p[1] == 0.0) return 0.0;
    if (delta == 0.0) return wanted.curve == &laplace ? div_up(add_up(p[1], p[2]), epsilon) : INFINITY;
    if (scale_holds(LEAST, &wanted)) return LEAST;
    return least_that_holds(scale_holds, LEAST, 1.0, &wanted);
}
