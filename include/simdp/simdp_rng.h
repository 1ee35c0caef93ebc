/* simdp_rng.h: streams of random bits. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RNG_H
#define SIMDP_RNG_H

#include "simdp_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bits per (key, stream, position) change only together with this number. */
#define SIMDP_STREAM_VERSION 2

/* A stream of random bits. A plain struct of about 4 KiB that the caller owns, on the stack if they like; its members
 * are private. Copying it copies the stream: the copy repeats the bits of the original. kernels/bits/STREAM.md
 * specifies what key, stream and position give (version 2). */
typedef struct simdp_rng {
    uint64_t position;
    uint64_t kind;
    uint64_t fork_mark;
    uint64_t cipher[22 + 512];
    simdp_status (*source)(void *context, uint64_t *out, size_t n);
    void *context;
} simdp_rng;

/* A stream from operating-system entropy (getrandom), for real releases. It replaces its key every
 * SIMDP_RNG_ERASE_POSITIONS positions and leaves no copy of it behind, so that whoever reads the memory later cannot
 * recompute bits of earlier keys; and it takes fresh entropy in a forked child: parent and child never share a bit.
 * SIMDP_EENTROPY if the system has none, or cannot tell a child from its parent (before Linux 4.14); the stream is then
 * unusable. (Fork is noticed for fork and clone without shared memory, not for virtual-machine snapshots; a signal
 * handler that forks within a call of ours shares with its child what the call still makes of the present
 * SIMDP_RNG_ERASE_POSITIONS positions, or of the selections under way, at most 32.) */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_init(simdp_rng *rng);
#define SIMDP_RNG_ERASE_POSITIONS 16384

/* A reproducible stream for tests, replays and clusters: whoever knows the key can recompute, and so remove, the noise.
 * Streams with different ids share nothing. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_init_deterministic(simdp_rng *rng, const uint8_t key[32],
                                                                  uint64_t stream);

/* The next position to use, counted from the start of the stream. SIMDP_EPARAM unless deterministic. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_seek(simdp_rng *rng, uint64_t position);
SIMDP_API uint64_t simdp_rng_position(const simdp_rng *rng); /* 0 for NULL */

/* Overwrite the whole struct with zeros. Later use gives SIMDP_EPARAM. */
SIMDP_API void simdp_rng_wipe(simdp_rng *rng);

/* out = the next n words, one a position. SIMDP_EPARAM if the position would pass 2^64 - 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_words(simdp_rng *rng, uint64_t *out, size_t n);

/* Who a row is, for the functions called _by_id: their noise is a function of key, stream, id, law and parameters, and
 * of nothing else. In any order, in any split, on any machine, in a task that is run again, a row has the noise it had
 * before, so that two runs cannot be averaged. They take deterministic streams only (SIMDP_EPARAM else), and the stream
 * does not move.
 *
 * Equal ids get equal noise, by definition: two answers with one id, law and parameters differ by exactly what the
 * answers themselves differ by, which gives that away. So an id names one answer: job, column and group together, and a
 * counter where one group is asked several times. Never a data value: equal values would then show as equal outputs.
 *
 * A key belongs to one state of the data. After a row was added, removed or changed, a second release under the same key
 * shows the change without noise: take a new key. */
typedef struct simdp_id {
    uint64_t low, high;
} simdp_id;

/* id = 128 bits of n bytes of text, by AES-CMAC under a key that this stream has for nothing else: different texts have
 * different ids, but for a chance of m^2 / 2^129 among m texts; to write several fields into one text, put the length
 * before each, or a byte between them that occurs in none. Another key or stream gives another id. n = 0 is legal. Time
 * depends on n alone. SIMDP_EPARAM unless deterministic; id is then untouched. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_id(const simdp_rng *rng, simdp_id *id, const void *bytes, size_t n);

/* ids[i] = the same of the bytes from starts[i] to starts[i + 1], for n texts of one array: the key is made ready once, and
 * texts go through the cipher side by side, so that a short one takes some nanoseconds. Time depends on the lengths. starts
 * has n + 1 numbers that do not decrease, else SIMDP_EPARAM; ids are untouched on failure. n = 0 does nothing. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_ids(const simdp_rng *rng, simdp_id *ids, const void *bytes,
                                                   const uint64_t *starts, size_t n);

#ifdef __cplusplus
}
#endif

#endif
