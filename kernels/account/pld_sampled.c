/* pld_sampled.c: Laplace and Gaussian noise behind Poisson sampling, on the grid. With M0 and M1 the laws of the noise
 * without and with a record, q the rate and l = ln M1/M0 at an output, L = ln(1 - q + q e^l) is the loss when the
 * record is removed, under P = e^L M0, and -L the loss when it is added, under M0.
 *
 * All is computed as masses of M0 at multiples of the grid of L: rounding by DOTS and by BINS keeps the masses of both
 * laws, so the same masses serve both directions, times e^(c L) with c = 1 + v (removed) or -v (added), v the tilt.
 *
 * A cell from a to b = a + h takes a share of each output to either end: with bottom = 1 - e^(L - b) and
 * top = e^-h (e^(L - a) - 1), which add up to 1 - e^-h. As e^L is linear in e^l, both are multiples of e^(l - l') - 1,
 * l' the end of the cell: nothing cancels. Integrals are over l, by panels short against the change of the density. */
#include "account/pld.h"

#include "call/fp_mode.h"
#include "loss/sampled.h"
#include "math/plain_math.h"
#include "math/quadrature.h"

enum { NODES = 8, FEW_NODES = 4, PARTS = 4 }; /* of a panel, of one that is short; of a cell, for bins */
#define PANELS_MOST 4096.0 /* enough for |z| up to 4000, and no delta of a double comes from beyond 200 */
#define RARE        1e-6   /* cells with less mass are not cut: what their bins lose is nothing to what the others do */
#define FAR         40.0   /* standard deviations: beyond, masses are below the smallest double */
#define FAR_ENOUGH  14.0   /* beyond, all mass together is below e^-95: less than what a reach may leave out */

/* ---- moments ---- */

bool simdp_pld_is_sampled(const pld_law *law)
{
    return law->kind == PLD_GAUSSIAN_SAMPLED || law->kind == PLD_LAPLACE_SAMPLED;
}

static double moment(const pld_law *law, double c)
{
    const bool gaussian = law->kind == PLD_GAUSSIAN_SAMPLED;
    if (fabs(c) <= SAMPLED_ORDER_MOST)
        return gaussian ? simdp_sampled_gaussian_moment(c, law->a, law->b)
                        : simdp_sampled_laplace_moment(c, law->a, law->b);
    /* (1 - q + q e^l)^c is at most (1 - q) + q e^(c l); and the largest loss bounds all others */
    return gaussian ? c * (c - 1) / 2 * (law->a * law->a) : c * simdp_sampled_loss(c > 0 ? law->a : -law->a, law->b);
}

double simdp_pld_sampled_cumulant(const pld_law *law, double u) { return moment(law, law->added ? -u : 1 + u); }

void simdp_pld_law_turn(pld_law *law, bool added)
{
    if (law->kind == PLD_MIXTURE) simdp_pld_mixture_turn(law, added);
    if (!simdp_pld_is_sampled(law)) return;
    const bool gaussian = law->kind == PLD_GAUSSIAN_SAMPLED;
    const double low = gaussian ? plain_log1p(-law->b) : simdp_sampled_loss(-law->a, law->b),
                 high = gaussian ? INFINITY : simdp_sampled_loss(law->a, law->b), step = 0x1p-10;
    law->added = added;
    law->least = added ? -high : low, law->most = added ? -low : high;
    law->variance =
        fmax(0, (simdp_pld_sampled_cumulant(law, step) + simdp_pld_sampled_cumulant(law, -step)) / (step * step));
}

bool simdp_pld_turn(simdp_pld *pld, bool added)
{
    bool any = false;
    for (size_t i = 0; i < pld->count; i++) {
        simdp_pld_law_turn(&pld->law[i], added);
        const bool sides = pld->law[i].kind == PLD_MIXTURE || simdp_pld_is_sampled(&pld->law[i]);
        any = any || (sides && pld->law[i].times > 0);
    }
    return any;
}

/* The loss beyond which the tilted law has at most exp(log_outside), by the best of Chernoff's bounds, upward (side 1)
 * or downward (side -1). */
static double tail_end(const pld_law *law, double tilt, double log_outside, double side)
{
    const double here = simdp_pld_sampled_cumulant(law, tilt);
    double best = INFINITY;
    for (double w = 0.5; w < 0x1p30; w *= 1.5) { /* bound: 53 turns */
        const double end = (simdp_pld_sampled_cumulant(law, tilt + side * w) - here - log_outside) / w;
        if (!(end < best)) break;
        best = end;
    }
    return side * best;
}

