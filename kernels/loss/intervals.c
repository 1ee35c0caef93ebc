/* intervals.c: confidence intervals by exact or non-asymptotic bounds.
 *
 * Every upper end is 1 minus the lower end of the failures, so there are lower ends only: the p where a function of p
 * that increases, the logarithm of a tail or a bound of it, meets a goal. The function is concave in ln(p/q) and its
 * second derivative costs nothing, so that Halley's steps from a good start meet a narrow window below the goal at the
 * second or third look. The window lies so far below that the function, whose error is known, is surely not above the
 * goal there; where doubles are too coarse to meet it, the end is moved outward until that is so. */
#include "loss/intervals.h"

#include <math.h>

#include "call/fp_mode.h"
#include "math/outward.h"
#include "math/plain_math.h"
#include "math/special.h"

/* p and q = 1 - p; the smaller one is exact and says what the other stands for */
typedef struct {
    double p, q;
    bool p_is_exact;
} chance;

static chance chance_of_p(double p) { return (chance){p, 1.0 - p, true}; }
static chance chance_of_q(double q) { return (chance){1.0 - q, q, false}; }

static chance chance_of_log_odds(double l)
{
    const double e = plain_exp(-fabs(l)), less = e / (1.0 + e);
    return l < 0.0 ? chance_of_p(less) : chance_of_q(less);
}

/* What an end is sought of: k successes and m failures, or k = n mean, m = n (1 - mean). k + m = n but for rounding.
 * fixed: the part of the function that no p changes. */
typedef struct {
    double k, m, n, fixed;
} sample;

/* k - n p = k q - m p, with the roundings of k - k p - m p, or of m q + k q - m, put back */
static double above_mean(const sample *s, const chance *c)
{
    const double own = c->p_is_exact ? s->k : s->m, other = c->p_is_exact ? s->m : s->k,
                 t = c->p_is_exact ? c->p : c->q;
    const double a = own * t, b = other * t, first = own - a, second = first - b;
    const double lost = sum_error(own, -a, first) + sum_error(first, -b, second) - fma(own, t, -a) - fma(other, t, -b);
    return c->p_is_exact ? second + lost : -(second + lost);
}

/* ---- binomial tails ---- */

/* What two deviances leave of ln P[X = k], X of n trials; k > 0, m > 0 */
static double fixed_log_mass(double k, double m, double n)
{
    return simdp_special_stirling_rest(n) - simdp_special_stirling_rest(k) - simdp_special_stirling_rest(m) -
           0.5 * (plain_log(k) + plain_log(m / n)) - SPECIAL_HALF_LN_2PI;
}

/* -n times the relative entropy of k / n to p */
static double deviances(const sample *s, const chance *c, double above)
{
    return -simdp_special_deviance(s->k, s->n * c->p, above) - simdp_special_deviance(s->m, s->n * c->q, -above);
}

/* P[X >= k] / (k q P[X = k]) by the continued fraction of the incomplete beta function, its even part, which Didonato
 * and Morris use; multiplied so that no term has a division. All numbers are positive, so that none cancels and the
 * value lies between one convergent and the next; the first one is 1 / (above + q). It ends with term m. The farther
 * the end from k / n, in deviations, the faster; 0 if it takes too long. */
static double tail_by_fraction(const sample *s, const chance *c, double above)
{
    enum { TERMS = 8, MOST = 512 };
    const double u = 1.0 / s->k, xu = c->p * u, start = above + c->q, slant = 1.0 + c->q, b = s->m + 1.0;
    double top = 0.0, bottom = 1.0, next_top = 1.0 + u, next_bottom = start, i = 1.0;
    while (i < (double)MOST) {
        for (int t = 0; t < TERMS; t++, i += 1.0) { /* each makes the numbers 2^100 times larger at most */
            const double before = i == 1.0 ? 1.0 : 1.0 + (2.0 * i - 3.0) * u, here = 1.0 + (2.0 * i - 1.0) * u,
                         after = 1.0 + (2.0 * i + 1.0) * u, left = i * fmax(0.0, b - i) * xu;
            const double alpha = (1.0 + (i - 1.0) * u) * ((s->n + i) * c->p) * left * before * after;
            const double beta = here * (i * after + (1.0 + i * u) * (start + i * slant)) + left * after;
            const double top_then = next_top, bottom_then = next_bottom;
            next_top = alpha * top + beta * next_top, next_bottom = alpha * bottom + beta * next_bottom;
            top = top_then, bottom = bottom_then;
        }
        const double scale = 1.0 / next_bottom;
        next_top *= scale, next_bottom = 1.0;
        if (fabs(next_top * bottom - top) <= 0x1p-48 * top) return next_top;
        top *= scale, bottom *= scale;
    }
    return 0.0;
}

