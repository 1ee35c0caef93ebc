/* element.h: the kinds of numbers that commands read and write: as text, as bytes, and in the words of NumPy. */
#ifndef SIMDP_ELEMENT_H
#define SIMDP_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    ELEMENT_F64,
    ELEMENT_F32,
    ELEMENT_I64,
    ELEMENT_WORD, /* 64 random bits; as text 16 hexadecimal digits */
    ELEMENT_BIT,  /* a byte, 0 or 1 */
    ELEMENT_U32
} element;

enum { ELEMENT_TEXT_BYTES = 32, ELEMENT_BYTES_MOST = 8 };

size_t element_bytes(element type);
const char *element_name(element type);  /* "a number", for messages */
const char *element_descr(element type); /* NumPy's name of it, "<f8" */

/* Is a NumPy array of this type one of these elements? A bit may also be a bool or a signed byte. */
int element_fits(element type, const char *descr);

/* Reads text that is one element and nothing else, blanks around it aside, and ends with a NUL. Returns NULL, or what
 * is wrong with it: "is not a number". */
const char *element_parse(element type, const char *text, void *to);

/* The shortest text that reads back as the same element; returns its length. */
size_t element_print(element type, const void *from, char text[ELEMENT_TEXT_BYTES]);

#endif
