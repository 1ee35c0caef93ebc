/* uses.h: who reads which random bits. Every use of a stream has one line here, and words are asked for by its name.
 *
 * The rule: a call owns its positions; no bit that any other call at any other position, of any function, reads is
 * among those it reads. (The two elements of a Gaussian pair are cosine and sine of one radius and one angle, so they
 * share words; they are independent, and no third element reads those words.)
 *
 * A stream under one key is a function (domain, index) -> word. Each use has 2^24 domains of its own, its levels: level
 * 0 holds the words that every element reads, further levels what some elements need besides. Within a level the shape
 * says which bits belong to the element at position p:
 *
 *     SHAPE_WORD        word p
 *     SHAPE_TWO         words 2 p and 2 p + 1
 *     SHAPE_FOUR        words 4 p to 4 p + 3
 *     SHAPE_HALF        half p % 2 (0: the low one) of word p / 2
 *     SHAPE_UNIT        16 bits: unit u % 4 of word u / 4, u = race_unit(p) (race.h: a permutation of each 128)
 *     SHAPE_UNIT_WORD   word race_unit(p)
 *     SHAPE_PLANES      with g = p / 512 and u = p % 512: bit u % 64 of the words 128 g + 8 j + u / 64, j = 0 to 9
 *     SHAPE_PAIR        words p and p ^ 8: the pair of p and p ^ 8
 *     SHAPE_PAIR_HALF   halves as SHAPE_HALF of p and p ^ 16
 *     SHAPE_PAIR_FAR    words p and p ^ 16
 *     SHAPE_KEY         belongs to the stream itself, not to a position
 *     SHAPE_IDENTITY    has no positions: an element owns the block that its id becomes under a key of use, level and
 *                       parameters (identity.h), two words a level
 *
 * The shapes are maps from positions to bits that send different positions (pairs) to different bits, so the rule holds
 * within a use; between uses the domains differ. test_bits_owners holds every public function against this table.
 *
 * Numbers are part of the stream's version: never change one, never use one again. 64 to 127 are for forms whose
 * elements are addressed by identities instead of positions, and for the keys that these are made with. */
#ifndef SIMDP_USES_H
#define SIMDP_USES_H

#include <stdint.h>

enum {
    SHAPE_WORD,
    SHAPE_TWO,
    SHAPE_FOUR,
    SHAPE_HALF,
    SHAPE_UNIT,
    SHAPE_UNIT_WORD,
    SHAPE_PLANES,
    SHAPE_PAIR,
    SHAPE_PAIR_HALF,
    SHAPE_PAIR_FAR,
    SHAPE_KEY,
    SHAPE_IDENTITY,
};

