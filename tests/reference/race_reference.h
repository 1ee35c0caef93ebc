/* race_reference.h: the race of simdp_select.h from its text: bits by the reference cipher from the layout in simdp.h,
 * keys in long double, and MPFR with 700 bits wherever two keys are close. */
#ifndef SIMDP_RACE_REFERENCE_H
#define SIMDP_RACE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *key, *own;  /* own: NULL, or the key K of the stream itself */
    uint64_t stream, position; /* where the selection begins: a multiple of 32 */
    bool flip;
    const double *scores;
    size_t n;
    double scale;
} race_reference;

/* The k best, best first. */
void race_reference_rank(size_t *index, size_t k, const race_reference *race);

/* Scores for candidates a and b, at scale 1, whose difference makes their keys equal up to 2^-105 or so. */
void race_reference_tie(double *score_a, double *score_b, const race_reference *race, size_t a, size_t b);

/* How many comparisons needed MPFR so far. */
extern size_t race_reference_close;

#endif
