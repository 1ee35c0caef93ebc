/* test_property_subset: sampling without replacement and tree aggregation against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"
#include "property/shorthand.h"
#include "property/truth.h"
#include "support/laws.h"

#define U 0x1p-53

static double draw_rate(property_random *r)
{
    if (property_chance(r, 0.05)) return property_chance(r, 0.5) ? 0.0 : 1.0;
    return property_chance(r, 0.5) ? property_uniform(r) : property_log_uniform(r, 1e-300, 1.0);
}

/* ---- one use: Laplace noise, a = (epsilon or delta, t, rate) ---- */

/* x = ln(1 + (e^epsilon - 1)/rate) */
static void inner(mpfr_ptr out, double epsilon, double rate)
{
    property_exact(out, epsilon);
    mpfr_expm1(out, out, RN);
    mpfr_div_d(out, out, rate, RN);
    mpfr_log1p(out, out, RN);
}

static void draw_subset_delta(property_random *r, double *a)
{
    a[0] = property_epsilon(r), a[1] = property_epsilon(r), a[2] = draw_rate(r);
    const double x = log1p(expm1(a[0]) / a[2]);
    if (property_chance(r, 0.5) && isfinite(x)) a[1] = x * (1.0 + property_uniform(r));
    if (property_chance(r, 0.1) && isfinite(x)) a[1] = fabs(property_nudge(r, x));
}
static simdp_status subset_delta(double *out, const double *a)
{
    return simdp_account_subset_delta(out, &a[0], 1, law_laplace(a[1]), a[2]);
}

/* rate (1 - e^((x - t)/2)), 0 where x >= t */
static void subset_delta_truth(mpfr_t *out, const double *a)
{
    mpfr_set_ui(out[0], 0, RN);
    if (a[2] == 0.0) return;
    inner(out[0], a[0], a[2]);
    mpfr_sub_d(out[0], out[0], a[1], RN);
    if (mpfr_sgn(out[0]) > 0) mpfr_set_ui(out[0], 0, RN);
    mpfr_div_ui(out[0], out[0], 2, RN);
    mpfr_expm1(out[0], out[0], RN);
    mpfr_mul_d(out[0], out[0], -a[2], RN);
}
/* What 16 u of x are worth: rate e^((x - t)/2)/2 times that. */
static void subset_delta_slack(mpfr_t *out, const double *a)
{
    mpfr_ptr x = truth_number(3);
    mpfr_set_ui(out[0], 0, RN);
    if (a[2] == 0.0) return;
    inner(x, a[0], a[2]);
    mpfr_sub_d(out[0], x, a[1], RN);
    if (mpfr_sgn(out[0]) > 0) mpfr_set_ui(out[0], 0, RN);
    mpfr_div_ui(out[0], out[0], 2, RN);
    mpfr_exp(out[0], out[0], RN);
    mpfr_mul(out[0], out[0], x, RN);
    mpfr_mul_d(out[0], out[0], 9.0 * U * a[2], RN);
}

/* defect: the curve of a rate that is less by 1e-9 */
static simdp_status subset_delta_less(double *out, const double *a)
{
    return simdp_account_subset_delta(out, &a[0], 1, law_laplace(a[1]), a[2] * (1.0 - 1e-9));
}

static void draw_subset_epsilon(property_random *r, double *a)
{
    a[0] = property_delta(r), a[1] = property_epsilon(r), a[2] = draw_rate(r);
    if (property_chance(r, 0.5)) a[0] = a[2] * property_delta(r);
}
static simdp_status subset_epsilon(double *out, const double *a)
{
    return simdp_account_subset_epsilon(out, &a[0], 1, law_laplace(a[1]), a[2]);
}

