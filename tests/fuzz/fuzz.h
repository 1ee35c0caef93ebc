/* fuzz.h: what the fuzz targets share: an input is read as a script of numbers; what must hold ends the program if it
 * does not, which libFuzzer and the plain driver (replay.c) report with the input. */
#ifndef SIMDP_FUZZ_H
#define SIMDP_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *next, *end;
} script;

/* The next bytes; zeros behind the end, so that every input is a whole script. */
static inline void script_bytes(script *s, void *to, size_t n)
{
    const size_t left = (size_t)(s->end - s->next), taken = n < left ? n : left;
    memset(to, 0, n);
    if (taken > 0) memcpy(to, s->next, taken);
    s->next += taken;
}

static inline bool script_ended(const script *s) { return s->next == s->end; }

static inline uint64_t script_number(script *s, size_t bytes)
{
    uint8_t byte[8] = {0};
    uint64_t number = 0;
    script_bytes(s, byte, bytes);
    for (size_t i = 0; i < bytes; i++) number |= (uint64_t)byte[i] << 8 * i;
    return number;
}

static inline uint64_t script_below(script *s, uint64_t sides)
{
    return script_number(s, sides <= 256 ? 1 : sides <= 65536 ? 2 : 8) % sides;
}

/* Any double: one of those at which something changes, or 64 bits. */
static inline double script_double(script *s)
{
    static const double some[] = {0,      -0.0,    1,        -1,      0.5,     2,      3,      1e-300,
                                  1e300,  0x1p-52, 0x1p-900, 0x1p900, 1e-5,    0.1,    100,    0x1p-30,
                                  0x1p31, 0x1p53,  0x1p63,   -0x1p63, 0x1p-22, 0x1p30, 0x1p62, 0x1p-1074};
    enum { SOME = sizeof some / sizeof *some };
    const uint64_t which = script_below(s, SOME + 8);
    double x;
    if (which < SOME) return some[which];
    if (which == SOME) return __builtin_inf();
    if (which == SOME + 1) return -__builtin_inf();
    if (which == SOME + 2) return __builtin_nan("");
    if (which < SOME + 5) return (double)(int16_t)script_number(s, 2) * 0x1p-8;
    const uint64_t bits = script_number(s, 8);
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
