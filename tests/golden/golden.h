/* golden.h: functions by the name of their reference file. One adapter per function calls the public API; golden
 * reads the files.
 *
 * Adding a function: an adapter and a row in tests/golden/golden_<group>.c; a new group also gets a line in golden_groups. */
#ifndef SIMDP_GOLDEN_H
#define SIMDP_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

/* One input. A whole number is in `number` and in `whole`; a list has `count` numbers, or `count` words for a list
 * of words. */
typedef struct {
    const char *text;
    double number;
    int64_t whole;
    const double *list;
    const char *const *words;
    size_t count;
} golden_input;

/* `inputs` and `outputs` name the columns, separated by spaces. A column is a number unless a suffix says otherwise:
 *   name:i whole number   name:t text   name:l list of numbers   name:w list of words
 *   name:u, name:d an output that is an upper or a lower bound (golden --safe-side)
 * All lists of a row have the same length. The file has these columns and tol_<output> for each output. */
typedef struct {
    const char *name;
    const char *inputs, *outputs;
    /* Fills out[j][0], or out[j][0..count-1] for a list; all of them hold NaN before. */
    simdp_status (*run)(double *const *out, const golden_input *in);
} golden_function;

/* Each list ends with a NULL name. */
extern const golden_function *const golden_groups[]; /* ends with NULL */
extern const golden_function golden_calibrate[];
extern const golden_function golden_compose[];
extern const golden_function golden_concentration[];
extern const golden_function golden_curves[];
extern const golden_function golden_distributions[];
extern const golden_function golden_loss[];
extern const golden_function golden_pld[];
extern const golden_function golden_select[];
extern const golden_function golden_system[];

enum { GOLDEN_COLUMNS_MAX = 32 };

#endif
