/* test_vec_ops: each operation of the vocabulary on each instruction set equals scalar, over a grid of edge values. */
#include "support/test_support.h"
#include "vec_ops.h"

/* Bits of doubles (zeros, ones, subnormals, ends of the range, infinities, NaN) that are also interesting integers. */
static const uint64_t edges[] = {
    0x0000000000000000,
    0x8000000000000000,
    0x3ff0000000000000,
    0xbff0000000000000,
    0x0000000000000001,
    0x8000000000000001,
    0x000fffffffffffff,
    0x0010000000000000,
    0x7fefffffffffffff,
    0xffefffffffffffff,
    0x7ff0000000000000,
    0xfff0000000000000,
    0x7ff8000000000000,
    0xffffffffffffffff,
    0x3fefffffffffffff,
    0x3ff0000000000001,
    0x4330000000000000,
    0xc330000000000001,
    0x433fffffffffffff,
    0x43e0000000000000,
    0xc3e0000000000000,
    0x3ca0000000000000,
    0x3fd5555555555555,
    0x400921fb54442d18,
    0x7fffffffffffffff,
    0x00000000ffffffff,
    0x0000000100000000,
    0x0020000000000001,
    0xffdffffffffffc00,
    0x7ffffffffffffe00,
    0x7ffffffffffffdff,
    0x0123456789abcdef,
    /* pairs of floats: ones, zeros, subnormals, ends of the range, infinities, NaN */
    0x3f8000003f800001,
    0x8000000000000001,
    0x00800000007fffff,
    0x7f7fffff7f800000,
    0xff8000007fc00000,
    0x4b0000004f000000,
    0xbf80000040490fdb,
    0x3fb504f33effffff,
};
#define EDGES (sizeof edges / sizeof edges[0])
#define CASES (EDGES * EDGES * EDGES)

static uint64_t a[CASES], b[CASES], c[CASES], want[CASES], got[CASES];

static bool is_nan(uint64_t x) { return (x & 0x7fffffffffffffff) > 0x7ff0000000000000; }
static bool is_nan_f32(uint32_t x) { return (x & 0x7fffffff) > 0x7f800000; }

/* Which NaN comes out is the only thing instruction sets may differ in. */
static bool same(const char *name, uint64_t x, uint64_t y)
{
    if (x == y) return true;
    if (name[1] == 'd') return is_nan(x) && is_nan(y);
    if (name[1] != 'f') return false;
    for (int half = 0; half < 2; half++, x >>= 32, y >>= 32) {
        if ((uint32_t)x != (uint32_t)y && !(is_nan_f32((uint32_t)x) && is_nan_f32((uint32_t)y))) return false;
    }
    return true;
}

static void compare(const vec_op *op, const vec_op *scalar, const char *isa, size_t n)
{
    assert_string_equal(op->name, scalar->name);
    memset(want, 0xaa, sizeof want);
    memset(got, 0xaa, sizeof got);
    scalar->run(want, a, b, c, n);
    op->run(got, a, b, c, n);
    for (size_t i = 0; i < CASES; i++) {
        if (same(op->name, got[i], want[i])) continue;
        fail_msg("%s on %s: (%016llx, %016llx, %016llx) gave %016llx, scalar %016llx", op->name, isa,
                 (unsigned long long)a[i], (unsigned long long)b[i], (unsigned long long)c[i],
                 (unsigned long long)got[i], (unsigned long long)want[i]);
    }
}

static const struct {
    const char *variant;
    const vec_op *ops;
} lists[] = {
#if defined(__x86_64__)
    {"avx512", vec_ops_avx512},
    {"avx2_vaes", vec_ops_avx2_vaes},
    {"avx2_aesni", vec_ops_avx2_aesni},
#endif
    {"scalar", vec_ops_scalar}};

static void compare_all(size_t n)
{
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        for (size_t j = 0; j < sizeof lists / sizeof lists[0]; j++) {
            if (strcmp(lists[j].variant, t->variant) != 0) continue;
            for (const vec_op *op = lists[j].ops, *s = vec_ops_scalar; s->name != NULL; op++, s++)
                compare(op, s, t->variant, n);
        }
    }
}

static void test_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        a[i] = edges[i % EDGES];
        b[i] = edges[i / EDGES % EDGES];
        c[i] = edges[i / EDGES / EDGES];
    }
    compare_all(CASES);
}

/* Random words of every magnitude: conversion ties, products that round, all table entries. */
static void test_random_words(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t i = 0; i < CASES; i++) {
        a[i] = test_random(&random) >> test_random(&random) % 64;
        if (i % 2) a[i] = -a[i];
        b[i] = test_random(&random);
        c[i] = test_random(&random) >> (i % 12);
    }
    compare_all(CASES);
}

/* Control: operations that differ are seen to differ (the comparison cannot pass by comparing nothing). */
static void test_comparison_can_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++) a[i] = i, b[i] = 1;
    vec_ops_scalar[0].run(got, a, b, c, 8);
    vec_ops_scalar[1].run(want, a, b, c, 8);
    assert_memory_not_equal(got, want, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_comparison_can_fail),
    };
    return cmocka_run_group_tests_name("vec_ops", tests, NULL, NULL);
}
