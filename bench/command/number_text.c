#include "number_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* If some decimal of so many digits reads back as x, the nearest one does. Normal doubles are told apart by 17 digits,
 * and 15 digits of a decimal survive a double: %.15g shows them without the zeros at their end. Subnormal doubles keep
 * fewer. */
const char *number_text(char text[NUMBER_TEXT_BYTES], double x)
{
    int digits = fabs(x) < DBL_MIN ? 1 : DBL_DIG;
    do snprintf(text, NUMBER_TEXT_BYTES, "%.*g", digits, x);
    while (digits++ < DBL_DECIMAL_DIG && strtod(text, NULL) != x);
    return text;
}

void number_print(const char *name, double x)
{
    char text[NUMBER_TEXT_BYTES];
    printf("%-18s %s\n", name, number_text(text, x));
}
