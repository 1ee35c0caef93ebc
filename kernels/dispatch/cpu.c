#include "dispatch/cpu.h"

#include <stdbool.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Bit numbers from the Intel and AMD manuals, written out: older versions of <cpuid.h> do not have all names. */
enum { LEAF1_ECX_FMA = 12, LEAF1_ECX_POPCNT = 23, LEAF1_ECX_AES = 25, LEAF1_ECX_OSXSAVE = 27, LEAF1_ECX_AVX = 28 };
enum {
    LEAF7_EBX_AVX2 = 5,
    LEAF7_EBX_BMI2 = 8,
    LEAF7_EBX_AVX512F = 16,
    LEAF7_EBX_AVX512DQ = 17,
    LEAF7_EBX_AVX512BW = 30,
    LEAF7_EBX_AVX512VL = 31
};
enum { LEAF7_ECX_VAES = 9 };
enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xe6 }; /* xmm and ymm; also mask registers, both halves of zmm */

static bool bit(uint32_t word, int number) { return (word >> number & 1) != 0; }

simdp_cpu_registers simdp_cpu_read(void)
{
    simdp_cpu_registers r = {0};
#if defined(__x86_64__)
    uint32_t eax, ebx, ecx, edx;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) r.leaf1_ecx = ecx;
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        r.leaf7_ebx = ebx;
        r.leaf7_ecx = ecx;
    }
    if (bit(r.leaf1_ecx, LEAF1_ECX_OSXSAVE)) { /* else xgetbv is an illegal instruction */
        __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
        r.xcr0 = (uint64_t)edx << 32 | eax;
    }
#endif
    return r;
}

uint32_t simdp_cpu_features(const simdp_cpu_registers *r)
{
    /* A CPU may have instructions whose registers the operating system does not save when it switches processes. */
    const bool ymm =
        bit(r->leaf1_ecx, LEAF1_ECX_OSXSAVE) && (r->xcr0 & XCR0_YMM) == XCR0_YMM && bit(r->leaf1_ecx, LEAF1_ECX_AVX);
    const bool zmm = ymm && (r->xcr0 & XCR0_ZMM) == XCR0_ZMM;
    const struct {
        bool usable;
        uint32_t mask;
    } found[] = {
        {bit(r->leaf1_ecx, LEAF1_ECX_POPCNT), CPU_POPCNT},
        {bit(r->leaf1_ecx, LEAF1_ECX_AES), CPU_AES},
        {ymm && bit(r->leaf1_ecx, LEAF1_ECX_FMA), CPU_FMA},
        {ymm && bit(r->leaf7_ebx, LEAF7_EBX_AVX2), CPU_AVX2},
        {bit(r->leaf7_ebx, LEAF7_EBX_BMI2), CPU_BMI2},
        {ymm && bit(r->leaf7_ecx, LEAF7_ECX_VAES), CPU_VAES},
        {zmm && bit(r->leaf7_ebx, LEAF7_EBX_AVX512F), CPU_AVX512F},
        {zmm && bit(r->leaf7_ebx, LEAF7_EBX_AVX512DQ), CPU_AVX512DQ},
        {zmm && bit(r->leaf7_ebx, LEAF7_EBX_AVX512BW), CPU_AVX512BW},
        {zmm && bit(r->leaf7_ebx, LEAF7_EBX_AVX512VL), CPU_AVX512VL},
    };
    uint32_t features = CPU_NONE;
    _Static_assert(sizeof found / sizeof found[0] == CPU_FEATURES, "a feature is not looked for");
    for (int i = 0; i < CPU_FEATURES; i++) features |= found[i].usable ? found[i].mask : CPU_NONE;
    return features;
}
