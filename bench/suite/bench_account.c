/* bench_account.c: accountants. Items are what is asked for, not points: n steps composed, n answers.
 *
 * account/pld_compose.gaussian, .laplace: n steps at grid 1e-4, built, composed and asked for one epsilon.
 * account/pld_delta: n values of epsilon on 1000 composed Gaussians at grid 1e-5.
 * account/pld_compose.gaussian_sampled: n steps of rate 0.004 at grid 2^-11, the same way.
 * account/sgd_epsilon, sgd_noise: n steps of rate 0.004 to 1e-3.
 * account/epsilon_each.gaussian, noise.gaussian, delta_sampled.gaussian, .laplace: closed forms. */
#include <stdbool.h>

#include "bench.h"

enum { ANSWERS_MOST = 4096 }; /* larger batches tell nothing new */

static double epsilon[ANSWERS_MOST], delta[ANSWERS_MOST], sigma[ANSWERS_MOST], out[ANSWERS_MOST];

static void fill_inputs(void)
{
    for (size_t i = 0; i < ANSWERS_MOST; i++) {
        epsilon[i] = 3.0 * (double)i / ANSWERS_MOST + 0.01;
        delta[i] = 1e-3 / (1 + 1000.0 * (double)i);
        sigma[i] = 0.5 + 9.5 * (double)i / ANSWERS_MOST;
    }
}

static simdp_pld *composed(bool gaussian, size_t times, double grid, double least, double most)
{
    simdp_pld *pld;
    if (simdp_pld_create(&pld, grid) != SIMDP_OK) return NULL;
    if ((gaussian ? simdp_pld_add_gaussian(pld, 50, times) : simdp_pld_add_laplace(pld, 0.03, times)) == SIMDP_OK &&
        simdp_pld_compose(pld, least, most, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL) == SIMDP_OK)
        return pld;
    simdp_pld_destroy(pld);
    return NULL;
}

static void run_compose(sb_state *st, size_t n, bool gaussian)
{
    const double target = 1e-5;
    bool good = true;
    while (sb_keep_running(st)) {
        simdp_pld *pld = composed(gaussian, n, 1e-4, target, target);
        good = good && pld != NULL && simdp_pld_epsilon(pld, NULL, out, &target, 1) == SIMDP_OK;
        simdp_pld_destroy(pld);
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while composing");
    bench_finish(st, n, n * sizeof(double));
}

static void run_gaussian(sb_state *st, size_t n, const void *context)
{
    (void)context;
    run_compose(st, n, true);
}

static void run_laplace(sb_state *st, size_t n, const void *context)
{
    (void)context;
    run_compose(st, n, false);
}

static void run_sampled(sb_state *st, size_t n, const void *context)
{
    (void)context;
    const double target = 1e-5;
    bool good = true;
    while (sb_keep_running(st)) {
        simdp_pld *pld = NULL;
        good = good && simdp_pld_create(&pld, 0x1p-11) == SIMDP_OK &&
               simdp_pld_add_gaussian_sampled(pld, 1.1, 0.004, n) == SIMDP_OK &&
               simdp_pld_compose(pld, target, target, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL) == SIMDP_OK &&
               simdp_pld_epsilon(pld, NULL, out, &target, 1) == SIMDP_OK;
        simdp_pld_destroy(pld);
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while composing");
    bench_finish(st, n, n * sizeof(double));
}

enum { SGD_FEW = 64, SGD_MANY = 4096 }; /* steps: an answer takes some hundred milliseconds for any number of them */

static void run_sgd(sb_state *st, size_t n, const void *context)
{
    const bool for_noise = context != NULL;
    bool good = true;
    while (sb_keep_running(st)) {
        good &= (for_noise ? simdp_account_sgd_noise(out, (simdp_privacy){1, 1e-5}, 0.004, n, 1e-3, NULL, NULL)
                           : simdp_account_sgd_epsilon(out, out + 1, (simdp_account_sgd_run){1.1, 0.004, n}, 1e-5, 1e-3,
                                                       NULL, NULL)) == SIMDP_OK;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, n * sizeof(double));
}

static simdp_status delta_gaussian(size_t n)
{
    return simdp_delta_gaussian_sampled(out, epsilon, n, 1.1, 0.004, SIMDP_LOSS_LARGER);
}

static simdp_status delta_laplace(size_t n)
{
    return simdp_delta_laplace_sampled(out, epsilon, n, 1, 0.004, SIMDP_LOSS_LARGER);
}

typedef struct {
    simdp_status (*call)(size_t n);
} sampled_form;

static void run_sampled_form(sb_state *st, size_t n, const void *context)
{
    const sampled_form *form = context;
    bool good = true;
    while (sb_keep_running(st)) {
        good &= form->call(n) == SIMDP_OK;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, n * sizeof(double));
}

static void run_delta(sb_state *st, size_t n, const void *context)
{
    (void)context;
    bool good = true;
    static simdp_pld *pld; /* composed once, for all rows and runs */
    if (pld == NULL) pld = composed(true, 1000, 1e-5, 1e-9, 1);
    if (pld == NULL) {
        sb_skip(st, "failed while composing");
        return;
    }
    while (sb_keep_running(st)) {
        good &= simdp_pld_delta(pld, NULL, out, epsilon, n) == SIMDP_OK;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, n * sizeof(double));
}

static void run_closed_form(sb_state *st, size_t n, const void *context)
{
    const bool for_sigma = context != NULL;
    bool good = true;
    while (sb_keep_running(st)) {
        good &=
            (for_sigma ? simdp_account_noise(out, epsilon, delta, n, (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN})
                       : simdp_account_epsilon_each(out, delta, sigma, n,
                                                    (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN})) == SIMDP_OK;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, n * sizeof(double));
}

void bench_account(const bench_plan *plan)
{
    static const sampled_form gaussian_form = {delta_gaussian}, laplace_form = {delta_laplace};
    fill_inputs();
    for (size_t i = 0; i < plan->count; i++) {
        const size_t n = plan->sizes[i];
        if (n > ANSWERS_MOST) continue;
        sb_register("account/pld_compose.gaussian/plain", n, 1, run_gaussian, NULL);
        sb_register("account/pld_compose.laplace/plain", n, 1, run_laplace, NULL);
        sb_register("account/pld_compose.gaussian_sampled/plain", n, 1, run_sampled, NULL);
        if (n == SGD_FEW || n == SGD_MANY) {
            sb_register("account/sgd_epsilon/plain", n, 1, run_sgd, NULL);
            sb_register("account/sgd_noise/plain", n, 1, run_sgd, epsilon);
        }
        sb_register("account/delta_sampled.gaussian/plain", n, 1, run_sampled_form, &gaussian_form);
        sb_register("account/delta_sampled.laplace/plain", n, 1, run_sampled_form, &laplace_form);
        sb_register("account/pld_delta/plain", n, 1, run_delta, NULL);
        sb_register("account/epsilon_each.gaussian/plain", n, 1, run_closed_form, NULL);
        sb_register("account/noise.gaussian/plain", n, 1, run_closed_form, epsilon);
    }
}