/* ln(1 + z) - z, z > -1. With v = z/(2 + z), ln(1 + z) = 2 atanh v and 2v = z - z v. */
static double log1p_less(double z)
{
    if (fabs(z) > 0.25) return plain_log1p(z) - z;
    const double v = z / (2.0 + z), v2 = v * v;
    double sum = 0.0, power = v2;
    for (int j = 3; j < 40; j += 2) { /* bound: 19 turns */
        const double before = sum;
        sum += power / j;
        power *= v2;
        if (sum == before) break;
    }
    return 2.0 * v * sum - z * v;
}

/* e^g, g(x) = (k - 1) ln(1 - x/p) + m ln(1 + x/q): without its linear part, -slope x, nothing cancels */
typedef struct {
    const sample *s;
    const chance *c;
    double slope;
} beta_density;

static double density_at(const beta_density *f, double x)
{
    const double z = x / f->c->p;
    if (z >= 1.0) return 0.0;
    return plain_exp((f->s->k - 1.0) * log1p_less(-z) + f->s->m * log1p_less(x / f->c->q) - f->slope * x);
}

/* P[X >= k] / P[X = k] = (k / p) integral from 0 to p of e^g, by Gauss and Legendre's rule with 16 nodes on steps of
 * four times the length in which e^g falls by e, or its deviation. */
static double tail_by_integral(const sample *s, const chance *c, double above)
{
    static const double node[8] = {0x1.fa92c264d787ep-1, 0x1.e39f56616f9b0p-1, 0x1.bb3403514e483p-1,
                                   0x1.82c45dda4726bp-1, 0x1.3c5a466d5e8b8p-1, 0x1.d50259a43a772p-2,
                                   0x1.205cae642337cp-2, 0x1.852bd6676a9f9p-4};
    static const double weight[8] = {0x1.bcddab4b7c211p-6, 0x1.fdfb1a2c1265dp-5, 0x1.85c4ee79cc258p-4,
                                     0x1.fe7af2bad386ap-4, 0x1.325f61bca3cbfp-3, 0x1.5a6ebbb5a75fcp-3,
                                     0x1.75f8c77e0c00fp-3, 0x1.83feae80e4dfcp-3};
    const beta_density f = {s, c, (above - c->q) / c->p / c->q};
    const double bend = (s->k - 1.0) / c->p / c->p + s->m / c->q / c->q;
    double step = 4.0 / fmax(sqrt(bend), f.slope);
    const double steps = ceil(c->p / step);
    if (steps < 64.0) step = c->p / steps; /* the last one ends at p, where e^g is not smooth */
    double sum = 0.0;
    for (int i = 0; i < 64 && (double)i < steps; i++) { /* bound: 64 steps; after 12 e^g is below 2^-60 */
        const double middle = ((double)i + 0.5) * step;
        double part = 0.0;
        for (int j = 0; j < 8; j++) {
            const double x = 0.5 * step * node[j];
            part += weight[j] * (density_at(&f, middle - x) + density_at(&f, middle + x));
        }
        sum += part;
        if (part <= 0x1p-60 * sum) break;
    }
    return s->k / c->p * (0.5 * step * sum);
}

/* A function of ln(p/q), increasing and concave, with its first two derivatives. */
typedef struct {
    double value, slope, bend;
} bound_value;
typedef bound_value bound_function(const sample *s, const chance *c);

/* ln P[X >= k]. Error: 8 units of 2^-53 of each deviance, together about |value|; the rest below 2^-43. */
static bound_value log_tail(const sample *s, const chance *c)
{
    const double above = above_mean(s, c), fraction = tail_by_fraction(s, c, above);
    const double ratio = fraction > 0.0 ? s->k * c->q * fraction : tail_by_integral(s, c, above);
    const double slope = s->k * c->q / ratio;
    return (bound_value){s->fixed + deviances(s, c, above) + plain_log(ratio), slope, slope * (above - c->p - slope)};
}

