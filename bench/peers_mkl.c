/* peers_mkl.c: MKL's generators and distributions, and which of its code paths runs. */
#define _POSIX_C_SOURCE 200809L   /* clock_gettime */
#include "peers_mkl.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef SIMDP_HAVE_MKL
#include <mkl_service.h>
#include <mkl_vsl.h>
#else
typedef void *VSLStreamStatePtr;
enum { VSL_BRNG_ARS5, VSL_BRNG_MCG59, VSL_BRNG_SFMT19937, VSL_BRNG_PHILOX4X32X10 };
#endif

static struct {
    const char *name;
    int brng;
    VSLStreamStatePtr stream[BENCH_THREADS_MAX];
} generators[] = {
    {"mkl_ars5", VSL_BRNG_ARS5, {NULL}},
    {"mkl_mcg59", VSL_BRNG_MCG59, {NULL}},
    {"mkl_sfmt19937", VSL_BRNG_SFMT19937, {NULL}},
    {"mkl_philox", VSL_BRNG_PHILOX4X32X10, {NULL}},
};

const char *peers_mkl_generator(size_t g)
{
    return g < sizeof generators / sizeof generators[0] ? generators[g].name : NULL;
}

int peers_mkl_absent(void *stream, void *out, size_t n)
{
    (void)stream, (void)out, (void)n;
    return -1;
}

#ifdef SIMDP_HAVE_MKL

int mkl_words(void *stream, void *out, size_t n)
{
    return viRngUniformBits64(VSL_RNG_METHOD_UNIFORMBITS64_STD, stream, (MKL_INT)n, out);
}

/* both precisions of a distribution with a method and two parameters */
#define MKL_LAW(law, function, method)                                                                                 \
    int mkl_##law##_f64(void *stream, void *out, size_t n)                                                             \
    {                                                                                                                  \
        return vd##function(method, stream, (MKL_INT)n, out, 0.0, 1.0);                                                \
    }                                                                                                                  \
    int mkl_##law##_f32(void *stream, void *out, size_t n)                                                             \
    {                                                                                                                  \
        return vs##function(method, stream, (MKL_INT)n, out, 0.0f, 1.0f);                                              \
    }
MKL_LAW(uniform, RngUniform, VSL_RNG_METHOD_UNIFORM_STD)
MKL_LAW(exponential, RngExponential, VSL_RNG_METHOD_EXPONENTIAL_ICDF)
MKL_LAW(laplace, RngLaplace, VSL_RNG_METHOD_LAPLACE_ICDF)
MKL_LAW(gumbel, RngGumbel, VSL_RNG_METHOD_GUMBEL_ICDF)   /* the minimum form: a sign away from ours */
static int mkl_gaussian_icdf_f64(void *, void *, size_t), mkl_gaussian_icdf_f32(void *, void *, size_t);
static int mkl_gaussian_pairs_f64(void *, void *, size_t), mkl_gaussian_pairs_f32(void *, void *, size_t);
MKL_LAW(gaussian_icdf, RngGaussian, VSL_RNG_METHOD_GAUSSIAN_ICDF)
MKL_LAW(gaussian_pairs, RngGaussian, VSL_RNG_METHOD_GAUSSIAN_BOXMULLER2)

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

int mkl_gaussian_f64(void *stream, void *out, size_t n)
{
    static atomic_int way = -1;
    if (way < 0) way = faster(mkl_gaussian_icdf_f64, mkl_gaussian_pairs_f64, stream);
    return (way == 0 ? mkl_gaussian_icdf_f64 : mkl_gaussian_pairs_f64)(stream, out, n);
}

int mkl_gaussian_f32(void *stream, void *out, size_t n)
{
    static atomic_int way = -1;
    if (way < 0) way = faster(mkl_gaussian_icdf_f32, mkl_gaussian_pairs_f32, stream);
    return (way == 0 ? mkl_gaussian_icdf_f32 : mkl_gaussian_pairs_f32)(stream, out, n);
}

void *peers_mkl_stream(size_t g, int thread)
{
    VSLStreamStatePtr *stream = &generators[g].stream[thread];
    const MKL_UINT seed = 20240229 + (MKL_UINT)thread;
    if (*stream == NULL && vslNewStream(stream, generators[g].brng, seed) != VSL_STATUS_OK) return NULL;
    return *stream;
}

const char *peers_mkl_version(void)
{
    static char text[32];
    char sentence[256] = "";   /* "... Library Version 2026.2-Product ..."; the version struct says 2026.0.2 instead */
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

#else

void *peers_mkl_stream(size_t g, int thread)
{
    (void)generators[g].brng, (void)thread;
    return NULL;
}

const char *peers_mkl_version(void) { return "not installed"; }
const char *peers_mkl_code(void) { return "none"; }

#endif
