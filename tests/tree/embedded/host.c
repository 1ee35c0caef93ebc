/* host.c: a program of an embedding project, built with that project's own flags, fast-math among them. It prints
 * hashes of what simdp returns, which must be those of any other build, and checks that bad parameters are refused and
 * that accounts are not empty. Such a program cannot see NaN or infinities by comparing doubles, so it looks at bits;
 * and its constants may be floats, so they are numbers that both types have. */
#include <simdp/simdp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HOST_HAS_M
int host_m(void);
#endif

static int failures;

static void check(int is_right, const char *what)
{
    if (!is_right) {
        failures++;
        printf("FAILED: %s\n", what);
    }
}

static int is_nan(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/* Volatile, so that the compiler cannot assume anything about the number. */
static double number_of(uint64_t bits)
{
    volatile uint64_t kept = bits;
    const uint64_t read = kept;
    double x;
    memcpy(&x, &read, sizeof x);
    return x;
}
#define NOT_A_NUMBER number_of(0x7ff8000000000000)
#define INFINITE     number_of(0x7ff0000000000000)

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

enum { N = 3001, ROWS = 3, CANDIDATES = 1000, DRAWS = 50 };

static union {
    double f64[N];
    float f32[N];
    int64_t i64[N];
    uint8_t u8[N];
    size_t index[N];
} out;
static double answers[N], scores[ROWS * CANDIDATES];
static int64_t counts[N];
static uint8_t truths[N];

static void make_data(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < N; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        answers[i] = number_of((state >> 12 & 0x800fffffffffffff) | (uint64_t)(1023 - 40 + i % 60) << 52);
        counts[i] = (int64_t)(state >> 40) - (1 << 23);
        truths[i] = (uint8_t)(state >> 63);
    }
    for (size_t i = 0; i < ROWS * CANDIDATES; i++) scores[i] = (double)(i * 7919 % 1009) * 0.0625;
}

static void hash(const char *isa, const char *name, simdp_status status, const void *data, size_t bytes)
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
    printf("%-10s %-30s status %d  %016llx\n", isa, name, (int)status, (unsigned long long)h);
}

#define SAME(call, bytes)                        \
    do {                                         \
        memset(&out, 0, sizeof out);             \
        hash(isa, #call, (call), &out, (bytes)); \
    } while (0)
#define NOISE(law)                                                        \
    SAME(simdp_noise_##law##_f64(&rng, out.f64, N, 1.5), sizeof out.f64); \
    SAME(simdp_noise_##law##_f32(&rng, out.f32, N, 1.5f), sizeof out.f32)

static void print_bits(const char *isa)
{
    static double losses[N];
    const double smallest_scale = number_of((uint64_t)(1023 - 900) << 52);
    uint8_t key[32];
    simdp_rng rng;
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)(7 * i + 1);
    if (simdp_isa_select(isa) != SIMDP_OK) return;
    check(simdp_rng_init_deterministic(&rng, key, 5) == SIMDP_OK, "a stream opens");

    NOISE(exponential);
    NOISE(laplace);
    NOISE(gaussian);
    NOISE(gumbel);
    SAME(simdp_noise_laplace_f64_add(&rng, out.f64, N, smallest_scale), sizeof out.f64);

    SAME(simdp_release_laplace(&rng, out.f64, answers, N, 1.5, 0x1p-20), sizeof out.f64);
    SAME(simdp_release_gaussian(&rng, out.f64, answers, N, 1.5, 0x1p-20), sizeof out.f64);
    SAME(simdp_release_laplace(&rng, out.f64, answers, N, 1.5, 0x1p-36), sizeof out.f64);
    SAME(simdp_release_laplace_i64(&rng, out.i64, counts, N, 3.0), sizeof out.i64);
    SAME(simdp_release_gaussian_i64(&rng, out.i64, counts, N, 1e3), sizeof out.i64);
    SAME(simdp_release_randomized_response(&rng, out.u8, truths, N, 1.0), sizeof out.u8);
    SAME(simdp_release_discrete_laplace_i64(&rng, out.i64, counts, N, 3.0), sizeof out.i64);
    SAME(simdp_release_discrete_gaussian_i64(&rng, out.i64, counts, N, 3.0), sizeof out.i64);
    SAME(simdp_release_clamped_sum(out.f64, answers, N, -0x1p20, 0x1p20, 0x1p-30), sizeof(double));
    SAME(simdp_theory_leaky_response(&rng, out.u8, truths, N, 1.0, 0x1p-7), sizeof out.u8);

    SAME(simdp_select_gumbel(&rng, out.index, scores, CANDIDATES, 2.0), sizeof(size_t));
    SAME(simdp_select_gumbel_many(&rng, out.index, DRAWS, scores, CANDIDATES, 2.0), DRAWS * sizeof(size_t));
    SAME(simdp_select_gumbel_many_vartime(&rng, out.index, DRAWS, scores, CANDIDATES, 2.0), DRAWS * sizeof(size_t));
    SAME(simdp_select_gumbel_rows(&rng, out.index, scores, ROWS, CANDIDATES, 2.0), ROWS * sizeof(size_t));
    SAME(simdp_select_gumbel_top_k(&rng, out.index, DRAWS, scores, CANDIDATES, 2.0), DRAWS * sizeof(size_t));
    SAME(simdp_select_permute_flip(&rng, out.index, scores, CANDIDATES, 2.0), sizeof(size_t));
    SAME(simdp_select_log_probabilities(out.f64, scores, ROWS, CANDIDATES, 0x1p-7), ROWS * CANDIDATES * sizeof(double));

    SAME(simdp_loss_laplace_f64(out.f64, answers, N, 0.0, 1.0, 1.5), sizeof out.f64);
    SAME(simdp_loss_gaussian_f64(out.f64, answers, N, 0.0, 1.0, 1.5), sizeof out.f64);
    SAME(simdp_loss_sum_outputs(out.f64, answers, N, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.0, 1.0, 1.5}),
         sizeof(double));
    /* some results lie below 2^-1022, which a program linked with fast-math flushes to 0 in its own arithmetic */
    for (size_t i = 0; i < N; i++) losses[i] = (double)i * 0x1p-6;
    SAME(simdp_delta_laplace(out.f64, losses, N, 1.5), sizeof out.f64);
    SAME(simdp_delta_gaussian(out.f64, losses, N, 1.5), sizeof out.f64);
    const simdp_law gaussian = {.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = 1.5},
                    laplace = {.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = 1.5};
    SAME(simdp_loss_log_delta(out.f64, losses, N, gaussian), sizeof out.f64);
    SAME(simdp_loss_renyi(out.f64, losses + 1, N - 1, laplace), (N - 1) * sizeof(double));
    SAME(simdp_noise_cdf(out.f64, answers, N, SIMDP_MECHANISM_GAUSSIAN, 0x1p-7), sizeof out.f64);
    simdp_rng_wipe(&rng);
}

/* ---- bad parameters publish nothing ------------------------------------------------------------------------------ */

/* Every release in place, each number among its parameters NaN in turn; what is in out must not be an answer. */
static void nothing_is_published(void)
{
    enum { FEW = 40 };
    const double nan = NOT_A_NUMBER;
    const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = 1.0},
                                     bad_query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = nan};
    const simdp_theory_stability target = {.eta = 1.0, .tau = 0x1p-20, .nu = 0x1p-20},
                                 bad_target = {.eta = nan, .tau = 0x1p-20, .nu = 0x1p-20};
    uint8_t key[32] = {1};
    simdp_rng rng;
    check(simdp_rng_init_deterministic(&rng, key, 0) == SIMDP_OK, "a stream opens");