/* -n times the relative entropy of the mean k / n to p: what bounds ln P[mean >= k / n]. The same error. */
static bound_value entropy_bound(const sample *s, const chance *c)
{
    const double above = above_mean(s, c);
    return (bound_value){deviances(s, c, above), above, -s->n * c->p * c->q};
}

/* ---- ends ---- */

#define LOG_ODDS_LEAST (-690.0)

/* A chance whose bound is surely below the goal: outward from c by steps that double. */
static chance certified(bound_function *f, const sample *s, chance c, double goal)
{
    double step = 0x1p-52;
    for (int i = 0; i < 52 && !(f(s, &c).value <= goal); i++, step *= 2.0) /* bound: 52 turns */
        c = c.p_is_exact ? chance_of_p(c.p * (1.0 - step)) : chance_of_q(fmin(1.0, c.q * (1.0 + step)));
    return c;
}

/* Log odds near those of the quantile of a beta law of k and m + 1, z the normal deviate of e^goal: Abramowitz and
 * Stegun 26.5.22. */
static double start_of_search(const sample *s, double z)
{
    const double a = 1.0 / (2.0 * s->k - 1.0), b = 1.0 / (2.0 * s->m + 1.0), h = 2.0 / (a + b), t = (z * z - 3.0) / 6.0;
    return plain_log(s->k / (s->m + 1.0)) - 2.0 * (z * sqrt(h + t) / h - (b - a) * (t + 5.0 / 6 - 2.0 / 3 / h));
}

/* Where the bound is e^goal, or so little below that it is not above for sure, sought from log odds l on: p = 0 if it
 * is nearer to 0 than e^LOG_ODDS_LEAST. At p = k / n the bound is above the goal. */
static chance lower_end(bound_function *f, const sample *s, double l, double goal)
{
    const double most = goal - 0x1p-48 * (64.0 - goal); /* less the error of the function and of a logarithm */
    double low = LOG_ODDS_LEAST, high = fmax(LOG_ODDS_LEAST, plain_log(s->k / s->m));
    chance c = {0};
    for (int i = 0; i < 100; i++) { /* bound: 100 turns */
        if (!(l >= low && l <= high)) l = l < low ? low : 0.5 * (low + high);
        c = chance_of_log_odds(l);
        const bound_value v = f(s, &c);
        /* what 2^-35 deviations are worth, and 2^-51 of p or q, which is what a double may miss by */
        const double room = v.slope * (0x1p-35 * fmin(1.0, 1.0 / sqrt(s->n * c.p * c.q)) + 0x1p-51);
        const double newton = (most - 0.5 * room - v.value) / v.slope;
        if (v.value <= most && v.value >= most - room) return c;
        if (l == LOG_ODDS_LEAST && v.value > most) return chance_of_p(0.0);
        if (fabs(newton) <= 0x1p-52 * (1.0 + fabs(l))) break;
        if (v.value > most) high = l;
        else low = l;
        l += newton / fmax(0.5, 1.0 + 0.5 * newton * v.bend / v.slope);
    }
    return certified(f, s, c, most);
}

/* The p with p^n = e^goal, or a little below it. */
static chance lower_end_of_all(double n, double goal)
{
    const double l = goal / n; /* 3 units of 2^-53 */
    if (l < -SPECIAL_LN2)
        return chance_of_p(outward_down_positive(plain_exp(l), plain_exp(l) * 0x1p-51 * (2.0 - 2.0 * l)));
    return chance_of_q(outward_up(-plain_expm1(l), 0x1p-50 * -plain_expm1(l)));
}

static double low_of(const chance *c) { return c->p_is_exact ? c->p : outward_down_positive(1.0, c->q); }
static double high_of(const chance *failures)
{
    return failures->p_is_exact ? outward_up_probability(1.0, -failures->p) : failures->q;
}

/* A count as a double that is not above it, and not below it. */
static double count_down(uint64_t n)
{
    const double x = (double)n;
    return x >= 0x1p64 || (uint64_t)x > n ? nextafter(x, 0.0) : x;
}
static double count_up(uint64_t n)
{
    const double x = (double)n;
    return x < 0x1p64 && (uint64_t)x < n ? nextafter(x, INFINITY) : x;
}

