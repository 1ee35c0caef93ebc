/* sampled_moment.c: moments and Renyi divergences behind Poisson sampling.
 *
 * With x = q (e^l - 1), E[x] = 0, and N(x) = ((1 + x)^c - 1 - c x) / (c (c - 1)), which is never negative,
 *     e^G(c) = 1 + c (c - 1) E[N(x)],
 * so that G keeps its digits where q is tiny, c near 0 or near 1. Expectations over Gaussian losses are sums over
 * z = (l + mu^2/2)/mu in equal steps. With the step h their relative error is exp(-2 pi^2/h^2) for whole c >= 0, whose
 * terms are Gaussian; else the integrand has its nearest branch point at a distance of pi/mu from the real line. For
 * c < 0 and at a distance of y < pi/(2 mu) it is at most e^(y^2/2) times what it is on the line with e^l cos(mu y) in
 * place of e^l, which moves z by d = -ln cos(mu y)/mu and so multiplies the integral by exp(d |mode|) or little more:
 * the relative error is exp(-2 pi y/h + y^2/2 + d |mode|), at a y of our choice. */
#include "loss/sampled.h"

#include <math.h>
#include <stdbool.h>

#include "call/forms.h"
#include "math/plain_math.h"
#include "math/quadrature.h"

#define LARGE        300.0 /* of an exponent: beyond, products are made of exponents alone */
#define DIRECT       20.0  /* of G: from there on nothing is lost by e^G itself */
#define LOG_SQRT_2PI 0x1.d67f1c864beb5p-1

double simdp_sampled_loss(double l, double q)
{
    if (l > LARGE) {
        const double y = l + plain_log(q); /* of a q e^l that is not large, q itself is nothing */
        return y > 40 ? y + plain_log1p((1 - q) * plain_exp(-y)) : plain_log1p(plain_exp(y) - q);
    }
    const double x = q * plain_expm1(l);
    return x < -0.5 ? plain_log((1 - q) + q * plain_exp(l)) : plain_log1p(x);
}

/* ln((e^L - (1 - q))/q): near the least loss from the weight of M1 there, 1 - (1 - q) e^-L. */
double simdp_sampled_inner_loss(double loss, double q)
{
    if (loss <= 0) return loss + plain_log(-plain_expm1(plain_log1p(-q) - loss) / q);
    if (loss > 30) return loss - plain_log(q) + plain_log1p(-(1 - q) * plain_exp(-loss));
    return plain_log1p(plain_expm1(loss) / q);
}

/* N(x), x > -1, by its series where the terms fall by 4 and more. */
static double series(double c, double x)
{
    double term = 1, sum = 1;
    for (int k = 2; k < 40 && fabs(term) > 0x1p-56; k++) {
        term *= (c - k) * x / (k + 1);
        sum += term;
    }
    return x * x / 2 * sum;
}

static double quotient_expm1(double a, double l) { return fabs(a * l) < 0x1p-54 ? l : plain_expm1(a * l) / a; }

/* e^log_weight N(x) at a loss l */
static double weighted(double c, double q, double l, double log_weight)
{
    const double a = c - 1, loss = simdp_sampled_loss(l, q);
    const bool near_zero = fabs(c) < 0.5;
    if (loss > LARGE) { /* x is e^L */
        const double whole = plain_exp(log_weight + loss);
        if (near_zero) {
            const double other = c * loss > LARGE ? plain_exp(log_weight + c * loss) / c
                                                  : plain_exp(log_weight) * quotient_expm1(c, loss);
            return (other - whole) / a;
        }
        if (a * loss > LARGE) return plain_exp(log_weight + c * loss) / (c * a);
        return whole * (quotient_expm1(a, loss) - 1) / c;
    }
    if (c * loss > LARGE) return plain_exp(log_weight + c * loss) / (c * a);
    const double x = l > LARGE ? plain_exp(loss) - 1 : q * plain_expm1(l), weight = plain_exp(log_weight);
    if (fabs(x) * (fabs(c) + 2) < 0.25) return weight * series(c, x);
    if (near_zero) return weight * (quotient_expm1(c, loss) - x) / a;
    return weight * ((1 + x) * quotient_expm1(a, loss) - x) / c;
}

/* A sum of exponentials that cannot overflow: e^top sum. */
typedef struct {
    double top, sum;
} log_sum;

static void log_sum_add(log_sum *s, double exponent, double factor)
{
    if (exponent > s->top) s->sum *= plain_exp(s->top - exponent), s->top = exponent;
    s->sum += factor * plain_exp(exponent - s->top);
}

/* ---- Gaussian noise ---- */

typedef struct {
    double c, mu, q, step;
} lattice;

static double inner(const lattice *g, double z) { return g->mu * (z - g->mu / 2); }

/* The share of M1 in the mixture: dL/dl. */
static double share(const lattice *g, double z)
{
    const double l = inner(g, z), loss = simdp_sampled_loss(l, g->q);
    return l > LARGE ? 1 : fmin(1, g->q * plain_exp(l - loss));
}

