/* sgd.c: DP-SGD: steps of sampled Gaussian noise, their epsilon, and the noise for an epsilon. The bounds are those of a
 * privacy-loss distribution; this file chooses its grid, and where to look. */
#include "account/sgd.h"

#include "account/pld.h"
#include "call/fp_mode.h"
#include "loss/sampled.h"
#include "math/outward.h"
#include "math/plain_math.h"

#define POINTS_MOST  0x1p20 /* a finer grid than this is not asked for: it takes seconds */
#define POINTS_FIRST 0x1p18 /* nor, at first, one on which a single step has more points than this */

/* ---- estimates, none of which needs to be right ---- */

/* The epsilon of Renyi divergences at the best of some orders: a bound, too, as those of a removed record are the larger
 * ones. Divergences are known to 1e-13, the rest to some ulp of its terms. */
static double renyi_epsilon(simdp_account_sgd_run run, double delta)
{
    const double log_delta = plain_log(delta);
    double best = INFINITY;
    for (double a = 0.125; a < 0x1p20; a *= 1.25) { /* bound: 72 turns */
        const double order = 1 + a,
                     total = (double)run.steps * simdp_renyi_of_gaussian_sampled(order, 1 / run.noise, run.rate);
        const double rest = plain_log1p(-1 / order) - (log_delta + plain_log(order)) / a;
        const double epsilon = total + rest + 0x1p-40 * (total + (1 - log_delta) / a + 1);
        if (epsilon < best) best = epsilon;
        else if (epsilon > 2 * best + 1) break;
    }
    return fmax(0, best);
}

double simdp_sgd_step_variance(simdp_account_sgd_run run)
{
    const double mu = 1 / run.noise, eta = 0x1p-10;
    return (simdp_sampled_gaussian_moment(1 + eta, mu, run.rate) +
            simdp_sampled_gaussian_moment(1 - eta, mu, run.rate)) /
           (eta * eta);
}

double simdp_sgd_slope(double variance, double delta)
{
    return 0.5 + sqrt(-plain_log(delta) / (2 * fmax(variance, 0x1p-100)));
}

/* Rounding to the grid adds some steps grid^2/6 to the variance of the sum; bins lose four times as much. */
static double grid_for(simdp_account_sgd_run run, double delta, double epsilon, double error)
{
    const double steps = (double)run.steps, mu = 1 / run.noise;
    const double slope = simdp_sgd_slope(steps * simdp_sgd_step_variance(run), delta);
    const double grid = fmin(sqrt(error * epsilon / (steps * slope)), epsilon / 64);
    const double far = sqrt(2 * (40 + plain_log(steps))) + mu,
                 reach = simdp_sampled_loss(mu * (far + mu / 2), run.rate) - plain_log1p(-fmin(run.rate, 0.99));
    const double least = fmax(fmax((64 + 64 * mu) * mu / PLD_INDEX_MAX, 0x1p-60) * 1.01, reach / POINTS_FIRST);
    return fmin(fmax(grid, fmax(least, epsilon / POINTS_MOST)), 1);
}

/* ---- bounds ---- */

typedef struct {
    double lower, upper;
    simdp_status status;
    double points; /* that it took */
} sgd_bracket;

/* All steps cost at least what one does: the epsilon at which its curve falls below delta, from below. */
static double one_step_epsilon(simdp_account_sgd_run run, double delta)
{
    double low = 0, high = 1e6;
    for (int round = 0; round < 60; round++) {
        const double middle = low == 0 && high > 1e-9 ? (round < 20 ? high / 8 : high / 2) : (low + high) / 2;
        double at;
        if (simdp_delta_gaussian_sampled(&at, &middle, 1, run.noise, run.rate, SIMDP_LOSS_LARGER) != SIMDP_OK) break;
        if (at * (1 - 0x1p-30) > delta) low = middle;
        else high = middle;
    }
    return low;
}

