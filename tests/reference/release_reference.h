/* release_reference.h: the exact mechanisms by MPFR, from the definition in simdp_release.h: slow, shares nothing with
 * kernels. */
#ifndef SIMDP_RELEASE_REFERENCE_H
#define SIMDP_RELEASE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Word `index` of a level of the release's own words. */
typedef uint64_t reference_words(const void *context, uint64_t index, unsigned level);

/* The words of a stream, by reference/aes_reference.c. */
typedef struct {
    uint8_t key[32];
    uint64_t stream;
    unsigned use; /* its number */
} reference_stream;
reference_words reference_stream_words;

/* The result for the element at a position. */
double release_reference(bool gaussian, double answer, double scale, double grid, uint64_t position,
                         reference_words *words, const void *context);

/* The same for integers: with halves of words if the scale is at most 512. */
int64_t release_reference_i64(bool gaussian, int64_t answer, double scale, uint64_t position, reference_words *words,
                              const void *context);

/* With whole words whatever the scale. */
int64_t release_reference_whole_i64(bool gaussian, int64_t answer, double scale, uint64_t position,
                                    reference_words *words, const void *context);

/* y = answer / grid + F in units of the grid, rounded to a double: how far it lies from a border shows how hard the
 * case is. */
double release_reference_y(bool gaussian, double answer, double scale, double grid, uint64_t position,
                           reference_words *words, const void *context);

#endif
