/* bench_roof.c: ceilings. No sampler writes faster than plain stores, and plain AES-128-CTR cannot outrun its rounds.
 *
 * roof/store/memset: n doubles of zeros by the C library's own vector stores.
 * roof/aes/<isa>: ten AES rounds per block (two words) on registers alone, nothing loaded or stored. rng/words needs
 * only eight rounds per block thanks to the table of its first two, so it may pass this row by up to a quarter. */
#include "bench.h"

#include <immintrin.h>
#include <stdio.h>
#include <string.h>

#include "dispatch/table.h"

static void *buffer;

static void run_store(sb_state *st, size_t n, const void *context)
{
    (void)context;
    while (sb_keep_running(st)) {
        memset(buffer, 0, n * sizeof(double));
        sb_escape(buffer);
    }
    bench_finish(st, n, n * sizeof(double));
}

enum { ROUNDS = 10, CHAINS = 8 }; /* chains: rounds in flight, enough to hide the latency of one */

/* Only these functions, and only where the CPU has it, use more than plain x86-64. Each: ten rounds on CHAINS vectors,
 * until n words are done; the escapes keep the compiler from leaving them out. */
__attribute__((target("aes"))) static void rounds_aesni(size_t n)
{
    __m128i x[CHAINS], key = _mm_set1_epi32(0x5a);
    for (int c = 0; c < CHAINS; c++) x[c] = _mm_set1_epi32(c);
    for (size_t done = 0; done < n; done += 2 * CHAINS)
        for (int r = 0; r < ROUNDS; r++)
            for (int c = 0; c < CHAINS; c++) x[c] = _mm_aesenc_si128(x[c], key);
    for (int c = 0; c < CHAINS; c++) sb_escape(&x[c]);
}

__attribute__((target("avx2,vaes"))) static void rounds_vaes256(size_t n)
{
    __m256i x[CHAINS], key = _mm256_set1_epi32(0x5a);
    for (int c = 0; c < CHAINS; c++) x[c] = _mm256_set1_epi32(c);
    for (size_t done = 0; done < n; done += 4 * CHAINS)
        for (int r = 0; r < ROUNDS; r++)
            for (int c = 0; c < CHAINS; c++) x[c] = _mm256_aesenc_epi128(x[c], key);
    for (int c = 0; c < CHAINS; c++) sb_escape(&x[c]);
}

__attribute__((target("avx512f,vaes"))) static void rounds_vaes512(size_t n)
{
    __m512i x[CHAINS], key = _mm512_set1_epi32(0x5a);
    for (int c = 0; c < CHAINS; c++) x[c] = _mm512_set1_epi32(c);
    for (size_t done = 0; done < n; done += 8 * CHAINS)
        for (int r = 0; r < ROUNDS; r++)
            for (int c = 0; c < CHAINS; c++) x[c] = _mm512_aesenc_epi128(x[c], key);
    for (int c = 0; c < CHAINS; c++) sb_escape(&x[c]);
}

static const struct aes_roof {
    const char *variant;
    void (*rounds)(size_t n);
} aes_roofs[] = {{"avx512", rounds_vaes512}, {"avx2_vaes", rounds_vaes256}, {"avx2_aesni", rounds_aesni}};

static void run_aes(sb_state *st, size_t n, const void *context)
{
    const struct aes_roof *roof = context;
    if (simdp_isa_select(roof->variant) != SIMDP_OK) {
        sb_skip(st, "not on this CPU");
        return;
    }
    while (sb_keep_running(st)) roof->rounds(n);
    bench_finish(st, n, n * sizeof(uint64_t));
}

void bench_roof(const bench_plan *plan)
{
    buffer = plan->out;
    for (size_t i = 0; i < plan->count; i++) {
        sb_register("roof/store/memset", plan->sizes[i], 1, run_store, NULL);
        for (size_t a = 0; a < sizeof aes_roofs / sizeof aes_roofs[0]; a++) {
            char name[64];
            snprintf(name, sizeof name, "roof/aes/%s", aes_roofs[a].variant);
            sb_register(name, plan->sizes[i], 1, run_aes, &aes_roofs[a]);
        }
    }
}
