/* id_bytes.c: what the C library gives by key and id, a line each as test_postgresql asks the server for it: law, id, and the
 * bits of the result in hexadecimal digits. The key is the bytes 0 to 31, the stream 0. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "simdp/simdp.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static simdp_status lines_of(simdp_rng *rng, const char *name, simdp_id id, double value, int64_t count)
{
    simdp_account_planned laplace, gaussian;
    const simdp_account_target pure = {0.7, 0.0, 3.0}, approximate = {0.7, 1e-6, 3.0};
    const uint8_t bit = 1;
    uint8_t response, keep;
    double l, g;
    simdp_status status = simdp_account_plan(&laplace, &pure, 1, SIMDP_MECHANISM_LAPLACE);
    if (status == SIMDP_OK) status = simdp_account_plan(&gaussian, &approximate, 1, SIMDP_MECHANISM_GAUSSIAN);
    if (status == SIMDP_OK)
        status = simdp_release_laplace_by_id(rng, &l, &value, &id, 1, laplace.scale, simdp_release_grid(laplace.scale));
    if (status == SIMDP_OK)
        status =
            simdp_release_gaussian_by_id(rng, &g, &value, &id, 1, gaussian.scale, simdp_release_grid(gaussian.scale));
    if (status == SIMDP_OK) status = simdp_release_randomized_response_by_id(rng, &response, &bit, &id, 1, 0.7);
    if (status == SIMDP_OK) status = simdp_select_partitions_by_id(rng, &keep, &count, &id, 1, 0.7, 1e-2, 2);
    if (status == SIMDP_OK)
        printf("%s %016" PRIx64 " %016" PRIx64 " %d %d\n", name, bits_of(l), bits_of(g), response, keep);
    return status;
}

int main(void)
{
    simdp_rng rng;
    uint8_t key[32];
    char name[32];
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)i;
    simdp_status status = simdp_rng_init_deterministic(&rng, key, 0);
    for (int64_t i = -300; i < 300 && status == SIMDP_OK; i++) {
        const simdp_id number = {(uint64_t)i, 0};
        simdp_id text;
        snprintf(name, sizeof name, "%d", (int)i);
        status = lines_of(&rng, name, number, (double)i * 1.25, i);
        snprintf(name, sizeof name, "group:%d", (int)i);
        if (status == SIMDP_OK) status = simdp_rng_id(&rng, &text, name, strlen(name));
        if (status == SIMDP_OK) status = lines_of(&rng, name, text, (double)i * 1.25, i);
    }
    if (status != SIMDP_OK) return fprintf(stderr, "%s\n", simdp_status_text(status)), 1;
    return 0;
}
