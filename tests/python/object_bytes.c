/* object_bytes: what objects and functions that are neither kernels nor closed forms give, for tests/python/test_objects.py,
 * which makes the same calls through the Python package. A line each: the function (or where several share a line, the one
 * that gives the numbers), then the bits of doubles and whole numbers, sixteen hexadecimal digits each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simdp/simdp.h"
#include "support/audits.h"
#include "support/filters.h"

static void must(simdp_status status)
{
    if (status == SIMDP_OK) return;
    fprintf(stderr, "object_bytes: %s\n", simdp_status_text(status));
    exit(1);
}

static void name(const char *text) { printf("%s", text); }
static void word(uint64_t bits) { printf(" %016" PRIx64, bits); }
static void number(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    word(bits);
}
static void numbers(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) number(x[i]);
}
static void estimate(const simdp_loss_estimate *e) { number(e->value), number(e->low), number(e->high); }
static void end(void) { printf("\n"); }

static const uint8_t key[32] = {1, 2, 3};

/* ---- distributions ---- */

static simdp_status add(simdp_pld *pld, const char *law)
{
    static const double p[] = {0.5, 0.3, 0.2}, q[] = {0.2, 0.3, 0.5}, mass[] = {0.25, 0.5, 0.25},
                        sensitivity[] = {0, 1, 2}, probability[] = {0.7, 0.2, 0.1};
    if (strcmp(law, "laplace") == 0) return simdp_pld_add_laplace(pld, 0.5, 3);
    if (strcmp(law, "gaussian") == 0) return simdp_pld_add_gaussian(pld, 2, 3);
    if (strcmp(law, "randomized_response") == 0) return simdp_pld_add_randomized_response(pld, 0.5, 1e-3, 3);
    if (strcmp(law, "discrete_laplace") == 0) return simdp_pld_add_discrete_laplace(pld, 3, 2, 3);
    if (strcmp(law, "discrete_gaussian") == 0) return simdp_pld_add_discrete_gaussian(pld, 3, 2, 3);
    if (strcmp(law, "gaussian_sampled") == 0) return simdp_pld_add_gaussian_sampled(pld, 1, 0.25, 3);
    if (strcmp(law, "laplace_sampled") == 0) return simdp_pld_add_laplace_sampled(pld, 1, 0.25, 3);
    if (strcmp(law, "gaussian_mixture") == 0)
        return simdp_pld_add_gaussian_mixture(pld, sensitivity, probability, 3, 2, 3);
    if (strcmp(law, "bounded_range") == 0) return simdp_pld_add_bounded_range(pld, 0.5, 3);
    if (strcmp(law, "pair") == 0) return simdp_pld_add_pair(pld, p, q, 3, 3);
    return simdp_pld_add_histogram(pld, mass, 3, -1, 0, 3);
}

static void distributions(void)
{
    static const char *const laws[] = {
        "laplace",          "gaussian",        "randomized_response", "discrete_laplace", "discrete_gaussian",
        "gaussian_sampled", "laplace_sampled", "gaussian_mixture",    "bounded_range",    "pair",
        "histogram"};
    static const double epsilons[] = {0, 0.5, 1}, deltas[] = {1e-6, 1e-2};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        simdp_pld *pld;
        double lower[3], upper[3], mass[50];
        must(simdp_pld_create(&pld, 0x1p-9));
        must(add(pld, laws[i]));
        must(simdp_pld_masses(pld, mass, 50, -25, 0, SIMDP_PLD_DOTS));
        must(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
        printf("pld_add_%s", laws[i]), numbers(mass, 50), word(simdp_pld_points(pld));
        must(simdp_pld_delta(pld, lower, upper, epsilons, 3)), numbers(lower, 3), numbers(upper, 3);
        must(simdp_pld_log_delta(pld, lower, upper, epsilons, 3)), numbers(lower, 3), numbers(upper, 3);
        must(simdp_pld_epsilon(pld, lower, upper, deltas, 2)), numbers(lower, 2), numbers(upper, 2);
        must(simdp_pld_composed_masses(pld, mass, 50, -25)), numbers(mass, 50), end();
        simdp_pld_destroy(pld);
    }
}

