/* publish.h: the gate in front of every function whose output may be published. Whatever goes wrong after its pointers
 * were found good, the output ends as a value that is no answer: NaN, INT64_MIN or bytes of 0xff. Functions that publish
 * return through it and nowhere else, so that one that works in place cannot leave the answers behind. */
#ifndef SIMDP_PUBLISH_H
#define SIMDP_PUBLISH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "simdp/simdp.h"

typedef enum { PUBLISH_F64, PUBLISH_I64, PUBLISH_BYTES } publish_kind;

static inline simdp_status publish(simdp_status status, void *out, size_t n, publish_kind kind)
{
    static const uint64_t no_answer[] = {[PUBLISH_F64] = 0x7ff8000000000000, [PUBLISH_I64] = 0x8000000000000000};
    const size_t size = kind == PUBLISH_BYTES ? 1 : 8;
    if (status == SIMDP_OK || status == SIMDP_ENULL || n > PTRDIFF_MAX / size) return status;   /* no object is so large */
    for (size_t i = 0; i < n; i++) {
        if (kind == PUBLISH_BYTES) ((unsigned char *)out)[i] = 0xff;
        else memcpy((unsigned char *)out + 8 * i, &no_answer[kind], 8);
    }
    return status;
}

#endif
