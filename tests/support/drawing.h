/* drawing.h: calls of every function of the list of kernels that draws from a stream, with random parameters and data,
 * whole or in pieces. */
#ifndef SIMDP_DRAWING_H
#define SIMDP_DRAWING_H

#include "kernel_list/kernel_list.h"
#include "support/witness.h"

enum { DRAWING_MOST = 6000 };
#define DRAWING_BYTES ((size_t)DRAWING_MOST * 8)

/* Parameters of a call; what a function does not need it ignores. Its data are functions of `seed`. */
typedef struct {
    uint64_t seed;
    size_t n; /* elements, draws, rows or samples */
    size_t candidates;
    double p[KERNEL_PARAMETERS];
    double scale;       /* of a prepared selection */
    double grid;        /* of the answers */
    forced_bits forced; /* to reach rare paths under a witness */
} drawing_call;

/* A function that has random parameters here but no line in the list; NULL if there is none. */
const char *drawing_not_listed(void);

/* A call of `function` with about n elements; force: with bits that lead to rare paths, if it has such. */
drawing_call drawing_choose(const kernel_line *function, size_t n, bool force, uint64_t *random);

/* Elements first .. first + count of the call, to their places in out. */
simdp_status drawing_run(const kernel_line *function, simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                         unsigned char *out);

/* Datum i of a call, 64 bits; what an element is added to is the remainder by 1000. */
uint64_t drawing_datum(const drawing_call *c, size_t i);

/* ---- between drawing.c and drawing_parameters.c ---- */

/* At most so many selections of so many candidates, and so many steps of an interaction. */
enum { DRAWING_SELECTIONS = 6, DRAWING_CANDIDATES = 40000, DRAWING_STEPS = 12 };

/* Random parameters of a call with c->n elements, in place of the list's own; it may lower n. */
void drawing_parameters(drawing_call *c, const kernel_line *function, uint64_t *random);

#endif
