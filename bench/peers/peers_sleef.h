/* peers_sleef.h: what a careful engineer writes without MKL: xoshiro256++ in vectors, and SLEEF's vector functions on
 * its words. The widest vectors of this CPU run. */
#ifndef SIMDP_PEERS_SLEEF_H
#define SIMDP_PEERS_SLEEF_H

#include <stdint.h>

#include "suite/bench.h"

#define SLEEF_LAWS(LAW) LAW(laplace) LAW(gaussian) LAW(gumbel) LAW(exponential) LAW(uniform)

#define SLEEF_LAW(law) bench_fill sleef_##law##_f64, sleef_##law##_f32;
SLEEF_LAWS(SLEEF_LAW)
#undef SLEEF_LAW

#ifdef SIMDP_HAVE_SLEEF
#define PEER_SLEEF(function) (function)
#else
#define PEER_SLEEF(function) NULL
#endif

/* Does this CPU have AVX2 or more? */
bool peers_sleef_usable(void);

/* Version and instruction set, for example "3.5.1, avx512f"; or "not installed". */
const char *peers_sleef_version(void);

/* Chooses the instruction set. Ends the program unless words are those of xoshiro256++, and mean and variance of every
 * sampler those of its law. */
void peers_sleef_check(void);

/* ---- between peers_sleef.c and its units ---- */

#define SLEEF_LAW(law) bench_fill *law##_f64, *law##_f32;
typedef struct {
    const char *isa;
    size_t lanes; /* doubles of a vector */
    SLEEF_LAWS(SLEEF_LAW)
} sleef_unit;
#undef SLEEF_LAW

extern const sleef_unit sleef_unit_avx2, sleef_unit_avx512;

/* Word j of the state of each generator, one generator a lane: two vectors of lanes. */
enum { SLEEF_LANES_MAX = 8 };
extern uint64_t sleef_state[4][2 * SLEEF_LANES_MAX];

#endif
