/* bench_roof.c: ceilings. No sampler writes faster than plain stores, and plain AES-128-CTR cannot outrun its rounds.
 *
 * roof/load.<level>/<isa>, roof/store.<level>/<isa>: n doubles of an array that fits half of the cache of that level, or
 * none of them (dram), read or written by plain vector instructions. roof/load sums up, one addition for each load.
 * roof/store/memset: n doubles of zeros by the C library's own vector stores.
 * roof/aes/<isa>: ten AES rounds per block (two words) on registers alone, nothing loaded or stored. rng/words needs
 * only eight rounds per block thanks to the table of its first two, so it may pass this row by up to a quarter. */
#include "bench.h"

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- bandwidth of every level ---- */

enum { SUMS = 8 };

__attribute__((target("avx512f"))) static void load_avx512(double *x, size_t n)
{
    __m512d sum[SUMS];
    for (int s = 0; s < SUMS; s++) sum[s] = _mm512_setzero_pd();
    for (size_t i = 0; i < n; i += 8 * SUMS)
        for (size_t s = 0; s < SUMS; s++) sum[s] = _mm512_add_pd(sum[s], _mm512_load_pd(x + i + 8 * s));
    for (int s = 0; s < SUMS; s++) sb_escape(&sum[s]);
}

__attribute__((target("avx512f"))) static void store_avx512(double *x, size_t n)
{
    for (size_t i = 0; i < n; i += 8 * SUMS)
        for (size_t s = 0; s < SUMS; s++) _mm512_store_pd(x + i + 8 * s, _mm512_set1_pd(1.0));
    sb_escape(x);
}

__attribute__((target("avx2"))) static void load_avx2(double *x, size_t n)
{
    __m256d sum[SUMS];
    for (int s = 0; s < SUMS; s++) sum[s] = _mm256_setzero_pd();
    for (size_t i = 0; i < n; i += 4 * SUMS)
        for (size_t s = 0; s < SUMS; s++) sum[s] = _mm256_add_pd(sum[s], _mm256_load_pd(x + i + 4 * s));
    for (int s = 0; s < SUMS; s++) sb_escape(&sum[s]);
}

__attribute__((target("avx2"))) static void store_avx2(double *x, size_t n)
{
    for (size_t i = 0; i < n; i += 4 * SUMS)
        for (size_t s = 0; s < SUMS; s++) _mm256_store_pd(x + i + 4 * s, _mm256_set1_pd(1.0));
    sb_escape(x);
}

typedef struct {
    const char *what, *isa, *needs; /* needs: a variant of the dispatch list */
    void (*walk)(double *x, size_t n);
} walk_roof;

static const walk_roof walks[] = {{"load", "avx512", "avx512", load_avx512},
                                  {"store", "avx512", "avx512", store_avx512},
                                  {"load", "avx2", "avx2_aesni", load_avx2},
                                  {"store", "avx2", "avx2_aesni", store_avx2}};

/* Of at least n doubles, made at first use and kept; NULL: no memory. */
static double *array_of(size_t n)
{
    static double *array;
    static size_t room;
    if (n > room) {
        free(array);
        array = aligned_alloc(64, n * sizeof(double));
        room = array == NULL ? 0 : n;
        for (size_t i = 0; i < room; i++) array[i] = 1.0;
    }
    return array;
}

static void run_walk(sb_state *st, size_t n, const void *context)
{
    const walk_roof *roof = context;
    double *array = array_of(n);
    if (simdp_isa_select(roof->needs) != SIMDP_OK || array == NULL) {
        sb_skip(st, array == NULL ? "no memory" : "not on this CPU");
        return;
    }
    roof->walk(array, n); /* brings the array into the cache, if it fits */
    while (sb_keep_running(st)) roof->walk(array, n);
    bench_finish(st, n, n * sizeof(double));
}

/* The first word of a file about a cache of the first CPU; empty if there is none. */
static void read_word(int index, const char *name, char word[32])
{
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%31s", word) != 1) word[0] = '\0';
    if (file != NULL) fclose(file);
}

/* Bytes of the cache of a level, 1 to 3, that the first CPU sees. The C library would give what all cores share. */
static size_t cache_bytes(int level)
{
    static const size_t usual[] = {32 << 10, 1 << 20, 16 << 20};
    for (int index = 0; index < 8; index++) {
        char word[32];
        read_word(index, "level", word);
        if (atoi(word) != level) continue;
        read_word(index, "type", word);
        if (word[0] == 'I') continue; /* of instructions */
        read_word(index, "size", word);
        const size_t kib = strtoul(word, NULL, 10);
        if (kib > 0) return kib << 10;
    }
    return usual[level - 1];
}

/* Doubles in an array that half fills the cache of a level; level 4, memory: four times what the last one holds, but no
 * more than half a gigabyte. */
static size_t doubles_of_level(int level)
{
    const size_t last = cache_bytes(3) < (size_t)128 << 20 ? cache_bytes(3) : (size_t)128 << 20;
    return (level == 4 ? 4 * last : cache_bytes(level) / 2) / sizeof(double) / (8 * SUMS) * (8 * SUMS);
}

static void add_walks(void)
{
    static const char *const levels[] = {"l1", "l2", "l3", "dram"};
    for (int level = 1; level <= 4; level++) {
        for (size_t w = 0; w < sizeof walks / sizeof *walks; w++) {
            char name[64];
            snprintf(name, sizeof name, "roof/%s.%s/%s", walks[w].what, levels[level - 1], walks[w].isa);
            sb_register(name, doubles_of_level(level), 1, run_walk, &walks[w]);
        }
    }
}

void bench_roof(const bench_plan *plan)
{
    buffer = plan->out;
    add_walks();
    for (size_t i = 0; i < plan->count; i++) {
        sb_register("roof/store/memset", plan->sizes[i], 1, run_store, NULL);
        for (size_t a = 0; a < sizeof aes_roofs / sizeof aes_roofs[0]; a++) {
            char name[64];
            snprintf(name, sizeof name, "roof/aes/%s", aes_roofs[a].variant);
            sb_register(name, plan->sizes[i], 1, run_aes, &aes_roofs[a]);
        }
    }
}