/* x = t + 2 ln(1 - delta/rate), at least 0; left becomes 1 - delta/rate. */
static void subset_x(mpfr_ptr x, mpfr_ptr left, const double *a)
{
    mpfr_set_ui(x, 0, RN), mpfr_set_ui(left, 0, RN);
    if (a[0] >= a[2]) return;
    property_exact(left, a[0]);
    mpfr_div_d(left, left, a[2], RN);
    mpfr_neg(x, left, RN);
    mpfr_log1p(x, x, RN);
    mpfr_ui_sub(left, 1, left, RN);
    mpfr_mul_ui(x, x, 2, RN);
    mpfr_add_d(x, x, a[1], RN);
    truth_positive(x);
}
static void subset_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr x = truth_number(1);
    subset_x(x, truth_number(2), a);
    mpfr_expm1(out[0], x, RN);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    mpfr_log1p(out[0], out[0], RN);
}
static void subset_epsilon_slack(mpfr_t *out, const double *a)
{
    mpfr_ptr x = truth_number(1), left = truth_number(2), slope = truth_number(3), part = truth_number(4);
    mpfr_set_ui(out[0], 0, RN);
    subset_x(x, left, a);
    if (mpfr_zero_p(left)) return;
    mpfr_ui_sub(part, 1, left, RN);
    mpfr_div(part, part, left, RN);
    mpfr_mul_ui(part, part, 4, RN);
    mpfr_add_d(part, part, 8.0 * a[1], RN); /* errors of x, in u */
    mpfr_exp(slope, x, RN);
    mpfr_mul_d(slope, slope, a[2], RN);
    mpfr_expm1(out[0], x, RN);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    mpfr_add_ui(out[0], out[0], 1, RN);
    mpfr_div(slope, slope, out[0], RN);
    mpfr_mul(out[0], slope, part, RN);
    mpfr_mul_d(out[0], out[0], 1.1 * U, RN);
}

/* ---- Renyi: divergences of orders 2 .., then rate and max divergence ---- */

enum { ORDERS = 12 };

static void draw_renyi_subset(property_random *r, double *a)
{
    const double size = property_log_uniform(r, 1e-8, 10.0);
    const bool gaussian = property_chance(r, 0.5);
    for (int i = 0; i < ORDERS; i++) {
        a[i] = gaussian ? size * (i + 2) : property_chance(r, 0.05) ? 0.0 : property_log_uniform(r, 1e-8, 50.0);
        if (property_chance(r, 0.005)) a[i] = INFINITY;
    }
    a[ORDERS] = draw_rate(r);
    a[ORDERS + 1] = property_chance(r, 0.5) ? INFINITY : property_epsilon(r);
}
static simdp_status renyi_subset(double *out, const double *a)
{
    return simdp_account_renyi_subset(out, a, ORDERS, a[ORDERS], a[ORDERS + 1]);
}

/* min(2, (e^most - 1)^j) */
static void reach_of(mpfr_ptr out, double most, unsigned long j)
{
    mpfr_set_ui(out, 2, RN);
    if (most > 2.0) return;
    mpfr_ptr power = truth_number(10);
    property_exact(power, most);
    mpfr_expm1(power, power, RN);
    mpfr_pow_ui(power, power, j, RN);
    mpfr_min(out, out, power, RN);
}

