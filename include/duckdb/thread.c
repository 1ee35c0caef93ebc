/* thread.c: a stream of entropy, a calibration and room for a block of rows, for each thread. */
#include "extension.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t slot;
static bool has_slot;

static void thread_ends(void *memory)
{
    thread_work *work = memory;
    simdp_rng_wipe(&work->entropy);
    free(work);
}

static void make_slot(void) { has_slot = pthread_key_create(&slot, thread_ends) == 0; }

thread_work *thread_work_get(void)
{
    if (pthread_once(&once, make_slot) != 0 || !has_slot) return NULL;
    thread_work *work = pthread_getspecific(slot);
    if (work != NULL) return work;
    work = calloc(1, sizeof *work);
    if (work == NULL || pthread_setspecific(slot, work) == 0) return work;
    free(work);
    return NULL;
}

simdp_status thread_entropy(thread_work *work, simdp_rng **rng)
{
    *rng = &work->entropy;
    if (work->has_entropy) return SIMDP_OK;
    const simdp_status status = simdp_rng_init(&work->entropy);
    work->has_entropy = status == SIMDP_OK;
    return status;
}

static bool is_same(simdp_account_target a, simdp_account_target b)
{
    return a.epsilon == b.epsilon && a.delta == b.delta && a.sensitivity == b.sensitivity;
}

simdp_status thread_scale(thread_work *work, double *scale, simdp_mechanism mechanism, simdp_account_target target)
{
    const bool is_gaussian = mechanism == SIMDP_MECHANISM_GAUSSIAN;
    simdp_account_planned planned;
    if (!(target.epsilon > 0 && target.epsilon <= DBL_MAX)) return SIMDP_EPARAM;
    if (!(target.sensitivity >= 0 && target.sensitivity <= DBL_MAX)) return SIMDP_EPARAM;
    if (is_gaussian && !(target.delta > 0 && target.delta < 1)) return SIMDP_EPARAM;
    if (work->last.mechanism != mechanism || !is_same(work->last.target, target)) {
        work->last.mechanism = SIMDP_MECHANISM_NONE;
        const simdp_status status = simdp_account_plan(&planned, &target, 1, mechanism);
        if (status != SIMDP_OK) return status;
        work->last.scale = target.sensitivity == 0 ? 0.0 : fmax(planned.scale, SIMDP_NOISE_SCALE_MIN);
        work->last.target = target;
        work->last.mechanism = mechanism;
    }
    *scale = work->last.scale;
    return SIMDP_OK;
}
