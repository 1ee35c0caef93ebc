/* quantile.c: scores by which the exponential mechanism chooses a quantile. They are whole numbers, so that no rounding
 * stands between the counts, whose sensitivity is known, and the selection. */
#include "select/quantile/quantile.h"

#include <stdbool.h>
#include <string.h>

#include "call/fp_mode.h"
#include "call/kernels.h"
#include "select/select_kernels.h"
#include "simdp/simdp.h"

#define MOST_SCORE ((uint64_t)1 << 53)

static bool is_good(size_t count, uint64_t numerator, uint64_t denominator)
{
    if (denominator == 0 || numerator > denominator) return false;
    const uint64_t rest = denominator - numerator, most = numerator > rest ? numerator : rest;
    return most <= MOST_SCORE && (uint64_t)count <= MOST_SCORE / most;
}

/* -|rest below - numerator above|; a candidate that is no number is never chosen */
static double score_of(uint64_t below, uint64_t above, uint64_t numerator, uint64_t rest, double candidate)
{
    const int64_t off = (int64_t)(rest * below) - (int64_t)(numerator * above), sign = -(int64_t)(off < 0);
    if (candidate != candidate) return -__builtin_inf();
    return (double)(sign - (off ^ sign)); /* -|off| without a branch; of whole numbers: 0, never -0 */
}

simdp_status simdp_select_quantile_scores(double *scores, const double *records, size_t count, const double *candidates,
                                          size_t n, uint64_t numerator, uint64_t denominator)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    const size_t most = SIZE_MAX / sizeof *records;
    if ((records == NULL && count > 0) || ((scores == NULL || candidates == NULL) && n > 0)) return SIMDP_ENULL;
    if (n > most || count > most) return SIMDP_EPARAM;
    const simdp_status status = !is_good(count, numerator, denominator) ? SIMDP_EPARAM
                                : kernels == NULL                       ? SIMDP_EISA
                                                                        : SIMDP_OK;
    if (status != SIMDP_OK) {
        if (n > 0) memset(scores, 0xff, n * sizeof *scores);
        return status;
    }
    const unsigned mode = fp_mode_enter_flushing();
    for (size_t i = 0; i < n; i += QUANTILE_CANDIDATES) {
        const size_t few = n - i < QUANTILE_CANDIDATES ? n - i : QUANTILE_CANDIDATES;
        double some[QUANTILE_CANDIDATES] = {0};
        uint64_t below[QUANTILE_CANDIDATES], above[QUANTILE_CANDIDATES];
        memcpy(some, candidates + i, few * sizeof *some);
        kernels->select->quantile_count(below, above, records, count, some);
        for (size_t k = 0; k < few; k++)
            scores[i + k] = score_of(below[k], above[k], numerator, denominator - numerator, some[k]);
    }
    fp_mode_leave_flushing(mode);
    return SIMDP_OK;
}
