/* rarely.h: the only ways in which constant-time code may branch on answers, scores or random bits, or form an address
 * from them. Marking them lets tests/calls/secrets.c, which makes memcheck follow every secret through the library,
 * refuse all others.
 *
 *   rarely(condition)   a branch that is taken so seldom, or for such data, that the public header states it
 *   nearby(index)       an index into a table or list of a few cache lines that every call reads
 *   published(p, n)     n bytes that are output, so that what follows may depend on them */
#ifndef SIMDP_VEC_RARELY_H
#define SIMDP_VEC_RARELY_H

#include <stddef.h>
#include <stdint.h>

#ifdef SIMDP_FOLLOW_SECRETS
#include <valgrind/memcheck.h>
static inline __attribute__((unused)) uint64_t rarely_known(uint64_t value)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(&value, sizeof value);
    return value;
}
#define rarely(condition) __builtin_expect(rarely_known((uint64_t)(condition)) != 0, 0)
#define nearby(index)     rarely_known((uint64_t)(index))
#define published(p, n)   (void)VALGRIND_MAKE_MEM_DEFINED(p, n)
#else
#define rarely(condition) __builtin_expect((condition) != 0, 0)
#define nearby(index)     (index)
#define published(p, n)   (void)(p), (void)(n)
#endif

#endif