void simdp_pld_sampled_reach(const pld_law *law, double grid, double tilt, double log_outside, int64_t *first,
                             int64_t *last)
{
    const double left = log_outside - 2 - fabs(tilt) * grid;
    const double low = law->added ? fmax(tail_end(law, tilt, left, -1), -PLD_INDEX_MAX * grid) : law->least,
                 high = law->added ? law->most : fmin(tail_end(law, tilt, left, 1), PLD_INDEX_MAX * grid);
    *first = (int64_t)floor(low / grid) - 2;
    *last = (int64_t)ceil(high / grid) + 2;
}

/* ---- masses ---- */

/* e^-w, 1 - e^-w and e^(-c w) of a width w */
typedef struct {
    double fall, unit, back;
} cell_width;

static cell_width width_of(double w, double c)
{
    return (cell_width){plain_exp(-w), -plain_expm1(-w), plain_exp(-c * w)};
}

typedef struct {
    pld_sink *sink;
    bool gaussian, added;
    double mu, t, q;                 /* mu of Gaussian, t of Laplace noise */
    double h, c, log_norm, log_rest; /* log_rest = ln(1 - q), the least L */
    double low, high;                /* of l: what lies outside counts as nothing */
    cell_width whole, part;          /* of cells, and of their parts */
    double log_peak;                 /* of the density of l under M0 */
    double node[NODES], weight[NODES], few_node[FEW_NODES], few_weight[FEW_NODES];
} sampled_grid;

/* Integrals over one cell or a part of one, in the measure M0 times e^(c b - log_norm), b its upper end. */
typedef struct {
    double all, bottom, top;
} cell_masses;

/* ln of the density of l under M0 */
static inline double log_density(const sampled_grid *g, double l)
{
    if (!g->gaussian) return -(l + g->t) / 2 + g->log_peak;
    const double z = l / g->mu + g->mu / 2;
    return -z * z / 2 + g->log_peak;
}

static double inner_of(const sampled_grid *g, double loss)
{
    return loss > g->log_rest ? simdp_sampled_inner_loss(loss, g->q) : -INFINITY;
}

/* 1 - (1 - q) e^-L: the share of M1 in the mixture */
static double share_of(const sampled_grid *g, double loss) { return -plain_expm1(g->log_rest - loss); }

/* How much the integrand may change over a stretch, in nats: with up to 2 a panel of 8 nodes, with up to 0.1 one of 4
 * is right to 1e-17, and with the share of an end to 1.1e-15. (|z| + 3)/mu bounds the k-th root of the k-th derivative
 * for all k up to 16, as README.md of this room proves. */
static double change_over(const sampled_grid *g, double from, double to)
{
    if (!g->gaussian) return (to - from) * 1.5;
    const double z = fmax(fabs(from / g->mu + g->mu / 2), fabs(to / g->mu + g->mu / 2));
    return (to - from) * (1 + (z + 3) / g->mu);
}

/* One stretch of l on which a single formula for the shares is right to all digits: above the middle of the cell from
 * its upper end, below from its lower one. */
typedef struct {
    double lower, upper; /* ends of the cell in l; lower may be -inf */
    double share_lower, share_upper;
    double fall;        /* e^-h */
    double unit;        /* 1 - e^-h */
    double base, slope; /* of the lowest cell, which begins below ln(1 - q): top = e^-h (base + slope e^l) */
    double weight;      /* c b - log_norm */
} cell_shape;

static void integrate(const sampled_grid *g, const cell_shape *s, double from, double to, cell_masses *m)
{
    const double middle = s->lower > -INFINITY ? (s->lower + s->upper) / 2 : s->upper - 1;
    const double change = change_over(g, from, to), panels = fmin(fmax(1, ceil(change / 2)), PANELS_MOST),
                 width = (to - from) / panels;
    const bool few = change <= 0.1;
    const double *node = few ? g->few_node : g->node, *node_weight = few ? g->few_weight : g->weight;
    const int nodes = few ? FEW_NODES : NODES;
    for (double p = 0; p < panels; p++) { /* bound: PANELS_MOST turns */
        for (int k = 0; k < nodes; k++) {
            const double l = from + (p + node[k]) * width;
            const double mass = node_weight[k] * width * plain_exp(log_density(g, l) + s->weight);
            double bottom, top;
            if (l > middle) {
                bottom = -s->share_upper * plain_expm1(l - s->upper);
                top = fmax(0, s->unit - bottom);
            } else {
                top = s->fall * (s->lower > -INFINITY ? s->share_lower * plain_expm1(l - s->lower)
                                                      : s->base + s->slope * plain_exp(l));
                bottom = fmax(0, s->unit - top);
            }
            m->all += mass, m->bottom += mass * bottom, m->top += mass * top;
        }
    }
}

