/* fp_mode_rows.h: every function of select, release, loss, account and system that is no closed form, called on fixed
 * arguments; what came of it is recorded byte by byte. */
#ifndef SIMDP_FP_MODE_ROWS_H
#define SIMDP_FP_MODE_ROWS_H

#include <stddef.h>

typedef struct {
    unsigned char bytes[1 << 16];
    size_t used;
    int failures; /* calls that should be good and are not */
} record;

typedef struct {
    const char *names; /* of the functions called, without simdp_; NULL at the end */
    void (*run)(record *r);
} mode_row;

extern const mode_row mode_rows[];

/* rows of fp_mode_theory.c */
void mode_theory_responses(record *r);
void mode_theory_maps(record *r);
void mode_theory_costs(record *r);
void mode_theory_filters(record *r);
void mode_theory_interactions(record *r);

#endif
