/* publish.h: the gate in front of every function whose output may be published. Whatever goes wrong after its
 * pointers were found good, the output ends as a value that is no answer: NaN, INT64_MIN, UINT32_MAX or bytes of
 * 0xff. Functions that publish return through it and nowhere else, so that one that works in place cannot leave the
 * answers behind. */
#ifndef SIMDP_PUBLISH_H
#define SIMDP_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "simdp/simdp.h"
#include "vec/float_rules.h"

/* Flags say which records are published in the clear: none. */
typedef enum { PUBLISH_F64, PUBLISH_F32, PUBLISH_I64, PUBLISH_U32, PUBLISH_BYTES, PUBLISH_FLAGS } publish_kind;

/* Whether n elements of so many bytes can lie in memory at all. If not, a call is SIMDP_EPARAM and writes nothing: no
 * array is that long, so what the pointers lead to is not the caller's. */
static inline bool publish_fits(size_t n, size_t bytes) { return n <= PTRDIFF_MAX / bytes; }

/* The bytes of an element that is no answer, the lowest first in memory, and how many it has. */
static inline uint64_t publish_no_answer(publish_kind kind, size_t *bytes)
{
    static const uint64_t no_answer[] = {
        [PUBLISH_F64] = 0x7ff8000000000000, [PUBLISH_F32] = 0x7fc00000, [PUBLISH_I64] = 0x8000000000000000,
        [PUBLISH_U32] = 0xffffffff,         [PUBLISH_BYTES] = 0xff,     [PUBLISH_FLAGS] = 0};
    *bytes = kind == PUBLISH_F32 || kind == PUBLISH_U32 ? 4 : kind == PUBLISH_F64 || kind == PUBLISH_I64 ? 8 : 1;
    return no_answer[kind];
}

static inline simdp_status publish(simdp_status status, void *out, size_t n, publish_kind kind)
{
    size_t bytes;
    const uint64_t wide = publish_no_answer(kind, &bytes);
    const uint32_t half = (uint32_t)wide;
    if (status == SIMDP_OK || status == SIMDP_ENULL || !publish_fits(n, bytes)) return status;
    for (size_t i = 0; i < n; i++) {
        unsigned char *const element = (unsigned char *)out + bytes * i;
        if (bytes == 8) memcpy(element, &wide, 8);
        else if (bytes == 4) memcpy(element, &half, 4);
        else *element = (unsigned char)wide;
    }
    return status;
}

#endif
