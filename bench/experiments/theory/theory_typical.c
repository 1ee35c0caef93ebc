/* theory_typical.c: typical stability (003) on dependent records: a stationary autoregression, on which neighbours mean
 * little. */
#include <math.h>
#include <stdlib.h>

#include "theory.h"

enum { RECORDS = 100 };
#define AGAIN 0.8 /* correlation of a record with the one before */

static double share_error(double share, size_t n) { return sqrt(share * (1 - share) / (double)n) + 1 / (double)n; }

static void probability(const char *topic, const char *source, const char *claim, double promised, size_t count,
                        size_t n, bool exact)
{
    const double share = (double)count / (double)n;
    theory_write_claim(&(theory_claim){topic, source, claim, promised, share, share_error(share, n), exact});
}

/* Standard deviation of the mean of the records, each of variance 1. */
static double mean_sd(void)
{
    double sum = RECORDS, power = 1;
    for (int lag = 1; lag < RECORDS; lag++) {
        power *= AGAIN;
        sum += 2 * (RECORDS - lag) * power;
    }
    return sqrt(sum) / RECORDS;
}

/* The mean of a fresh dataset. */
static double draw_mean(simdp_rng *rng)
{
    double z[RECORDS], x = 0, sum = 0;
    MUST(simdp_noise_gaussian_f64(rng, z, RECORDS, 1));
    for (int i = 0; i < RECORDS; i++) {
        x = i == 0 ? z[0] : AGAIN * x + sqrt(1 - AGAIN * AGAIN) * z[i];
        sum += x;
    }
    return sum / RECORDS;
}

static simdp_status query_mean(void *context, double *answers, size_t n, const void *data)
{
    (void)context;
    (void)n;
    answers[0] = *(const double *)data;
    return SIMDP_OK;
}

/* One question, by the mechanism the context points to. */
static simdp_status ask_mean(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    (void)steps;
    if (count > 0) return SIMDP_OK;
    next->mechanism = *(const simdp_theory_mechanism *)context;
    next->query = query_mean;
    return SIMDP_OK;
}

void theory_typical(const theory_size *size)
{
    static const char topic[] = "typical stability";
    const double sd = mean_sd(), eta = 0.5, tau = 0.01, nu = 0.05, beta = 0.1;
    const size_t n = size->runs;
    const double oracle = 0; /* the mean of the query, all the oracle W knows */
    const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = sd};
    const simdp_theory_stability target = {eta, tau, nu};
    simdp_theory_typical_plan noise;
    simdp_theory_typical_errors error;
    MUST(simdp_theory_typical_noise(&noise, query, target));
    MUST(simdp_theory_typical_error(&error, noise.alpha, target, beta));
    simdp_theory_mechanism mechanisms[2] = {
        {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = noise.alpha, .scale = noise.laplace_scale, .nu = nu},
        {SIMDP_MECHANISM_TYPICAL_GAUSSIAN, .sensitivity = noise.alpha, .scale = noise.gaussian_sigma, .delta = tau,
         .nu = nu},
    };
    size_t strays = 0, unstable = 0, far[2] = {0, 0}, far_exact = 0, joint = 0, apart = 0, wrong = 0;
    double excess = 0, excess_square = 0;
    simdp_theory_step steps[2];
    simdp_theory_interaction run = {.steps = steps, .capacity = 2};
    simdp_rng rng, data, other;
    theory_stream(&rng, 400);
    theory_stream(&data, 401);
    theory_stream(&other, 402);
    for (size_t i = 0; i < n; i++) {
        const double q = draw_mean(&data);
        const bool typical = fabs(q - oracle) <= noise.alpha;
        strays += !typical;
        for (int m = 0; m < 2; m++) {
            MUST(simdp_theory_interact(&rng, &run, ask_mean, &mechanisms[m], &q, &oracle,
                                       NULL)); /* loss against the oracle */
            const double w = steps[0].output;
            far[m] += fabs(w - q) >= (m == 0 ? error.laplace : error.gaussian);
            if (m == 1) {
                far_exact += fabs(w - q) >= error.gaussian_exact;
                const double over = typical && run.loss > eta ? -expm1(eta - run.loss) : 0;
                excess += over;
                excess_square += over * over;
                continue;
            }
            unstable += run.loss > eta * (1 + 1e-12);
            /* an event on dataset and output: both high. Against it: the output of the oracle, which knows nothing of
             * the dataset */
            double z;
            MUST(simdp_noise_laplace_f64(&other, &z, 1, noise.laplace_scale));
            joint += q > sd && w > noise.laplace_scale;
            apart += q > sd && oracle + z > noise.laplace_scale;
            /* a query chosen by the output: q if it came out high, else -q */
            wrong += (w > 0 ? q : -q) > noise.alpha || (w > 0 ? q : -q) < -noise.alpha;
        }
        if (i % 1024 == 0) theory_progress((double)i / (double)n);
    }
    simdp_theory_independence bound;
    const double apart_share = (double)apart / (double)n, mean = excess / (double)n;
    MUST(simdp_theory_near_independence(&bound, (simdp_theory_stability){eta, 0, nu}, apart_share));
    probability(topic, "003 Def. 2.4", "the mean strays from its mean by more than alpha: at most nu", nu, strays, n,
                false);
    probability(topic, "003 Alg. 2", "Laplace: loss against the oracle above eta: at most nu", nu, unstable, n, false);
    theory_write_claim(&(theory_claim){topic, "003 T5.3",
                                       "Gaussian: mass of the loss above eta, typical datasets: at most tau", tau, mean,
                                       sqrt((excess_square / (double)n - mean * mean) / (double)n), false});
    probability(topic, "003 T5.2", "Laplace: error of (alpha/eta) ln(1/beta) or more: beta", beta, far[0], n, true);
    probability(topic, "003 T5.4", "Gaussian: error bound passed: at most beta", beta, far[1], n, false);
    probability(topic, "003 T5.4 [+]", "Gaussian: exact error quantile passed: beta", beta, far_exact, n, true);
    probability(topic, "003 L3.3", "dataset and output both high: near independence as printed", bound.joint, joint, n,
                false);
    probability(topic, "003 L3.3 [+]", "the same, sharper form", bound.joint_sharp, joint, n, false);
    probability(topic, "003 T3.4", "a query chosen by the output strays beyond alpha", bound.generalization, wrong, n,
                false);
    probability(topic, "003 T3.4 [+]", "the same, sharper form", bound.generalization_sharp, wrong, n, false);
}

