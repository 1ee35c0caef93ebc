/* response_table.h: losses of randomized response, by answer: 0, 1, and the leaks 2 ("the bit is 0") and 3. */
#ifndef SIMDP_RESPONSE_TABLE_H
#define SIMDP_RESPONSE_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* False if a parameter lies outside its range. */
static inline bool response_table(double table[8], int bit0, int bit1, double epsilon)
{
    if (bit0 < 0 || bit0 > 1 || bit1 < 0 || bit1 > 1 || !(epsilon >= 0.0 && epsilon <= 0x1.fffffffffffffp+1023))
        return false;
    for (int i = 0; i < 8; i++) table[i] = NAN;
    table[bit0] = bit0 == bit1 ? 0.0 : epsilon;
    table[1 - bit0] = bit0 == bit1 ? 0.0 : -epsilon;
    return true;
}

static inline bool response_table_leaky(double table[8], int bit0, int bit1, double epsilon, double leak)
{
    if (!response_table(table, bit0, bit1, epsilon) || !(leak >= 0.0 && leak <= 1.0)) return false;
    if (leak == 1.0) table[0] = table[1] = 0.0;
    table[2] = table[3] = 0.0;
    if (leak == 0.0 || bit0 == bit1) return true;
    table[2 + bit0] = INFINITY;
    table[2 + bit1] = -INFINITY;
    return true;
}

#endif
