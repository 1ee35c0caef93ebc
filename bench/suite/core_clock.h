/* core_clock.h: how fast the core runs at this moment. */
#ifndef SIMDP_CORE_CLOCK_H
#define SIMDP_CORE_CLOCK_H

/* GHz, from a chain of multiplications that depend on each other; takes some 60 microseconds. */
double core_clock_ghz(void);

#endif