static void sgd(void)
{
    double lower, upper, noise;
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){1.1, 0.01, 500}, 1e-5, 0.01, NULL, NULL));
    name("account_sgd_epsilon"), number(lower), number(upper), end();
    must(simdp_account_sgd_noise(&noise, (simdp_privacy){1, 1e-5}, 0.01, 500, 0.05, NULL, NULL));
    name("account_sgd_noise"), number(noise), end();
}

/* ---- losses ---- */

static void intervals(void)
{
    static const uint64_t counts[] = {0, 30, 100};
    simdp_loss_estimate e;
    simdp_loss_count count[3];
    must(simdp_loss_interval_proportion(&e, 7, 50, 1e-3)), name("loss_interval_proportion"), estimate(&e), end();
    must(simdp_loss_interval_mean(&e, 0.3, 50, 2, 1e-3)), name("loss_interval_mean"), estimate(&e), end();
    must(simdp_loss_count_k_response(count, counts, 3, 100, 5, 0.7, 0.01)), name("loss_count_k_response");
    for (int i = 0; i < 3; i++)
        number(count[i].count), number(count[i].deviation), number(count[i].low), number(count[i].high);
    end();
    must(simdp_loss_count_unary(count, counts, 3, 100, 0.7, -0.3, 0.01)), name("loss_count_unary");
    for (int i = 0; i < 3; i++)
        number(count[i].count), number(count[i].deviation), number(count[i].low), number(count[i].high);
    end();
}

static void statistics(void)
{
    static const double epsilon[] = {0.25, 1}, order[] = {2, 5.5}, p[] = {0.1, 0.5};
    uint64_t counts[12] = {0};
    double losses[200], y[200];
    simdp_loss_statistics s;
    simdp_loss_summary summary;
    simdp_loss_estimate e[2];
    const simdp_loss_step step = {SIMDP_MECHANISM_LAPLACE, 0, 1, 1.5};
    const simdp_loss_statistics_plan plan = {.epsilon = epsilon,
                                             .epsilons = 2,
                                             .deltas = 1,
                                             .bound = 3,
                                             .order = order,
                                             .orders = 2,
                                             .counts = counts,
                                             .bins = 10,
                                             .low = -2,
                                             .high = 2};
    for (int i = 0; i < 200; i++) losses[i] = (i % 37) * 0.05 - 0.7, y[i] = (i % 41) * 0.1 - 1.5;
    must(simdp_loss_statistics_init(&s, &plan));
    must(simdp_loss_statistics_update(&s, losses, 200));
    must(simdp_loss_statistics_outputs(&s, y, 200, step));
    must(simdp_loss_statistics_summary(&s, &summary, 1e-3));
    name("loss_statistics_summary"), word(summary.finite), word(summary.undefined), estimate(&summary.mean);
    estimate(&summary.variance), number(summary.least), number(summary.most), number(summary.beyond), end();
    must(simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_TAILS, 1e-3)), name("loss_statistics_estimates");
    estimate(&e[0]), estimate(&e[1]);
    must(simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_DELTAS, 1e-3)), estimate(&e[0]), estimate(&e[1]);
    must(simdp_loss_statistics_estimates(&s, e, SIMDP_LOSS_RENYI, 1e-3)), estimate(&e[0]), estimate(&e[1]), end();
    must(simdp_loss_statistics_quantiles(&s, e, p, 2, 1e-3)), name("loss_statistics_quantiles");
    estimate(&e[0]), estimate(&e[1]);
    for (int i = 0; i < 12; i++) word(counts[i]);
    end();
}

static void put_rows(const simdp_loss_audit_row *rows)
{
    for (int i = 0; i < 2; i++) {
        const simdp_loss_audit_row *r = &rows[i];
        number(r->epsilon), word(r->outputs[0]), word(r->outputs[1]), word(r->above[0]), word(r->above[1]);
        estimate(&r->tail[0]), estimate(&r->tail[1]), estimate(&r->delta), numbers(r->exact_tail, 2);
        number(r->exact_delta), word((uint64_t)r->agrees);
    }
    end();
}

