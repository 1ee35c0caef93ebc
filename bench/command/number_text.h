/* number_text.h: numbers as text for people and for programs that read them back. */
#ifndef SIMDP_NUMBER_TEXT_H
#define SIMDP_NUMBER_TEXT_H

enum { NUMBER_TEXT_BYTES = 32 };

/* Writes the shortest decimal that reads back as the same double, or inf, -inf, nan; returns text. */
const char *number_text(char text[NUMBER_TEXT_BYTES], double x);

/* A line "name value" */
void number_print(const char *name, double x);

#endif