#define REFUSED(member, input, call)                                            \
    do {                                                                        \
        memcpy(out.member, input, FEW * sizeof out.member[0]);                  \
        check((call) == SIMDP_EPARAM, #call " is SIMDP_EPARAM");                \
        for (int i = 0; i < FEW; i++)                                           \
            if (memcmp(&out.member[i], &input[i], sizeof out.member[0]) == 0) { \
                check(0, #call " leaves no answer");                            \
                break;                                                          \
            }                                                                   \
    } while (0)
    REFUSED(f64, answers, simdp_release_laplace(&rng, out.f64, out.f64, FEW, nan, 0x1p-20));
    REFUSED(f64, answers, simdp_release_laplace(&rng, out.f64, out.f64, FEW, 1.0, nan));
    REFUSED(f64, answers, simdp_release_gaussian(&rng, out.f64, out.f64, FEW, nan, 0x1p-20));
    REFUSED(f64, answers, simdp_release_gaussian(&rng, out.f64, out.f64, FEW, 1.0, nan));
    REFUSED(f64, answers, simdp_release_laplace(&rng, out.f64, out.f64, FEW, INFINITE, 0x1p-20));
    REFUSED(i64, counts, simdp_release_laplace_i64(&rng, out.i64, out.i64, FEW, nan));
    REFUSED(i64, counts, simdp_release_gaussian_i64(&rng, out.i64, out.i64, FEW, nan));
    REFUSED(i64, counts, simdp_release_discrete_laplace_i64(&rng, out.i64, out.i64, FEW, nan));
    REFUSED(i64, counts, simdp_release_discrete_gaussian_i64(&rng, out.i64, out.i64, FEW, nan));
    REFUSED(u8, truths, simdp_release_randomized_response(&rng, out.u8, out.u8, FEW, nan));
    REFUSED(u8, truths, simdp_release_randomized_response_packed(&rng, out.u8, out.u8, 8 * FEW, nan));
    REFUSED(f64, answers, simdp_theory_release_laplace(&rng, out.f64, out.f64, FEW, bad_query, target));
    REFUSED(f64, answers, simdp_theory_release_laplace(&rng, out.f64, out.f64, FEW, query, bad_target));
    REFUSED(f64, answers, simdp_theory_release_gaussian(&rng, out.f64, out.f64, FEW, bad_query, target));
    REFUSED(f64, answers, simdp_theory_release_gaussian(&rng, out.f64, out.f64, FEW, query, bad_target));

    size_t index = 0;
    double sums[2];
    const simdp_theory_mechanism bad = {.kind = SIMDP_MECHANISM_LAPLACE, .sensitivity = 1.0, .scale = nan};
    simdp_theory_cost cost;
    sums[0] = 0.5;
    check(simdp_release_clamped_sum(sums, answers, FEW, nan, 1.0, 0x1p-20) == SIMDP_EPARAM && is_nan(sums[0]),
          "a sum with a NaN limit is refused, and NaN");
    check(simdp_noise_laplace_f64(&rng, out.f64, FEW, nan) == SIMDP_EPARAM, "noise of NaN scale is refused");
    check(simdp_select_gumbel(&rng, &index, scores, 10, nan) == SIMDP_EPARAM, "a selection at NaN scale is refused");
    check(simdp_theory_leaky_response(&rng, out.u8, out.u8, FEW, nan, 0.0) == SIMDP_EPARAM, "leaky, NaN epsilon");
    check(simdp_theory_leaky_response(&rng, out.u8, out.u8, FEW, 1.0, nan) == SIMDP_EPARAM, "leaky, NaN delta");
    check(simdp_theory_name_and_shame(&rng, out.u8, FEW, nan) == SIMDP_EPARAM, "name and shame, NaN delta");
    check(simdp_theory_select_column(&rng, &index, sums, scores, 1, 2, nan) == SIMDP_EPARAM, "a column at NaN eta");
    check(simdp_theory_mechanism_cost(&cost, &bad) == SIMDP_EPARAM, "a mechanism of NaN scale has no cost");
    check(simdp_rng_position(&rng) == 0, "refused calls do not move the stream");
}

/* ---- accounts ---------------------------------------------------------------------------------------------------- */

static void accounts_are_not_empty(void)
{
    const double delta = 0x1p-20;
    const simdp_account_renyi_step gaussians = {{.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = 10.0}, 200};
    simdp_account_renyi_optimum best;
    simdp_account_bound_table table;
    double epsilon[3] = {1.0, NOT_A_NUMBER, 2.0}, deltas[3];

    /* rho = 200 / (2 10^2) = 1, so epsilon is at most rho + 2 sqrt(rho ln(1/delta)) = 8.5, and not much below */
    check(simdp_account_renyi_compose_epsilon(&best, &delta, 1, &gaussians, 1) == SIMDP_OK, "Gaussians compose");
    check(best.epsilon > 6.0 && best.epsilon < 8.5, "200 Gaussians cost what they cost");
    hash("account", "simdp_account_renyi_compose_epsilon", SIMDP_OK, &best, sizeof best);

    check(simdp_account_bounds(&table, (simdp_privacy){0.125, 0.0}, 200, delta) == SIMDP_OK, "bounds are found");
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS; i++) {
        const int of_delta = i == SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE; /* steps without delta have no such bound */
        check(table.epsilon[i] > 1.0 && (table.epsilon[i] < 100.0) != of_delta,
              simdp_account_bound_name((simdp_account_bound)i));
    }
    check(table.smallest == SIMDP_ACCOUNT_BOUND_OPTIMAL, "the exact worst case is the smallest bound");
    hash("account", "simdp_account_bounds", SIMDP_OK, table.epsilon, sizeof table.epsilon);

    check(simdp_account_delta(deltas, epsilon, 3,
                              (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = 1.0}) == SIMDP_EPARAM,
          "a NaN in an array is told");
    check(is_nan(deltas[1]), "and gives NaN in its place");
    check(deltas[0] > 0.1 && deltas[0] < 0.2 && deltas[2] > 0.01 && deltas[2] < 0.05, "and the others are right");
}

