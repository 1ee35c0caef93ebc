/* system_maps.h: rows of the simulation maps, and of exact sums. */
#ifndef SIMDP_PROPERTY_SYSTEM_MAPS_H
#define SIMDP_PROPERTY_SYSTEM_MAPS_H

#include <float.h>
#include <math.h>

#include "property/property.h"

/* ---- the map to a Laplace pair: a = argument, bit, epsilon ---- */

static double draw_map_epsilon(property_random *r)
{
    const double e = property_chance(r, 0.1) ? property_log_uniform(r, 0x1p-100, 1400.0) : property_epsilon(r);
    return property_chance(r, 0.02) ? 1400.0 : fmax(0x1p-100, e);
}

static void draw_map_point(property_random *r, double *a)
{
    a[1] = (double)property_below(r, 2);
    a[2] = draw_map_epsilon(r);
    switch (property_below(r, 5)) {
    case 0: a[0] = property_nudge(r, (double)property_below(r, 2)); break;
    case 1: a[0] = property_uniform(r); break;
    case 2: a[0] = (property_uniform(r) - 0.5) * 20.0 / a[2]; break;
    case 3: a[0] = a[1] + property_number(r); break;
    default:
        a[0] = property_chance(r, 0.5) ? property_log_uniform(r, 1e-300, 1) : 1 - property_log_uniform(r, 0x1p-53, 1);
    }
}

static void draw_map_probability(property_random *r, double *a)
{
    a[1] = (double)property_below(r, 2);
    a[2] = draw_map_epsilon(r);
    const double edge = 0.5 + 0.5 * exp(-a[2]);
    a[0] = property_chance(r, 0.3) ? property_nudge(r, property_chance(r, 0.5) ? edge : 1.0 - edge)
                                   : property_delta_open(r);
    if (property_chance(r, 0.3)) a[0] = property_uniform(r);
    a[0] = fmin(1 - 0x1p-53, fmax(0x1p-1074, a[0]));
}

static simdp_status system_laplace_map_density(double *out, const double *a)
{
    return simdp_theory_laplace_map_law(out, a, 1, SIMDP_THEORY_DENSITY, (int)a[1], a[2]);
}
static simdp_status system_laplace_map_cdf(double *out, const double *a)
{
    return simdp_theory_laplace_map_law(out, a, 1, SIMDP_THEORY_CDF, (int)a[1], a[2]);
}
static simdp_status system_laplace_map_quantile(double *out, const double *a)
{
    return simdp_theory_laplace_map_law(out, a, 1, SIMDP_THEORY_QUANTILE, (int)a[1], a[2]);
}

enum { MAP_BITS = 3000 }; /* 1 - z exactly, and e^epsilon with digits to spare */

/* h = (1 + e^-epsilon)/2 and g = e^epsilon - 1 */
static void map_constants(mpfr_ptr h, mpfr_ptr g, double epsilon)
{
    mpfr_set_d(g, epsilon, MPFR_RNDN);
    mpfr_neg(h, g, MPFR_RNDN);
    mpfr_exp(h, h, MPFR_RNDN);
    mpfr_add_ui(h, h, 1, MPFR_RNDN);
    mpfr_div_ui(h, h, 2, MPFR_RNDN);
    mpfr_expm1(g, g, MPFR_RNDN);
}

/* F(.|0) at z: h epsilon e^(epsilon z), epsilon sinh(epsilon (1-z))/g, 0; its distribution function h e^(epsilon z), 1
 * - 2 sinh^2(epsilon (1-z)/2)/g, 1. F(.|1) is the mirror image under z -> 1 - z. */