/* How far from a mode the density counts, in standard deviations; up to where no mode is looked for. */
#define REACH           11
#define REACH_FAR       40
#define NEAR            60
#define NODES_MOST      (1 << 15)
#define NODES_OF_EXCESS (1 << 16)

/* The highest z = mu (more + c dL/dl), c > 0, from above, as dL/dl rises. */
static double highest_mode(const lattice *g, double more)
{
    double z = g->mu * (more + g->c), moved = 1;
    for (int round = 0; round < 60 && moved > 0.05; round++) {
        const double next = g->mu * (more + g->c * share(g, z));
        moved = z - next, z = next;
    }
    return z;
}

/* Where e^(c L) times the density is largest z = c mu dL/dl. For c > 0 there may be two such places, of which these are
 * the lowest, from below, and the highest. For c < 0 there is one. */
static void modes(const lattice *g, double *low, double *high)
{
    const double far = g->c * g->mu;
    *low = fmin(far, 0), *high = fmax(far, 0);
    if (far > 0) {
        if (far < NEAR) return; /* near enough as it is */
        double moved = 1;
        for (int round = 0; round < 60 && moved > 0.05; round++) {
            const double next = far * share(g, *low);
            moved = next - *low, *low = next;
        }
        *high = highest_mode(g, 0);
        return;
    }
    for (int round = 0; round < 60 && *high - *low > 0.1; round++) {
        const double middle = (*low + *high) / 2;
        if (far * share(g, middle) > middle) *low = middle;
        else *high = middle;
    }
}

static void add_nodes(const lattice *g, log_sum *s, double from, double to)
{
    for (double i = ceil(from / g->step), last = floor(to / g->step); i <= last;
         i++) { /* bound: some NODES_MOST turns */
        const double z = i * g->step;
        log_sum_add(s, g->c * simdp_sampled_loss(inner(g, z), g->q) - z * z / 2, 1);
    }
}

/* G(c) from e^(c L); modes that are far apart are narrow, and nothing lies between. */
static double gaussian_direct(const lattice *g, double low, double high)
{
    log_sum s = {-INFINITY, 0};
    if (g->c > 0 && high - low > NODES_MOST * g->step) {
        add_nodes(g, &s, low - REACH_FAR, low + REACH_FAR);
        add_nodes(g, &s, high - REACH_FAR, high + REACH_FAR);
    } else {
        const double wider = g->c * g->mu < NEAR ? 0 : REACH_FAR; /* where two modes meet the density falls slowly */
        add_nodes(g, &s, low - REACH - wider, high + REACH + wider);
    }
    return s.top + plain_log(s.sum * g->step) - LOG_SQRT_2PI;
}

/* E[N(x)]; inf where that takes too many nodes. The logarithm of N rises with l by 2 + c dL/dl at most. */
static double gaussian_excess(const lattice *g, double low)
{
    const double top = g->c * g->mu < NEAR ? (fmax(g->c, 0) + 2) * g->mu : highest_mode(g, 2) + REACH_FAR;
    const double from = fmin(0, low) - REACH, to = top + REACH;
    double sum = 0;
    if (to - from > NODES_OF_EXCESS * g->step) return INFINITY;
    for (double i = ceil(from / g->step), last = floor(to / g->step); i <= last;
         i++) { /* bound: NODES_OF_EXCESS turns */
        const double z = i * g->step;
        sum += weighted(g->c, g->q, inner(g, z), -z * z / 2);
    }
    return sum * g->step * 0x1.9884533d43651p-2; /* 1 / sqrt(2 pi) */
}

/* For c < 0: the step with an error of e^-42, from the mode, of which -ln cos x <= 0.71 x^2 for x <= 1.2. However large
 * -c is, mu |mode| stays below mu^2 + ln(-c q/(1 - q)) and some. */
static double negative_step(double mu, double mode)
{
    const double growth = 1 + 1.42 * mu * fabs(mode), y = fmin(sqrt(84 / growth), 1.2 / mu);
    return 0x1.921fb54442d18p+2 * y / (42 + growth * y * y / 2); /* 2 pi */
}

/* E[N(x)], or G(c) itself where that is better known. */
static bool gaussian_by_excess(double c, double mu, double q, double *result)
{
    lattice g = {c, mu, q, fmin(0.6, 0.45 / mu)};
    double low, high;
    modes(&g, &low, &high);
    if (c < 0) g.step = fmin(g.step, fmax(g.step / sqrt(1 - c * mu * mu / 4), negative_step(mu, low)));
    const double l = inner(&g, high), top = c * simdp_sampled_loss(l, q) - high * high / 2;
    if (top <= DIRECT) {
        const double excess = gaussian_excess(&g, low), more = c * (c - 1) * excess;
        if (more >= -0.5 && more < INFINITY) {
            *result = excess;
            return true;
        }
    }
    *result = gaussian_direct(&g, low, high);
    return false;
}

double simdp_sampled_gaussian_moment(double c, double mu, double q)
{
    double result;
    if (c == 0 || c == 1 || q == 0 || mu == 0) return 0;
    if (q == 1) return c * (c - 1) / 2 * (mu * mu);
    return gaussian_by_excess(c, mu, q, &result) ? plain_log1p(c * (c - 1) * result) : result;
}

