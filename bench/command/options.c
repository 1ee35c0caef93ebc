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

uint64_t option_count(const option *o, uint64_t otherwise)
{
    char *end;
    if (o->value == NULL) return otherwise;
    errno = 0;
    const unsigned long long n = strtoull(o->value, &end, 10);
    if (o->value[0] < '0' || o->value[0] > '9' || *end != '\0' || errno != 0)
        usage_error("%s %s: not a whole number below 2^64", o->name, o->value);
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

static void read_key(uint8_t key[32], const option *o)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    if (strlen(o->value) != 64) usage_error("%s needs 64 hexadecimal digits, not %zu", o->name, strlen(o->value));
    for (int i = 0; i < 64; i++) {
        const char *digit = strchr(digits, o->value[i]);
        if (digit == NULL) usage_error("%s: '%c' is not a hexadecimal digit", o->name, o->value[i]);
        const int nibble = (int)(digit - digits) % 16;
        key[i / 2] = (uint8_t)(i % 2 == 0 ? nibble << 4 : key[i / 2] | nibble);
    }
}

void options_open_rng(simdp_rng *rng, const option *key, const option *stream, const option *position,
                      const option *isa)
{
    simdp_status status;
    if (isa->value != NULL && simdp_isa_select(isa->value) != SIMDP_OK)
        usage_error("%s %s: %s", isa->name, isa->value, simdp_status_text(SIMDP_EISA));
    if (key->value == NULL) {
        if (stream->value != NULL || position->value != NULL) usage_error("--stream and --position need a --key");
        status = simdp_rng_init(rng);
    } else {
        uint8_t bytes[32];
        read_key(bytes, key);
        status = simdp_rng_init_deterministic(rng, bytes, option_count(stream, 0));
        if (status == SIMDP_OK) status = simdp_rng_seek(rng, option_count(position, 0));
    }
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
}