static void map_truth(mpfr_ptr out, const double *a, bool density)
{
    mpfr_t z, h, g;
    mpfr_init2(z, MAP_BITS);
    mpfr_inits2(PROPERTY_BITS, h, g, (mpfr_ptr)0);
    map_constants(h, g, a[2]);
    mpfr_set_d(z, a[0], MPFR_RNDN);
    if (a[1] != 0.0) mpfr_ui_sub(z, 1, z, MPFR_RNDN);
    if (mpfr_cmp_ui(z, 0) <= 0) {
        mpfr_mul_d(out, z, a[2], MPFR_RNDN);
        mpfr_exp(out, out, MPFR_RNDN);
        mpfr_mul(out, out, h, MPFR_RNDN);
        if (density) mpfr_mul_d(out, out, a[2], MPFR_RNDN);
    } else if (mpfr_cmp_ui(z, 1) >= 0) {
        mpfr_set_ui(out, density ? 0 : 1, MPFR_RNDN);
    } else {
        mpfr_ui_sub(z, 1, z, MPFR_RNDN);
        mpfr_mul_d(out, z, density ? a[2] : 0.5 * a[2], MPFR_RNDN);
        mpfr_sinh(out, out, MPFR_RNDN);
        if (density) mpfr_mul_d(out, out, a[2], MPFR_RNDN);
        else mpfr_sqr(out, out, MPFR_RNDN);
        mpfr_div(out, out, g, MPFR_RNDN);
        if (!density) mpfr_mul_si(out, out, -2, MPFR_RNDN);
        if (!density) mpfr_add_ui(out, out, 1, MPFR_RNDN);
    }
    if (!density && a[1] != 0.0) mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_clears(z, h, g, (mpfr_ptr)0);
}

static void system_laplace_map_density_truth(mpfr_t *out, const double *a) { map_truth(out[0], a, true); }
static void system_laplace_map_cdf_truth(mpfr_t *out, const double *a) { map_truth(out[0], a, false); }

/* bit 0: ln(u/h)/epsilon up to u = h, then 1 - 2 asinh(sqrt((1-u) g/2))/epsilon */
static void system_laplace_map_quantile_truth(mpfr_t *out, const double *a)
{
    mpfr_t u, h, g;
    mpfr_init2(u, MAP_BITS);
    mpfr_inits2(PROPERTY_BITS, h, g, (mpfr_ptr)0);
    map_constants(h, g, a[2]);
    mpfr_set_d(u, a[0], MPFR_RNDN);
    if (a[1] != 0.0) mpfr_ui_sub(u, 1, u, MPFR_RNDN);
    if (mpfr_cmp(u, h) <= 0) {
        mpfr_div(out[0], u, h, MPFR_RNDN);
        mpfr_log(out[0], out[0], MPFR_RNDN);
        mpfr_div_d(out[0], out[0], a[2], MPFR_RNDN);
    } else {
        mpfr_ui_sub(u, 1, u, MPFR_RNDN);
        mpfr_mul(out[0], u, g, MPFR_RNDN);
        mpfr_div_ui(out[0], out[0], 2, MPFR_RNDN);
        mpfr_sqrt(out[0], out[0], MPFR_RNDN);
        mpfr_asinh(out[0], out[0], MPFR_RNDN);
        mpfr_mul_2ui(out[0], out[0], 1, MPFR_RNDN);
        mpfr_div_d(out[0], out[0], a[2], MPFR_RNDN);
        mpfr_ui_sub(out[0], 1, out[0], MPFR_RNDN);
    }
    if (a[1] != 0.0) mpfr_ui_sub(out[0], 1, out[0], MPFR_RNDN);
    mpfr_clears(u, h, g, (mpfr_ptr)0);
}

static void density_slack(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[2]);
    mpfr_mul_d(out[0], out[0], 1e-15, MPFR_RNDN);
}

static void quantile_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], 8e-16, MPFR_RNDN);
    mpfr_div_d(out[0], out[0], a[2], MPFR_RNDN);
}

/* ---- the map for two laws: a[0] = epsilon, a[1] = delta, then p and q on POINTS points ---- */

enum { POINTS = 4 };

