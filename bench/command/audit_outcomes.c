#include "audit_outcomes.h"

#include <math.h>
#include <stdlib.h>

size_t outcomes_of_reports(const audited *what, outcome_scores scores)
{
    double keep, other;
    if (simdp_loss_k_response_probabilities(&keep, &other, &what->scale, 1, what->values) != SIMDP_OK) return 0;
    scores[0][0] = scores[1][1] = log(keep);
    scores[0][1] = scores[1][0] = log(other);
    scores[0][2] = scores[1][2] = log(other) + log((double)what->values - 2);
    return what->values > 2 ? 3 : 2;
}

size_t outcomes_of_groups(const audited *what, outcome_scores scores)
{
    const int64_t counts[2] = {what->people, what->people - 1};
    double keep[2], drop[2];
    if (what->people < 1 ||
        simdp_select_partition_probability(keep, drop, counts, 2, what->scale, what->delta, 1) != SIMDP_OK)
        return 0;
    for (int side = 0; side < 2; side++) scores[side][0] = log(drop[side]), scores[side][1] = log(keep[side]);
    return 2;
}

/* ln(1 / (1 + e^-x)) */
static double log_sigmoid(double x) { return x < 0 ? x - log1p(exp(x)) : -log1p(exp(-x)); }

/* Two bits, one of which is 1: the first on one input, the second on the other. Outcomes are numbered by the bits that
 * come out. */
size_t outcomes_of_unary(const audited *what, outcome_scores scores)
{
    if (!(what->scale >= 0 && what->scale <= 0x1p20)) return 0;
    for (int side = 0; side < 2; side++) {
        for (int outcome = 0; outcome < 4; outcome++) {
            scores[side][outcome] = 0;
            for (int bit = 0; bit < 2; bit++) {
                const double odds = bit == side ? 0 : -what->scale;
                scores[side][outcome] += log_sigmoid(outcome >> bit & 1 ? odds : -odds);
            }
        }
    }
    return 4;
}

/* P[noise >= x] */
static double upper_tail(const audited *what, double x)
{
    const double y = x / what->scale;
    if (what->is_gaussian) return 0.5 * erfc(y * sqrt(0.5));
    return y > 0 ? 0.5 * exp(-y) : 1 - 0.5 * exp(y);
}

double audit_border(const audited *what, size_t j) { return what->threshold + (double)j * what->width; }

/* Hidden, or shown between two borders. A released count is a multiple of the grid: it reaches a border, which is one
 * too, where the real sum is at most half a step below. */
size_t outcomes_of_counts(audited *what, outcome_scores scores)
{
    simdp_status status;
    what->grid = simdp_release_grid(what->scale);
    what->width = what->grid * 0x1p22;
    if (what->is_gaussian)
        status = simdp_release_threshold_gaussian(&what->threshold, &what->delta, 1, what->scale, what->grid, 1);
    else status = simdp_release_threshold_laplace(&what->threshold, &what->delta, 1, what->scale, what->grid, 1);
    if (status != SIMDP_OK || what->people < 1) return 0;
    for (int side = 0; side < 2; side++) {
        const double count = (double)(what->people - side);
        double above = count == 0 ? 0 : upper_tail(what, audit_border(what, 0) - what->grid / 2 - count);
        scores[side][0] = log1p(-above);
        for (size_t j = 1; j <= AUDIT_BORDERS; j++) {
            const bool is_last = j == AUDIT_BORDERS;
            const double next =
                is_last || count == 0 ? 0 : upper_tail(what, audit_border(what, j) - what->grid / 2 - count);
            scores[side][j] = log(above - next);
            above = next;
        }
    }
    return AUDIT_BORDERS + 1;
}

/* ---- integers ---- */

/* P[noise >= k] for a whole k >= 0 of a discrete law: its terms fall, faster and faster. */
static double discrete_tail(const audited *what, double k)
{
    if (!what->is_gaussian) return exp(-k / what->scale) / (1 + exp(-1 / what->scale));
    double all = 0, tail = 0;
    for (double j = 40 * what->scale + k; j >= 0; j--) { /* the smallest first */
        const double term = exp(-j / what->scale * (j / what->scale) / 2);
        all += j == 0 ? term : 2 * term;
        if (j >= k) tail += term;
    }
    return tail / all;
}

