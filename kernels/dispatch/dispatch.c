/* dispatch.c: which instruction sets exist, and which one runs. A ranked list, one atomic pointer. */
#include <stdlib.h>
#include <string.h>

#include "dispatch/cpu.h"
#include "dispatch/table.h"

extern const simdp_kernels simdp_kernels_scalar, simdp_kernels_avx2_aesni, simdp_kernels_avx2_vaes,
    simdp_kernels_avx512;

/* what the -m flags of a unit let the compiler use (cmake/isa_flags.cmake) */
enum {
    NEEDS_AVX2_AESNI = CPU_AVX2 | CPU_FMA | CPU_AES | CPU_POPCNT,
    NEEDS_AVX2_VAES = NEEDS_AVX2_AESNI | CPU_VAES | CPU_BMI2,
    NEEDS_AVX512 = NEEDS_AVX2_VAES | CPU_AVX512F | CPU_AVX512DQ | CPU_AVX512BW | CPU_AVX512VL
};

static const struct {
    const simdp_kernels *table;
    uint32_t needs;
} ranked[] = {
/* best first */
#if defined(__x86_64__)
    {&simdp_kernels_avx512, NEEDS_AVX512},
    {&simdp_kernels_avx2_vaes, NEEDS_AVX2_VAES},
    {&simdp_kernels_avx2_aesni, NEEDS_AVX2_AESNI},
#endif
    {&simdp_kernels_scalar, CPU_NONE},
};

_Atomic(const simdp_kernels *) simdp_kernels_chosen;

const simdp_kernels *simdp_kernels_row_on(size_t i, uint32_t features, bool *usable)
{
    if (i >= sizeof ranked / sizeof ranked[0]) return NULL;
    *usable = (features & ranked[i].needs) == ranked[i].needs;
    return ranked[i].table;
}

const simdp_kernels *simdp_kernels_row(size_t i, bool *usable)
{
    const simdp_cpu_registers registers = simdp_cpu_read();
    return simdp_kernels_row_on(i, simdp_cpu_features(&registers), usable);
}

static const simdp_kernels *best_named(const char *name) /* NULL: any name */
{
    bool usable;
    const simdp_kernels *table;
    for (size_t i = 0; (table = simdp_kernels_row(i, &usable)) != NULL; i++) {
        if (usable && (name == NULL || strcmp(name, table->isa) == 0 || strcmp(name, table->variant) == 0))
            return table;
    }
    return NULL;
}

simdp_status simdp_isa_select(const char *name)
{
    const simdp_kernels *table = best_named(name);
    if (table == NULL) return SIMDP_EISA;
    atomic_store(&simdp_kernels_chosen, table);
    return SIMDP_OK;
}

const simdp_kernels *simdp_kernels_choose(void)
{
    const simdp_kernels *found = best_named(getenv("SIMDP_ISA")), *there = NULL;
    if (found == NULL || atomic_compare_exchange_strong(&simdp_kernels_chosen, &there, found)) return found;
    return there; /* another thread has chosen meanwhile, and its choice stands */
}

const char *simdp_isa_name(void)
{
    const simdp_kernels *table = simdp_kernels_active();
    return table == NULL ? "" : table->isa;
}

const char *simdp_isa_variant(void)
{
    const simdp_kernels *table = simdp_kernels_active();
    return table == NULL ? "" : table->variant;
}
