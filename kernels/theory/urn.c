/* urn.c: Polya's urn (000), and the random choice of a column (001). */
#include <string.h>

#include "call/fp_mode.h"
#include "call/publish.h"
#include "theory/response.h"

#define BLOCK 256

simdp_status simdp_theory_polya_urn(simdp_rng *rng, uint8_t *is_red, size_t draws, uint64_t red, uint64_t blue)
{
    uint64_t words[BLOCK];
    const uint64_t limit = (uint64_t)1 << 63;
    if (rng == NULL || (is_red == NULL && draws > 0)) return SIMDP_ENULL;
    if (red >= limit || blue >= limit || red + blue == 0 || red + blue >= limit || draws >= limit - (red + blue))
        return SIMDP_EPARAM;
    if (draws > UINT64_MAX - simdp_rng_position(rng)) return SIMDP_EPARAM;
    const uint64_t position = simdp_rng_position(rng);
    uint64_t total = red + blue;
    for (size_t done = 0, count; done < draws; done += count) {
        count = draws - done < BLOCK ? draws - done : BLOCK;
        const simdp_status status = simdp_rng_words(rng, words, count);
        if (status != SIMDP_OK) {
            if (simdp_stream_spoils(status, done)) memset(is_red, 0xff, draws);
            return simdp_stream_back(rng, position, status);
        }
        for (size_t i = 0; i < count; i++, total++) {
            const uint64_t ball = (uint64_t)((simdp_u128)words[i] * total >> 64); /* uniform among total */
            is_red[done + i] = ball < red;
            red += ball < red;
        }
    }
    return SIMDP_OK;
}

/* The most rows: then the grid of the entries is 1, and their sum still an exact double. */
#define ROWS_MOST ((size_t)1 << 53)

/* The finest grid 2^-k, k <= 52, of which a column's sum has at most 2^53: all sums of its multiples are exact. */
static double entry_grid(size_t rows)
{
    double grid = 0x1p-52;
    for (size_t most = 2; most < rows; most *= 2) grid *= 2.0; /* most 1 / grid = 2^53 */
    return grid;
}

static simdp_status select_column(simdp_rng *rng, size_t *column, double *sums, const double *matrix, size_t rows,
                                  size_t columns, double eta)
{
    if (rng == NULL || column == NULL || sums == NULL || (matrix == NULL && rows > 0)) return SIMDP_ENULL;
    if (columns == 0 || columns > SIZE_MAX / sizeof *matrix / (rows > 0 ? rows : 1) || rows > ROWS_MOST)
        return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(eta);
    if (!(eta >= 0x1p-800 && eta <= 0x1p800)) return SIMDP_EPARAM;
    const double to_grid = 0x1p52 * entry_grid(rows); /* doubles from here to twice this lie a grid apart */
    for (size_t j = 0; j < columns; j++) sums[j] = 0.0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const double x = matrix[i * columns + j], clamped = x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; /* NaN: 0 */
            sums[j] += (clamped + to_grid) - to_grid;
        }
    }
    const double scale = simdp_select_scale(eta, 1.0, 0); /* a row moves each sum by at most 1, exactly */
    return simdp_select_gumbel(rng, column, sums, columns, scale);
}

simdp_status simdp_theory_select_column(simdp_rng *rng, size_t *column, double *sums, const double *matrix, size_t rows,
                                        size_t columns, double eta)
{
    return publish(select_column(rng, column, sums, matrix, rows, columns, eta), column, sizeof *column, PUBLISH_BYTES);
}
