/* bench.h: what the benchmark files share: tables of kernels in, rows "<room>/<kernel>/<isa or peer>/<n>" out. */
#ifndef SIMDP_BENCH_H
#define SIMDP_BENCH_H

#include "shim.h"
#include "simdp/simdp.h"

typedef simdp_status bench_ours(simdp_rng *rng, void *out, size_t n);
typedef int bench_mkl(void *vsl_stream, void *out, size_t n); /* a VSL status */
typedef void bench_fill(void *out, size_t n);

/* One more row: a scalar loop over libm, another library, or ours called in another way. */
typedef struct {
    const char *name;     /* "<peer>" of the row */
    bench_fill *fill;     /* NULL: not in this build, no row */
    bool (*usable)(void); /* does this CPU have what it needs? NULL: it needs nothing */
} bench_peer;

enum { BENCH_PEERS_MAX = 2 };

/* One line per kernel. Every function fills n elements with parameters that mean the same to all of them. */
typedef struct {
    const char *name; /* "<room>/<kernel>" */
    size_t element;   /* bytes of one output element; 0: an eighth of one */
    bench_ours *ours; /* the public function; runs once per instruction set */
    bench_mkl *mkl;   /* PEER_MKL(...); runs once per MKL generator; NULL: MKL has no such function */
    size_t checked;   /* bytes of output to compare between instruction sets; 0: all */
    bench_peer peers[BENCH_PEERS_MAX];
} bench_kernel;

#define BENCH_LARGE 100000000

/* What to measure: batch sizes, how many threads, and a buffer that holds the largest batch of the widest element for
 * each. */
typedef struct {
    const size_t *sizes;
    size_t count;
    int threads;
    void *out;
    bool large; /* also rows on arrays of BENCH_LARGE elements, which take gigabytes and seconds */
} bench_plan;

/* bytes; elements: MKL counts in int */
enum { BENCH_ELEMENT_MAX = 8, BENCH_THREADS_MAX = 64, BENCH_BATCH_MAX = 1 << 26 };

/* Rows for each kernel: all instruction sets of the dispatch list, MKL's generators, other peers. */
void bench_register(const bench_kernel *kernels, size_t count, const bench_plan *plan);

/* What every row reports after its loop: n elements per iteration, and the clock right now. */
void bench_finish(sb_state *st, size_t n, size_t element);

/* Bytes of n elements. */
static inline size_t bench_bytes(size_t n, size_t element) { return element > 0 ? n * element : (n + 7) / 8; }

/* The rooms. */
void bench_account(const bench_plan *plan);
void bench_bits(const bench_plan *plan);
void bench_noise(const bench_plan *plan);
void bench_discrete(const bench_plan *plan);
void bench_fft(void);
void bench_rooms(const bench_plan *plan);
void bench_roof(const bench_plan *plan);

#endif
