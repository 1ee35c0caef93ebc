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
#include "account/compose_exact.h"
#include "account/inverse.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

/* Where k t is tiny, the curve is homogeneous: all of t, epsilon and delta times 2^600, up to k t 2^600 of itself,
 * which is nothing. So no y is so small that its multiples vanish. */
#define TINY 0x1p-800
enum { TINY_EXPONENT = 600 };

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

/* a m/n */
static dd dd_times_quotient(dd a, double m, double n)
{
    const double product = a.hi * m, low = fma(a.hi, m, -product) + a.lo * m;
    const double quotient = product / n;
    return dd_quick_two_sum(quotient, (fma(-quotient, n, product) + low) / n);
}

/* One shift i: Poisson quantities at y_i, walked upward in r from 0 if y >= k, else downward from k. Masses and their
 * sums are double-doubles, and y carries its rounding error: P[N = n] multiplies both n times. */
typedef struct {
    double y, y_error; /* relative: the exact y is y (1 + y_error) */
    double weight;     /* e^(-i t) */
    dd g, g_before;    /* g_r, g_(r-1) at the current r */
    dd mass;           /* P[N = r] going up, P[N = r - 1] going down */
    bool upward;
    int start; /* downward: the largest r whose g counts; the next mass is below 1e-250 */
} shift;

static dd mass_up(const shift *s, dd p, double n) /* P[N = n] from P[N = n-1] */
{
    dd next = dd_times_quotient(p, s->y, n);
    next.lo += next.hi * s->y_error;
    return next;
}

static dd mass_down(const shift *s, dd p, double n) /* P[N = n-1] from P[N = n] */
{
    dd next = dd_times_quotient(p, n, s->y);
    next.lo -= next.hi * s->y_error;
    return next;
}

