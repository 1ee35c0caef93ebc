/* compose_laplace.c: the exact privacy curve of k Laplace mechanisms with equal shift t = sensitivity/scale.
 *
 *   delta(epsilon) = 2^(1-k) sum_r C(k,r) sum_i K_r(i) e^(-i t) g_r(y_i),   y_i = ((k-2i) t - epsilon)/2 > 0,
 *   K_r(i) = coefficient of z^i in (1+z)^(k-r) (1-z)^r,   g_r(y) = P[N > r, N - r odd],  N Poisson(y).
 * Origin: under the measure e^(-L/2) dP a step is e^(-t/2) times (1/2 at +-t, density 1/4 between), so sums of
 * losses are mixtures of shifted sums of uniforms, and E[(e^(S/2) - e^(epsilon - S/2))+] is a finite difference of
 * iterated integrals of sinh.
 *
 * Terms alternate, but their sum is at least a 400th of their absolute sum for k <= 120, whatever t and epsilon are;
 * the absolute sum is kept, so the result knows its error. Time and O(k) memory on the stack: O(k^2) operations. */
#include "account/account.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

enum { STEPS_MAX = 500, SHIFTS_MAX = STEPS_MAX / 2 + 1, LIMBS_MAX = 8 };

/* A whole number in two's complement, lowest limb first. |K_r(i)| <= C(k,i) < 2^k, and rows follow from each other
 * by additions alone: exact, where rounding would destroy the small entries between large ones. */
typedef struct {
    uint64_t limb[LIMBS_MAX];
} whole;

static void whole_add(whole *a, const whole *b, int limbs)
{
    uint64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        const uint64_t once = a->limb[i] + b->limb[i], twice = once + carry;
        carry = (once < b->limb[i]) | (twice < once);
        a->limb[i] = twice;
    }
}

static void whole_subtract(whole *a, const whole *b, int limbs)
{
    uint64_t borrow = 0;
    for (int i = 0; i < limbs; i++) {
        const uint64_t once = a->limb[i] - b->limb[i], twice = once - borrow;
        borrow = (a->limb[i] < b->limb[i]) | (once < borrow);
        a->limb[i] = twice;
    }
}

static double whole_value(const whole *a, int limbs)
{
    whole size = {{0}};
    const bool negative = a->limb[limbs - 1] >> 63;
    if (negative) whole_subtract(&size, a, limbs);
    else size = *a;
    int top = limbs - 1;
    while (top > 0 && size.limb[top] == 0) top--;
    double value = (double)size.limb[top];
    if (top > 0) value = ldexp(value * 0x1p64 + (double)size.limb[top - 1], 64 * (top - 1));
    return negative ? -value : value;
}

/* An unevaluated sum: 106 bits. */
typedef struct {
    double high, low;
} pair;

/* a m/n */
static pair pair_scale(pair a, double m, double n)
{
    const double product = a.high * m, low = fma(a.high, m, -product) + a.low * m;
    const double quotient = product / n, rest = (fma(-quotient, n, product) + low) / n;
    const double high = quotient + rest;
    return (pair){high, rest - (high - quotient)};
}

/* One shift i: Poisson quantities at y_i, walked upward in r from 0 if y >= k, else downward from k. Masses are
 * pairs, and y carries its rounding error: P[N = n] multiplies both n times. */
typedef struct {
    double y, y_error;    /* relative: the exact y is y (1 + y_error) */
    double weight;        /* e^(-i t) */
    double g, g_before;   /* g_r, g_(r-1) at the current r */
    pair mass;            /* P[N = r] going up, P[N = r - 1] going down */
    bool upward;
    int start;   /* downward: the largest r whose g does not underflow */
} shift;

static pair mass_up(const shift *s, pair p, double n)   /* P[N = n] from P[N = n-1] */
{
    pair next = pair_scale(p, s->y, n);
    next.low += next.high * s->y_error;
    return next;
}

static pair mass_down(const shift *s, pair p, double n)   /* P[N = n-1] from P[N = n] */
{
    pair next = pair_scale(p, n, s->y);
    next.low -= next.high * s->y_error;
    return next;
}

/* P[N = n] + P[N = n+2] + ..., for y < n + 1, given the first */
static double every_second(double first, double n, double y)
{
    double term = first, sum = 0.0;
    /* bound: 1000 turns: the first n is 502 or less and y < n + 1, so that from n = 1400 on terms fall to a quarter */
    for (; term > 0x1p-60 * sum; n += 2.0) {
        sum += term;
        term *= y / (n + 1.0) * (y / (n + 2.0));
    }
    return sum;
}

