/* noise_by_identity: a job whose rows come in any order, and of which a task is run again.
 *
 * On a cluster rows have no fixed places: partitions are shuffled, tasks retried, actions run twice. Noise that belongs
 * to a position would then come out anew, and two answers about one group could be averaged. Noise by identity belongs
 * to who the row is. Here the id of a row is made of job, column and group: what names this one answer, and nothing of
 * the data. A run of the job in another order and in other pieces gives every group its bytes again.
 *
 * The key is the secret of the job, and belongs to one state of the data: when a record was added, the job takes a new
 * key, since the same noise on both counts would tell their difference. */
#include <simdp/simdp.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS = 5000 };

typedef struct {
    int group;
    double count, released;
} row;

/* Noise of scale 2 for a count that one person changes by 1: epsilon = 1/2. */
static simdp_status release_rows(row *rows, size_t n, const uint8_t key[32])
{
    simdp_rng rng;
    simdp_status status = simdp_rng_init_deterministic(&rng, key, 0);
    for (size_t first = 0; first < n && status == SIMDP_OK; first += 64) {
        const size_t count = n - first < 64 ? n - first : 64;
        double answers[64];
        simdp_id ids[64];
        for (size_t i = 0; i < count && status == SIMDP_OK; i++) {
            char text[60];
            const int length = snprintf(text, sizeof text, "yearly report/visits/%d", rows[first + i].group);
            status = simdp_rng_id(&rng, &ids[i], text, (size_t)length);
            answers[i] = rows[first + i].count;
        }
        if (status == SIMDP_OK)
            status = simdp_release_laplace_by_id(&rng, answers, answers, ids, count, 2.0, simdp_release_grid(2.0));
        for (size_t i = 0; i < count && status == SIMDP_OK; i++) rows[first + i].released = answers[i];
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
    static row rows[GROUPS], again[GROUPS];
    uint8_t key[32], other_key[32];
    int same = 0, other = 0;
    for (int i = 0; i < GROUPS; i++) rows[i] = (row){.group = i, .count = 100 + i % 17};
    for (int i = 0; i < GROUPS; i++) again[i] = rows[i * 1877 % GROUPS]; /* another order: 1877 and 5000 are coprime */

    simdp_status status = draw_key(key);
    if (status == SIMDP_OK) status = draw_key(other_key);
    if (status == SIMDP_OK) status = release_rows(rows, GROUPS, key);
    if (status == SIMDP_OK) status = release_rows(again, 1234, key);   /* a task that is lost after so many, */
    if (status == SIMDP_OK) status = release_rows(again, GROUPS, key); /* and begun again */
    for (int i = 0; i < GROUPS && status == SIMDP_OK; i++)
        same += memcmp(&again[i].released, &rows[again[i].group].released, sizeof(double)) == 0;

    if (status == SIMDP_OK) status = release_rows(again, GROUPS, other_key); /* the next state of the data */
    for (int i = 0; i < GROUPS && status == SIMDP_OK; i++) other += again[i].released != rows[again[i].group].released;
    if (status != SIMDP_OK) return fprintf(stderr, "%s\n", simdp_status_text(status)), 1;
    printf("%d of %d groups have their bytes again in a shuffled job; under a new key %d have others\n", same, GROUPS,
           other);
    return same == GROUPS && other > GROUPS - 50 ? 0 : 1;
}