/* A window that would be too wide leaves bounds that need none. */
static sgd_bracket bracket_on(simdp_account_sgd_run run, double grid, simdp_pld_rounding lower, const sgd_request *r)
{
    sgd_bracket b = {NAN, NAN, SIMDP_OK, 0};
    simdp_pld *pld = NULL;
    b.status = simdp_pld_create(&pld, grid);
    if (b.status == SIMDP_OK) pld->points_most = SGD_WINDOW_MOST;
    if (b.status == SIMDP_OK) b.status = simdp_pld_add_gaussian_sampled(pld, run.noise, run.rate, run.steps);
    if (b.status == SIMDP_OK)
        b.status = simdp_pld_compose(pld, r->delta, r->delta, SIMDP_PLD_DOTS, lower, r->call, r->context);
    if (b.status == SIMDP_OK) b.status = simdp_pld_epsilon(pld, &b.lower, &b.upper, &r->delta, 1);
    b.points = (double)simdp_pld_points(pld);
    simdp_pld_destroy(pld);
    if (b.status != SIMDP_OK && b.status != SIMDP_EPARAM) return b;
    if (b.status == SIMDP_EPARAM) b = (sgd_bracket){0, INFINITY, SIMDP_OK, POINTS_MOST};
    b.upper = fmin(b.upper, renyi_epsilon(run, r->delta));
    if (lower != SIMDP_PLD_NONE) b.lower = fmax(b.lower, one_step_epsilon(run, r->delta));
    return b;
}

/* Whether epsilon is 0: the distances of all steps together do not exceed delta. No grid is fine enough to tell. */
static bool costs_nothing(simdp_account_sgd_run run, double delta)
{
    double each;
    if (run.steps == 0 || run.rate == 0) return true;
    const simdp_status status =
        simdp_delta_gaussian_sampled(&each, &(double){0}, 1, run.noise, run.rate, SIMDP_LOSS_LARGER);
    return status == SIMDP_OK && each * (double)run.steps * (1 + 0x1p-30) <= delta;
}

/* Without any noise but that of sampling there is no grid to speak of. */
static bool is_run(simdp_account_sgd_run run)
{
    return run.noise >= 1 / SAMPLED_MU_MOST && run.noise <= 1e6 && run.rate >= 0 && run.rate <= 1 &&
           run.steps <= (uint64_t)1 << 40;
}

static bool is_request(double delta, double error)
{
    return delta >= 1e-300 && delta < 1 && error >= 1e-6 && error <= 1;
}

