/* bits_mkl.c: the two bridges between simdp and MKL's vector statistics. */
#include <mkl_vsl.h>
#include <pthread.h>
#include <string.h>

#include "bits/rng.h"
#include "simdp/simdp_mkl.h"

/* ---- VSL stream -> words ---- */

#define VSL_CHUNK ((size_t)1 << 30) /* VSL counts in int */

static simdp_status draw_from_vsl(void *context, uint64_t *out, size_t n)
{
    while (n > 0) {
        const size_t count = n < VSL_CHUNK ? n : VSL_CHUNK;
        if (viRngUniformBits64(VSL_RNG_METHOD_UNIFORMBITS64_STD, context, (MKL_INT)count, (unsigned long long *)out) !=
            VSL_STATUS_OK)
            return SIMDP_ESOURCE;
        out += count;
        n -= count;
    }
    return SIMDP_OK;
}

/* Whether the stream runs on a generator of MKL's own. viRngUniformBits64 ends the program on any other, so this must
 * be asked before it is called. The numbers of MKL's generators lie VSL_BRNG_INC apart (MT2203 counts its variants in
 * between); registered ones come after them. */
static bool is_of_mkl(VSLStreamStatePtr stream)
{
    const int brng = vslGetStreamStateBrng(stream);
    return brng >= VSL_BRNG_MCG31 && brng < VSL_BRNG_PHILOX4X32X10 + VSL_BRNG_INC;
}

simdp_status simdp_rng_init_vsl(simdp_rng *rng, void *vsl_stream)
{
    VSLStreamStatePtr copy = NULL;
    uint64_t word;
    if (rng == NULL) return SIMDP_ENULL;
    memset(rng, 0, sizeof *rng);
    if (vsl_stream == NULL) return SIMDP_ENULL;
    if (!is_of_mkl(vsl_stream)) return SIMDP_EPARAM;
    /* does this generator have 64-bit words? ask a copy, so that the stream itself does not move */
    if (vslCopyStream(&copy, vsl_stream) != VSL_STATUS_OK) return SIMDP_EPARAM;
    const simdp_status status = draw_from_vsl(copy, &word, 1);
    vslDeleteStream(&copy);
    if (status != SIMDP_OK) return SIMDP_EPARAM;
    rng->kind = RNG_SOURCE;
    rng->source = draw_from_vsl;
    rng->context = vsl_stream;
    return SIMDP_OK;
}

/* ---- our cipher as a VSL basic generator ---- */

typedef struct {
    unsigned reserved[4]; /* VSL's own header of every stream state */
    simdp_rng rng;
} vsl_state;

static int vsl_init(int method, VSLStreamStatePtr stream, int n, const unsigned params[])
{
    vsl_state *state = (vsl_state *)stream;
    uint32_t seed[10] = {0};
    uint64_t id;
    if (method == VSL_INIT_METHOD_LEAPFROG) return VSL_RNG_ERROR_LEAPFROG_UNSUPPORTED;
    if (method != VSL_INIT_METHOD_STANDARD) return VSL_RNG_ERROR_SKIPAHEAD_UNSUPPORTED;
    for (int i = 0; i < n && i < 10; i++) seed[i] = params[i];
    id = seed[8] | (uint64_t)seed[9] << 32;
    return simdp_rng_init_deterministic(&state->rng, (const uint8_t *)seed, id) == SIMDP_OK ? VSL_STATUS_OK
                                                                                            : VSL_RNG_ERROR_BAD_STREAM;
}

#define DRAW_WORDS 256

/* The next count words (at most DRAW_WORDS) of a VSL stream that runs on our cipher. */
static int vsl_words(VSLStreamStatePtr stream, uint64_t words[DRAW_WORDS], size_t count)
{
    return simdp_rng_words(&((vsl_state *)stream)->rng, words, count) == SIMDP_OK ? VSL_STATUS_OK
                                                                                  : VSL_RNG_ERROR_BAD_STREAM;
}

static int vsl_integers(VSLStreamStatePtr stream, int n, unsigned out[])
{
    uint64_t words[DRAW_WORDS];
    int status = VSL_STATUS_OK;
    for (int i = 0; i < n && status == VSL_STATUS_OK; i += 2 * DRAW_WORDS) {
        const int count = n - i < 2 * DRAW_WORDS ? n - i : 2 * DRAW_WORDS;
        status = vsl_words(stream, words, (size_t)(count + 1) / 2);
        memcpy(out + i, words, (size_t)count * sizeof *out);
    }
    return status;
}

static int vsl_doubles(VSLStreamStatePtr stream, int n, double out[], double a, double b)
{
    uint64_t words[DRAW_WORDS];
    int status = VSL_STATUS_OK;
    for (int i = 0; i < n && status == VSL_STATUS_OK; i += DRAW_WORDS) {
        const int count = n - i < DRAW_WORDS ? n - i : DRAW_WORDS;
        status = vsl_words(stream, words, (size_t)count);
        for (int j = 0; j < count; j++) out[i + j] = a + (b - a) * ((double)(words[j] >> 11) * 0x1p-53);
    }
    return status;
}

static int vsl_floats(VSLStreamStatePtr stream, int n, float out[], float a, float b)
{
    unsigned halves[2 * DRAW_WORDS];
    int status = VSL_STATUS_OK;
    for (int i = 0; i < n && status == VSL_STATUS_OK; i += 2 * DRAW_WORDS) {
        const int count = n - i < 2 * DRAW_WORDS ? n - i : 2 * DRAW_WORDS;
        status = vsl_integers(stream, count, halves);
        for (int j = 0; j < count; j++) out[i + j] = a + (b - a) * ((float)(halves[j] >> 8) * 0x1p-24f);
    }
    return status;
}

static pthread_once_t registered = PTHREAD_ONCE_INIT;
static int registered_as;

static void register_brng(void)
{
    const VSLBRngProperties properties = {
        .StreamStateSize = sizeof(vsl_state),
        .NSeeds = 10,
        .IncludesZero = 1,
        .WordSize = 4,
        .NBits = 32,
        .InitStream = vsl_init,
        .sBRng = vsl_floats,
        .dBRng = vsl_doubles,
        .iBRng = vsl_integers,
    };
    registered_as = vslRegisterBrng(&properties);
}

simdp_status simdp_vsl_brng(int *brng)
{
    if (brng == NULL) return SIMDP_ENULL;
    pthread_once(&registered, register_brng);
    if (registered_as < 0) return SIMDP_ESOURCE;
    *brng = registered_as;
    return SIMDP_OK;
}
