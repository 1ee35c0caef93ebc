/* eight_machines: a release of many answers on eight machines, of which one fails and is done again by another.
 *
 * The noise of answer i is a function of key, stream and position i. A part that is done twice gives the same bytes
 * twice, so whoever sees both copies learns nothing more; with fresh noise the two copies would count as two releases.
 *
 * The key is the secret of the job: whoever has it can subtract the noise. It is drawn from the operating system, given
 * to the machines of this job alone, and erased when the job is done. One stream number is used for one set of answers:
 * the same noise on other answers would tell their difference. */
#include <simdp/simdp.h>
#include <stdio.h>
#include <string.h>

enum { ANSWERS = 80000, MACHINES = 8, PART = ANSWERS / MACHINES };

static const double sensitivity = 1.0, epsilon = 0.1;

/* `count` answers from number `first` on, in calls of at most `batch` */
static simdp_status release_part(double *out, const double *answers, size_t first, size_t count, size_t batch,
                                 const uint8_t key[32], uint64_t stream)
{
    simdp_rng rng;
    simdp_status status = simdp_rng_init_deterministic(&rng, key, stream);
    if (status == SIMDP_OK) status = simdp_rng_seek(&rng, first);
    for (size_t i = 0; i < count && status == SIMDP_OK; i += batch) {
        const size_t n = count - i < batch ? count - i : batch;
        status = simdp_release_laplace_private(&rng, out + first + i, answers + first + i, n, sensitivity, epsilon);
    }
    simdp_rng_wipe(&rng);
    return status;
}

static simdp_status draw_key(uint8_t key[32])
{
    simdp_rng entropy;
    uint64_t words[4];
    simdp_status status = simdp_rng_init(&entropy);
    if (status == SIMDP_OK) status = simdp_rng_words(&entropy, words, 4);
    if (status == SIMDP_OK) memcpy(key, words, sizeof words);
    simdp_rng_wipe(&entropy);
    return status;
}

int main(void)
{
    static double answers[ANSWERS], whole[ANSWERS], parts[ANSWERS];
    const uint64_t this_job = 1;
    uint8_t key[32];
    for (int i = 0; i < ANSWERS; i++) answers[i] = i % 1000;
    simdp_status status = draw_key(key);
    for (size_t m = 0; m < MACHINES && status == SIMDP_OK; m++)
        status = release_part(parts, answers, m * PART, PART, 4096, key, this_job);

    /* machine 5 is lost halfway; another one, without vector instructions, does the part again in smaller calls */
    if (status == SIMDP_OK) memset(parts + 5 * PART, 0, PART / 2 * sizeof *parts);
    if (status == SIMDP_OK) status = simdp_isa_select("scalar");
    if (status == SIMDP_OK) status = release_part(parts, answers, 5 * PART, PART, 777, key, this_job);
    if (status == SIMDP_OK) status = simdp_isa_select(NULL);

    if (status == SIMDP_OK) status = release_part(whole, answers, 0, ANSWERS, ANSWERS, key, this_job);
    if (status != SIMDP_OK) return fprintf(stderr, "%s\n", simdp_status_text(status)), 1;
    const int same = memcmp(whole, parts, sizeof whole) == 0;
    printf("eight machines, one of them twice, and one machine alone: %s bytes\n", same ? "the same" : "other");
    return same ? 0 : 1;
}
