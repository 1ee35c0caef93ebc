/* simulate_discrete.c: the simulation map for two laws on finitely many points (004, lemma of section 3.3, completed).
 */
#include <string.h>

#include "math/plain_math.h"
#include "noise/fp_mode.h"
#include "system/response.h"

#define BLOCK 256

static bool sum_to_law(const double *p, size_t n, double *sum)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0.0)) return false;
        total += p[i];
    }
    *sum = total;
    return total > 0.0 && total < INFINITY;
}

static double at_least_zero(double x) { return x > 0.0 ? x : 0.0; }

/* min(a, e^epsilon b), shrink = e^-epsilon, which may be 0 */
static double cut(double a, double b, double shrink) { return b == 0.0 ? 0.0 : a * shrink <= b ? a : b / shrink; }

/* Divides a row by its sum. A sum of 0 is that of a symbol too rare to tell: it gets the law itself. */
static void normalise(double *row, size_t n, const double *law, double law_sum)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += row[i];
    for (size_t i = 0; i < n; i++) row[i] = sum > 0.0 ? row[i] / sum : law[i] / law_sum;
}

typedef struct {
    const double *entry;
    double sum, excess; /* mass above e^epsilon times the other law */
} pair_law;

/* p: the law that keeps more when both are cut down to p' = min(p, e^epsilon q), q' = min(q, e^epsilon p); bit and leak
 * are its rows, of the symbols that speak for it. Scale both, and bend p' towards q', until both have mass 1 - delta,
 * their ratio still within e^+-epsilon. What is missing then goes to the leaks; the bits take (e^epsilon p'' - q'') and
 * (e^epsilon q'' - p''). */
static void make_map(const pair_law *p, const pair_law *q, double *p_bit, double *q_bit, double *p_leak, double *q_leak,
                     size_t n, double epsilon, double delta)
{
    const double shrink = plain_exp(-epsilon), shrink_less = -plain_expm1(-epsilon); /* e^-epsilon and 1 minus it */
    const double rho_less = (q->excess - p->excess) / (1.0 - q->excess);             /* ratio of the masses, minus 1 */
    const double bend = epsilon > 0.0 ? rho_less / (rho_less + shrink_less) : 0.0;
    const double scale = (1.0 - delta) / (1.0 - q->excess);
    for (size_t i = 0; i < n; i++) {
        const double a = p->entry[i] / p->sum, b = q->entry[i] / q->sum;
        const double b2 = cut(b, a, shrink) * scale, a2 = (1.0 - bend) * cut(a, b, shrink) * scale + bend * shrink * b2;
        p_bit[i] = epsilon > 0.0 ? at_least_zero((a2 - b2) + shrink_less * b2) : a2;
        q_bit[i] = epsilon > 0.0 ? at_least_zero((b2 - a2) + shrink_less * a2) : b2;
        p_leak[i] = delta > 0.0 ? at_least_zero(a - a2) : 0.0;
        q_leak[i] = delta > 0.0 ? at_least_zero(b - b2) : 0.0;
    }
    normalise(p_bit, n, p->entry, p->sum);
    normalise(q_bit, n, q->entry, q->sum);
    normalise(p_leak, n, p->entry, p->sum);
    normalise(q_leak, n, q->entry, q->sum);
}

/* Sums and excesses; false if these are no laws, or no (epsilon, delta)-indistinguishable ones. */
static bool measure(pair_law *p, pair_law *q, size_t n, double epsilon, double delta)
{
    if (!simdp_is_epsilon(epsilon) || !simdp_is_probability(delta)) return false;
    if (!sum_to_law(p->entry, n, &p->sum) || !sum_to_law(q->entry, n, &q->sum)) return false;
    const double shrink = plain_exp(-epsilon), most = delta + ((double)n + epsilon) * 0x1p-50;
    for (size_t i = 0; i < n; i++) {
        const double a = p->entry[i] / p->sum, b = q->entry[i] / q->sum;
        p->excess += a - cut(a, b, shrink);
        q->excess += b - cut(b, a, shrink);
    }
    if (!(p->excess <= most && q->excess <= most)) return false;
    if (p->excess > delta) p->excess = delta;
    if (q->excess > delta) q->excess = delta;
    return true;
}

simdp_status simdp_system_discrete_map(double *map, const double *p, const double *q, size_t n, double epsilon,
                                       double delta)
{
    if (n > 0 && (map == NULL || p == NULL || q == NULL)) return SIMDP_ENULL;
    if (n == 0 || n > SIZE_MAX / (4 * sizeof *map)) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(epsilon); FP_PIN(delta);
    pair_law x = {.entry = p}, y = {.entry = q};
    const bool good = measure(&x, &y, n, epsilon, delta);
    double *row[4] = {map, map + n, map + 2 * n, map + 3 * n};
    if (!good) {
        for (size_t i = 0; i < 4 * n; i++) map[i] = NAN;
    } else if (delta == 1.0) { /* only leaks */
        for (size_t i = 0; i < n; i++) {
            row[0][i] = row[2][i] = p[i] / x.sum;
            row[1][i] = row[3][i] = q[i] / y.sum;
        }
    } else if (x.excess <= y.excess) {
        make_map(&x, &y, row[0], row[1], row[2], row[3], n, epsilon, delta);
    } else {
        make_map(&y, &x, row[1], row[0], row[3], row[2], n, epsilon, delta);
    }
    return good ? SIMDP_OK : SIMDP_EPARAM;
}

simdp_status simdp_system_discrete_map_draw(simdp_rng *rng, size_t *out, const uint8_t *symbols, size_t draws,
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