/* (d t - epsilon)/2 as y (1 + y_error); y <= 0 if there is no such shift */
static shift shift_at(int i, int k, double t, double epsilon)
{
    const double d = k - 2 * i, product = d * t, rest = fma(d, t, -product);
    const double difference = product - epsilon, back = difference - product;
    const double lost = (product - (difference - back)) - (epsilon + back) + rest, twice = difference + lost;
    shift s = {.y = 0.5 * twice, .start = k};
    if (!(s.y > 0.0)) return s;
    s.y_error = (lost - (twice - difference)) / twice;
    const double decay = i * t, e = exp(-decay), none = exp(-s.y) * (1.0 - s.y * s.y_error);
    s.weight = e - e * fma(i, t, -decay);
    s.upward = s.y >= k;
    s.mass = (pair){none, 0.0};
    if (s.upward) {
        s.g_before = 0.5 * (1.0 + none * none);
        s.g = 0.5 * (1.0 - none * none);
        return s;
    }
    int r = 0;   /* mass: P[N = r]; bound: k turns */
    while (r < k && (r < s.y || s.mass.high > 1e-250)) s.mass = mass_up(&s, s.mass, ++r);
    s.start = r;
    const pair above = mass_up(&s, s.mass, r + 1.0), next = mass_up(&s, above, r + 2.0);
    s.g = every_second(above.high, r + 1.0, s.y);
    s.g_before = s.mass.high + every_second(next.high, r + 2.0, s.y);
    s.mass = r > 0 ? mass_down(&s, s.mass, r) : (pair){0.0, 0.0};
    return s;
}

/* Moves a shift to the r of this step (r = step going up, k - step going down); false while g_r underflows. */
static bool shift_move(shift *s, int step, int k)
{
    const int r = s->upward ? step : k - step;
    if (s->upward) {
        if (r > 0) {
            const double next = s->g_before - s->mass.high;   /* g_r = g_(r-2) - P[N = r-1] */
            s->g_before = s->g;
            s->g = next;
            s->mass = mass_up(s, s->mass, r);
        }
    } else if (r < s->start) {
        const double next = s->g + s->mass.high;   /* g_(r-1) = g_(r+1) + P[N = r] */
        s->g = s->g_before;
        s->g_before = next;
        if (r > 0) s->mass = mass_down(s, s->mass, r);
    }
    return s->upward || r <= s->start;
}

typedef struct {
    double delta, slope, error;   /* slope: d delta/d epsilon; error: relative, of delta */
} laplace_point;

/* t > 0 finite, 1 <= k <= STEPS_MAX, 0 <= epsilon < k t */
static laplace_point point_at(double epsilon, double t, int k)
{
    shift shifts[SHIFTS_MAX];
    whole row[SHIFTS_MAX];                  /* K_step(i) */
    pair choose = {ldexp(1.0, 1 - k), 0.0};   /* 2^(1-k) C(k, step) */
    const int limbs = (k + 2) / 64 + 1;
    int count = 0;
    for (; count <= k / 2; count++) {
        shifts[count] = shift_at(count, k, t, epsilon);
        if (!(shifts[count].y > 0.0)) break;
        row[count] = (whole){{count == 0}};
    }
    for (int n = 1; n <= k; n++) {   /* Pascal's triangle */
        for (int i = n < count ? n : count - 1; i > 0; i--) whole_add(&row[i], &row[i - 1], limbs);
    }
    simdp_sum sum = {0, 0}, slope = {0, 0};
    double all = 0.0;
    for (int step = 0; step <= k; step++) {
        whole old = {{0}};
        for (int i = 0; i < count; i++) {
            if (step > 0) {   /* times (1-z)/(1+z): new_i = old_i - old_(i-1) - new_(i-1) */
                const whole kept = row[i];
                whole_subtract(&row[i], &old, limbs);
                if (i > 0) whole_subtract(&row[i], &row[i - 1], limbs);
                old = kept;
            }
            shift *s = &shifts[i];
            if (!shift_move(s, step, k)) continue;
            /* going down, r = k - step and K_(k-r)(i) = (-1)^i K_r(i) */
            const double sign = !s->upward && i % 2 == 1 ? -1.0 : 1.0,
                         factor = sign * choose.high * whole_value(&row[i], limbs) * s->weight;
            sum_add(&sum, factor * s->g);
            sum_add(&slope, 0.5 * factor * (s->g - s->g_before));
            all += fabs(factor * s->g);
        }
        choose = pair_scale(choose, k - step, step + 1);
    }
    const double delta = sum_value(&sum);
    return (laplace_point){delta, sum_value(&slope), U * (12.0 + 0.5 * sqrt(k)) * (all / fabs(delta))};
}

