/* drawing.h: every public function that draws from a stream, behind one signature, with random parameters. */
#ifndef SIMDP_DRAWING_H
#define SIMDP_DRAWING_H

#include "simdp/simdp.h"
#include "support/witness.h"

enum { DRAWING_MOST = 6000 };
#define DRAWING_BYTES ((size_t)DRAWING_MOST * 8)

/* Parameters of a call; what a function does not need it ignores. Its data are functions of `seed`. */
typedef struct {
    uint64_t seed;
    size_t n; /* elements, draws, rows or samples */
    size_t candidates;
    double scale, grid, epsilon, delta;
    forced_bits forced; /* to reach rare paths under a witness */
} drawing_call;

typedef struct {
    const char *name;
    /* Parameters for a call with c->n elements; it may lower n. */
    void (*choose)(drawing_call *c, uint64_t *random);
    /* Elements first .. first + count of the call, to their places in out. */
    simdp_status (*run)(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out);
    /* A job may be cut into calls at multiples of so many elements; 0: it may not. */
    size_t cut;
    bool local; /* draws through a local stream, but for deterministic ones */
} drawing_function;

size_t drawing_count(void);
const drawing_function *drawing_at(size_t i);
const drawing_function *drawing_named(const char *name); /* NULL: there is none */

/* Called by analysts before each step of an interaction. */
extern void (*drawing_between)(const simdp_rng *rng);

/* A call of `function` with about n elements; force: with bits that lead to rare paths, if it has such. */
drawing_call drawing_choose(const drawing_function *function, size_t n, bool force, uint64_t *random);

#endif