simdp_status simdp_account_sgd_epsilon(double *lower, double *upper, simdp_account_sgd_run run, double delta,
                                       double error, simdp_pld_progress *progress, void *context)
{
    if (upper == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(run);
    FP_PIN(delta);
    FP_PIN(error);
    *upper = NAN;
    if (lower != NULL) *lower = NAN;
    if (!is_run(run) || !is_request(delta, error)) return SIMDP_EPARAM;
    sgd_bracket best = {0, 0, SIMDP_OK, 0};
    const double guess = costs_nothing(run, delta) ? 0 : renyi_epsilon(run, delta);
    const sgd_request request = {delta, progress, context};
    if (guess > 0) {
        best.upper = INFINITY;
        double grid = grid_for(run, delta, guess, error);
        for (int attempt = 0; attempt < 5; attempt++) {
            const sgd_bracket b = bracket_on(run, grid, SIMDP_PLD_BINS, &request);
            if (b.status != SIMDP_OK) {
                if (attempt == 0 || b.status == SIMDP_ECANCELLED) return b.status;
                break; /* what there is holds, if wider */
            }
            const double before = best.upper - best.lower;
            best.lower = fmax(best.lower, b.lower), best.upper = fmin(best.upper, b.upper);
            const double gap = best.upper - best.lower, wanted = error * best.upper;
            const double finer = fmax(fmax(0.8 * sqrt(wanted / gap), 1.0 / 16), b.points / POINTS_MOST);
            if (gap <= wanted || finer >= 1 || gap > 0.9 * before) break; /* done, dear, or of no use */
            grid *= finer;
        }
        if (best.upper - best.lower > error * best.upper && run.rate < 1 && run.steps > 1) {
            const simdp_status status = simdp_sgd_rare_bracket(&best.lower, &best.upper, run, error, &request);
            if (status == SIMDP_ECANCELLED) return status;
        }
    }
    *upper = best.upper;
    if (lower != NULL) *lower = best.lower;
    return SIMDP_OK;
}

/* ---- noise for an epsilon ---- */

/* Tells how far a search is, of which one composition is a part. */
typedef struct {
    simdp_pld_progress *call;
    void *context;
    double done;
} search_meter;

static int search_progress(void *context, double done)
{
    const search_meter *m = context;
    return m->call == NULL ? 0 : m->call(m->context, 1 - (1 - done / 8) / (1 + m->done / 4));
}

/* A noise for which Renyi divergences keep the promise, by bisection; inf if none does. */
static double renyi_noise(simdp_account_sgd_run run, double epsilon, double delta)
{
    double low = 1 / SAMPLED_MU_MOST, high = 1;
    for (run.noise = high; renyi_epsilon(run, delta) > epsilon; run.noise = high) { /* bound: 20 turns */
        low = high, high *= 2;
        if (high > 1e6) return INFINITY;
    }
    while (high > low * 1.02) { /* bound: 10 turns */
        run.noise = sqrt(low * high);
        if (renyi_epsilon(run, delta) > epsilon) low = run.noise;
        else high = run.noise;
    }
    return high;
}

simdp_status simdp_account_sgd_noise(double *noise, simdp_privacy target, double rate, uint64_t steps, double error,
                                     simdp_pld_progress *progress, void *context)
{
    if (noise == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(target);
    FP_PIN(rate);
    FP_PIN(error);
    *noise = NAN;
    simdp_account_sgd_run run = {1, rate, steps};
    if (!(target.epsilon > 0 && target.epsilon <= 1e6) || !is_run(run) || !is_request(target.delta, error))
        return SIMDP_EPARAM;
    const double least = 1 / SAMPLED_MU_MOST;
    if (steps == 0 || rate == 0) {
        *noise = least;
        return SIMDP_OK;
    }
    double high = renyi_noise(run, target.epsilon, target.delta);
    if (!(high < INFINITY)) return SIMDP_EPARAM;
    run.noise = high;
    const double grid = grid_for(run, target.delta, target.epsilon, error);
    search_meter meter = {progress, context, 0};
    const sgd_request request = {target.delta, search_progress, &meter};
    /* `high` keeps the promise by its upper bound, or is tried first; `low` does not. Steps are those of an epsilon
     * that falls like a power of the noise, with a power learnt from the last two, until both are close. */
    double low = 0, power = 1.3, kept = NAN, at = high, before = 0, epsilon_before = 0;
    for (int turn = 0; turn < 64; turn++) {
        run.noise = at;
        const sgd_bracket b = bracket_on(run, grid, SIMDP_PLD_NONE, &request);
        if (b.status != SIMDP_OK) return b.status;
        meter.done += 1;
        if (b.upper <= target.epsilon) kept = high = at;
        else low = at;
        if (kept == kept && (high <= low * (1 + error) || high <= least)) break;
        if (before > 0 && b.upper > 0 && b.upper < INFINITY && b.upper != epsilon_before) {
            const double learnt = plain_log(epsilon_before / b.upper) / plain_log(at / before);
            if (learnt > 0.2 && learnt < 20) power = learnt;
        }
        before = at, epsilon_before = b.upper;
        double next = b.upper < INFINITY && b.upper > 0 ? at * plain_pow(b.upper / target.epsilon, 1 / power) : 2 * at;
        next *= b.upper <= target.epsilon ? 1 - error / 3 : 1 + error / 3; /* to come out on the other side */
        if (kept == kept && low > 0 && !(next > low && next < high)) next = sqrt(low * high);
        if (!(kept == kept) && !(next > low)) next = 2 * low;
        at = fmin(fmax(next, least), 1e6);
        if (at == before) { /* an end of the range */
            if (kept == kept) break;
            return SIMDP_EPARAM;
        }
    }
    if (!(kept == kept)) return SIMDP_EPARAM;
    *noise = kept;
    return SIMDP_OK;
}