/* Long stretches in pieces, so that panels far out in the tail are not as short as the farthest asks for. */
static void integrate_stretch(const sampled_grid *g, const cell_shape *s, double from, double to, cell_masses *m)
{
    const double most = g->gaussian ? 2 * g->mu : 4;
    while (to - from > most) { /* bound: 2 FAR turns and what the tilt adds, or t/2 */
        integrate(g, s, to - most, to, m);
        to -= most;
    }
    if (to > from) integrate(g, s, from, to, m);
}

/* A place between cells. */
typedef struct {
    double loss, inner, share;
} cell_end;

static cell_end end_at(const sampled_grid *g, double loss)
{
    return (cell_end){loss, inner_of(g, loss), loss > g->log_rest ? share_of(g, loss) : 0};
}

/* The cell from one place to the next; width as their losses differ. */
static cell_masses cell(const sampled_grid *g, const cell_end *lower, const cell_end *upper, const cell_width *w)
{
    const double a = lower->loss, b = upper->loss;
    cell_shape s = {.lower = lower->inner,
                    .upper = upper->inner,
                    .share_lower = lower->share,
                    .share_upper = upper->share,
                    .fall = w->fall,
                    .unit = w->unit,
                    .weight = g->c * b - g->log_norm};
    cell_masses m = {0, 0, 0};
    if (!(s.upper > g->low)) return m;
    if (s.lower == -INFINITY) {
        s.base = plain_expm1(g->log_rest - a);
        s.slope = plain_exp(-a) * g->q;
    }
    const double from = fmax(s.lower, g->low), to = fmin(s.upper, g->high);
    if (from < to) integrate_stretch(g, &s, from, to, &m);
    const double far = g->gaussian && isfinite(from) ? fmax(fabs(from), fabs(to)) / g->mu + g->mu : 0;
    const double relative = PLD_U * (96 + 4 * (far * far + fabs(g->c * b) + fabs(g->log_norm) + g->t + fabs(to)));
    if (m.all > 0) {
        const double slop = 32 * PLD_U * (fabs(b) + (b - a) + s.share_upper * (1 + fabs(to)));
        g->sink->relative = fmax(g->sink->relative, relative);
        g->sink->slop = fmax(g->sink->slop, slop);
    }
    return m;
}

static void put_at(const sampled_grid *g, double index, double mass)
{
    simdp_pld_sink_add(g->sink, (int64_t)(g->added ? -index : index), mass);
}

/* The cell from j h to (j + step) h; step is 1 but for DOTS. */
static void put_cell(const sampled_grid *g, double j, double step, const cell_width *width, const cell_masses m)
{
    const double back = width->back, fall = width->fall, unit = width->unit;
    if (m.all == 0) return;
    if (g->sink->rounding == SIMDP_PLD_DOTS) {
        put_at(g, j, back * m.bottom / unit);
        put_at(g, j + step, m.top / unit);
    } else if (g->added) { /* losses are -L: up is towards j */
        if (g->sink->rounding == SIMDP_PLD_UP) put_at(g, j, back * m.all);
        else put_at(g, j + 1, m.all);
    } else { /* under P: e^L is e^a + e^b top */
        if (g->sink->rounding == SIMDP_PLD_UP) put_at(g, j + 1, fall * m.all + m.top);
        else put_at(g, j, back * (m.all + m.top / fall));
    }
}

/* ---- bins: outcomes put together so that their common L is a multiple of the grid, from the lowest L up, where the
 * law has a sharp end, to the highest, where what is left over has next to no mass. A bin begins about half a grid
 * width or more below its multiple and takes outcomes until all together have that loss, the last one in part: their
 * e^(L - multiple) - 1 add up to 0 under M0. ---- */

typedef struct {
    const sampled_grid *g;
    double limit; /* between the lowest and the highest outcome of a bin */
    bool open;
    double index, bottom, top;
    double need,
        mass; /* what the outcomes lack of their multiple; their mass; both in units of the tilted mass there */
} rising_bin;

/* What is left over has a common loss below its multiple, and is rounded down: when a record is removed to the next
 * lower multiple, and when one is added, the loss being -L, to this one. */
