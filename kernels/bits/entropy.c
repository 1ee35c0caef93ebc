/* entropy.c: getrandom(2), and fork detection by a page that the kernel empties in a child (MADV_WIPEONFORK). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bits/entropy.h"

simdp_status simdp_entropy_bytes(void *out, size_t n)
{
    ssize_t got;
    do got = getrandom(out, n, 0);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)n ? SIMDP_OK : SIMDP_EENTROPY; /* up to 256 bytes arrive whole or not at all */
}

/* The page's one number, or NULL before the first use and where the kernel knows no such page. */
static _Atomic(_Atomic uint64_t *) marked_page;
static atomic_bool no_page;

static _Atomic uint64_t *fork_page(void)
{
    _Atomic uint64_t *page = atomic_load_explicit(&marked_page, memory_order_acquire);
    if (page != NULL || atomic_load(&no_page)) return page;
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED || madvise(fresh, size, MADV_WIPEONFORK) != 0) {
        if (fresh != MAP_FAILED) munmap(fresh, size);
        atomic_store(&no_page, true);
        return NULL;
    }
    if (atomic_compare_exchange_strong(&marked_page, &page, (_Atomic uint64_t *)fresh)) return fresh;
    munmap(fresh, size); /* another thread was first */
    return page;
}

simdp_status simdp_entropy_fork_mark(uint64_t *mark)
{
    _Atomic uint64_t *page = fork_page();
    /* Before Linux 4.14 there is no such page. Process ids would not do: parent and child can both be 1, each in a
     * namespace of its own. */
    if (page == NULL) return SIMDP_EENTROPY;
    uint64_t now = atomic_load_explicit(page, memory_order_relaxed);
    if (now == 0) { /* first use in this process */
        uint64_t fresh;
        if (simdp_entropy_bytes(&fresh, sizeof fresh) != SIMDP_OK) return SIMDP_EENTROPY;
        fresh |= 1;
        if (atomic_compare_exchange_strong(page, &now, fresh)) now = fresh;
    }
    *mark = now;
    return SIMDP_OK;
}
