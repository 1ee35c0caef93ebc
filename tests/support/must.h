/* must.h: what must hold in programs that are no cmocka tests. A failure says where and why, and ends the program: by
 * abort(), which sanitizers and libFuzzer report, or by MUST_END(), if that is defined before. */
#ifndef SIMDP_MUST_H
#define SIMDP_MUST_H

#include <stdio.h>
#include <stdlib.h>

#ifndef MUST_END
#define MUST_END() abort()
#endif

#define MUST(condition, ...)                                                \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                   \
            fputc('\n', stderr);                                            \
            MUST_END();                                                     \
        }                                                                   \
    } while (0)

#endif
