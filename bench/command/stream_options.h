/* stream_options.h: the options that open a stream of random bits, the same for every command that draws. */
#ifndef SIMDP_STREAM_OPTIONS_H
#define SIMDP_STREAM_OPTIONS_H

#include "options.h"
#include "simdp/simdp.h"

/* They stand one after the other in a list of options, in this order. */
enum { STREAM_KEY, STREAM_KEY_FILE, STREAM_ID, STREAM_POSITION, STREAM_ISA, STREAM_OPTIONS_COUNT };
#define STREAM_OPTION_NAMES \
    {.name = "--key"}, {.name = "--key-file"}, {.name = "--stream"}, {.name = "--position"}, { .name = "--isa" }

/* What is drawn, which decides what the user is warned of. */
typedef enum {
    STREAM_FOR_TESTS,   /* nothing: nobody hides anything behind it */
    STREAM_FOR_NOISE,   /* a key that other users of the machine can see */
    STREAM_FOR_RELEASES /* that, and any fixed key */
} stream_purpose;

/* Is a key given? */
bool stream_is_fixed(const option *first);

/* Opens the stream that the options, of which `first` is --key, describe: one of operating-system entropy without a
 * key, where --stream and --position make no sense. --isa selects the instruction set before. */
void stream_open(simdp_rng *rng, const option *first, stream_purpose purpose);

#endif
