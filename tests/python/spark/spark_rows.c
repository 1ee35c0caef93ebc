/* spark_rows.c: what one process computes with the C library for the table of test_spark.py, from the words of
 * include/python/docs/spark.md: a line for each row with its number and the bits of every release in hexadecimal digits. The
 * key is 32 bytes in hexadecimal digits, the first argument; the second is the number of rows. Row i has the id columns
 * (i as bigint, "name i" as text, null where i % 10 = 9), the value i / 4 and the count i % 400. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simdp/simdp.h"

static size_t put_number(uint8_t *at, uint64_t x)
{
    for (int i = 0; i < 8; i++) at[i] = (uint8_t)(x >> 8 * i);
    return 8;
}

static size_t put_text(uint8_t *at, const char *text)
{
    const size_t n = strlen(text);
    memcpy(at + put_number(at, n), text, n);
    return 8 + n;
}

static size_t put_id(uint8_t *at, simdp_id id) { return put_number(at, id.low) + put_number(at + 8, id.high); }

/* The id of row i for a question about a column. */
static simdp_status id_of_row(const simdp_rng *rng, simdp_id *id, const char *column, int64_t i)
{
    uint8_t text[256];
    char name[32];
    simdp_id base, word = {0, 0};
    size_t n = put_text(text, "simdp rows 1");
    n += put_text(text + n, "test job");
    n += put_text(text + n, column);
    n += put_text(text + n, "is");
    simdp_status status = simdp_rng_id(rng, &base, text, n);
    snprintf(name, sizeof name, "name %d", (int)i);
    if (status == SIMDP_OK) status = simdp_rng_id(rng, &word, name, strlen(name));
    n = put_id(text, base);
    text[n++] = 1;
    n += put_number(text + n, (uint64_t)i);
    text[n++] = i % 10 != 9;
    if (i % 10 == 9) word = (simdp_id){0, 0};
    n += put_id(text + n, word);
    return status == SIMDP_OK ? simdp_rng_id(rng, id, text, n) : status;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static simdp_status line_of(simdp_rng *rng, int64_t i, double scale, double sigma)
{
    const double value = (double)i / 4;
    const int64_t count = i % 400;
    const uint8_t truth = i % 3 == 0;
    double laplace = 0, gaussian = 0;
    int64_t whole = 0;
    uint8_t response = 0, keep = 0;
    simdp_id v, n, t;
    simdp_status status = id_of_row(rng, &v, "v", i);
    if (status == SIMDP_OK) status = id_of_row(rng, &n, "n", i);
    if (status == SIMDP_OK) status = id_of_row(rng, &t, "t", i);
    if (status == SIMDP_OK)
        status = simdp_release_laplace_by_id(rng, &laplace, &value, &v, 1, scale, simdp_release_grid(scale));
    if (status == SIMDP_OK)
        status = simdp_release_gaussian_by_id(rng, &gaussian, &value, &v, 1, sigma, simdp_release_grid(sigma));
    if (status == SIMDP_OK) status = simdp_release_laplace_i64_by_id(rng, &whole, &count, &n, 1, scale);
    if (status == SIMDP_OK) status = simdp_release_randomized_response_by_id(rng, &response, &truth, &t, 1, 0.5);
    if (status == SIMDP_OK) status = simdp_select_partitions_by_id(rng, &keep, &count, &n, 1, 0.5, 1e-3, 2);
    if (status == SIMDP_OK)
        printf("%" PRId64 " %016" PRIx64 " %016" PRIx64 " %" PRId64 " %d %d\n", i, bits_of(laplace), bits_of(gaussian),
               whole, response, keep);
    return status;
}

int main(int argc, char **argv)
{
    simdp_rng rng;
    uint8_t key[32];
    simdp_account_planned laplace, gaussian;
    const simdp_account_target pure = {0.5, 0.0, 1.0}, approximate = {0.5, 1e-6, 1.0};
    if (argc != 3 || strlen(argv[1]) != 64) return 2;
    for (int i = 0; i < 32; i++) {
        const char digits[3] = {argv[1][2 * i], argv[1][2 * i + 1], '\0'};
        key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    simdp_status status = simdp_rng_init_deterministic(&rng, key, 0);
    if (status == SIMDP_OK) status = simdp_account_plan(&laplace, &pure, 1, SIMDP_MECHANISM_LAPLACE);
    if (status == SIMDP_OK) status = simdp_account_plan(&gaussian, &approximate, 1, SIMDP_MECHANISM_GAUSSIAN);
    for (int64_t i = 0; i < atol(argv[2]) && status == SIMDP_OK; i++)
        status = line_of(&rng, i, laplace.scale, gaussian.scale);
    if (status != SIMDP_OK) return fprintf(stderr, "%s\n", simdp_status_text(status)), 1;
    return 0;
}