/* max(0, p - e^epsilon q) over all points, of the laws divided by their sums */
static double excess_of(const double *p, const double *q, double epsilon)
{
    mpfr_t sum[2], total, x, y;
    mpfr_inits2(PROPERTY_BITS, sum[0], sum[1], total, x, y, (mpfr_ptr)0);
    for (int v = 0; v < 2; v++) {
        mpfr_set_ui(sum[v], 0, MPFR_RNDN);
        for (size_t i = 0; i < POINTS; i++) mpfr_add_d(sum[v], sum[v], (v == 0 ? p : q)[i], MPFR_RNDN);
    }
    mpfr_set_ui(total, 0, MPFR_RNDN);
    for (size_t i = 0; i < POINTS; i++) {
        mpfr_set_d(y, epsilon, MPFR_RNDN);
        mpfr_exp(y, y, MPFR_RNDN);
        mpfr_mul_d(y, y, q[i], MPFR_RNDN);
        mpfr_div(y, y, sum[1], MPFR_RNDN);
        mpfr_d_div(x, p[i], sum[0], MPFR_RNDN);
        mpfr_sub(x, x, y, MPFR_RNDN);
        if (mpfr_sgn(x) > 0) mpfr_add(total, total, x, MPFR_RNDN);
    }
    const double excess = mpfr_get_d(total, MPFR_RNDU);
    mpfr_clears(sum[0], sum[1], total, x, y, (mpfr_ptr)0);
    return excess;
}

static void draw_laws(property_random *r, double *a)
{
    double *p = a + 2, *q = p + POINTS;
    a[0] = property_chance(r, 0.3) ? property_log_uniform(r, 1e-20, 1e-10) : property_epsilon(r);
    const bool close = property_chance(r, 0.6);
    const double unit =
        property_chance(r, 0.1) ? property_log_uniform(r, 1e-290, 1e290) : property_log_uniform(r, 0.5, 3);
    for (size_t i = 0; i < POINTS; i++) {
        p[i] = property_chance(r, 0.2) ? property_log_uniform(r, 1e-20, 1) : property_uniform(r);
        q[i] = close ? p[i] * exp(fmin(a[0], 700.0) * (property_uniform(r) - 0.5)) : property_uniform(r);
        if (close && property_chance(r, 0.3)) q[i] = p[i] + p[i] * fmin(1.0, a[0]) * (property_uniform(r) - 0.5);
        if (property_chance(r, 0.05)) q[i] = 0.0;
        if (property_chance(r, 0.05)) p[i] = 0.0;
        q[i] = fmin(1e300, q[i] * unit);
    }
    p[0] = fmax(p[0], 0.01);
    q[0] = fmax(q[0], 0.01 * unit);
    const double least = fmax(excess_of(p, q, a[0]), excess_of(q, p, a[0]));
    a[1] = least;
    if (property_chance(r, 0.4)) a[1] = least + (1.0 - least) * property_delta(r);
    if (least < 0x1p-53 && property_chance(r, 0.7)) a[1] = 0.0;
    a[1] = fmin(1.0, fmax(0.0, a[1]));
}

/* out: both laws as leaky randomized response and the rows mix them, then the sums of the rows. Long doubles: their
 * rounding is far below what is allowed. */
static void mix(double *out, const double *map, const double *a)
{
    const long double keep = 1.0L / (1.0L + expl(-(long double)a[0])), leak = a[1];
    for (size_t i = 0; i < POINTS; i++) {
        const long double f0 = map[i], f1 = map[POINTS + i];
        out[i] = (double)((1 - leak) * (keep * f0 + (1 - keep) * f1) + leak * map[2 * POINTS + i]);
        out[POINTS + i] = (double)((1 - leak) * (keep * f1 + (1 - keep) * f0) + leak * map[3 * POINTS + i]);
    }
    for (size_t row = 0; row < 4; row++) {
        long double sum = 0;
        for (size_t i = 0; i < POINTS; i++)
            sum += map[row * POINTS + i] >= 0.0 ? (long double)map[row * POINTS + i] : NAN;
        out[2 * POINTS + row] = (double)sum;
    }
}

static simdp_status system_discrete_map(double *out, const double *a)
{
    double map[4 * POINTS];
    const simdp_status status = simdp_theory_discrete_map(map, a + 2, a + 2 + POINTS, POINTS, a[0], a[1]);
    mix(out, map, a);
    return status;
}

