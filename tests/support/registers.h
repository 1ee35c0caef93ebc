/* registers.h: vector registers as a call leaves them: 16 bytes, 32 or 64 of each, by the set that runs. */
#ifndef SIMDP_REGISTERS_H
#define SIMDP_REGISTERS_H

#include "support/test_support.h"

static unsigned char registers[32 * 64];

#define KEEP(move, name, number, bytes) move " %%" name #number ", " #number "*" #bytes "(%0)\n"
#define KEEP_4(move, name, bytes, a, b, c, d) \
    KEEP(move, name, a, bytes) KEEP(move, name, b, bytes) KEEP(move, name, c, bytes) KEEP(move, name, d, bytes)
#define KEEP_16(move, name, bytes)        \
    KEEP_4(move, name, bytes, 0, 1, 2, 3) \
    KEEP_4(move, name, bytes, 4, 5, 6, 7) \
    KEEP_4(move, name, bytes, 8, 9, 10, 11) KEEP_4(move, name, bytes, 12, 13, 14, 15)
#define KEEP_UPPER(move, name, bytes)         \
    KEEP_4(move, name, bytes, 16, 17, 18, 19) \
    KEEP_4(move, name, bytes, 20, 21, 22, 23) \
    KEEP_4(move, name, bytes, 24, 25, 26, 27) KEEP_4(move, name, bytes, 28, 29, 30, 31)

static void keep_registers(void)
{
    const char set = simdp_isa_name()[3]; /* "scalar", "avx2", "avx512" */
    if (set == '5')
        __asm__ volatile(KEEP_16("vmovdqu64", "zmm", 64) KEEP_UPPER("vmovdqu64", "zmm", 64)
                         :
                         : "r"(registers)
                         : "memory");
    else if (set == '2') __asm__ volatile(KEEP_16("vmovdqu", "ymm", 32) : : "r"(registers) : "memory");
    else __asm__ volatile(KEEP_16("movups", "xmm", 16) : : "r"(registers) : "memory");
}

#endif
