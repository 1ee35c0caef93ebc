/* pld_support.h: what tests of privacy-loss distributions share. */
#ifndef SIMDP_PLD_SUPPORT_H
#define SIMDP_PLD_SUPPORT_H

#include "support/test_support.h"

static inline simdp_pld *empty(double grid)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    return pld;
}

static inline void compose(simdp_pld *pld, double least, double most)
{
    must(simdp_pld_compose(pld, least, most, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
}

#endif