double simdp_renyi_of_gaussian_sampled(double alpha, double mu, double q)
{
    double result;
    const double a = alpha - 1;
    if (q == 0 || mu == 0) return 0;
    if (q == 1) return alpha / 2 * (mu * mu);
    if (!gaussian_by_excess(alpha, mu, q, &result)) return result / a;
    const double more = alpha * a * result;
    return fabs(more) < 0x1p-60 ? alpha * result : alpha * result * (plain_log1p(more) / more);
}

/* ---- Laplace noise ---- */

/* Under M0 the loss is -t with probability 1/2, t with e^-t/2, and has the density e^(-(l+t)/2)/4 between. Panels are
 * short against the change of e^(c L). */
enum { LAPLACE_NODES = 12, PANELS_MOST = 1 << 16 };

typedef struct {
    double c, t, q;
    double node[LAPLACE_NODES], weight[LAPLACE_NODES];
} sampled_laplace;

static double laplace_width(const sampled_laplace *g, double l)
{
    const double at = fmin(l + 1, g->t), loss = simdp_sampled_loss(at, g->q);
    const double slope = (fabs(g->c) + 1) * fmin(1, g->q * plain_exp(at - loss));
    return fmin(1, 4 / (slope + 1.5));
}

static double laplace_excess(const sampled_laplace *g)
{
    double sum = weighted(g->c, g->q, -g->t, plain_log(0.5)) + weighted(g->c, g->q, g->t, plain_log(0.5) - g->t);
    double from = -g->t;
    for (int panel = 0; panel < PANELS_MOST && from < g->t; panel++) {
        const double width = fmin(laplace_width(g, from), g->t - from);
        for (int k = 0; k < LAPLACE_NODES; k++) {
            const double l = from + g->node[k] * width;
            sum += g->weight[k] * width * weighted(g->c, g->q, l, -(l + g->t) / 2) / 4;
        }
        from = from + width < g->t ? from + width : g->t;
    }
    return from < g->t ? INFINITY : sum;
}

static double laplace_direct(const sampled_laplace *g)
{
    log_sum s = {-INFINITY, 0};
    log_sum_add(&s, g->c * simdp_sampled_loss(-g->t, g->q), 0.5);
    log_sum_add(&s, g->c * simdp_sampled_loss(g->t, g->q) - g->t, 0.5);
    double from = -g->t;
    for (int panel = 0; panel < PANELS_MOST && from < g->t; panel++) {
        const double width = fmin(laplace_width(g, from), g->t - from);
        for (int k = 0; k < LAPLACE_NODES; k++) {
            const double l = from + g->node[k] * width;
            log_sum_add(&s, g->c * simdp_sampled_loss(l, g->q) - (l + g->t) / 2, g->weight[k] * width / 4);
        }
        from = from + width < g->t ? from + width : g->t;
    }
    /* an order so high that panels run out: the largest loss bounds what is left */
    return s.top + plain_log(s.sum) + (from < g->t ? 1 + plain_log1p(g->t) : 0);
}

double simdp_sampled_laplace_moment(double c, double t, double q)
{
    if (c == 0 || c == 1 || q == 0 || t == 0) return 0;
    sampled_laplace g = {.c = c, .t = t, .q = q};
    simdp_gauss_legendre(LAPLACE_NODES, g.node, g.weight);
    const double top = fmax(c * simdp_sampled_loss(-t, q), c * simdp_sampled_loss(t, q) - t);
    if (top <= DIRECT) {
        const double more = c * (c - 1) * laplace_excess(&g);
        if (more >= -0.5 && more < INFINITY) return plain_log1p(more);
    }
    return laplace_direct(&g);
}

/* ---- public ---- */

static double gaussian_form(double alpha, const double *p)
{
    const double s = p[0], q = p[1];
    if (!(alpha > 0 && s >= 0 && q >= 0 && q <= 1)) return NAN;
    if (q == 0 || isinf(s)) return 0;
    if (s == 0) { /* disjoint laws, of which the mixture keeps a part of 1 - q */
        return alpha >= 1 || q == 1 ? INFINITY : alpha / (alpha - 1) * plain_log1p(-q);
    }
    if (isinf(alpha)) return INFINITY;
    if (q == 1) return alpha / 2 / s / s;
    if (!(1 / s <= SAMPLED_MU_MOST && alpha <= SAMPLED_ORDER_MOST)) return NAN;
    return simdp_renyi_of_gaussian_sampled(alpha, 1 / s, q);
}

simdp_status simdp_renyi_gaussian_sampled(double *divergence, const double *order, size_t n,
                                          double sigma_over_sensitivity, double rate)
{
    FP_MODE_SCOPE();
    FP_PIN(sigma_over_sensitivity);
    FP_PIN(rate);
    return simdp_forms_map(divergence, order, n, gaussian_form, (const double[]){sigma_over_sensitivity, rate});
}
