/* distinguish.h: targets of attackers that learn. A sight is what one call published about a few elements, one of which
 * was 0 or 1 (or another pair of neighbours): which? */
#ifndef SIMDP_DISTINGUISH_H
#define SIMDP_DISTINGUISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

enum { SIGHT_WORDS = 4, SIGHT_BATCH = 1024 };

/* word[0] is the element in question, the others hold what lies beside it in the call: elements, or the lowest bits of
 * sixteen of them. by_size: what the best test on real-number noise says, which looks at that element alone. near: that
 * test would soon say otherwise. */
typedef struct {
    uint64_t word[SIGHT_WORDS];
    bool by_size, near;
} sight;

typedef struct {
    const char *name;
    bool naive;    /* no release, but what the attacks must see through */
    unsigned part; /* slow ones are seen one part in so many */
    double leak;   /* the part of the sights of answer 1 that a planted leak marks, which gains some 1e-4 by it */
    double limit;  /* the most that any test gains from the real-number mechanism: its total variation */
    /* SIGHT_BATCH sights of the answer 0 or 1 */
    void (*observe)(sight *seen, simdp_rng *rng, int answer);
} target;

/* Target i, NULL past the last. */
const target *target_at(size_t i);

/* A leak for the attacks to find: where the answer is 1, about `rate` of the sights get twelve bits set in word 1. Those
 * are set by chance in one sight of a thousand or fewer. */
void plant_leak(sight seen[SIGHT_BATCH], double rate, uint64_t *random);

#endif
