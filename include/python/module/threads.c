/* threads.c: a draw cut into pieces by positions, a thread each. The threads run no Python. */
#include "module.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MOST = 64, PIECE_ELEMENTS = 4096 };
static const size_t bytes_for_all_cores = (size_t)4 << 20;

/* One piece. Each ends with the release of its lock, which the caller waits for. */
typedef struct {
    simdp_rng rng;
    draw d;
    simdp_status status;
    PyThread_type_lock done;
} piece;

static void run_piece(piece *p) { p->status = p->d.run(&p->rng, p->d.out, p->d.in, p->d.n, p->d.p); }

static void piece_thread(void *argument)
{
    piece *p = argument;
    run_piece(p);
    PyThread_release_lock(p->done);
}

/* The stream of a piece: with a key, the same one further on; else a new one, since a copy would repeat bits. A piece
 * whose stream fails has one of zeros, with which the library leaves no answer in its output. */
static void open_piece(piece *p, const rng_object *rng, size_t first)
{
    if (!rng->keyed) {
        if (simdp_rng_init(&p->rng) != SIMDP_OK) simdp_rng_wipe(&p->rng);
        return;
    }
    p->rng = rng->rng;
    if (simdp_rng_seek(&p->rng, simdp_rng_position(&rng->rng) + first) != SIMDP_OK) simdp_rng_wipe(&p->rng);
}

static const void *moved(const void *start, size_t elements, size_t bits)
{
    return start != NULL ? (const char *)start + elements * bits / 8 : NULL;
}

static void begin_piece(piece *p, const rng_object *rng, const draw *whole, size_t first, size_t n)
{
    p->d = *whole;
    p->d.out = (void *)moved(whole->out, first, whole->bits);
    p->d.in = moved(whole->in, first, whole->bits);
    p->d.n = n;
    open_piece(p, rng, first);
    p->done = PyThread_allocate_lock();
    if (p->done == NULL) return;
    PyThread_acquire_lock(p->done, WAIT_LOCK);
    if (PyThread_start_new_thread(piece_thread, p) != (unsigned long)-1) return;
    PyThread_release_lock(p->done);
    PyThread_free_lock(p->done);
    p->done = NULL;
}

/* Waits for a thread, or does the work of one that could not start. */
static simdp_status end_piece(piece *p)
{
    if (p->done == NULL) {
        run_piece(p);
    } else {
        PyThread_acquire_lock(p->done, WAIT_LOCK);
        PyThread_release_lock(p->done);
        PyThread_free_lock(p->done);
    }
    simdp_rng_wipe(&p->rng);
    return p->status;
}

/* If one piece fails the whole call does: it runs again with a stream of zeros, which fails closed. */
static void fail_closed(const draw *d)
{
    simdp_rng none;
    memset(&none, 0, sizeof none);
    (void)!d->run(&none, d->out, d->in, d->n, d->p);
}

static simdp_status run_pieces(rng_object *rng, const draw *d, size_t threads, piece *pieces)
{
    const size_t share = (d->n / threads + PIECE_ELEMENTS - 1) / PIECE_ELEMENTS * PIECE_ELEMENTS;
    const uint64_t start = simdp_rng_position(&rng->rng);
    size_t count = 0;
    for (size_t first = share; first < d->n; first += share, count++)
        begin_piece(&pieces[count], rng, d, first, d->n - first < share ? d->n - first : share);
    simdp_status status = d->run(&rng->rng, d->out, d->in, share, d->p);
    for (size_t i = 0; i < count; i++) {
        const simdp_status of_piece = end_piece(&pieces[i]);
        if (status == SIMDP_OK) status = of_piece;
    }
    if (rng->keyed) {
        const simdp_status moves = simdp_rng_seek(&rng->rng, status == SIMDP_OK ? start + d->n : start);
        if (status == SIMDP_OK) status = moves;
    }
    if (status != SIMDP_OK) fail_closed(d);
    return status;
}

static size_t threads_for(const rng_object *rng, const draw *d, size_t asked)
{
    const size_t bytes = d->n / 8 * d->bits;
    if (asked == 0) {
        const long cores = bytes >= bytes_for_all_cores ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
        asked = cores > 0 ? (size_t)cores : 1;
    }
    const size_t most = d->n / PIECE_ELEMENTS;
    if (asked > most) asked = most;
    if (asked > THREADS_MOST) asked = THREADS_MOST;
    /* with too few positions left the library itself refuses */
    return simdp_rng_position(&rng->rng) <= UINT64_MAX - d->n ? asked : 1;
}

simdp_status draw_run(rng_object *rng, const draw *d, size_t threads)
{
    busy_lock(&rng->busy);
    simdp_status status;
    if (d->n < ELEMENTS_WITHOUT_GIL) {
        status = d->run(&rng->rng, d->out, d->in, d->n, d->p);
        busy_unlock(&rng->busy);
        return status;
    }
    threads = threads_for(rng, d, threads);
    piece *pieces = threads > 1 ? calloc(threads, sizeof *pieces) : NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = pieces != NULL ? run_pieces(rng, d, threads, pieces) : d->run(&rng->rng, d->out, d->in, d->n, d->p);
    busy_unlock(&rng->busy);
    Py_END_ALLOW_THREADS;
    free(pieces);
    return status;
}
