/* test_noise_forms: the forms of each law agree: sums with fills, pieces with wholes, large outputs with small ones,
 * external sources with the cipher's words. */
#include <math.h>

#include "bits/rng.h"
#include "support/test_support.h"

#define COUNT 5000
#define SCALE 0.75

typedef simdp_status draw_f64(simdp_rng *, double *, size_t, double);
typedef simdp_status draw_f32(simdp_rng *, float *, size_t, float);

static simdp_status uniform_f64(simdp_rng *r, double *x, size_t n, double s)
{
    (void)s;
    return simdp_noise_uniform_f64(r, x, n);
}
static simdp_status uniform_f32(simdp_rng *r, float *x, size_t n, float s)
{
    (void)s;
    return simdp_noise_uniform_f32(r, x, n);
}

static const struct {
    const char *name;
    draw_f64 *fill_f64, *add_f64;
    draw_f32 *fill_f32, *add_f32;
} laws[] = {
    {"uniform", uniform_f64, NULL, uniform_f32, NULL},
#define LAW(l)                                                                                                 \
    {                                                                                                          \
#l, simdp_noise_##l##_f64, simdp_noise_##l##_f64_add, simdp_noise_##l##_f32, simdp_noise_##l##_f32_add \
    }
    {"exponential", simdp_noise_exponential_f64, NULL, simdp_noise_exponential_f32, NULL},
    LAW(laplace),
    LAW(gaussian),
    LAW(gumbel),
};
#define LAWS (sizeof laws / sizeof laws[0])

static void test_add_is_fill_and_add(void **state)
{
    (void)state;
    static double noise[COUNT], sum[COUNT];
    static float noise_f32[COUNT], sum_f32[COUNT];
    for (size_t l = 0; l < LAWS; l++) {
        if (laws[l].add_f64 == NULL) continue;
        for (size_t n = 1; n <= COUNT; n = n * 3 + 1) {
            simdp_rng a, b;
            test_stream(&a, l, 0, n);
            b = a;
            must(laws[l].fill_f64(&a, noise, n, SCALE));
            for (size_t i = 0; i < n; i++) sum[i] = 1.0 / (double)(i + 1);
            must(laws[l].add_f64(&b, sum, n, SCALE));
            assert_int_equal(simdp_rng_position(&a), simdp_rng_position(&b));
            for (size_t i = 0; i < n; i++) assert_true(sum[i] == 1.0 / (double)(i + 1) + noise[i]);
            must(laws[l].fill_f32(&a, noise_f32, n, (float)SCALE));
            for (size_t i = 0; i < n; i++) sum_f32[i] = 1.0f / (float)(i + 1);
            must(laws[l].add_f32(&b, sum_f32, n, (float)SCALE));
            assert_int_equal(simdp_rng_position(&a), simdp_rng_position(&b));
            for (size_t i = 0; i < n; i++) {
                const float want = 1.0f / (float)(i + 1) + noise_f32[i];
                assert_memory_equal(&sum_f32[i], &want, sizeof want);
            }
        }
    }
}

/* Pieces of any length. */
static void test_pieces(void **state)
{
    (void)state;
    static double whole[COUNT], pieces[COUNT];
    static float whole_f32[COUNT], pieces_f32[COUNT];
    uint64_t random = 9;
    for (size_t l = 0; l < LAWS; l++) {
        for (int round = 0; round < 20; round++) {
            simdp_rng a, b;
            test_stream(&a, l, 1, 1000 + (uint64_t)round);
            b = a;
            must(laws[l].fill_f64(&a, whole, COUNT, SCALE));
            for (size_t done = 0, n; done < COUNT; done += n) {
                n = test_random(&random) % (round < 10 ? 9 : 300);
                if (n > COUNT - done) n = COUNT - done;
                must(laws[l].fill_f64(&b, pieces + done, n, SCALE));
            }
            assert_memory_equal(whole, pieces, sizeof whole);
            must(laws[l].fill_f32(&a, whole_f32, COUNT, (float)SCALE));
            for (size_t done = 0, n; done < COUNT; done += n) {
                n = test_random(&random) % (round < 10 ? 9 : 300);
                if (n > COUNT - done) n = COUNT - done;
                must(laws[l].fill_f32(&b, pieces_f32 + done, n, (float)SCALE));
            }
            assert_memory_equal(whole_f32, pieces_f32, sizeof whole_f32);
        }
    }
}

