/* bench_rooms.c: selection, release and privacy loss, at sizes of their own, each against the chain that a careful user
 * of MKL writes (peers_mkl_rooms.c), losses against a plain loop too. Inputs and outputs lie in static memory (those of
 * --large on the heap): no row depends on the batch sizes asked for. */
#include "peers/peers_mkl_rooms.h"

#include <stdio.h>
#include <stdlib.h>

#include "peers/peers_plain.h"

double rooms_scores[ROOMS_MOST], rooms_ascending[ROOMS_MOST], rooms_out[ROOMS_MOST];
double rooms_y[ROOMS_MOST], rooms_x0[ROOMS_MOST], rooms_x1[ROOMS_MOST], rooms_epsilon[ROOMS_MOST],
    rooms_sigma[ROOMS_MOST];
int64_t rooms_integers[ROOMS_MOST];

static void fill_inputs(void)
{
    uint64_t x = 1;
    for (size_t i = 0; i < ROOMS_MOST; i++) {
        double u[5];
        for (int k = 0; k < 5; k++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            u[k] = (double)(x >> 11) * 0x1p-53;
        }
        rooms_scores[i] = 8 * u[0];
        rooms_ascending[i] = 8e-3 * (double)i;
        rooms_y[i] = 4 * u[1] - 2;
        rooms_x0[i] = u[2];
        rooms_x1[i] = u[3];
        rooms_epsilon[i] = 3 * u[1];
        rooms_sigma[i] = 0.3 + 3 * u[4];
        rooms_integers[i] = (int64_t)(1000 * u[0]);
    }
}

/* ---- selection: one winner of n candidates ---- */

static simdp_status ours_gumbel(simdp_rng *rng, void *out, size_t n)
{
    return simdp_select_gumbel(rng, out, rooms_scores, n, 1.0);
}

static simdp_status ours_vartime(simdp_rng *rng, void *out, size_t n)
{
    return simdp_select_gumbel_vartime(rng, out, rooms_scores, n, 1.0);
}

/* Prepared once for each size, as whoever draws many times does. */
static const void *prepared(const double *scores, size_t n)
{
    static struct {
        const double *scores;
        size_t n;
        void *workspace;
    } made[8];
    size_t i = 0;
    while (made[i].workspace != NULL && (made[i].scores != scores || made[i].n != n)) i++;
    if (made[i].workspace == NULL) {
        made[i].scores = scores;
        made[i].n = n;
        made[i].workspace = malloc(simdp_select_workspace(n));
        if (made[i].workspace == NULL || simdp_select_prepare(made[i].workspace, scores, n, 1.0) != SIMDP_OK) abort();
    }
    return made[i].workspace;
}

static simdp_status ours_many(simdp_rng *rng, void *out, size_t n)
{
    return simdp_select_prepared(rng, out, 1, prepared(rooms_scores, n));
}

static simdp_status ours_many_vartime(simdp_rng *rng, void *out, size_t n)
{
    return simdp_select_prepared_vartime(rng, out, 1, prepared(rooms_scores, n));
}

static simdp_status ours_many_vartime_ascending(simdp_rng *rng, void *out, size_t n)
{
    return simdp_select_prepared_vartime(rng, out, 1, prepared(rooms_ascending, n));
}

static const bench_kernel selections[] = {
    {"select/gumbel", 8, ours_gumbel, PEER_MKL(mkl_select), sizeof(size_t), {{0}}},
    {"select/gumbel_many", 8, ours_many, PEER_MKL(mkl_select), sizeof(size_t), {{0}}},
    {"select/gumbel_vartime", 8, ours_vartime, PEER_MKL(mkl_select), sizeof(size_t), {{0}}},
    {"select/gumbel_many_vartime", 8, ours_many_vartime, PEER_MKL(mkl_select), sizeof(size_t), {{0}}},
    {"select/gumbel_many_vartime_ascending",
     8,
     ours_many_vartime_ascending,
     PEER_MKL(mkl_select_ascending),
     sizeof(size_t),
     {{0}}},
};

/* ---- release ---- */

static simdp_status ours_laplace(simdp_rng *rng, void *out, size_t n)
{
    return simdp_release_laplace(rng, out, rooms_y, n, 1.0, ROOMS_GRID);
}

static simdp_status ours_gaussian(simdp_rng *rng, void *out, size_t n)
{
    return simdp_release_gaussian(rng, out, rooms_y, n, 1.0, ROOMS_GRID);
}

static simdp_status ours_laplace_i64(simdp_rng *rng, void *out, size_t n)
{
    return simdp_release_laplace_i64(rng, out, rooms_integers, n, ROOMS_SCALE_I64);
}

static const bench_kernel releases[] = {
    {"release/laplace_f64", 8, ours_laplace, PEER_MKL(mkl_release_laplace), 0, {{0}}},
    {"release/gaussian_f64", 8, ours_gaussian, PEER_MKL(mkl_release_gaussian), 0, {{0}}},
    {"release/laplace_i64", 8, ours_laplace_i64, PEER_MKL(mkl_release_laplace_i64), 0, {{0}}},
};

/* ---- privacy loss ---- */

