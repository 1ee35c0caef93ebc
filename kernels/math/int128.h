/* int128.h: integers of 128 bits, which gcc and clang have on every 64-bit CPU; __extension__ because C11 has not. */
#ifndef SIMDP_INT128_H
#define SIMDP_INT128_H

__extension__ typedef unsigned __int128 simdp_u128;
__extension__ typedef __int128 simdp_i128;

#endif
