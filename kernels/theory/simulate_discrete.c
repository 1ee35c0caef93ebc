/* simulate_discrete.c: the simulation map for two laws on finitely many points (004, lemma of section 3.3,
 * completed). */
#include <string.h>

#include "call/fp_mode.h"
#include "math/plain_math.h"
#include "theory/response.h"

#define BLOCK 256

/* A number as the sum of two doubles. */
typedef struct {
    double high, low;
} pair;

static void pair_add(pair *s, double x)
{
    const double a = s->high, sum = a + x, part = sum - a;
    s->low += (a - (sum - part)) + (x - part);
    s->high = sum;
}

/* A law: entries times factor[0] factor[1], powers of two that bring the sum to [1/2, 1), divided by that sum. */
typedef struct {
    const double *entry;
    double factor[2];
    pair sum;
    double excess; /* mass above e^epsilon times the other law */
    double kept;   /* the rest of the mass, summed up on its own */
} pair_law;

static double scaled(const pair_law *law, size_t i) { return law->entry[i] * law->factor[0] * law->factor[1]; }

/* False if an entry or the sum is none of a law. */
static bool sum_to_law(pair_law *law, size_t n)
{
    double total = 0.0;
    int exponent;
    for (size_t i = 0; i < n; i++) {
        if (!(law->entry[i] >= 0.0)) return false;
        total += law->entry[i];
    }
    if (!(total > 0.0 && total < INFINITY)) return false;
    frexp(total, &exponent);
    law->factor[0] = ldexp(1.0, -exponent / 2);
    law->factor[1] = ldexp(1.0, -exponent - -exponent / 2);
    law->sum = (pair){0.0, 0.0};
    for (size_t i = 0; i < n; i++) pair_add(&law->sum, scaled(law, i));
    return true;
}

static pair probability(const pair_law *law, size_t i)
{
    const double x = scaled(law, i), high = x / law->sum.high;
    return (pair){high, (fma(-high, law->sum.high, x) - high * law->sum.low) / law->sum.high};
}

typedef struct {
    double epsilon, shrink, shrink_less; /* e^-epsilon and 1 minus it */
} map_ratio;

/* One point: probabilities a and b of two laws; cut down to a' = min(a, e^epsilon b), b' = min(b, e^epsilon a); what
 * that takes away; and a' - b', which is known better than the rounded a' and b' allow. */
typedef struct {
    double a, b, a_cut, b_cut, a_excess, b_excess, difference;
} map_point;

/* Whether a > e^epsilon b, given a - b: for small epsilon a and e^epsilon b are too close to be compared. */
static bool exceeds(double a, double b, double a_minus_b, const map_ratio *r)
{
    if (b == 0.0) return a > 0.0;
    return r->epsilon < 1.0 ? a_minus_b > r->shrink_less * a : a * r->shrink > b;
}

static double excess_of(double a, double a_cut, double a_minus_b, const map_ratio *r)
{
    return r->epsilon < 1.0 ? (a_minus_b - r->shrink_less * a) / r->shrink : a - a_cut;
}

static map_point point_of(const pair_law *p, const pair_law *q, size_t i, const map_ratio *r)
{
    const pair a = probability(p, i), b = probability(q, i);
    const double difference = (a.high - b.high) + (a.low - b.low);
    map_point m = {.a = a.high, .b = b.high, .a_cut = a.high, .b_cut = b.high, .difference = difference};
    if (exceeds(m.a, m.b, difference, r)) {
        m.a_cut = m.b == 0.0 ? 0.0 : m.b / r->shrink;
        m.a_excess = excess_of(m.a, m.a_cut, difference, r);
        m.difference = m.b == 0.0 ? 0.0 : m.a_cut * r->shrink_less;
    } else if (exceeds(m.b, m.a, -difference, r)) {
        m.b_cut = m.a == 0.0 ? 0.0 : m.a / r->shrink;
        m.b_excess = excess_of(m.b, m.b_cut, -difference, r);
        m.difference = m.a == 0.0 ? 0.0 : -m.b_cut * r->shrink_less;
    }
    return m;
}

static double at_least_zero(double x) { return x > 0.0 ? x : 0.0; }

static double row_sum(const double *row, size_t n)
{
    pair sum = {0.0, 0.0};
    for (size_t i = 0; i < n; i++) pair_add(&sum, row[i]);
    return sum.high + sum.low;
}

/* Divides a row by its sum. A sum of 0 is that of a symbol too rare to tell: it gets the law itself. */
static void normalise(double *row, size_t n, const pair_law *law)
{
    const double sum = row_sum(row, n);
    for (size_t i = 0; i < n; i++) row[i] = sum > 0.0 ? row[i] / sum : probability(law, i).high;
}

/* one + other, of which every entry is split between two rows, has mass 2: divides the heavier row by its mass and
 * gives what that frees to the lighter one. */
static void balance(double *one, double *other, size_t n)
{
    const double sum = row_sum(one, n);
    double *heavy = sum > 1.0 ? one : other, *light = sum > 1.0 ? other : one;
    const double mass = row_sum(heavy, n);
    for (size_t i = 0; i < n; i++) {
        const double both = heavy[i] + light[i];
        heavy[i] /= mass;
        light[i] = at_least_zero(both - heavy[i]);
    }
}