static void audits(void)
{
    static const double epsilon[] = {0.2, 0.7}, scores[2][3] = {{0, 1, 2}, {1, 0, 2}};
    static const size_t chosen[] = {0, 1, 2, 2};
    static const uint8_t bits[] = {0, 1, 1, 0, 1};
    double y[100];
    simdp_rng rng;
    simdp_loss_audit a, b;
    simdp_loss_audit_row rows[2];
    const simdp_loss_audit_plan plan = {.epsilon = epsilon, .epsilons = 2, .samples = 5000, .error = 1e-6};
    for (int i = 0; i < 100; i++) y[i] = (i % 41) * 0.1 - 1.5;
    must(simdp_rng_init_deterministic(&rng, key, 5));
    must(audit_laplace(&rng, rows, &plan, 0, 1, 1.5)), name("loss_audit_run"), put_rows(rows);
    must(audit_init_gaussian(&a, &plan, 0, 1, 1.5)), must(audit_init_gaussian(&b, &plan, 0, 1, 1.5));
    must(simdp_loss_audit_draw(&rng, &a, 3000)), must(simdp_loss_audit_outputs(&b, y, 100, 1));
    must(simdp_loss_audit_add(&a, &b)), must(simdp_loss_audit_rows(&a, rows)), name("loss_audit_add"), put_rows(rows);
    must(audit_init_response(&a, &plan, 0.9)), must(simdp_loss_audit_bits(&a, bits, 5, 0));
    must(simdp_loss_audit_bits(&a, bits, 3, 1)), must(simdp_loss_audit_rows(&a, rows)), name("loss_audit_bits");
    put_rows(rows);
    must(audit_init_selection(&a, &plan, scores[0], scores[1], 3, 1));
    must(simdp_loss_audit_choices(&a, chosen, 4, 0)), must(simdp_loss_audit_choices(&a, chosen, 2, 1));
    must(simdp_loss_audit_rows(&a, rows)), name("loss_audit_choices"), put_rows(rows);
}

/* ---- theory, ids ---- */

static void filters(void)
{
    static const double orders[] = {2, 4, 16};
    static const simdp_theory_mechanism use = {SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 4, .delta = 1e-7};
    double spent[3] = {0}, epsilon, delta;
    simdp_theory_filter f;
    simdp_theory_cost cost;
    for (int kind = 0; kind < 4; kind++) {
        must(kind == 0   ? filter_basic(&f, 4, 1e-5)
             : kind == 1 ? filter_strong(&f, 4, 1e-5, 1e-6)
             : kind == 2 ? filter_zcdp(&f, 4, 1e-5, 1e-6)
                         : filter_renyi(&f, spent, orders, 3, 4, 1e-5, 1e-6));
        name("theory_filter_spent");
        for (int i = 0; i < 8; i++) {
            int admitted;
            must(simdp_theory_filter_admit(&f, &admitted, &use));
            must(simdp_theory_filter_spent(&f, &epsilon, &delta));
            word((uint64_t)admitted), number(epsilon), number(delta);
        }
        end();
    }
    must(simdp_theory_mechanism_cost(&cost, &use)), name("theory_mechanism_cost");
    number(cost.epsilon), number(cost.delta), number(cost.rho), number(cost.zcdp_delta), number(cost.nu), end();
}

static void ids(void)
{
    static const uint64_t starts[] = {0, 5, 5, 11};
    simdp_rng rng;
    simdp_id made[3];
    must(simdp_rng_init_deterministic(&rng, key, 5));
    must(simdp_rng_id(&rng, made, "north", 5)), name("rng_id"), word(made->low), word(made->high), end();
    must(simdp_rng_ids(&rng, made, "northsouths", starts, 3)), name("rng_ids");
    for (int i = 0; i < 3; i++) word(made[i].low), word(made[i].high);
    end();
}

int main(void)
{
    distributions(), sgd(), intervals(), statistics(), audits(), filters(), ids();
    return 0;
}
