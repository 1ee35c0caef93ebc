#include "audit_pieces.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

simdp_status audit_begin(simdp_loss_audit *audit, const audited *what, const simdp_loss_audit_plan *plan)
{
    simdp_loss_audit_plan with = *plan;
    with.mechanism = what->mechanism;
    with.x0 = what->x0, with.x1 = what->x1;
    with.scale = what->scale;
    with.scores[0] = what->scores[0], with.scores[1] = what->scores[1];
    with.candidates = what->candidates;
    return simdp_loss_audit_init(audit, &with);
}

static simdp_status draw(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, uint64_t samples)
{
    simdp_status status = SIMDP_OK;
    for (uint64_t done = 0; status == SIMDP_OK && done < samples; done += AUDIT_BLOCK) {
        const size_t n = samples - done < AUDIT_BLOCK ? (size_t)(samples - done) : AUDIT_BLOCK;
        status = what->draw(rng, audit, what, n, 0);
        if (status == SIMDP_OK) status = what->draw(rng, audit, what, n, 1);
    }
    return status;
}

/* ---- pieces and threads ---- */

typedef struct {
    const audited *what;
    simdp_loss_audit empty;
    uint64_t samples, piece, pieces;
    uint64_t first, step; /* positions: of piece 0, and from each piece to the next */
    bool deterministic;
    atomic_uint_fast64_t next; /* the piece that nobody has taken */
    atomic_int status;         /* the first that is not SIMDP_OK */
} job;

typedef struct {
    job *shared;
    simdp_rng rng;
    simdp_loss_audit audit;
    progress_bar *bar; /* NULL but for one */
    pthread_t thread;
} worker;

static void *work(void *context)
{
    worker *w = context;
    job *j = w->shared;
    for (;;) {
        const uint64_t i = atomic_fetch_add(&j->next, 1);
        simdp_status status = SIMDP_OK;
        if (i >= j->pieces || atomic_load(&j->status) != SIMDP_OK) return NULL;
        if (j->deterministic) {
            uint64_t offset, position;
            if (__builtin_mul_overflow(i, j->step, &offset) || __builtin_add_overflow(j->first, offset, &position))
                status = SIMDP_EPARAM;
            else status = simdp_rng_seek(&w->rng, position);
        }
        const uint64_t left = j->samples - i * j->piece;
        if (status == SIMDP_OK) status = draw(&w->rng, &w->audit, j->what, left < j->piece ? left : j->piece);
        if (status != SIMDP_OK) atomic_store(&j->status, (int)status);
        if (w->bar != NULL) progress_show(w->bar, 0.999 * (double)i / (double)j->pieces);
    }
}

static simdp_status run_workers(worker *workers, unsigned threads, simdp_loss_audit *audit)
{
    unsigned started = 1; /* this thread is the first worker */
    while (started < threads && pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0) started++;
    work(&workers[0]); /* takes what threads that did not start leave */
    for (unsigned t = 1; t < started; t++) pthread_join(workers[t].thread, NULL);
    simdp_status status = (simdp_status)atomic_load(&workers[0].shared->status);
    for (unsigned t = 0; t < threads && status == SIMDP_OK; t++)
        status = simdp_loss_audit_add(audit, &workers[t].audit);
    return status;
}

simdp_status audit_draw_pieces(simdp_loss_audit *audit, const audited *what, simdp_rng *rng, bool deterministic,
                               uint64_t samples, unsigned threads, progress_bar *bar)
{
    const bool is_slow = what->draw == audit_choices || what->draw == audit_queries;
    const uint64_t most = is_slow ? 1 << 12 : 1 << 22, piece = samples < most ? samples : most;
    if (samples == 0) return SIMDP_OK;
    job shared = {.what = what,
                  .empty = *audit,
                  .samples = samples,
                  .piece = piece,
                  .pieces = (samples - 1) / piece + 1,
                  .first = simdp_rng_position(rng),
                  .deterministic = deterministic};
    if (threads > shared.pieces) threads = (unsigned)shared.pieces;
    worker *workers = calloc(threads, sizeof *workers);
    if (workers == NULL) return SIMDP_ENOMEMORY;
    /* the first piece shows how far a piece moves the stream */
    simdp_status status = draw(rng, audit, what, piece);
    shared.step = simdp_rng_position(rng) - shared.first;
    if (what->draw == audit_choices && !what->by_id) /* the next one begins at a multiple */
        shared.step = (shared.step + SIMDP_SELECT_GROUP - 1) / SIMDP_SELECT_GROUP * SIMDP_SELECT_GROUP;
    atomic_init(&shared.next, 1);
    atomic_init(&shared.status, SIMDP_OK);
    for (unsigned t = 0; t < threads && status == SIMDP_OK; t++) {
        workers[t].shared = &shared;
        workers[t].audit = shared.empty;
        workers[t].bar = t == 0 ? bar : NULL;
        if (deterministic) workers[t].rng = *rng;
        else status = simdp_rng_init(&workers[t].rng);
    }
    if (status == SIMDP_OK) status = run_workers(workers, threads, audit);
    for (unsigned t = 0; t < threads; t++) simdp_rng_wipe(&workers[t].rng);
    free(workers);
    progress_show(bar, 1);
    return status;
}