static void close_bin(rising_bin *b)
{
    const sampled_grid *g = b->g;
    if (!b->open) return;
    b->open = false;
    g->sink->bins.spread = fmax(g->sink->bins.spread, b->top - b->bottom);
    if (b->need == 0 || g->added) {
        put_at(g, b->index, b->mass);
        if (b->need > 0) g->sink->bins.lowered = fmax(g->sink->bins.lowered, b->index * g->h - b->bottom);
        return;
    }
    const double below = plain_log1p(-fmin(b->need / b->mass, 1)), common = fmax(b->index * g->h + below, b->bottom),
                 index = simdp_pld_cell_of(common, g->h).index;
    g->sink->bins.lowered = fmax(g->sink->bins.lowered, g->h);
    put_at(g, index, (b->mass - b->need) * plain_exp((g->c - 1) * (index - b->index) * g->h));
}

static void bin_outcome(rising_bin *b, double loss, double tilted)
{
    const sampled_grid *g = b->g;
    const double slop = 16 * PLD_U * (fabs(loss) + b->limit + g->h);
    if (slop > g->sink->slop) g->sink->slop = slop;
    if (b->open && loss - b->bottom > b->limit) close_bin(b);
    if (b->open) {
        const double x = loss - b->index * g->h, weight = tilted * plain_exp(-g->c * x),
                     supply = weight * plain_expm1(x);
        b->top = loss;
        if (supply <= b->need) { /* also from below the multiple, where it is negative */
            b->need -= supply, b->mass += weight;
            return;
        }
        const double part = b->need / supply;
        b->mass += part * weight, b->need = 0;
        close_bin(b);
        tilted *= 1 - part;
    }
    const pld_cell at = simdp_pld_cell_of(-loss, g->h); /* loss = -index h - above */
    const double near = at.above <= slop ? 0 : at.above, x = near > 0 && near < 0.4375 * g->h ? near + g->h : near;
    const double weight = tilted * plain_exp(g->c * x);
    *b = (rising_bin){.g = g, .limit = b->limit, .open = true, .index = -at.index, .bottom = loss, .top = loss};
    if (x > near) b->index += 1;
    b->mass = weight, b->need = -weight * plain_expm1(-x);
    if (x == 0) b->need = 0, close_bin(b);
}

/* A cell, or a part of one, as a single outcome of its common loss. */
static void bin_cell(rising_bin *b, double top, const cell_masses m)
{
    if (m.all == 0) return;
    const double below = plain_log1p(-m.bottom / m.all);
    bin_outcome(b, top + below, m.all * plain_exp(b->g->c * below));
}

/* The two ends of Laplace losses have mass of their own, of M0 1/2 at -t and e^-t/2 at t. */
static void put_end(const sampled_grid *g, rising_bin *b, double l)
{
    if (g->gaussian) return;
    const double loss = simdp_sampled_loss(l, g->q),
                 tilted = 0.5 * plain_exp(g->c * loss - g->log_norm - (l + g->t) / 2);
    if (g->sink->rounding == SIMDP_PLD_BINS) bin_outcome(b, loss, tilted);
    else simdp_pld_put_atom(g->sink, g->added ? -loss : loss, tilted);
}

/* ---- cells of several grid widths, in the tail of large L, where each of 10,000 would hold next to nothing. DOTS on
 * some of the grid points is a bound as on all, and bins may be as wide. A cell of k widths with the mass m makes the
 * variance of a step larger by k^2 m h^2/4 at most, and all cells of one width by some h^2/6: k doubles where k^2 m
 * stays below a small part of 1, under the tilt and at the orders of Chernoff's bounds. ---- */

#define WIDE_COST  0x1p-12
#define WIDE_MOST  0.0625 /* of a cell, times the tilt: within, masses hardly change */
#define WIDE_AFTER 2.5    /* standard deviations of the noise: below, all cells have one width */

typedef struct {
    double step, step_most, from; /* grid widths of a cell; the first index where they may be more than 1 */
    double mass;                  /* that the last cell had for each grid width, at the order where it is largest */
    double widest;                /* cell so far */
    cell_width width;
} wide_cells;

