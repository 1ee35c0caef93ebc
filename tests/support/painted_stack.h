/* painted_stack.h: runs calls on a thread whose stack was painted before, to see how deep they go and what they leave.
 * A file that includes it defines _GNU_SOURCE first. */
#ifndef SIMDP_PAINTED_STACK_H
#define SIMDP_PAINTED_STACK_H

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "support/test_support.h"

enum { STACK = 1 << 18 };
#define PAINT 0x5b

static unsigned char *stack; /* STACK bytes; a thread begins at the high end */
static size_t call_bytes;    /* of the stack: what lies below the thread's own part */

static bool painted_stack_made(void)
{
    stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return stack != MAP_FAILED;
}

typedef struct {
    void (*call)(void *given);
    void *given;
} painted_call;

/* The end of a thread uses its stack once more: it finds room here, above what the call has used. */
static void *painted_thread(void *of)
{
    const painted_call *const c = (const painted_call *)of;
    volatile unsigned char room[1 << 15];
    call_bytes = (size_t)((volatile unsigned char *)room - stack);
    for (size_t i = 0; i < sizeof room; i += 1024) room[i] = 0;
    c->call(c->given);
    room[0] = 1; /* still there */
    return NULL;
}

static void painted_stack_run(void (*call)(void *given), void *given)
{
    pthread_attr_t attributes;
    pthread_t thread;
    painted_call c = {call, given};
    memset(stack, PAINT, STACK);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, painted_thread, &c), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

/* Bytes from the thread's beginning down to the last that changed. */
static inline size_t painted_stack_depth(void)
{
    size_t i = 0;
    while (i < STACK && stack[i] == PAINT) i++;
    return STACK - i;
}

#endif