/* ---- accuracy of k adaptive answers (003 Figure 1 and theorem 6.1) ---- */

enum { COORDINATES = 32, ROUNDS = COORDINATES + 1 };

/* A dataset: the means of its coordinates, independent autoregressions. A query: their product with a unit vector; its
 * mean is 0. */
typedef struct {
    double mean[COORDINATES];
} columns;

typedef struct {
    double direction[COORDINATES];
    simdp_theory_mechanism mechanism;
    bool noiseless;
} overfitter;

static simdp_status query_direction(void *context, double *answers, size_t n, const void *data)
{
    const overfitter *o = context;
    const columns *c = data;
    (void)n;
    answers[0] = 0;
    for (int i = 0; i < COORDINATES; i++) answers[0] += o->direction[i] * c->mean[i];
    return SIMDP_OK;
}

/* Every coordinate, then the direction of the answers: the query on which the dataset looks least like its law. */
static simdp_status overfit(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    overfitter *o = context;
    double norm = 0;
    for (size_t i = 0; i < COORDINATES; i++) {
        o->direction[i] = count < COORDINATES ? i == count : steps[i].output;
        norm += o->direction[i] * o->direction[i];
    }
    for (size_t i = 0; i < COORDINATES; i++) o->direction[i] /= sqrt(norm);
    next->mechanism = o->mechanism;
    next->query = query_direction;
    next->query_context = o;
    return SIMDP_OK;
}

void theory_accuracy(const theory_size *size)
{
    static const char topic[] = "accuracy of adaptive answers";
    const double sd = mean_sd(), eta = 0.3, nu = 1e-12, slack = 1e-8, beta = 0.01, alpha1 = 12 * sd;
    const size_t n = size->runs / 20;
    enum { GRID = 40 };
    size_t worse[GRID] = {0}, over = 0;
    double plain = 0;
    simdp_theory_accuracy promise;
    const simdp_theory_adaptive_setup setup = {sd, ROUNDS, eta, nu, slack, beta, alpha1};
    MUST(simdp_theory_adaptive_accuracy(&promise, &setup));
    overfitter o = {.mechanism = {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = promise.alpha0,
                                  .scale = promise.alpha0 / eta, .nu = nu}};
    simdp_theory_step steps[ROUNDS];
    simdp_theory_interaction run = {.steps = steps, .capacity = ROUNDS};
    simdp_rng rng, data;
    theory_stream(&rng, 410);
    theory_stream(&data, 411);
    for (size_t i = 0; i < n; i++) {
        columns c;
        simdp_theory_filter filter;
        double largest = 0, square = 0;
        for (int j = 0; j < COORDINATES; j++) {
            c.mean[j] = draw_mean(&data);
            square += c.mean[j] * c.mean[j];
        }
        const simdp_theory_budget budget = {
            .kind = SIMDP_THEORY_FILTER_TYPICAL, .epsilon = eta * (1 + 1e-12), .nu = nu, .limit = ROUNDS};
        MUST(simdp_theory_filter_open(&filter, &budget));
        MUST(simdp_theory_interact(&rng, &run, overfit, &o, &c, NULL, &filter));
        for (int j = 0; j < ROUNDS; j++) largest = fmax(largest, fabs(steps[j].output)); /* true means are 0 */
        for (int g = 0; g < GRID; g++) worse[g] += largest > g * promise.error / (GRID - 5);
        over += largest > promise.error;
        plain += sqrt(square) / sd; /* what exact answers would lead to */
        if (i % 64 == 0) theory_progress((double)i / (double)n);
    }
    probability(topic, "003 T6.1", "an answer of 33 is off by more than the promised error", promise.failure, over, n,
                false);
    for (int g = 0; g < GRID; g++) {
        const double share = (double)worse[g] / (double)n;
        if (share > 0)
            theory_write_point("accuracy", "simulation", g * promise.error / (GRID - 5) / sd, share,
                               share_error(share, n));
    }
    theory_write_point("accuracy", "theorem 6.1", 0, 1, 0);
    theory_write_point("accuracy", "theorem 6.1", promise.error / sd, 1, 0);
    theory_write_point("accuracy", "theorem 6.1", promise.error / sd, promise.failure, 0);
    theory_write_point("accuracy", "theorem 6.1", promise.error / sd * 1.15, promise.failure, 0);
    theory_write_number("accuracy_error_in_sd", promise.error / sd);
    theory_write_number("accuracy_overfit_in_sd", plain / (double)n);
}