static void system_discrete_map_truth(mpfr_t *out, const double *a)
{
    mpfr_t sum;
    mpfr_init2(sum, PROPERTY_BITS);
    for (size_t v = 0; v < 2; v++) {
        const double *law = a + 2 + v * POINTS;
        mpfr_set_ui(sum, 0, MPFR_RNDN);
        for (size_t i = 0; i < POINTS; i++) mpfr_add_d(sum, sum, law[i], MPFR_RNDN);
        for (size_t i = 0; i < POINTS; i++) mpfr_d_div(out[v * POINTS + i], law[i], sum, MPFR_RNDN);
    }
    for (size_t row = 0; row < 4; row++) mpfr_set_ui(out[2 * POINTS + row], 1, MPFR_RNDN);
    mpfr_clear(sum);
}

static void discrete_map_slack(mpfr_t *out, const double *a)
{
    for (size_t i = 0; i < 2 * POINTS; i++) mpfr_set_d(out[i], (POINTS + a[0]) * 0x1p-50, MPFR_RNDN);
    for (size_t i = 2 * POINTS; i < 2 * POINTS + 4; i++) mpfr_set_d(out[i], POINTS * 0x1p-51, MPFR_RNDN);
}

/* defect: both rows by their own quotient, as 1 - e^-epsilon divides rounding errors */
static simdp_status discrete_map_quotients(double *out, const double *a)
{
    double map[4 * POINTS], sum[4] = {0}, law[2][POINTS];
    if (a[1] != 0.0 || a[0] == 0.0) return system_discrete_map(out, a);
    for (size_t v = 0; v < 2; v++) {
        double total = 0.0;
        for (size_t i = 0; i < POINTS; i++) total += a[2 + v * POINTS + i];
        for (size_t i = 0; i < POINTS; i++) law[v][i] = a[2 + v * POINTS + i] / total;
    }
    for (size_t i = 0; i < 4 * POINTS; i++) {
        const double p = law[i / POINTS & 1][i % POINTS], q = law[1 - (i / POINTS & 1)][i % POINTS];
        map[i] = fmax(0.0, (p - q) - expm1(-a[0]) * q);
        sum[i / POINTS] += map[i];
    }
    for (size_t i = 0; i < 4 * POINTS; i++) map[i] /= sum[i / POINTS] > 0.0 ? sum[i / POINTS] : 1.0;
    mix(out, map, a);
    return SIMDP_OK;
}

/* ---- exact sums of clamped records: a = seed, n, lower, upper, grid ---- */

enum { RECORDS_MOST = 1000000 };
static double records[RECORDS_MOST];
static int64_t records_i64[RECORDS_MOST];

static void draw_clamped(property_random *r, double *a)
{
    a[0] = (double)(property_word(r) >> 20);
    a[1] = property_chance(r, 0.001) ? RECORDS_MOST : (double)property_below(r, 200);
    a[4] = ldexp(1.0, property_chance(r, 0.2) ? (int)property_below(r, 1875) - 944 : (int)property_below(r, 60) - 40);
    const double most = 0x1p51 * a[4];
    double ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = property_chance(r, 0.3) ? property_number(r)
                                          : (property_uniform(r) - 0.3) * ldexp(a[4], (int)property_below(r, 51));
        if (property_chance(r, 0.1)) ends[i] = copysign(most, ends[i]);
        ends[i] = fmax(-most, fmin(most, ends[i]));
    }
    a[2] = fmin(ends[0], ends[1]);
    a[3] = fmax(ends[0], ends[1]);
    if (ceil(a[2] / a[4]) > floor(a[3] / a[4]) || (a[2] > 0 && a[3] < a[4]) || (a[3] < 0 && a[2] > -a[4])) {
        a[3] = fmin(most, a[3] + a[4]); /* a multiple of the grid between them */
        a[2] = fmax(-most, a[2] - a[4]);
    }
}

static void fill_records(const double *a)
{
    property_random r = {(uint64_t)a[0]};
    for (size_t i = 0; i < (size_t)a[1]; i++) {
        const double x = property_number(&r);
        records[i] = property_chance(&r, 0.5) ? x : (property_uniform(&r) - 0.5) * 8.0 * fmax(fabs(a[2]), fabs(a[3]));
        if (property_chance(&r, 0.2)) records[i] = (rint(x) + 0.5) * a[4];
        if (property_chance(&r, 0.02)) records[i] = property_chance(&r, 0.5) ? NAN : INFINITY;
    }
}

