/* failing_system.h: an operating system that can fail, and memory for what calls write meanwhile. A file that includes it
 * defines _GNU_SOURCE first. */
#ifndef SIMDP_FAILING_SYSTEM_H
#define SIMDP_FAILING_SYSTEM_H

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/test_support.h"

static volatile sig_atomic_t getrandom_fails;
static volatile uint64_t *fork_page; /* the page that the kernel would empty in a forked child */

ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    if (getrandom_fails) {
        errno = ENOSYS;
        return -1;
    }
    return syscall(SYS_getrandom, out, n, flags);
}

int madvise(void *address, size_t n, int advice)
{
    if (advice == MADV_WIPEONFORK) fork_page = address;
    return (int)syscall(SYS_madvise, address, n, advice);
}

/* What a fork does to the child's streams, in a process that has no more entropy. */
static void fork_without_entropy(void)
{
    *fork_page = 0;
    getrandom_fails = 1;
}

/* ---- memory: the output begins a page, with canaries before and after it ---- */

enum { PAGE = 4096, OUT_PAGES = 16, CANARIES = 512 };
#define CANARY 0xa5

static unsigned char *arena, *out; /* a page, then out, with canaries before and after it */

static bool arena_made(void)
{
    arena = mmap(NULL, (OUT_PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    out = arena + PAGE;
    return arena != MAP_FAILED;
}

/* Whether nothing before `out` and behind the `bytes` of it has changed. */
static bool canaries_live(size_t bytes)
{
    for (size_t i = 0; i < CANARIES; i++)
        if (out[bytes + i] != CANARY || out[-1 - (ptrdiff_t)i] != CANARY) return false;
    return true;
}

static bool trap_is_set;

/* The first touch of the output ends up here; the call goes on afterwards. */
static void on_touch(int signal, siginfo_t *info, void *context)
{
    const unsigned char *at = info->si_addr;
    (void)context;
    if (!trap_is_set || at < out || at >= out + OUT_PAGES * PAGE) _exit(100 + signal);
    trap_is_set = false;
    mprotect(out, OUT_PAGES * PAGE, PROT_READ | PROT_WRITE);
    fork_without_entropy();
}

/* From now on the first touch of the output is a fork without entropy. */
static void set_trap(void)
{
    trap_is_set = true;
    if (mprotect(out, OUT_PAGES * PAGE, PROT_NONE) != 0) abort();
}

/* Whether the trap was there for nothing; it is no more. */
static bool trap_was_idle(void)
{
    const bool idle = trap_is_set;
    mprotect(out, OUT_PAGES * PAGE, PROT_READ | PROT_WRITE);
    trap_is_set = false;
    getrandom_fails = 0;
    return idle;
}

/* ---- external sources ---- */

typedef struct {
    size_t calls, fails_at;
    simdp_status status;
} failing_source;

static simdp_status some_words(void *context, uint64_t *words, size_t n)
{
    failing_source *s = context;
    const bool fails = s->calls++ == s->fails_at;
    for (size_t i = 0; i < (fails ? n / 2 : n); i++) words[i] = 0x9e3779b97f4a7c15 * (s->calls + 31 * i);
    return fails ? s->status : SIMDP_OK;
}

#endif
