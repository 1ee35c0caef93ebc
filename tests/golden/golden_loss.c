/* golden_loss.c: privacy loss per output and per transcript, and the batched curves. */
#include <stdlib.h>

#include "golden.h"
#include "support/laws.h"

static simdp_status worse(simdp_status a, simdp_status b) { return a != SIMDP_OK ? a : b; }

static simdp_status laplace_loss(double *const *out, const golden_input *in)
{
    return simdp_loss_laplace_f64(out[0], &in[0].number, 1, in[1].number, in[2].number, in[3].number);
}

static simdp_status gaussian_loss(double *const *out, const golden_input *in)
{
    return simdp_loss_gaussian_f64(out[0], &in[0].number, 1, in[1].number, in[2].number, in[3].number);
}

static simdp_mechanism mechanism_of(const char *word)
{
    return word[0] == 'L'   ? SIMDP_MECHANISM_LAPLACE
           : word[0] == 'G' ? SIMDP_MECHANISM_GAUSSIAN
           : word[0] == 'R' ? SIMDP_MECHANISM_RANDOMIZED_RESPONSE
                            : SIMDP_MECHANISM_NONE;
}

static simdp_status transcript_loss(double *const *out, const golden_input *in)
{
    const size_t k = in[0].count;
    simdp_loss_step *steps = malloc((k + 1) * sizeof *steps);
    if (steps == NULL) abort();
    for (size_t j = 0; j < k; j++)
        steps[j] = (simdp_loss_step){mechanism_of(in[0].words[j]), in[2].list[j], in[3].list[j], in[4].list[j]};
    const simdp_status status = simdp_loss_transcripts(out[0], in[1].list, 1, steps, k);
    free(steps);
    return status;
}

static simdp_status laplace_delta(double *const *out, const golden_input *in)
{
    return worse(simdp_delta_laplace(out[0], &in[0].number, 1, in[1].number),
                 simdp_loss_log_delta(out[1], &in[0].number, 1, law_laplace(in[1].number)));
}

static simdp_status gaussian_delta(double *const *out, const golden_input *in)
{
    return worse(simdp_delta_gaussian(out[0], &in[0].number, 1, in[1].number),
                 simdp_loss_log_delta(out[1], &in[0].number, 1, law_gaussian(in[1].number)));
}

const golden_function golden_loss[] = {
    {"laplace_loss", "x x0 x1 b", "loss", laplace_loss},
    {"gaussian_loss", "x x0 x1 sigma", "loss", gaussian_loss},
    {"transcript_loss", "kinds:w x:l x0:l x1:l scale:l", "total", transcript_loss},
    {"laplace_delta", "eps t", "delta log_delta", laplace_delta},
    {"gaussian_delta", "eps s", "delta log_delta", gaussian_delta},
    {NULL, NULL, NULL, NULL},
};
