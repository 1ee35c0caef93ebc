/* drawing_functions.h: every public function that draws from a stream, in a shape that tests can walk over. The list is
 * held against the public headers by drawing_functions_missing. */
#ifndef SIMDP_DRAWING_FUNCTIONS_H
#define SIMDP_DRAWING_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

/* One call. n counts what is written; a selection has `candidates` scores for each winner it has scores of its own
 * for. */
typedef struct {
    simdp_rng *rng;
    void *out;
    const void *in;
    size_t n, candidates;
    const double *p; /* parameters, in the order of the letters below */
} draw_call;

typedef enum {
    OUT_F64,
    OUT_F32,
    OUT_I64,
    OUT_WORDS,
    OUT_BYTES,
    OUT_FLAGS,  /* bytes; 0 says that nothing is published */
    OUT_PACKED, /* n bits */
    OUT_INDEX,
    OUT_OBJECT /* n samples or steps, counted in an object of the adapter */
} draw_out;

typedef enum { IN_NONE, IN_SAME, IN_F64, IN_F32, IN_BYTES, IN_WORKSPACE } draw_in;

enum { DRAW_RAW, DRAW_PUBLISHES };

/* Letters of parameters:  s scale (0 or in range)  g grid  d discrete scale  e epsilon  p probability  h eta of a
 * column choice  q size of a query  t eta of a stable release  u inside (0, 1)  v sensitivity (0 or more)
 * x epsilon above 0  - any, never bad */
typedef struct {
    const char *name;
    simdp_status (*run)(const draw_call *call);
    draw_out out;
    draw_in in; /* IN_SAME: n elements of the type of out, which may be out itself */
    int publishes;
    const char *letters;
    double good[4];
    size_t winners;     /* if not 0, n is always that */
    size_t words_block; /* if not 0, words are drawn before so many elements are written */
    bool one_draw;      /* asks the stream once, whatever n */
} drawing_function;

extern const drawing_function drawing_functions[];
extern const size_t drawing_functions_count;

/* Bytes of n elements of out. */
size_t draw_out_bytes(const drawing_function *f, size_t n);

/* How many functions that take a stream stand in the headers of this folder and neither in the list nor among those
 * that draw nothing; each is printed. *found: all functions that take a stream, so that a caller sees that they were
 * found. */
size_t drawing_functions_missing(const char *folder, size_t *found);

#endif
