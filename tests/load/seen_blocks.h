/* seen_blocks.h: whether a block of 128 random bits came before, in constant memory. All blocks are kept until the table
 * is half full; then every second one, by a hash of the block, and so on: of a stream that repeats enough is kept to see
 * it. For several threads. */
#ifndef SIMDP_SEEN_BLOCKS_H
#define SIMDP_SEEN_BLOCKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_SLOTS = 1 << 21 };

typedef struct {
    pthread_mutex_t lock;
    uint64_t (*slot)[2]; /* zeros: free */
    uint64_t (*spare)[2];
    size_t count;
    int sparse; /* blocks are kept whose hash ends in so many zero bits */
} seen_blocks;

static inline bool seen_blocks_open(seen_blocks *s)
{
    *s = (seen_blocks){.slot = calloc(SEEN_SLOTS, sizeof *s->slot), .spare = calloc(SEEN_SLOTS, sizeof *s->spare)};
    return s->slot != NULL && s->spare != NULL && pthread_mutex_init(&s->lock, NULL) == 0;
}

static inline void seen_blocks_close(seen_blocks *s)
{
    free(s->slot);
    free(s->spare);
    pthread_mutex_destroy(&s->lock);
}

static inline uint64_t seen_blocks_hash(const uint64_t block[2])
{
    const uint64_t h = (block[0] ^ block[1] << 1) * 0x9e3779b97f4a7c15;
    return h ^ h >> 32;
}

/* False if it is there. */
static inline bool seen_blocks_put(seen_blocks *s, const uint64_t block[2])
{
    size_t at = (size_t)(seen_blocks_hash(block) >> 24) % SEEN_SLOTS;
    for (; s->slot[at][0] != 0 || s->slot[at][1] != 0; at = (at + 1) % SEEN_SLOTS)
        if (memcmp(s->slot[at], block, sizeof s->slot[at]) == 0) return false;
    memcpy(s->slot[at], block, sizeof s->slot[at]);
    s->count++;
    return true;
}

static inline bool seen_blocks_kept(const seen_blocks *s, const uint64_t block[2])
{
    return (seen_blocks_hash(block) & (((uint64_t)1 << s->sparse) - 1)) == 0;
}

/* Keeps half of what is there. */
static inline void seen_blocks_thin(seen_blocks *s)
{
    size_t kept = 0;
    s->sparse++;
    for (size_t i = 0; i < SEEN_SLOTS; i++)
        if ((s->slot[i][0] != 0 || s->slot[i][1] != 0) && seen_blocks_kept(s, s->slot[i]))
            memcpy(s->spare[kept++], s->slot[i], sizeof s->slot[i]);
    memset(s->slot, 0, SEEN_SLOTS * sizeof *s->slot);
    s->count = 0;
    for (size_t i = 0; i < kept; i++) (void)seen_blocks_put(s, s->spare[i]);
}

/* False if it came before. */
static inline bool seen_blocks_add(seen_blocks *s, const uint64_t block[2])
{
    pthread_mutex_lock(&s->lock);
    const bool fresh = !seen_blocks_kept(s, block) || seen_blocks_put(s, block);
    if (s->count > SEEN_SLOTS / 2) seen_blocks_thin(s);
    pthread_mutex_unlock(&s->lock);
    return fresh;
}

#endif
