/* discrete_reference.h: integers with exact laws, element by element with MPFR, from the words of the stream; written
 * from the definitions, shares nothing with kernels. */
#ifndef SIMDP_DISCRETE_REFERENCE_H
#define SIMDP_DISCRETE_REFERENCE_H

#include <mpfr.h>
#include <stdint.h>

typedef struct {
    uint8_t key[32];
    uint64_t stream;
    uint32_t use; /* whose words are read; 0: of the law itself */
} discrete_stream;

/* ---- Laplace: sign(V) floor(-t ln(|V| h)), h = (1 + e^(-1/t)) / 2; V by its words, one a level */

/* word: given, or NULL */
int64_t laplace_reference(const discrete_stream *s, uint64_t position, const uint64_t *word, double scale);
uint64_t laplace_border(double scale, int64_t m); /* floor(2^63 |V|) where floor turns from m - 1 to m */

/* ---- Gaussian ---- */

#define GAUSSIAN_CELLS 300

typedef struct {
    double sigma;
    int k;                           /* log2 of the width */
    uint64_t bound;                  /* larger numbers are rejected; 0: none are */
    mpfr_t e;                        /* width^2 / (2 sigma^2) */
    mpfr_t tail[GAUSSIAN_CELLS];     /* [i]: P[j >= i] */
    uint64_t digits[GAUSSIAN_CELLS]; /* floor(2^63 of it) */
} gaussian_reference;

void gaussian_reference_init(gaussian_reference *g, double sigma);
void gaussian_reference_clear(gaussian_reference *g);
/* two, or NULL */
int64_t gaussian_number(const gaussian_reference *g, const discrete_stream *s, uint64_t position,
                        const uint64_t *words);
void gaussian_chance(const gaussian_reference *g, mpfr_t chance, uint64_t j, uint64_t more); /* of acceptance */

#endif