/* P[N = n] + P[N = n+2] + ..., for y < n + 1, given the first */
static dd every_second(const shift *s, dd term, double n)
{
    dd sum = {0.0, 0.0};
    /* bound: 1000 turns: the first n is 502 or less and y < n + 1, so that from n = 1400 on terms fall to a quarter */
    for (; term.hi > 0x1p-60 * sum.hi; n += 2.0) {
        sum = dd_add(sum, term);
        term = mass_up(s, mass_up(s, term, n + 1.0), n + 2.0);
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
    const double decay = i * t, e = plain_exp(-decay), none = plain_exp(-s.y) * (1.0 - s.y * s.y_error);
    s.weight = e - e * fma(i, t, -decay);
    s.upward = s.y >= k;
    s.mass = dd_of(none);
    if (s.upward) {
        s.g_before = dd_of(0.5 * (1.0 + none * none));
        s.g = dd_of(0.5 * (1.0 - none * none));
        return s;
    }
    /* mass: P[N = r]; bound: k turns. Masses below 1e-250 are not divided back up: they may be subnormal. */
    int r = 0;
    while (r < k && (r < s.y || s.mass.hi * (s.y / (r + 1)) > 1e-250)) s.mass = mass_up(&s, s.mass, ++r);
    s.start = r;
    const dd above = mass_up(&s, s.mass, r + 1.0), next = mass_up(&s, above, r + 2.0);
    s.g = every_second(&s, above, r + 1.0);
    s.g_before = dd_add(s.mass, every_second(&s, next, r + 2.0));
    s.mass = r > 0 ? mass_down(&s, s.mass, r) : (dd){0.0, 0.0};
    return s;
}

/* Moves a shift to the r of this step (r = step going up, k - step going down); false while g_r underflows. */
static bool shift_move(shift *s, int step, int k)
{
    const int r = s->upward ? step : k - step;
    if (s->upward) {
        if (r > 0) {
            const dd next = dd_sub(s->g_before, s->mass); /* g_r = g_(r-2) - P[N = r-1] */
            s->g_before = s->g;
            s->g = next;
            s->mass = mass_up(s, s->mass, r);
        }
    } else if (r < s->start) {
        const dd next = dd_add(s->g, s->mass); /* g_(r-1) = g_(r+1) + P[N = r] */
        s->g = s->g_before;
        s->g_before = next;
        if (r > 0) s->mass = mass_down(s, s->mass, r);
    }
    return s->upward || r <= s->start;
}

/* delta and - d delta/d epsilon in units of 2^(1-k), and the sum of the sizes of all terms */
typedef struct {
    double sum, slope, all;
} laplace_point;

/* row[i] = C(k, i) = K_0(i), i < count: Pascal's triangle */
static void first_row(whole *row, int count, int k, int limbs)
{
    for (int i = 0; i < count; i++) row[i] = (whole){{i == 0}};
    for (int n = 1; n <= k; n++) {
        for (int i = n < count ? n : count - 1; i > 0; i--) whole_add(&row[i], &row[i - 1], limbs);
    }
}

/* K_r -> K_(r+1): times (1-z)/(1+z), new_i = old_i - old_(i-1) - new_(i-1) */
static void next_row(whole *row, int count, int limbs)
{
    whole old = {{0}};
    for (int i = 0; i < count; i++) {
        const whole kept = row[i];
        whole_subtract(&row[i], &old, limbs);
        if (i > 0) whole_subtract(&row[i], &row[i - 1], limbs);
        old = kept;
    }
}

/* t > 0 finite, 1 <= k <= STEPS_MAX, 0 <= epsilon < k t */
static laplace_point point_at(double epsilon, double t, int k)
{
    shift shifts[SHIFTS_MAX];
    whole row[SHIFTS_MAX];  /* K_step(i) */
    dd choose = {1.0, 0.0}; /* C(k, step) */
    const int limbs = (k + 2) / 64 + 1;
    int count = 0;
    for (; count <= k / 2; count++) {
        shifts[count] = shift_at(count, k, t, epsilon);
        if (!(shifts[count].y > 0.0)) break;
    }
    first_row(row, count, k, limbs);
    simdp_sum sum = {0, 0}, slope = {0, 0};
    double all = 0.0;
    for (int step = 0; step <= k; step++) {
        if (step > 0) next_row(row, count, limbs);
        for (int i = 0; i < count; i++) {
            shift *s = &shifts[i];
            if (!shift_move(s, step, k)) continue;
            /* going down, r = k - step and K_(k-r)(i) = (-1)^i K_r(i) */
            const double sign = !s->upward && i % 2 == 1 ? -1.0 : 1.0,
                         factor = sign * choose.hi * whole_value(&row[i], limbs) * s->weight;
            sum_add(&sum, factor * s->g.hi);
            sum_add(&slope, 0.5 * factor * (s->g_before.hi - s->g.hi));
            all += fabs(factor * s->g.hi);
        }
        choose = dd_times_quotient(choose, k - step, step + 1);
    }
    return (laplace_point){sum_value(&sum), sum_value(&slope), all};
}

typedef struct {
    double t;
    int k, exponent; /* t and epsilon in units of 2^-exponent */
} laplace_curve;

static bool is_curve(double t, int64_t k) { return t >= 0.0 && k >= 0 && k <= STEPS_MAX; }

static laplace_curve curve_of(double t, int64_t k)
{
    const int exponent = (double)k * t < TINY ? TINY_EXPONENT : 0;
    return (laplace_curve){ldexp(t, exponent), (int)k, exponent};
}

/* Of a term: 3 u for its factor, 4 for e^(-i t), 9 for g, 3 for products; of the sum 1 more. In log delta also 4 of the
 * logarithms. Where terms cancel so that nothing is left, ln delta is only known to lie below a bound. */
static inverse_point log_curve(double epsilon, const void *context)
{
    const laplace_curve *c = context;
    const laplace_point p = point_at(epsilon, c->t, c->k);
    const double error = 20.0 * U * p.all, most = fmax(p.sum, 0.0) + error, least = fmax(p.sum - error, 0.5 * most);
    const double log_sum = plain_log(0.5 * (most + least)),
                 log_delta = log_sum - (c->k - 1 + c->exponent) * SPECIAL_LN2;
    const double of_logs = U * (8.0 + 4.0 * (fabs(log_sum) + fabs(log_delta)));
    return (inverse_point){log_delta, 1.5 * (most - least) / (most + least) + of_logs, p.slope / p.sum, 0.0};
}

double simdp_laplace_log_delta(double epsilon, double t, int64_t k)
{
    if (!is_epsilon(epsilon) || !is_curve(t, k)) return NAN;
    if (isinf(t) && k > 0) return 0.0;
    if (k == 0 || t == 0.0 || isinf(epsilon) || !(fma((double)k, t, -epsilon) > 0.0)) return -INFINITY;
    const laplace_curve c = curve_of(t, k);
    const inverse_point p = log_curve(ldexp(epsilon, c.exponent), &c);
    return fmin(0.0, outward_up(p.log_delta, p.error));
}

double simdp_laplace_delta(double epsilon, double t, int64_t k)
{
    const double log_delta = simdp_laplace_log_delta(epsilon, t, k);
    return isnan(log_delta) ? NAN : exp_minus_up(-log_delta);
}

double simdp_laplace_epsilon(double delta, double t, int64_t k)
{
    if (!is_probability(delta) || !is_curve(t, k)) return NAN;
    if (k == 0 || t == 0.0 || delta == 1.0) return 0.0;
    const double most = mul_up((double)k, t), log_target = plain_log(delta) * (1.0 + 0x1p-51);
    if (delta == 0.0 || isinf(t)) return most;
    if (simdp_laplace_log_delta(0.0, t, k) <= log_target) return 0.0;
    const laplace_curve c = curve_of(t, k);
    const double mean = c.t + plain_expm1(-c.t), deviation = sqrt(fmax(c.t * c.t - mean * mean, 0.0) * (double)k);
    const double guess = (double)k * mean - simdp_special_normal_quantile(delta) * deviation;
    const double epsilon = simdp_inverse_epsilon(log_curve, &c, log_target, mul_up((double)k, c.t), guess);
    return fmin(most, ldexp_up(epsilon, -c.exponent));
}