static void infinite_scores_are_chosen(void)
{
    uint8_t key[32] = {2};
    double few[5] = {1.0, NOT_A_NUMBER, INFINITE, number_of(0xfff0000000000000), 2.0};
    size_t index = 9;
    simdp_rng rng;
    check(simdp_rng_init_deterministic(&rng, key, 0) == SIMDP_OK, "a stream opens");
    alarm(60); /* a race that does not know infinity never ends */
    check(simdp_select_gumbel(&rng, &index, few, 5, 1.0) == SIMDP_OK && index == 2, "+inf is chosen");
    check(simdp_select_gumbel_vartime(&rng, &index, few, 5, 1.0) == SIMDP_OK && index == 2, "+inf is chosen, vartime");
    check(simdp_select_permute_flip(&rng, &index, few, 5, 1.0) == SIMDP_OK && index == 2, "+inf is chosen, permute");
    few[2] = few[3];
    check(simdp_select_gumbel(&rng, &index, few, 5, 1.0) == SIMDP_OK && (index == 0 || index == 4), "-inf is not");
    alarm(0);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what was found is told even if a later call never returns */
    make_data();
    print_bits("scalar");
    print_bits("avx2_aesni");
    print_bits("avx2_vaes");
    print_bits("avx512");
    nothing_is_published();
    accounts_are_not_empty();
    infinite_scores_are_chosen();
#ifdef HOST_HAS_M
    check(host_m() == 42, "the host's own library m is linked");
#endif
    printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
