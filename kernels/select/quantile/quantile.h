/* quantile.h: what the scores of quantiles and their kernel share. */
#ifndef SIMDP_QUANTILE_H
#define SIMDP_QUANTILE_H

#define QUANTILE_CANDIDATES 4 /* counted in one pass: their counts stay in registers */

#endif
