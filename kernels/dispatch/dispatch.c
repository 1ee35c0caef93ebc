/* dispatch.c: which instruction sets exist, and which one runs. A ranked list, one atomic pointer. */
#include <stdlib.h>
#include <string.h>

#include "dispatch/table.h"

extern const simdp_kernels simdp_kernels_scalar, simdp_kernels_avx2_aesni, simdp_kernels_avx2_vaes,
    simdp_kernels_avx512;

static bool always(void) { return true; }

static bool has_avx2_aesni(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("aes");
}

static bool has_avx2_vaes(void)
{
    return has_avx2_aesni() && __builtin_cpu_supports("vaes") && __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
    return has_avx2_vaes() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

static const struct {
    const simdp_kernels *table;
    bool (*usable)(void);
} ranked[] = {   /* best first */
    {&simdp_kernels_avx512, has_avx512},
    {&simdp_kernels_avx2_vaes, has_avx2_vaes},
    {&simdp_kernels_avx2_aesni, has_avx2_aesni},
    {&simdp_kernels_scalar, always},
};

_Atomic(const simdp_kernels *) simdp_kernels_chosen;

const simdp_kernels *simdp_kernels_row(size_t i, bool *usable)
{
    if (i >= sizeof ranked / sizeof ranked[0]) return NULL;
    *usable = ranked[i].usable();
    return ranked[i].table;
}

static const simdp_kernels *best_named(const char *name)   /* NULL: any name */
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
    return there;   /* another thread has chosen meanwhile, and its choice stands */
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
