/* typical_stability: the mean of a year of daily measurements, each day much like the one before. Differential privacy
 * for a single day says little about such records; typical stability protects what distinguishes this year from the law
 * of years. */
#include <math.h>
#include <simdp/simdp.h>
#include <stdio.h>

enum { DAYS = 365, QUESTIONS = 8 };

/* what the law of the data says about the mean: subgaussian, with this standard deviation */
static double mean_deviation(double day_deviation, double correlation)
{
    double sum = DAYS, power = 1;
    for (int lag = 1; lag < DAYS; lag++) {
        power *= correlation;
        sum += 2 * (DAYS - lag) * power;
    }
    return day_deviation * sqrt(sum) / (double)DAYS;
}

static simdp_status query_mean(void *context, double *answers, size_t n, const void *data)
{
    const double *day = data;
    (void)context;
    (void)n;
    answers[0] = 0;
    for (int i = 0; i < DAYS; i++) answers[0] += day[i] / (double)DAYS;
    return SIMDP_OK;
}

/* asks for the mean again and again, and would never stop */
static simdp_status ask(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    (void)steps;
    (void)count;
    next->mechanism = *(const simdp_theory_mechanism *)context;
    next->query = query_mean;
    return SIMDP_OK;
}

int main(void)
{
    const double correlation = 0.9, eta = 0.5, nu = 1e-6, deviation = mean_deviation(1, correlation);
    const uint8_t key[32] = {3};
    simdp_rng rng, weather;
    double day[DAYS];
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK ||
        simdp_rng_init_deterministic(&weather, key, 1) != SIMDP_OK)
        return 1;
    if (simdp_noise_gaussian_f64(&weather, day, DAYS, 1) != SIMDP_OK) return 1;
    for (int i = 1; i < DAYS; i++) day[i] = correlation * day[i - 1] + sqrt(1 - correlation * correlation) * day[i];

    const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = deviation};
    simdp_theory_typical_plan noise;
    if (simdp_theory_typical_noise(&noise, query, (simdp_theory_stability){eta, 0.01, nu}) != SIMDP_OK) return 1;
    simdp_theory_mechanism mechanism = {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = noise.alpha,
                                        .scale = noise.laplace_scale, .nu = nu};
    simdp_theory_cost cost;
    if (simdp_theory_mechanism_cost(&cost, &mechanism) != SIMDP_OK) return 1;
    printf("the mean has deviation %.3f, stays within %.3f but for one year in %g; Laplace scale %.3f, eta %.3f\n",
           deviation, noise.alpha, 1 / nu, noise.laplace_scale, cost.epsilon);

    /* the filter counts: composition of typical stability is for a number of steps fixed in advance */
    simdp_theory_filter filter;
    simdp_theory_step steps[2 * QUESTIONS];
    simdp_theory_interaction run = {.steps = steps, .capacity = 2 * QUESTIONS};
    const simdp_theory_budget budget = {
        .kind = SIMDP_THEORY_FILTER_TYPICAL, .epsilon = cost.epsilon, .nu = nu, .limit = QUESTIONS};
    if (simdp_theory_filter_open(&filter, &budget) != SIMDP_OK) return 1;
    if (simdp_theory_interact(&rng, &run, ask, &mechanism, day, NULL, &filter) != SIMDP_OK) return 1;
    for (size_t i = 0; i < run.count; i++) printf("answer %zu: %+.3f\n", i + 1, steps[i].output);
    printf("then the filter said stop\n");
    return run.count == QUESTIONS && run.stop == SIMDP_THEORY_STOP_BUDGET ? 0 : 1;
}