/* name, number, levels, shape of level 0, shape of further levels */
#define BITS_USES(X)                                                       \
    X(WORDS, 0, 1, SHAPE_WORD, SHAPE_WORD)                                 \
    X(NEXT_KEY, 1, 1, SHAPE_KEY, SHAPE_KEY)                                \
    X(LOCAL_KEY, 2, 1, SHAPE_FOUR, SHAPE_FOUR)                             \
    X(UNIFORM_F64, 3, 1, SHAPE_WORD, SHAPE_WORD)                           \
    X(EXPONENTIAL_F64, 4, 1, SHAPE_WORD, SHAPE_WORD)                       \
    X(LAPLACE_F64, 5, 1, SHAPE_WORD, SHAPE_WORD)                           \
    X(GAUSSIAN_F64, 6, 1, SHAPE_PAIR, SHAPE_PAIR)                          \
    X(GUMBEL_F64, 7, 1, SHAPE_WORD, SHAPE_WORD)                            \
    X(UNIFORM_F32, 8, 1, SHAPE_HALF, SHAPE_HALF)                           \
    X(EXPONENTIAL_F32, 9, 2, SHAPE_HALF, SHAPE_WORD)                       \
    X(LAPLACE_F32, 10, 2, SHAPE_HALF, SHAPE_WORD)                          \
    X(GAUSSIAN_F32, 11, 2, SHAPE_PAIR_HALF, SHAPE_PAIR_FAR)                \
    X(GUMBEL_F32, 12, 2, SHAPE_HALF, SHAPE_WORD)                           \
    X(RELEASE_LAPLACE_F64, 16, 7, SHAPE_WORD, SHAPE_WORD)                  \
    X(RELEASE_GAUSSIAN_F64, 17, 7, SHAPE_PAIR, SHAPE_PAIR)                 \
    X(RELEASE_LAPLACE_I64, 18, 7, SHAPE_WORD, SHAPE_WORD)                  \
    X(RELEASE_GAUSSIAN_I64, 19, 7, SHAPE_PAIR, SHAPE_PAIR)                 \
    X(RELEASE_LAPLACE_I64_NARROW, 20, 8, SHAPE_HALF, SHAPE_WORD)           \
    X(RELEASE_GAUSSIAN_I64_NARROW, 21, 8, SHAPE_PAIR_HALF, SHAPE_PAIR_FAR) \
    X(DISCRETE_LAPLACE, 22, 7, SHAPE_WORD, SHAPE_WORD)                     \
    X(DISCRETE_GAUSSIAN, 23, 1 << 24, SHAPE_WORD, SHAPE_WORD)              \
    X(RESPONSE, 24, 1 << 24, SHAPE_PLANES, SHAPE_WORD)                     \
    X(K_RESPONSE, 25, 8, SHAPE_WORD, SHAPE_WORD)                           \
    X(UNARY, 26, 1 << 24, SHAPE_PLANES, SHAPE_WORD)                        \
    X(DISCRETE_LAPLACE_BOUNDED, 27, 7, SHAPE_WORD, SHAPE_WORD)             \
    X(DISCRETE_GAUSSIAN_TRUNCATED, 28, 1 << 24, SHAPE_WORD, SHAPE_WORD)    \
    X(SELECT_GUMBEL, 32, 9, SHAPE_UNIT, SHAPE_UNIT_WORD)                   \
    X(SELECT_FLIP, 33, 9, SHAPE_UNIT, SHAPE_UNIT_WORD)                     \
    X(SELECT_PARTITIONS, 34, 7, SHAPE_WORD, SHAPE_WORD)                    \
    X(SELECT_ABOVE_THRESHOLD, 35, 7, SHAPE_WORD, SHAPE_WORD)               \
    X(SELECT_ABOVE_QUERY, 36, 7, SHAPE_WORD, SHAPE_WORD)                   \
    X(LEAKY_RESPONSE, 48, 1, SHAPE_TWO, SHAPE_TWO)                         \
    X(NAME_AND_SHAME, 49, 1, SHAPE_TWO, SHAPE_TWO)                         \
    X(IDENTITY_KEY, 64, 1, SHAPE_KEY, SHAPE_KEY)                           \
    X(IDENTITY_TEXT, 65, 1, SHAPE_KEY, SHAPE_KEY)                          \
    X(LAPLACE_F64_BY_ID, 66, 4, SHAPE_IDENTITY, SHAPE_IDENTITY)            \
    X(GAUSSIAN_F64_BY_ID, 67, 7, SHAPE_IDENTITY, SHAPE_IDENTITY)           \
    X(LAPLACE_I64_BY_ID, 68, 4, SHAPE_IDENTITY, SHAPE_IDENTITY)            \
    X(GAUSSIAN_I64_BY_ID, 69, 7, SHAPE_IDENTITY, SHAPE_IDENTITY)           \
    X(RESPONSE_BY_ID, 70, 1 << 24, SHAPE_IDENTITY, SHAPE_IDENTITY)         \
    X(SELECT_GUMBEL_BY_ID, 71, 1, SHAPE_IDENTITY, SHAPE_IDENTITY)          \
    X(SELECT_PARTITIONS_BY_ID, 80, 4, SHAPE_IDENTITY, SHAPE_IDENTITY)

#define BITS_LEVELS 24 /* bits of a domain that number the levels of a use */

/* BITS_<name>: level 0 of a use. */
#define BITS_NAMED(name, number, levels, first, further) BITS_##name = (number) << BITS_LEVELS,
enum { BITS_USES(BITS_NAMED) };

#define BITS_FITS(name, number, levels, first, further) &&(levels) <= 1 << BITS_LEVELS && (number) < 128
_Static_assert(1 BITS_USES(BITS_FITS), "levels of a use end before those of the next");

/* A number that two uses had would be carried in the sum, and not in the union. Two words, for numbers below 64 and for
 * the others; from 128 on a number is in neither, and BITS_FITS refuses it. */
#define BITS_IN(number, set)                               ((uint64_t)((number) / 64 == (set)) << (number) % 64)
#define BITS_SUM(name, number, levels, first, further)     +BITS_IN(number, 0)
#define BITS_UNION(name, number, levels, first, further)   | BITS_IN(number, 0)
#define BITS_SUM_2(name, number, levels, first, further)   +BITS_IN(number, 1)
#define BITS_UNION_2(name, number, levels, first, further) | BITS_IN(number, 1)
_Static_assert((0 BITS_USES(BITS_SUM)) == (0 BITS_USES(BITS_UNION)) &&
                   (0 BITS_USES(BITS_SUM_2)) == (0 BITS_USES(BITS_UNION_2)),
               "every use has a number of its own");

/* BITS_<name>_LEVELS: how many levels a use has; kernels assert that they stay below. */
#define BITS_LEVEL_COUNT(name, number, levels, first, further) BITS_##name##_LEVELS = (levels),
enum { BITS_USES(BITS_LEVEL_COUNT) };

/* Level `level` of the use whose level 0 is `use`. */
static inline uint32_t bits_level(uint32_t use, uint32_t level) { return use + level; }

#endif