/* p: the law that keeps more when both are cut down to p' and q'; bit and leak are its rows, of the symbols that speak
 * for it. Scale both, and bend p' towards q', until both have mass 1 - delta, their ratio still within e^+-epsilon.
 * What is missing then goes to the leaks; the bits take (e^epsilon p'' - q'') and (e^epsilon q'' - p''), divided by
 * mass. With s = 1 - e^-epsilon and K = mass of q' they are
 *
 *     F(.|p) = (1 - bend) ((p' - q') / s + q') / K        F(.|p) + F(.|q) = ((1 - bend) p' + bend (1 - s) q' + q') / K
 *
 * The second row is made as the complement of the first: whatever the quotient by a small s does to that, answers of
 * randomized response, which tell the rows apart by tanh(epsilon / 2) only, mix to the same laws. */
static void make_map(const pair_law *p, const pair_law *q, double *p_bit, double *q_bit, double *p_leak, double *q_leak,
                     size_t n, const map_ratio *r, double delta, double kept_difference)
{
    const double s = r->shrink_less, rho_less = at_least_zero(kept_difference) / q->kept;
    const double bend = s > 0.0 ? rho_less / (rho_less + s) : 0.0, straight = s > 0.0 ? s / (rho_less + s) : 1.0,
                 scale = (1.0 - delta) / q->kept; /* straight: 1 - bend */
    for (size_t i = 0; i < n; i++) {
        const map_point m = point_of(p, q, i, r);
        const double bent = straight * m.a_cut + bend * r->shrink * m.b_cut, both = (bent + m.b_cut) / q->kept;
        const double first = straight * ((s > 0.0 ? m.difference / s : 0.0) + m.b_cut) / q->kept;
        p_bit[i] = first > both ? both : at_least_zero(first);
        q_bit[i] = both - p_bit[i];
        p_leak[i] = delta > 0.0 ? at_least_zero(m.a - bent * scale) : 0.0;
        q_leak[i] = delta > 0.0 ? at_least_zero(m.b - m.b_cut * scale) : 0.0;
    }
    balance(p_bit, q_bit, n);
    normalise(p_leak, n, p);
    normalise(q_leak, n, q);
}

/* Sums and excesses; false if these are no laws, or no (epsilon, delta)-indistinguishable ones. */
static bool measure(pair_law *p, pair_law *q, size_t n, const map_ratio *r, double delta, double *kept_difference)
{
    if (!simdp_is_epsilon(r->epsilon) || !simdp_is_probability(delta)) return false;
    if (!sum_to_law(p, n) || !sum_to_law(q, n)) return false;
    const double most = delta + ((double)n + r->epsilon) * 0x1p-50;
    for (size_t i = 0; i < n; i++) {
        const map_point m = point_of(p, q, i, r);
        p->excess += m.a_excess;
        q->excess += m.b_excess;
        p->kept += m.a_cut;
        q->kept += m.b_cut;
        *kept_difference += m.difference;
    }
    return p->excess <= most && q->excess <= most;
}

simdp_status simdp_theory_discrete_map(double *map, const double *p, const double *q, size_t n, double epsilon,
                                       double delta)
{
    if (n > 0 && (map == NULL || p == NULL || q == NULL)) return SIMDP_ENULL;
    if (n == 0 || n > SIZE_MAX / (4 * sizeof *map)) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(delta);
    pair_law x = {.entry = p}, y = {.entry = q};
    double kept_difference = 0.0;
    const map_ratio ratio = {epsilon, plain_exp(-epsilon), -plain_expm1(-epsilon)};
    const bool good = measure(&x, &y, n, &ratio, delta, &kept_difference);
    double *row[4] = {map, map + n, map + 2 * n, map + 3 * n};
    if (!good) {
        for (size_t i = 0; i < 4 * n; i++) map[i] = NAN;
    } else if (delta == 1.0 || x.kept == 0.0 || y.kept == 0.0) { /* only leaks */
        for (size_t i = 0; i < n; i++) {
            row[0][i] = row[2][i] = probability(&x, i).high;
            row[1][i] = row[3][i] = probability(&y, i).high;
        }
    } else if (kept_difference >= 0.0) {
        make_map(&x, &y, row[0], row[1], row[2], row[3], n, &ratio, delta, kept_difference);
    } else {
        make_map(&y, &x, row[1], row[0], row[3], row[2], n, &ratio, delta, -kept_difference);
    }
    return good ? SIMDP_OK : SIMDP_EPARAM;
}

simdp_status simdp_theory_discrete_map_draw(simdp_rng *rng, size_t *out, const uint8_t *symbols, size_t draws,
                                            const double *map, size_t n)
{
    double u[BLOCK];
    if (rng == NULL || (draws > 0 && (out == NULL || symbols == NULL || map == NULL))) return SIMDP_ENULL;
    if (n == 0 || n > SIZE_MAX / (4 * sizeof *map) || draws > SIZE_MAX / sizeof *out ||
        draws > UINT64_MAX - simdp_rng_position(rng))
        return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    const uint64_t position = simdp_rng_position(rng);
    simdp_status status = SIMDP_OK;
    for (size_t done = 0, count; status == SIMDP_OK && done < draws; done += count) {
        count = draws - done < BLOCK ? draws - done : BLOCK;
        status = simdp_noise_uniform_f64(rng, u, count);
        if (simdp_stream_spoils(status, done)) memset(out, 0xff, draws * sizeof *out);
        for (size_t i = 0; status == SIMDP_OK && i < count; i++) {
            const double *row = map + n * (symbols[done + i] & 3u);
            double left = u[i];
            size_t at = 0, last = 0; /* last: the last point of positive mass passed, should rounding leave a rest */
            while (at < n && !(left < row[at])) {
                if (row[at] > 0.0) last = at;
                left -= row[at++];
            }
            out[done + i] = at < n ? at : last;
        }
    }
    return simdp_stream_back(rng, position, status);
}