static wide_cells wide_cells_of(const sampled_grid *g)
{
    wide_cells w = {.step = 1, .step_most = 1, .from = INFINITY, .mass = 1, .widest = 1, .width = g->whole};
    if (!g->gaussian || !g->sink->transform) return w;
    if (g->sink->rounding != SIMDP_PLD_DOTS && g->sink->rounding != SIMDP_PLD_BINS) return w;
    const double loss = simdp_sampled_loss(g->mu * (WIDE_AFTER + g->mu / 2), g->q);
    w.from = ceil(fmax(loss, 4 * g->h) / g->h);
    w.step_most = WIDE_MOST / ((1 + fabs(g->c)) * g->h);
    return w;
}

/* Before the cell that begins at j. None ends further beyond the last one of the sink than a cell of one width, which
 * what a reach leaves out allows for. */
static void choose_width(const sampled_grid *g, wide_cells *w, double j, double last)
{
    const double before = w->step, next = 2 * before;
    while (w->step > 1 && j + w->step > last + 1) w->step /= 2; /* bound: 40 turns, as indices are below 2^40 */
    if (j >= w->from && next <= w->step_most && j + next <= last && next * next * next * w->mass <= WIDE_COST)
        w->step = next;
    if (w->step == before) return;
    w->width = width_of(w->step * g->h, g->c);
    w->widest = fmax(w->widest, w->step);
}

/* What a cell that ends at b adds to the bounds of wide ones: its share of E[exp(u L)], at most, times what rounding
 * makes of it. Bins are at most as wide as what lies between their outcomes, and a cell at either end. */
static void count_cell(const sampled_grid *g, wide_cells *w, double b, double limit, double all)
{
    pld_sink *sink = g->sink;
    double largest = all;
    if (b < w->from * g->h) {
        w->mass = 1;
        return;
    }
    for (int i = 0; i < 2; i++) {
        const double u = sink->order[i], c = g->added ? -u : 1 + u, size = fabs(u);
        const double ends = c > 0 ? b : b - w->step * g->h;
        const double exponent = c * ends - g->c * b - (sink->log_moment[i] - sink->log_norm);
        const double share = all * plain_exp(fmin(exponent, 600)) * (1 + 0x1p-30);
        largest = fmax(largest, share);
        if (w->widest == 1) continue;
        const double width = w->widest * g->h;
        double excess = simdp_pld_dots_excess(width, u) - simdp_pld_dots_excess(g->h, u);
        if (sink->rounding == SIMDP_PLD_BINS) {
            const double spread = limit + 2 * width;
            excess = u > 0 ? 0 : fmax(0, size * (1 - size)) * spread * spread / 8;
        }
        sink->bins.wide[i] += share * plain_expm1(fmin(excess, 600)) * (1 + 0x1p-30);
    }
    w->mass = largest / w->step;
}

static void put_range(const sampled_grid *g, double first, double last)
{
    rising_bin b = {.g = g, .limit = simdp_pld_bin_limit(g->h, g->sink->tilt)};
    const bool bins = g->sink->rounding == SIMDP_PLD_BINS;
    put_end(g, &b, -g->t);
    cell_end lower = end_at(g, first * g->h);
    double parts = PARTS, spread = 0;
    wide_cells wide = wide_cells_of(g);
    for (double j = first; j <= last; j += wide.step) { /* bound: as many turns as the sink has places, and some */
        const bool narrow = wide.widest == 1;
        choose_width(g, &wide, j, last);
        if (narrow && wide.widest > 1) close_bin(&b), spread = g->sink->bins.spread;
        const double pieces = bins && wide.step == 1 ? parts : 1;
        double all = 0;
        for (double part = 1; part <= pieces; part++) {
            const cell_end upper = end_at(g, (j + wide.step * part / pieces) * g->h);
            const cell_width *width = pieces == 1 ? &wide.width : &g->part;
            const cell_masses m = cell(g, &lower, &upper, width);
            lower = upper, all += m.all;
            if (bins) bin_cell(&b, upper.loss, m);
            else put_cell(g, j, wide.step, width, m);
        }
        count_cell(g, &wide, lower.loss, b.limit, all);
        parts = all < RARE && j > 0 ? 1 : PARTS;
    }
    put_end(g, &b, g->t);
    close_bin(&b);
    if (wide.widest > 1) g->sink->bins.spread = spread;
    if (bins) g->sink->bins.spread += 2 * g->h; /* of the outcomes that parts stand for */
}

/* For c < 0 the density times e^(c L) is largest where z = c mu dL/dl, and falls from there faster than that of a
 * standard normal law: a z a little below. For c >= 0 it does so below 0. */
