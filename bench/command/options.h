/* options.h: reading a command line of the form --name value or --flag. A wrong one ends the program with a message and
 * exit 2. */
#ifndef SIMDP_OPTIONS_H
#define SIMDP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

typedef struct {
    const char *name;  /* with its dashes */
    const char *value; /* NULL until given; a flag's is its name */
    bool is_flag;      /* takes no value */
} option;

_Noreturn void usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void failure(const char *format, ...) __attribute__((format(printf, 1, 2))); /* exit 1 */

/* Fills the values of known options (the list ends with a NULL name) from argv[0..argc-1]; anything else is a usage
 * error. */
void options_read(option *known, int argc, char **argv);

/* a whole number below 2^64, also as 1e9 or 2.5e6 */
uint64_t option_count(const option *o, uint64_t otherwise);
/* a finite floating-point number, also hexadecimal */
double option_number(const option *o, double otherwise);
size_t option_list(const option *o, double *values, size_t most); /* numbers with commas between; 0 without a value */

/* A warning on standard error; the program goes on. */
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
