/* peers_plain.h: what the compiler makes of a plain loop under -O3 -ffast-math, for the vectors of this CPU. */
#ifndef SIMDP_PEERS_PLAIN_H
#define SIMDP_PEERS_PLAIN_H

#include "suite/bench.h"

bench_fill plain_loss;

#endif
