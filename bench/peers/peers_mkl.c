/* peers_mkl.c: MKL's generators and distributions, and which of its code paths runs. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "peers_mkl.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef SIMDP_HAVE_MKL
#include <mkl_service.h>
#include <mkl_vsl.h>
#else
enum { VSL_BRNG_ARS5, VSL_BRNG_MCG59, VSL_BRNG_SFMT19937, VSL_BRNG_PHILOX4X32X10 };
#endif

static bool peers_mkl_has(const char *code); /* whether that code can be called */

/* A VSL stream and the code that runs on it. */
typedef struct {
    void *state;
    const mkl_calls *calls;
} peer_stream;

static struct {
    const char *name, *code; /* code NULL: what MKL chooses; else called directly, with the two quickest generators */
    int brng;
    peer_stream stream[BENCH_THREADS_MAX];
} generators[] = {
    {"mkl_ars5", NULL, VSL_BRNG_ARS5, {{0}}},
    {"mkl_mcg59", NULL, VSL_BRNG_MCG59, {{0}}},
    {"mkl_sfmt19937", NULL, VSL_BRNG_SFMT19937, {{0}}},
    {"mkl_philox", NULL, VSL_BRNG_PHILOX4X32X10, {{0}}},
    {"mkl_avx512_ars5", "avx512", VSL_BRNG_ARS5, {{0}}},
    {"mkl_avx512_mcg59", "avx512", VSL_BRNG_MCG59, {{0}}},
    {"mkl_avx2_ars5", "avx2", VSL_BRNG_ARS5, {{0}}},
    {"mkl_avx2_mcg59", "avx2", VSL_BRNG_MCG59, {{0}}},
};

/* Only generators that have rows here: of MKL's own choice, and of the code that is called directly. That is looked for
 * now, before threads ask for it. */
static bool has_rows(size_t g)
{
    const char *code = generators[g].code;
    return code == NULL || (strcmp(code, peers_mkl_direct()) == 0 && peers_mkl_has(code));
}

const char *peers_mkl_generator(size_t *g)
{
    while (*g < sizeof generators / sizeof generators[0] && !has_rows(*g)) ++*g;
    return *g < sizeof generators / sizeof generators[0] ? generators[*g].name : NULL;
}

int peers_mkl_absent(void *stream, void *out, size_t n)
{
    (void)stream, (void)out, (void)n;
    return -1;
}

#ifdef SIMDP_HAVE_MKL

int mkl_words(void *stream, void *out, size_t n)
{
    const peer_stream *peer = stream;
    return peer->calls->words(VSL_RNG_METHOD_UNIFORMBITS64_STD, peer->state, (int)n, out);
}

int mkl_law_scaled(void *stream, double *out, size_t n, mkl_law law, double scale)
{
    const peer_stream *peer = stream;
    switch (law) {
    case MKL_UNIFORM: return peer->calls->uniform_f64(VSL_RNG_METHOD_UNIFORM_STD, peer->state, (int)n, out, 0.0, scale);
    case MKL_EXPONENTIAL:
        return peer->calls->exponential_f64(VSL_RNG_METHOD_EXPONENTIAL_ICDF, peer->state, (int)n, out, 0.0, scale);
    case MKL_LAPLACE:
        return peer->calls->laplace_f64(VSL_RNG_METHOD_LAPLACE_ICDF, peer->state, (int)n, out, 0.0, scale);
    default: return peer->calls->gumbel_f64(VSL_RNG_METHOD_GUMBEL_ICDF, peer->state, (int)n, out, 0.0, scale);
    }
}

/* both precisions of a distribution with a method and two parameters */
#define MKL_LAW(law, function, method)                                                    \
    int mkl_##law##_f64(void *stream, void *out, size_t n)                                \
    {                                                                                     \
        const peer_stream *peer = stream;                                                 \
        return peer->calls->function##_f64(method, peer->state, (int)n, out, 0.0, 1.0);   \
    }                                                                                     \
    int mkl_##law##_f32(void *stream, void *out, size_t n)                                \
    {                                                                                     \
        const peer_stream *peer = stream;                                                 \
        return peer->calls->function##_f32(method, peer->state, (int)n, out, 0.0f, 1.0f); \
    }
MKL_LAW(uniform, uniform, VSL_RNG_METHOD_UNIFORM_STD)
MKL_LAW(exponential, exponential, VSL_RNG_METHOD_EXPONENTIAL_ICDF)
MKL_LAW(laplace, laplace, VSL_RNG_METHOD_LAPLACE_ICDF)
MKL_LAW(gumbel, gumbel, VSL_RNG_METHOD_GUMBEL_ICDF) /* the minimum form: a sign away from ours */
static int mkl_gaussian_icdf_f64(void *, void *, size_t), mkl_gaussian_icdf_f32(void *, void *, size_t);
static int mkl_gaussian_pairs_f64(void *, void *, size_t), mkl_gaussian_pairs_f32(void *, void *, size_t);
MKL_LAW(gaussian_icdf, gaussian, VSL_RNG_METHOD_GAUSSIAN_ICDF)
MKL_LAW(gaussian_pairs, gaussian, VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2)

