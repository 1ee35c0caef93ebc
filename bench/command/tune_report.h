/* tune_report.h: a tuned kernel in words, as a picture, as JSON and as a C header. */
#ifndef SIMDP_TUNE_REPORT_H
#define SIMDP_TUNE_REPORT_H

#include "output.h"
#include "tune_curve.h"

typedef struct {
    char name[100]; /* "noise/laplace_f64" */
    const char *type;
    double element_bytes; /* read and written for an element; 0 if unknown */
    tune_curve curve;
    tune_choice choice;
    unsigned threads;      /* of the curve */
    unsigned most_threads; /* 0, or how many gave the speedup below at the batch of choice */
    double speedup;
} tune_result;

/* own_batch: what the user has now, to be compared with; 0 for nothing. */
void report_words(const tune_result *r, double own_batch);
void report_picture(const tune_curve *curve); /* columns, a dozen lines */
void report_line(const tune_result *r);       /* the same in one line */

void report_json(output *out, const tune_result *r, bool is_first);
void report_header_macros(output *out, const tune_result *r);

#endif