/* z: the normal deviate of e^goal */
static chance lower_end_of_count(uint64_t successes, uint64_t failures, double goal, double z)
{
    const double k = count_down(successes), m = count_up(failures);
    if (successes == 0) return chance_of_p(0.0);
    if (failures == 0) return lower_end_of_all(k, goal);
    const sample s = {k, m, k + m, fixed_log_mass(k, m, k + m)};
    return lower_end(log_tail, &s, start_of_search(&s, z), goal);
}

simdp_loss_estimate simdp_loss_interval_of_count(uint64_t count, uint64_t trials, double error)
{
    const double goal = plain_log(0.5 * error);
    if (trials == 0) return (simdp_loss_estimate){NAN, 0.0, 1.0};
    const double z = -simdp_special_normal_quantile_log(goal);
    const chance low = lower_end_of_count(count, trials - count, goal, z),
                 high = lower_end_of_count(trials - count, count, goal, z);
    const double least = low_of(&low), most = high_of(&high);
    /* three roundings may take the quotient out of an interval that is narrower */
    return (simdp_loss_estimate){fmin(most, fmax(least, (double)count / (double)trials)), least, most};
}

/* mean and rest = bound - mean, as parts of the bound */
static chance lower_end_of_mean(double mean, double rest, double bound, double n, double goal)
{
    if (!(mean > 0.0)) return chance_of_p(0.0);
    if (!(rest > 0.0)) return lower_end_of_all(n, goal);
    const sample s = {mul_down(n, div_down(mean, bound)), mul_up(n, div_up(rest, bound)), n, 0.0};
    const double l = plain_log(s.k / s.m) - sqrt(-2.0 * goal / s.k / (s.m / s.n)) + goal / s.k;
    return lower_end(entropy_bound, &s, l, goal);
}

simdp_loss_estimate simdp_loss_interval_of_mean(double mean, uint64_t n, double bound, double error)
{
    const double goal = plain_log(0.5 * error), trials = count_down(n), least = fmin(bound, fmax(0.0, mean));
    if (!(bound > 0.0)) return (simdp_loss_estimate){mean, 0.0, 0.0};
    const chance low = lower_end_of_mean(least, add_up(bound, -least), bound, trials, goal),
                 high = lower_end_of_mean(add_down(bound, -least), least, bound, trials, goal);
    return (simdp_loss_estimate){mean, mul_down(bound, low_of(&low)), mul_up(bound, high_of(&high))};
}

simdp_loss_estimate simdp_loss_interval_normal(double value, double deviation, double error)
{
    /* P[|N(0, 1)| > x] = erfc(x/sqrt 2) */
    const double width = deviation == 0.0 ? 0.0 : SPECIAL_SQRT2 * simdp_special_erfcinv(error) * deviation;
    return (simdp_loss_estimate){value, value - width, value + width};
}

double simdp_loss_interval_band(uint64_t n, double error)
{
    const double band = sqrt(plain_log(2.0 / error) / (2.0 * count_down(n)));
    return outward_up_probability(band, 0x1p-50 * band); /* half of 6 units of the quotient, 1 of the root */
}

/* ---- the public two ---- */

simdp_status simdp_loss_interval_proportion(simdp_loss_estimate *out, uint64_t count, uint64_t trials, double error)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(error);
    bool good = trials > 0 && count <= trials && interval_error_ok(error);
    *out = good ? simdp_loss_interval_of_count(count, trials, error) : (simdp_loss_estimate){NAN, NAN, NAN};
    FP_PIN(good);
    return good ? SIMDP_OK : SIMDP_EPARAM;
}

simdp_status simdp_loss_interval_mean(simdp_loss_estimate *out, double mean, uint64_t n, double bound, double error)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(mean);
    FP_PIN(bound);
    FP_PIN(error);
    bool good = n > 0 && mean >= 0.0 && mean <= bound && bound > 0.0 && isfinite(bound) && interval_error_ok(error);
    *out = good ? simdp_loss_interval_of_mean(mean, n, bound, error) : (simdp_loss_estimate){NAN, NAN, NAN};
    FP_PIN(good);
    return good ? SIMDP_OK : SIMDP_EPARAM;
}