static double lowest_mode(const sampled_grid *g)
{
    double below = fmin(0, g->c * g->mu), above = 0;
    for (int round = 0; round < 64 && above - below > 0.1; round++) {
        const double z = (below + above) / 2, l = g->mu * (z - g->mu / 2);
        if (g->c * g->mu * g->q * plain_exp(l - simdp_sampled_loss(l, g->q)) > z) below = z;
        else above = z;
    }
    return below;
}

void simdp_pld_put_sampled(pld_sink *sink, const pld_law *law)
{
    sampled_grid g = {.sink = sink,
                      .gaussian = law->kind == PLD_GAUSSIAN_SAMPLED,
                      .added = law->added,
                      .q = law->b,
                      .h = sink->grid,
                      .c = law->added ? -sink->tilt : 1 + sink->tilt,
                      .log_norm = sink->log_norm,
                      .log_rest = plain_log1p(-law->b)};
    simdp_gauss_legendre(NODES, g.node, g.weight);
    simdp_gauss_legendre(FEW_NODES, g.few_node, g.few_weight);
    g.log_peak = g.gaussian ? -plain_log(law->a) - 0x1.d67f1c864beb5p-1 /* ln sqrt(2 pi) */ : -0x1.62e42fefa39efp+0;
    g.whole = width_of(g.h, g.c), g.part = width_of(g.h / (double)PARTS, g.c);
    double low_loss = g.log_rest, high_loss;
    if (g.gaussian) {
        const double far = sink->transform ? FAR_ENOUGH : FAR;
        g.mu = law->a;
        g.low = g.mu * (lowest_mode(&g) - far - g.mu / 2);
        g.high = g.mu * (fmax(0, g.c) * g.mu + FAR - g.mu / 2);
        /* much noise has its losses far from ln(1 - q): cells below the lowest one would be empty, and millions */
        low_loss = fmax(low_loss, simdp_sampled_loss(g.low, g.q) - g.h);
        high_loss = simdp_sampled_loss(g.high, g.q);
    } else {
        g.t = law->a;
        g.low = -g.t, g.high = g.t;
        low_loss = simdp_sampled_loss(-g.t, g.q), high_loss = simdp_sampled_loss(g.t, g.q);
    }
    /* cells of L that the law and the sink have in common, and those next to them */
    const double sink_first = g.added ? -(double)sink->last : (double)sink->first,
                 sink_last = g.added ? -(double)sink->first : (double)sink->last;
    const double first = fmax(floor(low_loss / g.h) - 1, sink_first - 1), last = fmin(ceil(high_loss / g.h), sink_last);
    const double ends = PLD_U * (32 + 4 * (fabs(g.c * high_loss) + fabs(g.c * low_loss) + g.t + fabs(g.log_norm)));
    if (!g.gaussian) sink->relative = fmax(sink->relative, ends);
    put_range(&g, first, last);
}

/* ---- appending ---- */

simdp_status simdp_pld_add_gaussian_sampled(simdp_pld *pld, double s, double q, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(s);
    FP_PIN(q);
    if (!(s >= 1 / SAMPLED_MU_MOST && s <= 1e12 && q >= 0 && q <= 1)) return SIMDP_EPARAM;
    if (q == 1) return simdp_pld_add_gaussian(pld, s, times);
    if (q == 0) return simdp_pld_add_laplace(pld, 0, times); /* as any mechanism that costs nothing */
    pld_law law = {.kind = PLD_GAUSSIAN_SAMPLED, .a = 1 / s, .b = q, .times = times};
    if (pld->busy || !((64 + 64 * law.a) * law.a / pld->grid <= PLD_INDEX_MAX)) return SIMDP_EPARAM;
    simdp_pld_law_turn(&law, false);
    return simdp_pld_append(pld, law);
}

simdp_status simdp_pld_add_laplace_sampled(simdp_pld *pld, double t, double q, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(t);
    FP_PIN(q);
    if (!(t >= 0 && t <= SAMPLED_T_MOST && q >= 0 && q <= 1)) return SIMDP_EPARAM;
    if (q == 1) return simdp_pld_add_laplace(pld, t, times);
    if (q == 0 || t == 0) return simdp_pld_add_laplace(pld, 0, times);
    pld_law law = {.kind = PLD_LAPLACE_SAMPLED, .a = t, .b = q, .times = times};
    if (pld->busy || !(t / pld->grid <= PLD_INDEX_MAX)) return SIMDP_EPARAM;
    simdp_pld_law_turn(&law, false);
    return simdp_pld_append(pld, law);
}