/* P[output >= k] for an input 0. Real noise is rounded: it reaches k from half a step below. */
static double integer_tail(const audited *what, double k)
{
    if (!what->is_discrete) return upper_tail(what, k - 0.5);
    return k > 0 ? discrete_tail(what, k) : 1 - discrete_tail(what, 1 - k);
}

/* P[output = k], or of all outputs from there on if k is one of the ends: on the side of 0 where tails are small. */
static double integer_probability(const audited *what, double k, bool is_end)
{
    return integer_tail(what, fabs(k)) - (is_end ? 0 : integer_tail(what, fabs(k) + 1));
}

size_t outcomes_of_integers(const audited *what, outcome_scores scores)
{
    const double distance = what->x1 - what->x0;
    if (!(fabs(what->x0) <= 0x1p52 && fabs(distance) < (double)AUDIT_REACH && what->x0 == floor(what->x0) &&
          distance == floor(distance) && what->scale >= 0x1p-10 && what->scale <= 1000))
        return 0;
    for (int side = 0; side < 2; side++) {
        for (int k = -AUDIT_REACH; k <= AUDIT_REACH; k++)
            scores[side][k + AUDIT_REACH] = log(integer_probability(what, k - side * distance, abs(k) == AUDIT_REACH));
    }
    return 2 * AUDIT_REACH + 1;
}

/* ---- above threshold ---- */

static double laplace_cdf(double x, double scale) { return x < 0 ? 0.5 * exp(x / scale) : 1 - 0.5 * exp(-x / scale); }

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Adds weight times the probabilities that query i is the first above the threshold, or none is (the last), where the
 * threshold's noise is t. */
static void add_firsts(const audited *what, const double *queries, double *probability, double t, double weight)
{
    double none = weight;
    for (size_t i = 0; i < what->queries; i++) {
        const double below = laplace_cdf(what->threshold + t - queries[i], what->scale_query);
        probability[i] += none * (1 - below);
        none *= below;
    }
    probability[what->queries] += none;
}

/* Gauss and Legendre's rule with five nodes on panels of at most a quarter of the smaller scale, between the places where
 * a density or a distribution function has a kink: errors are below 1e-13. */
static void integrate(const audited *what, const double *queries, double *probability)
{
    static const double node[5] = {0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640},
                        share[5] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                    0.2369268850561891};
    double kink[AUDIT_OUTCOMES_MOST + 3] = {-40 * what->scale, 0, 40 * what->scale};
    size_t kinks = 3;
    const double step = fmin(what->scale, what->scale_query) / 4;
    for (size_t i = 0; i < what->queries; i++) {
        const double at = queries[i] - what->threshold;
        if (fabs(at) < 40 * what->scale) kink[kinks++] = at;
    }
    qsort(kink, kinks, sizeof *kink, by_size);
    for (size_t k = 0; k + 1 < kinks; k++) {
        const double length = kink[k + 1] - kink[k], panels = ceil(length / step);
        for (double p = 0; p < panels; p++) {
            const double half = length / panels / 2, middle = kink[k] + (2 * p + 1) * half;
            for (int j = 0; j < 5; j++) {
                const double t = middle + half * node[j];
                add_firsts(what, queries, probability, t,
                           share[j] * half * exp(-fabs(t) / what->scale) / (2 * what->scale));
            }
        }
    }
}

size_t outcomes_of_queries(const audited *what, outcome_scores scores)
{
    if (!(what->scale > 0 && what->scale_query > 0 && what->scale / what->scale_query <= 1000)) return 0;
    for (int side = 0; side < 2; side++) {
        double probability[AUDIT_OUTCOMES_MOST] = {0};
        integrate(what, what->query[side], probability);
        for (size_t i = 0; i <= what->queries; i++) scores[side][i] = log(probability[i]);
    }
    return what->queries + 1;
}
