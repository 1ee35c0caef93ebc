#define _GNU_SOURCE /* vmsplice, madvise */
#include "pipe_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

enum { HUGE_PAGE = 1 << 21, BYTES = 8 * HUGE_PAGE, PIECE = 1 << 20, FAULTS_MOST = 400, DEAR_MOST = 8 };

static long faults(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? used.ru_minflt : 0;
}

static void begin(pipe_pages *to)
{
    void *mapping = mmap(NULL, BYTES + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) {
        to->is_off = true;
        return;
    }
    to->mapping = mapping;
    to->pages = (unsigned char *)mapping + (HUGE_PAGE - (uintptr_t)mapping % HUGE_PAGE) % HUGE_PAGE;
    madvise(to->pages, BYTES, MADV_HUGEPAGE);
    to->faults = faults();
}

static size_t end_of_piece(const pipe_pages *to) { return to->given + PIECE < BYTES ? to->given + PIECE : BYTES; }

void *pipe_pages_place(pipe_pages *to, size_t count)
{
    if (to->pages == NULL && !to->is_off) begin(to);
    return to->is_off || count > end_of_piece(to) - to->used ? NULL : to->pages + to->used;
}

size_t pipe_pages_put(pipe_pages *to, const void *bytes, size_t count)
{
    if (to->pages == NULL && !to->is_off) begin(to);
    if (to->is_off) return 0;
    const size_t room = end_of_piece(to) - to->used, part = count < room ? count : room;
    if (bytes != to->pages + to->used) memcpy(to->pages + to->used, bytes, part);
    to->used += part;
    return part;
}

size_t pipe_pages_give(pipe_pages *to, int fd, const unsigned char **left)
{
    while (to->given < to->used) {
        const struct iovec part = {to->pages + to->given, to->used - to->given};
        const ssize_t done = vmsplice(fd, &part, 1, 0);
        if (done == -1 && errno == EINTR) continue;
        if (done <= 0) {
            to->is_off = true;
            break;
        }
        to->given += (size_t)done;
    }
    *left = to->pages + to->given;
    return to->used - to->given;
}

/* The pages that were handed over are given up: who still holds one keeps it as it is, and the next bytes are made in new
 * ones. A huge page is one fault; in small pieces it is 512, which cost more than the kernel's copy. */
void pipe_pages_next(pipe_pages *to)
{
    to->given = to->used;
    if (to->pages == NULL || to->used < BYTES) return;
    if (faults() - to->faults > FAULTS_MOST && ++to->dear > DEAR_MOST) to->is_off = true;
    if (madvise(to->pages, BYTES, MADV_DONTNEED) != 0) to->is_off = true;
    to->used = to->given = 0;
    to->faults = faults();
}

void pipe_pages_end(pipe_pages *to)
{
    if (to->mapping != NULL) munmap(to->mapping, BYTES + HUGE_PAGE);
    *to = (pipe_pages){.is_off = true};
}