static simdp_status ours_loss(simdp_rng *rng, void *out, size_t n)
{
    (void)rng;
    return simdp_loss_laplace_f64_each(out, rooms_y, rooms_x0, rooms_x1, NULL, n, 0.7);
}

static simdp_status ours_delta(simdp_rng *rng, void *out, size_t n)
{
    (void)rng;
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_GAUSSIAN};
    return simdp_loss_delta_each(out, rooms_epsilon, rooms_sigma, n, law);
}

/* Arrays beyond every cache, for loss and statistics in one pass against two. */
static double *large_y, *large_loss;

static double available_bytes(void) /* 0 if the system does not say */
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && kib == 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %lf", &kib) != 1) kib = 0;
    }
    if (file != NULL) fclose(file);
    return 1024 * kib;
}

/* false, after a word to the user, if there is no memory for them and a quarter more */
static bool make_large(void)
{
    const size_t bytes = BENCH_LARGE * sizeof(double);
    const bool room = available_bytes() > 2.5 * (double)bytes;
    large_y = room ? malloc(bytes) : NULL; /* kept until the end */
    large_loss = room ? malloc(bytes) : NULL;
    if (large_y == NULL || large_loss == NULL) {
        fprintf(stderr, "simdp-bench: no rows on %d elements: they need %zu MB of free memory\n", BENCH_LARGE,
                5 * bytes / 2000000);
        return false;
    }
    for (size_t i = 0; i < BENCH_LARGE; i++) {
        large_y[i] = rooms_y[i % ROOMS_MOST];
        large_loss[i] = 0;
    }
    return true;
}

static const double epsilons[] = {0.25, 0.5, 1.0};
static const simdp_loss_statistics_plan statistics_plan = {.epsilon = epsilons, .epsilons = 3};

static simdp_status ours_statistics(simdp_rng *rng, void *out, size_t n)
{
    simdp_loss_statistics s;
    simdp_loss_summary summary = {0};
    (void)rng;
    simdp_status status = simdp_loss_statistics_init(&s, &statistics_plan);
    if (status == SIMDP_OK)
        status = simdp_loss_statistics_outputs(&s, n > ROOMS_MOST ? large_y : rooms_y, n,
                                               (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, 0.7});
    if (status == SIMDP_OK) status = simdp_loss_statistics_summary(&s, &summary, 1e-6);
    *(double *)out = summary.mean.value;
    return status;
}

static void two_passes(void *out, size_t n)
{
    simdp_loss_statistics s;
    simdp_loss_summary summary = {0};
    double *loss = n > ROOMS_MOST ? large_loss : rooms_out;
    if (simdp_loss_laplace_f64(loss, n > ROOMS_MOST ? large_y : rooms_y, n, 0.0, 1.0, 0.7) != SIMDP_OK ||
        simdp_loss_statistics_init(&s, &statistics_plan) != SIMDP_OK ||
        simdp_loss_statistics_update(&s, loss, n) != SIMDP_OK ||
        simdp_loss_statistics_summary(&s, &summary, 1e-6) != SIMDP_OK)
        abort();
    *(double *)out = summary.mean.value;
}

static simdp_status ours_audit(simdp_rng *rng, void *out, size_t n)
{
    simdp_loss_audit_row rows[3];
    const simdp_loss_audit_plan plan = {.mechanism = SIMDP_MECHANISM_LAPLACE,
                                        .x0 = 0.0,
                                        .x1 = 1.0,
                                        .scale = 0.7,
                                        .epsilon = epsilons,
                                        .epsilons = 3,
                                        .samples = n,
                                        .error = 1e-6};
    const simdp_status status = simdp_loss_audit_run(rng, rows, &plan);
    if (status == SIMDP_OK) *(double *)out = rows[0].delta.value;
    return status;
}

static const bench_kernel losses[] = {
    {"loss/laplace_arrays",
     8,
     ours_loss,
     NULL,
     0,
     {{"mkl_vml", PEER_VML(vml_loss), NULL}, {"plain_c", plain_loss, NULL}}},
    {"loss/delta_gaussian", 8, ours_delta, NULL, 0, {{"mkl_vml", PEER_VML(vml_delta), NULL}}},
    {"loss/audit_laplace", 8, ours_audit, PEER_MKL(mkl_audit), sizeof(double), {{0}}},
};
static const bench_kernel statistics[] = {
    {"loss/statistics", 8, ours_statistics, NULL, sizeof(double), {{"simdp_two_passes", two_passes, NULL}}},
};

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

void bench_rooms(const bench_plan *plan)
{
    static const size_t candidates[] = {1000, 100000}, answers[] = {4096, 1048576},
                        large[] = {4096, 1048576, BENCH_LARGE};
    fill_inputs();
    bench_register(selections, COUNT(selections), &(bench_plan){candidates, 2, 1, rooms_out, false});
    bench_register(releases, COUNT(releases), &(bench_plan){answers, 2, 1, rooms_out, false});
    bench_register(losses, COUNT(losses), &(bench_plan){answers, 2, 1, rooms_out, false});
    bench_register(statistics, COUNT(statistics),
                   &(bench_plan){large, plan->large && make_large() ? 3 : 2, 1, rooms_out, false});
}
