#include "tune_curve.h"

#include <math.h>

static void quartiles(tune_point *p)
{
    p->low = p->sample[p->count / 4];
    p->rate = (p->sample[(p->count - 1) / 2] + p->sample[p->count / 2]) / 2;
    p->high = p->sample[p->count - 1 - p->count / 4];
}

static void add_sample(tune_point *p, double rate)
{
    size_t at = p->count;
    if (p->count == TUNE_SAMPLES_MAX) return;
    for (; at > 0 && p->sample[at - 1] > rate; at--) p->sample[at] = p->sample[at - 1];
    p->sample[at] = rate;
    p->count++;
    quartiles(p);
}

void tune_add(tune_curve *curve, size_t i, double rate) { add_sample(&curve->point[i], rate); }

static void multiply(tune_point *p, double factor)
{
    for (size_t i = 0; i < p->count; i++) p->sample[i] *= factor;
    if (p->count > 0) quartiles(p);
}

/* ---- what it recommends ---- */

static double median_of_3(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

static void smooth_out(const tune_curve *curve, double *smooth)
{
    const size_t last = curve->count - 1;
    for (size_t i = 0; i <= last; i++) {
        const double own = curve->point[i].rate;
        /* an end has one neighbour: the smaller of the two, so that a lucky end does not set the mark */
        if (i == 0 || i == last) smooth[i] = last == 0 ? own : fmin(own, curve->point[i == 0 ? 1 : last - 1].rate);
        else smooth[i] = median_of_3(curve->point[i - 1].rate, own, curve->point[i + 1].rate);
    }
}

/* The rising curve nearest to points 0 .. last: neighbours that fall are replaced by their mean, until none do. Up to
 * the best batch the truth rises, so what falls is noise. */
static void make_rising(double *rate, size_t last)
{
    double mean[TUNE_POINTS_MAX];
    size_t weight[TUNE_POINTS_MAX], blocks = 0;
    for (size_t i = 0; i <= last; i++) {
        mean[blocks] = rate[i];
        weight[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            const size_t a = weight[blocks - 2], b = weight[blocks - 1];
            mean[blocks - 2] = ((double)a * mean[blocks - 2] + (double)b * mean[blocks - 1]) / (double)(a + b);
            weight[blocks - 2] = a + b;
        }
    }
    for (size_t i = 0, block = 0; block < blocks; block++) {
        for (size_t w = 0; w < weight[block]; w++) rate[i++] = mean[block];
    }
}

tune_choice tune_choose(const tune_curve *curve)
{
    double smooth[TUNE_POINTS_MAX];
    const size_t last = curve->count - 1;
    size_t best = 0, chosen = 0, within = last;
    smooth_out(curve, smooth);
    for (size_t i = 1; i <= last; i++) {
        if (smooth[i] > smooth[best]) best = i;
    }
    make_rising(smooth, best);
    while (smooth[chosen] < 0.95 * smooth[best]) chosen++;
    while (within > best && smooth[within] < 0.85 * smooth[best]) within--;
    tune_choice c = {curve->point[chosen].batch, smooth[chosen], curve->point[best].batch, smooth[best], 0, 0};
    if (within < last) {
        c.memory_batch = curve->point[within].batch;
        c.memory_rate = smooth[last];
    }
    return c;
}

double tune_rate_at(const tune_curve *curve, double batch)
{
    const tune_point *p = curve->point;
    const size_t last = curve->count - 1;
    size_t i = 0;
    if (batch <= p[0].batch) return p[0].rate * batch / p[0].batch; /* the cost of a call is all there is */
    if (batch >= p[last].batch) return p[last].rate;
    while (p[i + 1].batch < batch) i++;
    const double part = log(batch / p[i].batch) / log(p[i + 1].batch / p[i].batch);
    return p[i].rate + part * (p[i + 1].rate - p[i].rate);
}

/* ---- measuring one ---- */

enum { BATCH_LEAST = 16, ROUNDS_WANTED = 20, ROUNDS_OF_ALL = 5 };

typedef struct {
    tune_curve *curve;
    tune_measure *measure;
    void *context;
    double slice, left; /* seconds of a sample; seconds that may still be spent */
} pass;

static tune_sample take(pass *s, size_t i)
{
    const tune_sample sample = s->measure(s->context, (size_t)s->curve->point[i].batch, s->slice);
    s->left -= sample.seconds;
    return sample;
}

/* Samples of one round become samples of their points, without the speed of the machine in that round. */
static void add_round(tune_curve *curve, const double *rate)
{
    tune_point ratios = {0};
    for (size_t i = 0; i < curve->count; i++) {
        if (rate[i] > 0) add_sample(&ratios, rate[i] / curve->point[i].rate);
    }
    if (ratios.count == 0) return;
    for (size_t i = 0; i < curve->count; i++) {
        if (rate[i] > 0) tune_add(curve, i, rate[i] / ratios.rate);
    }
    add_sample(&curve->speed, ratios.rate);
}

/* Rates become those at the median speed of all rounds so far. */
static void settle(tune_curve *curve)
{
    const double speed = curve->speed.rate;
    if (curve->speed.count == 0) return;
    for (size_t i = 0; i < curve->count; i++) multiply(&curve->point[i], speed);
    multiply(&curve->speed, 1 / speed);
}

/* Can more samples of a point change what is recommended? The best ones and those near the marks can; the others down to
 * 70 % of the best tell the speed of the machine in that round. A pass begins with some of all that are not far from
 * them, lest a busy spell keeps a point out for good. */
static bool is_deciding(const tune_curve *curve, size_t i, bool is_early)
{
    double best = 0;
    for (size_t j = 0; j < curve->count; j++) best = fmax(best, curve->point[j].rate);
    const tune_point *p = &curve->point[i];
    return is_early ? p->count < 2 || p->rate > best / 2 : p->rate > 0.7 * best;
}

static void make_points(pass *s, size_t most, double longest_call)
{
    tune_curve *curve = s->curve;
    for (size_t n = BATCH_LEAST; n <= most && curve->count < TUNE_POINTS_MAX; n *= 2) {
        curve->point[curve->count++] = (tune_point){.batch = (double)n};
        const tune_sample sample = take(s, curve->count - 1);
        tune_add(curve, curve->count - 1, sample.rate);
        if (sample.call > longest_call) break;
    }
}

void tune_pass(tune_curve *curve, tune_measure *measure, void *context, size_t most, double budget)
{
    pass s = {.curve = curve, .measure = measure, .context = context, .left = budget};
    size_t points = 1;
    for (size_t n = BATCH_LEAST; n < most; n *= 2) points++;
    s.slice = budget / (double)(ROUNDS_WANTED * points);
    measure(context, most < 4096 ? most : 4096, s.slice); /* caches and clocks warm up */
    if (curve->count == 0) make_points(&s, most, budget / 8);
    /* Up and down in turn, so that a drift of the clock rate favours no end, and each time from another point on, so that
     * none is sampled twice in a row, in the same busy spell. */
    for (size_t round = 1; round < TUNE_SAMPLES_MAX / TUNE_PASSES && s.left > 0; round++) {
        double rate[TUNE_POINTS_MAX] = {0}; /* 0: not in this round */
        for (size_t i = 0; i < curve->count; i++) {
            const size_t turned = (i + round * 7) % curve->count;
            const size_t point = round % 2 == 0 ? turned : curve->count - 1 - turned;
            if (is_deciding(curve, point, round <= ROUNDS_OF_ALL)) rate[point] = take(&s, point).rate;
        }
        add_round(curve, rate);
    }
    settle(curve);
}
