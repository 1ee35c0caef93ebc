/* test_dispatch_cpu: the features that cpuid and xgetbv report are those that the Linux kernel lists in /proc/cpuinfo,
 * vector features count only where the operating system saves their registers, and a unit runs only where all that it
 * needs is there. */
#include "dispatch/cpu.h"
#include "dispatch/table.h"
#include "support/test_support.h"

#define NAME_OF(NAME, name) #name,
static const char *const names[] = {SIMDP_CPU_FEATURES(NAME_OF)};

/* The flags of the first CPU in the given file, with a blank before and after each; "" if there are none. */
static void read_flags(char *flags, size_t room, const char *path)
{
    FILE *file = fopen(path, "r");
    flags[0] = '\0';
    if (file == NULL) return;
    while (fgets(flags, (int)room, file) != NULL && strncmp(flags, "flags", 5) != 0) flags[0] = '\0';
    for (char *c = flags; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\t' || *c == ':') *c = ' ';
    }
    fclose(file);
}

static void test_cpuinfo(void **state)
{
    static char flags[1 << 16];
    const simdp_cpu_registers registers = simdp_cpu_read();
    const uint32_t features = simdp_cpu_features(&registers);
    (void)state;
    read_flags(flags, sizeof flags, "/proc/cpuinfo");
    if (flags[0] == '\0') skip(); /* no /proc in this container */
    for (int i = 0; i < CPU_FEATURES; i++) {
        char word[32];
        snprintf(word, sizeof word, " %s ", names[i]);
        const bool listed = strstr(flags, word) != NULL, found = (features >> i & 1) != 0;
        if (listed != found)
            fail_msg("%s: /proc/cpuinfo says %s, cpuid and xgetbv say %s", names[i], listed ? "yes" : "no",
                     found ? "yes" : "no");
    }
}

enum {
    PLAIN = CPU_POPCNT | CPU_AES | CPU_BMI2, /* general and xmm registers, which every system saves */
    YMM = CPU_FMA | CPU_AVX2 | CPU_VAES,
    ZMM = CPU_AVX512F | CPU_AVX512DQ | CPU_AVX512BW | CPU_AVX512VL
};

static uint32_t features_with(uint64_t xcr0, uint32_t without_in_leaf1)
{
    return simdp_cpu_features(&(simdp_cpu_registers){UINT32_MAX & ~without_in_leaf1, UINT32_MAX, UINT32_MAX, xcr0});
}

static void test_states(void **state)
{
    (void)state;
    assert_int_equal(features_with(UINT64_MAX, 0), PLAIN | YMM | ZMM);
    assert_int_equal(features_with(0xe7, 0), PLAIN | YMM | ZMM);
    assert_int_equal(features_with(0x07, 0), PLAIN | YMM); /* no AVX-512 state */
    for (int missing = 5; missing < 8; missing++)          /* one of its three parts is missing */
        assert_int_equal(features_with(0xe7u & ~(1u << missing), 0), PLAIN | YMM);
    assert_int_equal(features_with(0x03, 0), PLAIN); /* only xmm */
    assert_int_equal(features_with(0xe5, 0), PLAIN); /* ymm and zmm without xmm */
    assert_int_equal(features_with(0, 0), PLAIN);
    assert_int_equal(features_with(0xe7, 1u << 27), PLAIN); /* OSXSAVE is off */
    assert_int_equal(features_with(0xe7, 1u << 28), PLAIN); /* AVX is off */
    assert_int_equal(simdp_cpu_features(&(simdp_cpu_registers){0}), CPU_NONE);
}

/* Each feature has the bit that the manuals give it, and no two share one. */
static void test_bits(void **state)
{
    static const struct {
        int word, bit;
        uint32_t feature;
    } rows[] = {
        {0, 23, CPU_POPCNT}, {0, 25, CPU_AES},     {0, 12, CPU_FMA},      {1, 5, CPU_AVX2},      {1, 8, CPU_BMI2},
        {2, 9, CPU_VAES},    {1, 16, CPU_AVX512F}, {1, 17, CPU_AVX512DQ}, {1, 30, CPU_AVX512BW}, {1, 31, CPU_AVX512VL},
    };
    (void)state;
    for (int word = 0; word < 3; word++) {
        for (int bit = 0; bit < 32; bit++) {
            const uint32_t one = 1u << bit, avx = 3u << 27;
            const simdp_cpu_registers r = {(word == 0 ? one : 0) | avx, word == 1 ? one : 0, word == 2 ? one : 0, 0xe7};
            uint32_t expected = CPU_NONE;
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                if (rows[i].word == word && rows[i].bit == bit) expected = rows[i].feature;
            }
            assert_int_equal(simdp_cpu_features(&r), expected);
        }
    }
}

/* A unit runs only on a CPU with everything that its -m flags let the compiler use: each feature that is missing turns it
 * off, and no other does. */
static void test_needs(void **state)
{
    static const struct {
        const char *variant;
        uint32_t needs;
    } rows[] = {
        {"avx512", PLAIN | CPU_FMA | CPU_AVX2 | CPU_VAES | CPU_AVX512F | CPU_AVX512DQ | CPU_AVX512BW | CPU_AVX512VL},
        {"avx2_vaes", PLAIN | CPU_FMA | CPU_AVX2 | CPU_VAES},
        {"avx2_aesni", CPU_POPCNT | CPU_AES | CPU_FMA | CPU_AVX2},
        {"scalar", CPU_NONE},
    };
    (void)state;
    const simdp_kernels *t;
    bool usable;
    for (size_t i = 0; (t = simdp_kernels_row_on(i, CPU_NONE, &usable)) != NULL; i++) {
        size_t row = 0;
        while (row < sizeof rows / sizeof rows[0] && strcmp(rows[row].variant, t->variant) != 0) row++;
        assert_true(row < sizeof rows / sizeof rows[0]);
        assert_int_equal(usable, rows[row].needs == CPU_NONE);
        assert_true(simdp_kernels_row_on(i, rows[row].needs, &usable) == t && usable);
        for (int f = 0; f < CPU_FEATURES; f++) {
            assert_true(simdp_kernels_row_on(i, ~(1u << f), &usable) == t);
            assert_int_equal(usable, (rows[row].needs >> f & 1) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpuinfo),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
