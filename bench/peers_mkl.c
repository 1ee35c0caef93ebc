/* peers_mkl.c: MKL's generators and distributions, and which of its code paths runs. */
#include "peers_mkl.h"

#include <stdio.h>
#include <string.h>

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
    VSLStreamStatePtr stream;
} generators[] = {
    {"mkl_ars5", VSL_BRNG_ARS5, NULL},
    {"mkl_mcg59", VSL_BRNG_MCG59, NULL},
    {"mkl_sfmt19937", VSL_BRNG_SFMT19937, NULL},
    {"mkl_philox", VSL_BRNG_PHILOX4X32X10, NULL},
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

int mkl_laplace_f64(void *stream, void *out, size_t n)
{
    return vdRngLaplace(VSL_RNG_METHOD_LAPLACE_ICDF, stream, (MKL_INT)n, out, 0.0, 1.0);
}

void *peers_mkl_stream(size_t g)
{
    VSLStreamStatePtr *stream = &generators[g].stream;
    if (*stream == NULL && vslNewStream(stream, generators[g].brng, 20240229) != VSL_STATUS_OK) return NULL;
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
    if (peers_mkl_stream(0) == NULL || mkl_laplace_f64(peers_mkl_stream(0), &sample, 1) != 0) return code;
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

void *peers_mkl_stream(size_t g)
{
    (void)generators[g].brng;
    return NULL;
}

const char *peers_mkl_version(void) { return "not installed"; }
const char *peers_mkl_code(void) { return "none"; }

#endif
