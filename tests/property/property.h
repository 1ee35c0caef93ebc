/* property.h: closed forms held against MPFR, on random and hostile arguments. A row says how to draw arguments, how to
 * call the public function, what the real number is, and what the header promises: an error, and for bounds a side. */
#ifndef SIMDP_PROPERTY_H
#define SIMDP_PROPERTY_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

enum { PROPERTY_BITS = 700, PROPERTY_ARGUMENTS_MAX = 72, PROPERTY_OUTPUTS_MAX = 16 };

/* ---- drawing arguments ---- */

typedef struct {
    uint64_t state;
} property_random;

uint64_t property_word(property_random *r);
double property_uniform(property_random *r);             /* (0, 1) */
uint64_t property_below(property_random *r, uint64_t n); /* 0 .. n - 1 */
bool property_chance(property_random *r, double p);
double property_log_uniform(property_random *r, double low, double high); /* low > 0 */

/* x, or the double one or a few ulp beside it */
double property_nudge(property_random *r, double x);

/* epsilon: 0, 1e-300 to 700, the numbers people use (0.1, 0.5, ln 2, ln 3, 1, 2 ...), neighbours of them */
double property_epsilon(property_random *r);
/* delta: 0, 1e-300 to 1 - 2^-53, 1, powers of two and ten, neighbours of them; _open leaves out 0 and 1 */
double property_delta(property_random *r);
double property_delta_open(property_random *r);
/* a scale, sigma, or t: 2^-60 to 2^60 for the most part, the limits 2^-900 and 2^900 now and then */
double property_scale(property_random *r);
/* an order of a Renyi divergence: near 1 (1 +- 2^-50 ...), below 1, 2, whole, large */
double property_order(property_random *r);
/* a number of steps: 0, 1, 2, few, up to most, powers of two and ten and neighbours */
int64_t property_count(property_random *r, int64_t most);
/* any finite double: of ordinary size, huge, subnormal, offset by 1e16, 0 */
double property_number(property_random *r);

/* ---- rows ---- */

typedef enum {
    PROPERTY_NEAR,  /* within the error on either side */
    PROPERTY_ABOVE, /* at or above the truth, by the error at most */
    PROPERTY_BELOW  /* at or below the truth, by the error at most */
} property_side;

/* |got - truth| <= relative |truth| + absolute + 2^-1074. Where truth exceeds the largest double, inf is right (and for
 * _BELOW the largest double too). relative = INFINITY: the side alone counts. */
typedef struct {
    property_side side;
    double relative, absolute;
} property_rule;

typedef struct {
    const char *name;     /* of the row; a seed of its cases */
    const char *function; /* the public function, without simdp_; NULL: it has the row's name */
    size_t arguments, outputs;
    void (*draw)(property_random *r, double *a);
    simdp_status (*call)(double *out, const double *a); /* whole numbers come as doubles */
    void (*truth)(mpfr_t *out, const double *a);        /* outputs of them, initialised with PROPERTY_BITS */
    property_rule rule[PROPERTY_OUTPUTS_MAX];
    /* how many of the usual cases to try (0: 1), less for references that take long */
    double share;
    /* or NULL: an error that depends on the arguments, added to the rule's, for each output */
    void (*slack)(mpfr_t *out, const double *a);
} property_row;

/* The row of function f, whose adapters are f and f_truth: PROPERTY(f, 2, 1, .draw = ..., .rule = {NEAR(1e-14)}) */
#define PROPERTY(f, of_arguments, of_outputs, ...)                                                                   \
    {                                                                                                                \
        .name = #f, .arguments = (of_arguments), .outputs = (of_outputs), .call = f, .truth = f##_truth, __VA_ARGS__ \
    }
/* A row of one function among several: PROPERTY_OF(noise_cdf, cdf_laplace, 2, 1, ...) */
#define PROPERTY_OF(public, f, of_arguments, of_outputs, ...) \
    PROPERTY(f, of_arguments, of_outputs, .function = #public, __VA_ARGS__)
#define NEAR(error)                 \
    {                               \
        PROPERTY_NEAR, (error), 0.0 \
    }
#define ABOVE(error)                 \
    {                                \
        PROPERTY_ABOVE, (error), 0.0 \
    }
#define BELOW(error)                 \
    {                                \
        PROPERTY_BELOW, (error), 0.0 \
    }

/* A call that is broken on purpose, in place of that of the row with this name: it must be found. */
typedef struct {
    const char *defect, *name;
    simdp_status (*call)(double *out, const double *a);
} property_planted;

/* The main function of a test: every row and every planted defect (lists are closed by NULL names), cases of each fixed
 * by the row's name. 10^4 cases, 10^6 with SIMDP_TEST_FULL. Arguments: --list prints the functions; a name runs a row
 * alone; a number sets the cases. Prints, for each row, the cases, how many broke the rule, the largest part of the
 * allowed error that was used, and the first few breaks with their arguments. */
int property_main(int argc, char **argv, const property_row *rows, const property_planted *planted);

/* Sets out to x, exactly, for x of any size. */
#define property_exact(out, x) mpfr_set_d((out), (x), MPFR_RNDN)

#endif
