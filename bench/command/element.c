#include "element.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"

static const struct {
    size_t bytes;
    const char *name, *descr;
} kinds[] = {
    [ELEMENT_F64] = {8, "a number", "<f8"},       [ELEMENT_F32] = {4, "a number", "<f4"},
    [ELEMENT_I64] = {8, "a whole number", "<i8"}, [ELEMENT_WORD] = {8, "16 hexadecimal digits", "<u8"},
    [ELEMENT_BIT] = {1, "0 or 1", "|u1"},         [ELEMENT_U32] = {4, "a whole number from 0", "<u4"},
};

size_t element_bytes(element type) { return kinds[type].bytes; }
const char *element_name(element type) { return kinds[type].name; }
const char *element_descr(element type) { return kinds[type].descr; }

int element_fits(element type, const char *descr)
{
    if (type == ELEMENT_BIT && (strcmp(descr, "|b1") == 0 || strcmp(descr, "|i1") == 0)) return 1;
    return strcmp(descr, kinds[type].descr) == 0;
}

/* Where the text of a number, which is not empty and begins with no blank, may begin. */
static const char *skip_blanks(const char *text) { return text + strspn(text, " \t"); }
static int is_ended(const char *text) { return text[strspn(text, " \t\r")] == '\0'; }

static const char *parse_real(const char *text, double *to)
{
    char *end;
    errno = 0;
    *to = strtod(text, &end);
    if (end == text || !is_ended(end)) return "is not a number";
    /* what was written as infinite is a value that the library has a rule for; what only became so is a mistake */
    return errno == ERANGE && isinf(*to) ? "is too large for a double" : NULL;
}

static const char *parse_float(const char *text, float *to)
{
    char *end;
    errno = 0;
    *to = strtof(text, &end);
    if (end == text || !is_ended(end)) return "is not a number";
    return errno == ERANGE && isinf(*to) ? "is too large for a float" : NULL;
}

static const char *parse_whole(const char *text, int64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoll(text, &end, 10);
    if (end == text || !is_ended(end)) return "is not a whole number";
    return errno == ERANGE ? "is not between -2^63 and 2^63 - 1" : NULL;
}

static const char *parse_u32(const char *text, uint32_t *to)
{
    int64_t whole;
    const char *wrong = parse_whole(text, &whole);
    *to = (uint32_t)whole;
    return wrong != NULL ? wrong : whole < 0 || whole > UINT32_MAX ? "is not between 0 and 2^32 - 1" : NULL;
}

static const char *parse_bit(const char *text, uint8_t *to)
{
    *to = text[0] == '1';
    return (text[0] == '0' || text[0] == '1') && is_ended(text + 1) ? NULL : "is not 0 or 1";
}

static const char *parse_word(const char *text, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 16);
    return isxdigit((unsigned char)text[0]) && is_ended(end) && errno == 0 ? NULL : "is not 16 hexadecimal digits";
}

const char *element_parse(element type, const char *text, void *to)
{
    text = skip_blanks(text);
    /* strtod and its kin would skip further kinds of blanks */
    if (isspace((unsigned char)text[0])) return "begins with a character that is no part of a number";
    switch (type) {
    case ELEMENT_F64: return parse_real(text, to);
    case ELEMENT_F32: return parse_float(text, to);
    case ELEMENT_I64: return parse_whole(text, to);
    case ELEMENT_U32: return parse_u32(text, to);
    case ELEMENT_BIT: return parse_bit(text, to);
    default: return parse_word(text, to);
    }
}

size_t element_print(element type, const void *from, char text[ELEMENT_TEXT_BYTES])
{
    int length = 0;
    switch (type) {
    case ELEMENT_F64: return strlen(number_text(text, *(const double *)from));
    case ELEMENT_F32: length = snprintf(text, ELEMENT_TEXT_BYTES, "%.9g", (double)*(const float *)from); break;
    case ELEMENT_I64: length = snprintf(text, ELEMENT_TEXT_BYTES, "%" PRId64, *(const int64_t *)from); break;
    case ELEMENT_U32: length = snprintf(text, ELEMENT_TEXT_BYTES, "%" PRIu32, *(const uint32_t *)from); break;
    case ELEMENT_BIT: length = snprintf(text, ELEMENT_TEXT_BYTES, "%d", *(const uint8_t *)from); break;
    case ELEMENT_WORD: length = snprintf(text, ELEMENT_TEXT_BYTES, "%016" PRIx64, *(const uint64_t *)from); break;
    }
    return (size_t)length;
}
