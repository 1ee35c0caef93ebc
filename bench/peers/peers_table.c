/* peers_table.c: by the name of the row, which is that of the function. */
#include "peers_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers_libm.h"
#include "peers_mkl_discrete.h"
#include "peers_mkl_rooms.h"
#include "peers_plain.h"
#include "peers_sleef.h"
#include "suite/bench_inputs.h"

/* Our own statistics in two passes: losses first, written to memory, then what they have in common. */
static void two_passes(void *out, size_t n)
{
    static const kernel_line *loss, *statistics; /* looking them up takes as long as a short call */
    if (loss == NULL) loss = kernel_named("simdp_loss_laplace_f64");
    if (statistics == NULL) statistics = kernel_named("simdp_loss_statistics_update");
    double *losses = inputs_losses(n);
    if (loss->run(&(kernel_call){.out = losses, .in = inputs_outputs(n), .n = n, .p = loss->good}) != SIMDP_OK ||
        statistics->run(&(kernel_call){.out = out, .in = losses, .n = n, .p = statistics->good}) != SIMDP_OK)
        abort();
}

/* Forms by identity: the same release or selection with noise by position. */
static void by_position(const kernel_line *line, const kernel_line *by_id, void *out, size_t n)
{
    static const uint8_t key[32] = {1};
    static simdp_rng rng;
    static bool is_open;
    kernel_call call = inputs_call(line, out, n);
    if (!is_open && simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) abort();
    is_open = true;
    call.rng = &rng;
    call.p = by_id->good;
    if (line->run(&call) != SIMDP_OK) abort();
}
#define POSITION(function)                                                    \
    static void position_##function(void *out, size_t n)                      \
    {                                                                         \
        static const kernel_line *line, *by_id;                               \
        if (line == NULL) line = kernel_named("simdp_" #function);            \
        if (by_id == NULL) by_id = kernel_named("simdp_" #function "_by_id"); \
        by_position(line, by_id, out, n);                                     \
    }
POSITION(release_laplace)
POSITION(release_gaussian)
POSITION(release_laplace_i64)
POSITION(release_gaussian_i64)
POSITION(release_randomized_response)
POSITION(select_gumbel_rows)
POSITION(select_partitions)

#define MKL(function) .mkl = PEER_MKL(function)
#define OTHER(...)    .others = {__VA_ARGS__}
#define SLEEF(function)                                   \
    {                                                     \
        "sleef", PEER_SLEEF(function), peers_sleef_usable \
    }
#define LIBM(function)         \
    {                          \
        "libm", function, NULL \
    }
#define BY_ID(room, function)                                                                                \
    {                                                                                                        \
#room "/" #function "_by_id", NULL, OTHER({"simdp_by_position", position_##room##_##function, NULL}) \
    }
#define LAW(law)                                                                                           \
    {"noise/" #law "_f64", MKL(mkl_##law##_f64), OTHER(LIBM(libm_##law##_f64), SLEEF(sleef_##law##_f64))}, \
    {                                                                                                      \
        "noise/" #law "_f32", MKL(mkl_##law##_f32), OTHER(SLEEF(sleef_##law##_f32))                        \
    }

/* clang-format off */
static const bench_peers table[] = {
    {"rng/words", MKL(mkl_words), OTHER({0})},
    LAW(laplace),
    LAW(gaussian),
    LAW(gumbel),
    LAW(exponential),
    LAW(uniform),
    {"noise/discrete_laplace_i64", MKL(mkl_discrete_laplace), OTHER({0})},
    {"noise/discrete_gaussian_i64", MKL(mkl_discrete_gaussian), OTHER({0})},
    {"noise/discrete_gaussian_i64.wide", MKL(mkl_discrete_gaussian_wide), OTHER({0})},
    {"release/laplace", MKL(mkl_release_laplace), OTHER({0})},
    {"release/gaussian", MKL(mkl_release_gaussian), OTHER({0})},
    {"release/laplace_i64", MKL(mkl_release_laplace_i64), OTHER({0})},
    {"release/randomized_response", MKL(mkl_response), OTHER({0})},
    {"release/randomized_response_packed", MKL(mkl_response_packed), OTHER({0})},
    {"release/unary", MKL(mkl_unary), OTHER({0})},
    {"release/k_response", MKL(mkl_k_response), OTHER({0})},
    {"select/gumbel", MKL(mkl_select), OTHER({0})},
    {"select/prepared", MKL(mkl_select), OTHER({0})},
    {"select/gumbel_vartime", MKL(mkl_select), OTHER({0})},
    {"select/prepared_vartime", MKL(mkl_select), OTHER({0})},
    {"select/prepared_vartime.ascending", MKL(mkl_select_ascending), OTHER({0})},
    {"select/partitions", MKL(mkl_partitions), OTHER({0})},
    {"select/above_threshold", MKL(mkl_above_threshold), OTHER({0})},
    BY_ID(release, laplace),
    BY_ID(release, gaussian),
    BY_ID(release, laplace_i64),
    BY_ID(release, gaussian_i64),
    BY_ID(release, randomized_response),
    BY_ID(select, gumbel_rows),
    BY_ID(select, partitions),
    {"loss/laplace_f64_each", NULL,
     OTHER({"mkl_vml", PEER_VML(vml_loss), NULL}, {"plain_c", plain_loss, NULL})},
    {"loss/delta_each.gaussian", NULL, OTHER({"mkl_vml", PEER_VML(vml_delta), NULL})},
    {"loss/audit_run.laplace", MKL(mkl_audit), OTHER({0})},
    {"loss/statistics_outputs.laplace", NULL, OTHER({"simdp_two_passes", two_passes, NULL})},
};
/* clang-format on */

/* A kernel that was renamed must not lose its peers silently. */
static void check_table(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char name[BENCH_NAME_MAX] = "";
        const kernel_line *line;
        for (size_t j = 0; (line = kernel_at(j)) != NULL && strcmp(name, table[i].row) != 0; j++)
            kernel_row_name(line, name, sizeof name);
        if (strcmp(name, table[i].row) == 0) continue;
        fprintf(stderr, "simdp-bench: peers_table.c has peers for %s, which is no kernel\n", table[i].row);
        exit(2);
    }
}

const bench_peers *peers_of(const kernel_line *line)
{
    static const bench_peers none = {0};
    static bool is_checked;
    char name[BENCH_NAME_MAX];
    if (!is_checked) check_table();
    is_checked = true;
    kernel_row_name(line, name, sizeof name);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].row, name) == 0) return &table[i];
    }
    return &none;
}
