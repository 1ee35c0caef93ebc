/* golden_select.c: the exponential mechanism, and which groups may be shown. */
#include <string.h>

#include "golden.h"

static simdp_status expmech(double *const *out, const golden_input *in)
{
    enum { LOG_P, P, LOG_P_ALT, LOSS, MAX_LOSS, MIN_LOSS, KL, EXPECTED };
    const size_t n = in[3].count;
    const double scale = simdp_select_scale(in[0].number, in[1].number, strcmp(in[2].text, "monotone") == 0);
    simdp_status status = simdp_select_log_probabilities(out[LOG_P], in[3].list, 1, n, scale);
    if (status == SIMDP_OK) status = simdp_select_probabilities(out[P], in[3].list, 1, n, scale);
    if (status == SIMDP_OK) status = simdp_select_log_probabilities(out[LOG_P_ALT], in[4].list, 1, n, scale);
    if (status == SIMDP_OK) status = simdp_select_expected_score(out[EXPECTED], in[3].list, 1, n, scale);
    if (status != SIMDP_OK) return status;
    *out[MAX_LOSS] = *out[MIN_LOSS] = out[LOG_P][0] - out[LOG_P_ALT][0];
    *out[KL] = 0;
    for (size_t i = 0; i < n; i++) {
        const double loss = out[LOSS][i] = out[LOG_P][i] - out[LOG_P_ALT][i];
        if (loss > *out[MAX_LOSS]) *out[MAX_LOSS] = loss;
        if (loss < *out[MIN_LOSS]) *out[MIN_LOSS] = loss;
        *out[KL] += out[P][i] * loss;
    }
    return SIMDP_OK;
}

static simdp_status expmech_accuracy(double *const *out, const golden_input *in)
{
    const double n = in[0].number, du = in[1].number, epsilon = in[2].number,
                 scale = simdp_select_scale(epsilon, du, 0);
    simdp_status status = simdp_select_gap_mean(out[0], n, scale);
    if (status == SIMDP_OK) status = simdp_select_gap_tail(out[1], n, scale, in[3].number);
    if (status == SIMDP_OK) status = simdp_select_gap_mean(out[2], n, simdp_select_scale(epsilon, du, 1));
    return status;
}

static simdp_status partition_probability(double *const *out, const golden_input *in)
{
    return simdp_select_partition_probability(out[0], out[1], &in[0].whole, 1, in[1].number, in[2].number, 1);
}

const golden_function golden_select[] = {
    {"expmech", "eps du kind:t u:l u_alt:l", "log_p:l p:l log_p_alt:l loss:l max_loss min_loss kl expected_utility",
     expmech},
    {"expmech_accuracy", "n:i du eps beta", "gap_mean gap_whp gap_mean_monotone", expmech_accuracy},
    {"partition_probability", "n:i eps delta", "p complement", partition_probability},
    {0},
};