/* MKL's two ways to a Gaussian change places from one code path to the other: the one that is faster here is the
 * peer. */
static int faster(int (*first)(void *, void *, size_t), int (*second)(void *, void *, size_t), void *stream)
{
    enum { N = 4096, ROUNDS = 20 };
    static double out[N];
    double best[2] = {1e9, 1e9};
    for (int i = 0; i < 2 * ROUNDS; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        (i % 2 == 0 ? first : second)(stream, out, N);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        if (seconds < best[i % 2]) best[i % 2] = seconds;
    }
    return best[0] <= best[1] ? 0 : 1;
}

/* One decision for MKL's choice, one for the code that is called directly. */
static int place_of(const void *stream) { return ((const peer_stream *)stream)->calls != mkl_calls_chosen(); }

int mkl_gaussian_f64(void *stream, void *out, size_t n)
{
    static atomic_int ways[2] = {-1, -1};
    atomic_int *way = &ways[place_of(stream)];
    if (*way < 0) *way = faster(mkl_gaussian_icdf_f64, mkl_gaussian_pairs_f64, stream);
    return (*way == 0 ? mkl_gaussian_icdf_f64 : mkl_gaussian_pairs_f64)(stream, out, n);
}

int mkl_gaussian_f32(void *stream, void *out, size_t n)
{
    static atomic_int ways[2] = {-1, -1};
    atomic_int *way = &ways[place_of(stream)];
    if (*way < 0) *way = faster(mkl_gaussian_icdf_f32, mkl_gaussian_pairs_f32, stream);
    return (*way == 0 ? mkl_gaussian_icdf_f32 : mkl_gaussian_pairs_f32)(stream, out, n);
}

static bool peers_mkl_has(const char *code) { return mkl_calls_of(code) != NULL; }

void *peers_mkl_stream(size_t g, int thread)
{
    peer_stream *peer = &generators[g].stream[thread];
    const unsigned seed = 20240229 + (unsigned)thread;
    if (peer->state != NULL) return peer;
    peer->calls = generators[g].code == NULL ? mkl_calls_chosen() : mkl_calls_of(generators[g].code);
    if (peer->calls == NULL || peer->calls->new_stream(&peer->state, generators[g].brng, 1, &seed) != VSL_STATUS_OK)
        return NULL;
    return peer;
}

const mkl_calls *peers_mkl_vml(void)
{
    static const mkl_calls *calls; /* asking costs a look at the list of mapped files */
    if (calls != NULL) return calls;
    const mkl_calls *direct = strcmp(peers_mkl_direct(), "none") == 0 ? NULL : mkl_calls_of(peers_mkl_direct());
    return calls = direct != NULL ? direct : mkl_calls_chosen();
}

const char *peers_mkl_version(void)
{
    static char text[32];
    char sentence[256] = ""; /* "... Library Version 2026.2-Product ..."; the version struct says 2026.0.2 instead */
    mkl_get_version_string(sentence, sizeof sentence);
    const char *number = strstr(sentence, "Version ");
    return number != NULL && sscanf(number, "Version %31[0-9.]", text) == 1 ? text : "unknown version";
}

/* VSL's code is in a shared library that MKL loads at the first call, one per instruction set, so the list of mapped
 * files knows which it is. (CPUs of other makers than Intel get "def", whatever they can do.) */
const char *peers_mkl_code(void)
{
    static const char prefix[] = "libmkl_vml_";
    static char code[16] = "unknown";
    char line[4096];
    double sample;
    if (peers_mkl_stream(0, 0) == NULL || mkl_laplace_f64(peers_mkl_stream(0, 0), &sample, 1) != 0) return code;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (maps == NULL) return code;
    while (fgets(line, sizeof line, maps) != NULL) {
        const char *name = strstr(line, prefix);
        if (name != NULL && sscanf(name + strlen(prefix), "%15[a-z0-9]", code) == 1) break;
    }
    fclose(maps);
    return code;
}

/* MKL's generic code has names of its own ("def", "mc3"); where it runs, the code for the widest vectors that this CPU
 * and the limit of the process allow is a peer too. */
const char *peers_mkl_direct(void)
{
    static const char *direct;
    const char *limit = getenv("MKL_ENABLE_INSTRUCTIONS");
    if (direct != NULL) return direct;
    const bool narrow = (limit != NULL && strcmp(limit, "AVX2") == 0) || !__builtin_cpu_supports("avx512dq");
    direct = narrow ? "avx2" : "avx512";
    if (strncmp(peers_mkl_code(), "avx", 3) == 0 || !__builtin_cpu_supports("avx2")) direct = "none";
    return direct;
}

#else

static bool peers_mkl_has(const char *code) { return (void)code, false; }

void *peers_mkl_stream(size_t g, int thread)
{
    (void)generators[g].brng, (void)generators[g].stream, (void)thread;
    return NULL;
}

const char *peers_mkl_direct(void) { return "none"; }

const char *peers_mkl_version(void) { return "not installed"; }
const char *peers_mkl_code(void) { return "none"; }

#endif