static simdp_status release_clamped_sum(double *out, const double *a)
{
    fill_records(a);
    return simdp_release_clamped_sum(out, records, (size_t)a[1], a[2], a[3], a[4]);
}

/* x/grid, rounded up, down or to nearest even, within +-2^51 */
static double units(double x, double grid, mpfr_rnd_t rounding)
{
    mpfr_t q;
    mpfr_init2(q, 2400);
    mpfr_set_d(q, x, MPFR_RNDN);
    mpfr_div_d(q, q, grid, MPFR_RNDN);
    mpfr_rint(q, q, rounding);
    const double whole = mpfr_get_d(q, MPFR_RNDN);
    mpfr_clear(q);
    return whole;
}

__extension__ typedef __int128 whole_sum;

static void release_clamped_sum_truth(mpfr_t *out, const double *a)
{
    const double least = units(a[2], a[4], MPFR_RNDU), most = units(a[3], a[4], MPFR_RNDD);
    whole_sum sum = 0;
    const whole_sum limit = (whole_sum)1 << 53;
    fill_records(a);
    for (size_t i = 0; i < (size_t)a[1]; i++) {
        const double x = isnan(records[i]) ? 0.0 : records[i],
                     q = x / a[4]; /* exact, or far beyond, or far below 1/2 */
        sum += (int64_t)rint(q < least ? least : q > most ? most : q);
    }
    sum = sum > limit ? limit : sum < -limit ? -limit : sum;
    mpfr_set_d(out[0], (double)(int64_t)sum, MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], a[4], MPFR_RNDN);
}

/* a = seed, n, then the ends as multiples of 2^32: large and small */
static void draw_clamped_i64(property_random *r, double *a)
{
    a[0] = (double)(property_word(r) >> 20);
    a[1] = property_chance(r, 0.001) ? RECORDS_MOST : (double)property_below(r, 200);
    a[2] = (double)((int64_t)property_word(r) >> property_below(r, 64));
    a[3] = (double)((int64_t)property_word(r) >> property_below(r, 64));
    if (a[2] > a[3]) {
        const double end = a[2];
        a[2] = a[3];
        a[3] = end;
    }
}

static int64_t whole(double x) { return x >= 0x1p63 ? INT64_MAX : (int64_t)x; }

static void fill_records_i64(const double *a)
{
    property_random r = {(uint64_t)a[0]};
    for (size_t i = 0; i < (size_t)a[1]; i++) {
        records_i64[i] = (int64_t)property_word(&r) >> property_below(&r, 64);
        if (property_chance(&r, 0.2)) records_i64[i] = property_chance(&r, 0.5) ? INT64_MAX : INT64_MIN;
    }
}

/* out: the sum's upper and lower half, which doubles hold */
static void halves(double *out, int64_t sum)
{
    out[0] = (double)(sum >> 32);
    out[1] = (double)(sum & 0xffffffff);
}

static simdp_status release_clamped_sum_i64(double *out, const double *a)
{
    int64_t sum = 0;
    fill_records_i64(a);
    const simdp_status status =
        simdp_release_clamped_sum_i64(&sum, records_i64, (size_t)a[1], whole(a[2]), whole(a[3]));
    halves(out, sum);
    return status;
}

static void release_clamped_sum_i64_truth(mpfr_t *out, const double *a)
{
    const int64_t lower = whole(a[2]), upper = whole(a[3]);
    whole_sum sum = 0;
    double parts[2];
    fill_records_i64(a);
    for (size_t i = 0; i < (size_t)a[1]; i++)
        sum += records_i64[i] < lower ? lower : records_i64[i] > upper ? upper : records_i64[i];
    halves(parts, sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum);
    for (int i = 0; i < 2; i++) mpfr_set_d(out[i], parts[i], MPFR_RNDN);
}

/* defect: a sum of doubles */
static simdp_status clamped_sum_of_doubles(double *out, const double *a)
{
    fill_records(a);
    out[0] = 0.0;
    for (size_t i = 0; i < (size_t)a[1]; i++)
        out[0] += rint(fmin(a[3], fmax(a[2], isnan(records[i]) ? 0.0 : records[i])) / a[4]) * a[4];
    return SIMDP_OK;
}

#endif
