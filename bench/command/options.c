#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, va_list arguments)
{
    fputs("simdp: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    fputs("simdp: 'simdp help' shows how to use it\n", stderr);
    exit(2);
}

void failure(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    exit(1);
}

void warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("simdp: warning: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void options_read(option *known, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        option *o = known;
        while (o->name != NULL && strcmp(o->name, argv[i]) != 0) o++;
        if (o->name == NULL) usage_error("unknown option '%s'", argv[i]);
        if (o->value != NULL) usage_error("%s is given twice", o->name);
        if (!o->is_flag && ++i == argc) usage_error("%s needs a value", o->name);
        o->value = argv[i];
    }
}

/* The value of digits, with a point and an exponent if that leaves a whole number below 2^64. */
static bool whole_number(const char *text, uint64_t *n)
{
    size_t behind_point = 0;
    bool has_point = false, has_digit = false;
    *n = 0;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        const uint64_t digit = (uint64_t)(*text - '0');
        if (*n > (UINT64_MAX - digit) / 10) return false;
        *n = 10 * *n + digit;
        has_digit = true;
        behind_point += has_point;
    }
    size_t exponent = 0;
    if (has_digit && (*text == 'e' || *text == 'E')) {
        text += text[1] == '+' ? 2 : 1;
        if (*text < '0' || *text > '9') return false;
        for (; *text >= '0' && *text <= '9'; text++) {
            if (exponent < 1000) exponent = 10 * exponent + (size_t)(*text - '0');
        }
    }
    for (; behind_point > exponent; behind_point--) {
        if (*n % 10 != 0) return false;
        *n /= 10;
    }
    for (; exponent > behind_point && *n != 0; exponent--) {
        if (*n > UINT64_MAX / 10) return false;
        *n *= 10;
    }
    return has_digit && *text == '\0';
}

uint64_t option_count(const option *o, uint64_t otherwise)
{
    uint64_t n;
    if (o->value == NULL) return otherwise;
    if (!whole_number(o->value, &n)) usage_error("%s %s: not a whole number below 2^64", o->name, o->value);
    return n;
}

double option_number(const option *o, double otherwise)
{
    char *end;
    if (o->value == NULL) return otherwise;
    errno = 0;
    const double x = strtod(o->value, &end);
    if (o->value[0] == '\0' || *end != '\0' || !isfinite(x))
        usage_error("%s %s: not a finite number", o->name, o->value);
    /* a scale of 0 means no noise: nobody who wrote another number asked for that */
    if (x == 0 && errno == ERANGE) usage_error("%s %s: too small for a double", o->name, o->value);
    return x;
}

size_t option_list(const option *o, double *values, size_t most)
{
    size_t count = 0;
    for (const char *at = o->value; at != NULL;) {
        char *end;
        if (count == most) usage_error("%s: more than %zu values", o->name, most);
        values[count++] = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0')) usage_error("%s %s: not a list of numbers", o->name, o->value);
        at = *end == ',' ? end + 1 : NULL;
    }
    return count;
}
