/* kernel_list.h: the list of kernels: every public function that draws from a stream, and every one that turns an array
 * of data into numbers. The tests that hold for all of them, the benchmark and the command walk it, so that a new
 * function is one line of kernels_of_<room>.c, with the adapter that calls it. test_kernel_list holds the list against
 * the public headers. */
#ifndef SIMDP_KERNEL_LIST_H
#define SIMDP_KERNEL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

/* One call. n counts what is written, or read where all of it becomes one number; a selection has `candidates` scores
 * for each winner it has scores of its own for. */
typedef struct {
    simdp_rng *rng;
    void *out;
    const void *in;
    size_t n, candidates;
    const double *p;       /* parameters, in the order of the letters below */
    const double *more[3]; /* losses: n first inputs, second inputs and scales; or the neighbour's scores */
    const simdp_id *ids;   /* forms by identity: kernel_ids(n), or others */
} kernel_call;

typedef enum {
    OUT_F64,
    OUT_F32,
    OUT_I64,
    OUT_WORDS,
    OUT_BYTES,
    OUT_FLAGS,  /* bytes; 0 says that nothing is published */
    OUT_PACKED, /* n bits */
    OUT_INDEX,
    OUT_ROWS, /* KERNEL_AUDIT_ROWS rows of an audit of n samples */
    OUT_STEPS /* the outputs, doubles, of up to KERNEL_STEPS_MOST steps of an interaction */
} kernel_out;

/* IN_SAME: n elements of the type of out, which may be out itself. IN_INDEX: n numbers below `candidates`. */
typedef enum { IN_NONE, IN_SAME, IN_F64, IN_F32, IN_I64, IN_BYTES, IN_INDEX, IN_WORKSPACE } kernel_in;

typedef enum {
    KERNEL_RAW,       /* draws numbers that are no release */
    KERNEL_PUBLISHES, /* draws what may be published: fails closed */
    KERNEL_DATA       /* draws nothing: rng may be NULL */
} kernel_kind;

/* At which batch sizes simdp-bench measures it. */
typedef enum {
    SIZES_NONE,
    SIZES_ASKED,      /* those of the command line */
    SIZES_CANDIDATES, /* numbers of candidates */
    SIZES_ANSWERS,
    SIZES_LARGE /* answers, and with --large an array beyond every cache */
} kernel_sizes;

enum { KERNEL_PARAMETERS = 4, KERNEL_AUDIT_ROWS = 3, KERNEL_STEPS_MOST = 64, KERNEL_STEP_CANDIDATES = 10 };

/* Parameters that peers in benchmarks share with the lines below. */
#define KERNEL_GRID                0x1p-22 /* of a release with scale 1 */
#define KERNEL_INTEGER_SCALE       100.0
#define KERNEL_DISCRETE_SCALE      3.0
#define KERNEL_DISCRETE_SCALE_WIDE 100.0
#define KERNEL_EPSILON             1.0
#define KERNEL_LOSS_SCALE          0.7
#define KERNEL_PARTITION_DELTA     1e-5

/* Letters of parameters:  s scale (0 or in range)  g grid  d discrete scale  e epsilon  p probability  h eta of a
 * column choice  q size of a query  t eta of a stable release  u inside (0, 1)  v sensitivity (0 or more)
 * x epsilon above 0  - any, never bad */
typedef struct {
    const char *name;    /* of the public function */
    const char *form;    /* NULL; else which law, or way to call it, this line has of a function with several */
    const char *variant; /* NULL; else a further line of that function, with other parameters, to be measured */
    simdp_status (*run)(const kernel_call *call);
    kernel_out out;
    kernel_in in;
    kernel_kind kind;
    const char *letters;
    double good[KERNEL_PARAMETERS];
    kernel_sizes sizes;
    const char *reference; /* tests/<reference>.c holds it against an independent truth, or against a form that is */
    size_t winners;        /* if not 0, so many elements are written, whatever n */
    size_t words_block;    /* if not 0, words are drawn before so many elements are written */
    size_t cut;            /* a job may be cut into calls at multiples of so many elements; 0: it may not */
    bool one_draw;         /* asks the stream once, whatever n */
    bool local;            /* draws through a local stream, but for deterministic ones */
    size_t more;           /* how many of the further inputs it reads */
    bool by_id;            /* draws what belongs to ids: from deterministic streams alone, which do not move */
} kernel_line;

/* Line i, NULL past the last:  for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) */
const kernel_line *kernel_at(size_t i);

/* The same for the functions that draw from positions, each form once, and how many these are. */
const kernel_line *kernel_drawing_at(size_t i);
size_t kernel_drawing_count(void);

/* The line of a public function, of a form of it after a point ("simdp_loss_audit_run.laplace"), or the first of its
 * forms; NULL if there is none. */
const kernel_line *kernel_named(const char *name);

/* n different ids, at most KERNEL_IDS_MOST: always the same. Not for several threads at once. */
enum { KERNEL_IDS_MOST = 1 << 20 };
const simdp_id *kernel_ids(size_t n);

/* Bytes that a call with n elements writes. */
size_t kernel_out_bytes(const kernel_line *k, size_t n);

/* Its row in a benchmark, which is its name: "noise/laplace_f64" for simdp_noise_laplace_f64, with form and
 * variant after a point. */
void kernel_row_name(const kernel_line *k, char *text, size_t room);

/* If not NULL, called before each step of an interaction. */
extern void (*kernel_between_steps)(const simdp_rng *rng);

/* ---- for kernels_of_<room>.c ---- */

extern const kernel_line kernels_of_noise[], kernels_of_release[], kernels_of_select[], kernels_of_loss[],
    kernels_of_theory[]; /* each ends with a NULL name */

#define RUN(function)            static simdp_status run_##function(const kernel_call *c)
#define CALLS(function)          .name = #function, .run = run_##function
#define CALLS_FORM(function, of) .name = #function, .form = #of, .run = run_##function##_##of
#define GIVEN(text, ...)         .letters = text, .good = {__VA_ARGS__}

#endif
