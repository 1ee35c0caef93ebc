/* fp_mode_record.h: how the rows of fp_mode_rows.h write what came of a call, and their data. */
#ifndef SIMDP_FP_MODE_RECORD_H
#define SIMDP_FP_MODE_RECORD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fp_mode_rows.h"
#include "simdp/simdp.h"

static inline void put(record *r, const void *data, size_t n)
{
    if (n <= sizeof r->bytes - r->used) memcpy(r->bytes + r->used, data, n);
    r->used += n; /* too many: refused by the test */
}

static inline void put_status(record *r, simdp_status status) { put(r, &status, sizeof status); }

static inline void good(record *r, simdp_status status)
{
    r->failures += status != SIMDP_OK;
    put_status(r, status);
}

static inline void put_position(record *r, const simdp_rng *rng)
{
    const uint64_t position = simdp_rng_position(rng);
    put(r, &position, sizeof position);
}

#define PUT(what) put(r, what, sizeof(what))

static inline void open_stream(record *r, simdp_rng *rng)
{
    static const uint8_t key[32] = {3, 1, 4};
    good(r, simdp_rng_init_deterministic(rng, key, 7));
}

/* ---- data of all rows ---- */

enum { N = 40 };

static const double y[N] = {0.1,      -0.7, 1.3,       0x1p-1074, -0x1p-1060, INFINITY, -INFINITY, 3e10,  1e-310,
                            0.3,      0.2,  0x1.8p-30, 7.7,       -4.1,       0.9,      1.1,       -1e-5, 1e5,
                            0.123456, 12.5, -3.3,      0.77,      0.01,       1e-20,    -2.2,      5.5,   0.6};
static const uint8_t answers[8] = {0, 1, 1, 0, 2, 3, 7, 1};

/* Numbers that are parameters only where subnormal ones are seen, and where the sign of one is; and one that is none,
 * which must be found out before it is compared where that traps. */
static const double tiny[] = {0x1p-1074, -0x1p-1074, 1e-310, -1e-310, NAN};
enum { TINY = sizeof tiny / sizeof tiny[0] };

#endif