/* The nearest value and its relative error; NaN outside the domain. */
static laplace_point curve(double epsilon, double t, int64_t k)
{
    if (!is_epsilon(epsilon) || !(t >= 0.0) || k < 0 || k > STEPS_MAX) return (laplace_point){NAN, NAN, NAN};
    if (isinf(t) && k > 0) return (laplace_point){1.0, 0.0, 0.0};
    if (k == 0 || t == 0.0 || isinf(epsilon) || !(fma((double)k, t, -epsilon) > 0.0))
        return (laplace_point){0.0, 0.0, 0.0};
    return point_at(epsilon, t, (int)k);
}

static double upper_delta(double epsilon, double t, int64_t k)
{
    const laplace_point p = curve(epsilon, t, k);
    return isnan(p.delta) ? NAN : account_up_probability(fmax(0.0, p.delta) * (1.0 + p.error));
}

static double upper_log_delta(double epsilon, double t, int64_t k)
{
    const double log_delta = log(upper_delta(epsilon, t, k));
    return isfinite(log_delta) ? fmin(0.0, log_delta + 4.0 * U * fabs(log_delta)) : log_delta;
}

typedef struct {
    double t, log_target;
    int k;
} search;

static simdp_root_point shortfall(double epsilon, const void *context)
{
    const search *s = context;
    const laplace_point p = point_at(epsilon, s->t, s->k);
    const double value = s->log_target - log(p.delta), noise = 0.5 * p.error + 2.0 * U * fabs(s->log_target);
    return (simdp_root_point){fabs(value) < noise ? 0.0 : value, -p.slope / p.delta, 0.0};
}

static double upper_epsilon(double delta, double t, int64_t k)
{
    if (!is_probability(delta) || isnan(curve(0.0, t, k).delta)) return NAN;
    if (k == 0 || t == 0.0 || delta == 1.0) return 0.0;
    if (delta == 0.0 || isinf(t)) return account_up_product(k, t);
    const laplace_point at_zero = point_at(0.0, t, (int)k);
    if (at_zero.delta * (1.0 + at_zero.error) <= delta) return 0.0;
    const search s = {t, log(delta), (int)k};
    const double mean = t + expm1(-t), deviation = sqrt(fmax(t * t - mean * mean, 0.0) * (double)k);
    const double guess = (double)k * mean - simdp_special_normal_quantile(delta) * deviation;
    const double epsilon = simdp_root_increasing(shortfall, &s, 0.0, (double)k * t, guess, NULL);
    const laplace_point found = point_at(epsilon, t, (int)k);
    const double most = account_up_product(k, t);
    if (!(found.slope < 0.0)) return most;
    const double error = 1.5 * found.error + U * (8.0 + 4.0 * fabs(s.log_target));
    return fmin(most, account_up(epsilon + error * found.delta / -found.slope));
}

/* ---- public ---- */

static simdp_status sweep(double *out, const double *x, size_t n, double t, int64_t k,
                          double (*f)(double, double, int64_t))
{
    FORMS_EACH(n, form_is_number(out[i] = f(x[i], t, k)), FORM_ARRAY(out), FORM_ARRAY(x));
}

simdp_status simdp_compose_laplace_delta(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale,
                                         int64_t k)
{
    return sweep(delta, epsilon, n, sensitivity_over_scale, k, upper_delta);
}

simdp_status simdp_compose_laplace_log_delta(double *log_delta, const double *epsilon, size_t n,
                                             double sensitivity_over_scale, int64_t k)
{
    return sweep(log_delta, epsilon, n, sensitivity_over_scale, k, upper_log_delta);
}

simdp_status simdp_compose_laplace_epsilon(double *epsilon, const double *delta, size_t n,
                                           double sensitivity_over_scale, int64_t k)
{
    return sweep(epsilon, delta, n, sensitivity_over_scale, k, upper_epsilon);
}