/* The sum at order alpha, or inf where a divergence is. */
static void subset_sum(mpfr_ptr out, const double *a, unsigned long alpha)
{
    mpfr_ptr term = truth_number(11), reach = truth_number(12), other = truth_number(13), choose = truth_number(14);
    mpfr_set_ui(out, 0, RN);
    mpfr_set_ui(choose, alpha, RN);
    for (unsigned long j = 2; j <= alpha; j++) {
        mpfr_mul_ui(choose, choose, alpha - j + 1, RN);
        mpfr_div_ui(choose, choose, j, RN);
        if (isinf(a[j - 2])) {
            mpfr_set_inf(out, 1);
            return;
        }
        property_exact(term, a[j - 2]);
        mpfr_mul_ui(term, term, j - 1, RN);
        mpfr_exp(term, term, RN);
        reach_of(reach, a[ORDERS + 1], j);
        mpfr_mul(term, term, reach, RN);
        if (j == 2) {
            property_exact(other, a[0]);
            mpfr_expm1(other, other, RN);
            mpfr_mul_ui(other, other, 4, RN);
            mpfr_min(term, term, other, RN);
        }
        mpfr_mul(term, term, choose, RN);
        for (unsigned long i = 0; i < j; i++) mpfr_mul_d(term, term, a[ORDERS], RN);
        mpfr_add(out, out, term, RN);
    }
}
static void renyi_subset_truth(mpfr_t *out, const double *a)
{
    for (int i = 0; i < ORDERS; i++) {
        subset_sum(out[i], a, (unsigned long)i + 2);
        mpfr_log1p(out[i], out[i], RN);
        mpfr_div_ui(out[i], out[i], (unsigned long)i + 1, RN);
        property_exact(truth_number(0), a[i]);
        if (a[ORDERS] == 0.0 || a[ORDERS + 1] == 0.0) mpfr_set_ui(out[i], 0, RN);
        mpfr_min(out[i], out[i], truth_number(0), RN);
    }
}
static void renyi_subset_slack(mpfr_t *out, const double *a)
{
    double largest = 0.0;
    renyi_subset_truth(out, a);
    for (int i = 0; i < ORDERS; i++) {
        const double alpha = i + 2.0;
        if (isfinite(a[i])) largest = fmax(largest, (alpha - 1.0) * a[i]);
        const double few = a[ORDERS + 1] > 0.0 && a[ORDERS + 1] < 1.0 ? fabs(log(a[ORDERS + 1])) : 0.0;
        const double size = alpha * (1.0 + fabs(log(a[ORDERS])) + few + log(alpha)) + largest;
        if (a[ORDERS] > 0.0 && mpfr_number_p(out[i])) mpfr_mul_d(out[i], out[i], 0x1p-46 * size, RN);
        else mpfr_set_ui(out[i], 0, RN);
    }
}
/* defect: the curve of a rate that is less by 1e-9 */
static simdp_status renyi_subset_less(double *out, const double *a)
{
    return simdp_account_renyi_subset(out, a, ORDERS, a[ORDERS] * (1.0 - 1e-9), a[ORDERS + 1]);
}

/* ---- trees ---- */

static void draw_tree(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.03) ? (property_chance(r, 0.5) ? 0.0 : INFINITY) : property_scale(r);
    a[1] = (double)property_count(r, INT64_C(1) << 50);
}
static simdp_status tree_gaussian(double *out, const double *a)
{
    return simdp_account_tree_gaussian(out, &a[0], 1, (int64_t)a[1]);
}
static void tree_gaussian_truth(mpfr_t *out, const double *a)
{
    unsigned long nodes = 0; /* of a tree that grows by one level a turn, until it has room */
    for (double room = 1.0; room <= a[1]; room *= 2.0) nodes++;
    mpfr_set_inf(out[0], 1);
    if (nodes == 0) return;
    mpfr_sqrt_ui(truth_number(0), nodes, RN);
    property_exact(out[0], a[0]);
    mpfr_div(out[0], out[0], truth_number(0), RN);
    for (int i = 0; i < 40; i++) mpfr_nextabove(out[0]); /* results may be exact, and this is rounded */
}

/* 2^-1068 where a result is subnormal */
#define TINY                         \
    {                                \
        PROPERTY_ABOVE, 0, 0x1p-1068 \
    }

static const property_row rows[] = {
    PROPERTY_OF(account_subset_delta, subset_delta, 3, 1, .draw = draw_subset_delta, .rule = {UPPER(12 * U)},
                .slack = subset_delta_slack, .share = 0.5),
    PROPERTY_OF(account_subset_epsilon, subset_epsilon, 3, 1, .draw = draw_subset_epsilon, .rule = {UPPER(16 * U)},
                .slack = subset_epsilon_slack, .share = 0.5),
    PROPERTY_OF(account_renyi_subset, renyi_subset, ORDERS + 2, ORDERS, .draw = draw_renyi_subset,
                .rule = {TINY, TINY, TINY, TINY, TINY, TINY, TINY, TINY, TINY, TINY, TINY, TINY},
                .slack = renyi_subset_slack, .share = 0.1),
    PROPERTY_OF(account_tree_gaussian, tree_gaussian, 2, 1, .draw = draw_tree, .rule = {LOWER(4 * U)}),
    {0},
};

static const property_planted planted[] = {
    {"a smaller rate", "subset_delta", subset_delta_less},
    {"a smaller rate", "renyi_subset", renyi_subset_less},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
