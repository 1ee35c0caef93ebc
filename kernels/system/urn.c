/* urn.c: Polya's urn (000), and the random choice of a column (001). */
#include <string.h>

#include "noise/fp_mode.h"
#include "release/publish.h"
#include "system/response.h"

#define BLOCK 256

simdp_status simdp_system_polya_urn(simdp_rng *rng, uint8_t *is_red, size_t draws, uint64_t red, uint64_t blue)
{
    uint64_t words[BLOCK];
    const uint64_t limit = (uint64_t)1 << 63;
    if (rng == NULL || (is_red == NULL && draws > 0)) return SIMDP_ENULL;
    if (red >= limit || blue >= limit || red + blue == 0 || red + blue >= limit || draws >= limit - (red + blue))
        return SIMDP_EPARAM;
    if (draws > UINT64_MAX - simdp_rng_position(rng)) return SIMDP_EPARAM;
    uint64_t total = red + blue;
    for (size_t done = 0, count; done < draws; done += count) {
        count = draws - done < BLOCK ? draws - done : BLOCK;
        const simdp_status status = simdp_rng_words(rng, words, count);
        if (status != SIMDP_OK) {
            if (done > 0 || status == SIMDP_ESOURCE) memset(is_red, 0xff, draws);
            return status;
        }
        for (size_t i = 0; i < count; i++, total++) {
            const uint64_t ball = (uint64_t)((simdp_u128)words[i] * total >> 64); /* uniform among total */
            is_red[done + i] = ball < red;
            red += ball < red;
        }
    }
    return SIMDP_OK;
}

static simdp_status select_column(simdp_rng *rng, size_t *column, double *sums, const double *matrix, size_t rows,
                                  size_t columns, double eta)
{
    if (rng == NULL || column == NULL || sums == NULL || (matrix == NULL && rows > 0)) return SIMDP_ENULL;
    if (columns == 0 || (rows > 0 && columns > SIZE_MAX / sizeof *matrix / rows)) return SIMDP_EPARAM;
    if (!(eta >= 0x1p-800 && eta <= 0x1p800)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    for (size_t j = 0; j < columns; j++) sums[j] = 0.0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) sums[j] += matrix[i * columns + j];
    const simdp_status status = simdp_select_gumbel(rng, column, sums, columns, 2.0 / eta); /* sensitivity 1 */
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_system_select_column(simdp_rng *rng, size_t *column, double *sums, const double *matrix, size_t rows,
                                        size_t columns, double eta)
{
    return publish(select_column(rng, column, sums, matrix, rows, columns, eta), column, sizeof *column, PUBLISH_BYTES);
}
