/* bench.h: what the benchmark files share: lines of the list of kernels in, rows "<room>/<kernel>/<isa or peer>/<n>"
 * out. */
#ifndef SIMDP_BENCH_H
#define SIMDP_BENCH_H

#include "kernel_list/kernel_list.h"
#include "shim.h"

typedef int bench_mkl(void *vsl_stream, void *out, size_t n); /* a VSL status */
typedef void bench_fill(void *out, size_t n);

/* One more row: a scalar loop over libm, another library, or ours called in another way. */
typedef struct {
    const char *name;     /* "<peer>" of the row */
    bench_fill *fill;     /* NULL: not in this build, no row */
    bool (*usable)(void); /* does this CPU have what it needs? NULL: it needs nothing */
} bench_peer;

enum { BENCH_PEERS_MAX = 2, BENCH_NAME_MAX = 100 };

/* Peers fill n elements with parameters that mean the same as those of the kernel. */
typedef struct {
    const char *row; /* "<room>/<kernel>" */
    bench_mkl *mkl;  /* PEER_MKL(...); runs once per MKL generator; NULL: MKL has no such function */
    bench_peer others[BENCH_PEERS_MAX];
} bench_peers;

/* The public function runs once per instruction set. It lives as long as the process. */
typedef struct {
    const kernel_line *line;
    kernel_call (*call)(const kernel_line *line, void *out,
                        size_t n); /* the call of a batch of n, but for its stream */
    const bench_peers *peers;
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

/* Rows for a kernel: all instruction sets of the dispatch list, MKL's generators, other peers. */
void bench_register(const bench_kernel *kernel, const bench_plan *plan);

/* What every row reports after its loop: n elements and so many bytes per iteration, and the clock right now. */
void bench_finish(sb_state *st, size_t n, size_t bytes);

/* What is measured: the list of kernels; accounts and transforms, which are no such functions; ceilings. */
void bench_account(const bench_plan *plan);
void bench_kernels(const bench_plan *plan);
void bench_fft(const bench_plan *plan);
void bench_roof(const bench_plan *plan);

#endif