/* An output larger than the caches, at any address, has the bytes of small ones and nothing beside. */
static void test_large(void **state)
{
    (void)state;
    const size_t n = (4u << 20) / sizeof(double) + 1234;
    double *memory = malloc((n + 2) * sizeof *memory), *small = malloc(n * sizeof *small);
    assert_true(memory != NULL && small != NULL);
    for (size_t l = 0; l < LAWS; l++) {
        for (size_t odd = 0; odd < 2; odd++) {
            double *large = (double *)(void *)((char *)memory + 8 * odd);
            simdp_rng a, b;
            test_stream(&a, l, 2, 7);
            b = a;
            large[n] = 77.0;
            must(laws[l].fill_f64(&a, large, n, SCALE));
            for (size_t done = 0; done < n; done += 4096)
                must(laws[l].fill_f64(&b, small + done, n - done < 4096 ? n - done : 4096, SCALE));
            assert_memory_equal(large, small, n * sizeof *small);
            assert_true(large[n] == 77.0);
            must(laws[l].fill_f32(&a, (float *)large, 2 * n, (float)SCALE));
            for (size_t done = 0; done < 2 * n; done += 4096)
                must(laws[l].fill_f32(&b, (float *)small + done, 2 * n - done < 4096 ? 2 * n - done : 4096,
                                      (float)SCALE));
            assert_memory_equal(large, small, n * sizeof *small);
        }
    }
    free(memory);
    free(small);
}

/* A stream over a source of words, as simdp_rng_init_vsl makes it, here with a source of our own. */
typedef struct {
    uint64_t next, limit;
} counter_source;

static simdp_status count_up(void *context, uint64_t *out, size_t n)
{
    counter_source *c = context;
    if (c->next + n > c->limit) return SIMDP_ESOURCE;
    for (size_t i = 0; i < n; i++) out[i] = ++c->next * 0x9e3779b97f4a7c15;
    return SIMDP_OK;
}

static void source_rng(simdp_rng *rng, counter_source *c)
{
    memset(rng, 0, sizeof *rng);
    rng->kind = RNG_SOURCE;
    rng->source = count_up;
    rng->context = c;
}

static void test_external_source(void **state)
{
    (void)state;
    static double whole[2048], pieces[2048];
    for (size_t l = 0; l < LAWS; l++) {
        counter_source c = {0, UINT64_MAX}, d = {0, UINT64_MAX};
        simdp_rng a, b;
        source_rng(&a, &c);
        source_rng(&b, &d);
        must(laws[l].fill_f64(&a, whole, 2048, SCALE));
        for (size_t done = 0; done < 2048; done += 64) must(laws[l].fill_f64(&b, pieces + done, 64, SCALE));
        assert_memory_equal(whole, pieces, sizeof whole);
        must(laws[l].fill_f64(&a, whole, 5, SCALE));
        assert_int_equal(simdp_rng_position(&a), 2048 + 5);
        assert_int_equal(c.next, 2048 + (strcmp(laws[l].name, "gaussian") == 0 ? 16 : 5)); /* a whole group */

        /* a source that fails half-way leaves nothing that looks like noise */
        counter_source broken = {0, 1000};
        source_rng(&a, &broken);
        assert_int_equal(laws[l].fill_f64(&a, whole, 2048, SCALE), SIMDP_ESOURCE);
        for (size_t i = 0; i < 2048; i++) assert_true(isnan(whole[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_is_fill_and_add),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_external_source),
    };
    return cmocka_run_group_tests_name("noise_forms", tests, NULL, NULL);
}
