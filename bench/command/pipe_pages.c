#define _GNU_SOURCE /* vmsplice, madvise */
#include "pipe_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A process that was copied shares its pages with the copy until one of them writes; then the kernel looks whether
 * anybody else still has the page, and only in that case makes a new one. The copy ends at once: what remains is that
 * question, for pages which a pipe, or whoever took them from there, may still hold. */
static bool share_pages(void)
{
    const pid_t copy = fork();
    if (copy == 0) _exit(0);
    if (copy == -1) return false;
    while (waitpid(copy, NULL, 0) == -1 && errno == EINTR) {}
    return true;
}

/* Does the kernel look? Before Linux 5.18 it asked of a huge page only whether another process had it, and wrote into what
 * a pipe held. So a huge page that nobody else has yet is tried out, in a pipe of our own. */
static bool does_kernel_look(unsigned char *pages)
{
    volatile unsigned char *const page = pages;
    const long before = faults();
    const struct iovec part = {pages, 1};
    unsigned char held = 0;
    int ends[2];
    page[0] = page[HUGE_PAGE - 1] = 1;
    if (faults() - before != 1 || pipe2(ends, O_CLOEXEC) != 0) return false; /* not huge: perhaps the next time */
    bool looks = vmsplice(ends[1], &part, 1, 0) == 1 && share_pages();
    page[0] = 2;
    looks = looks && read(ends[0], &held, 1) == 1 && held == 1;
    close(ends[0]);
    close(ends[1]);
    return looks;
}

/* A huge page is one fault, and shared pages of the rest of the program are a hundred; in small pieces a single huge page
 * is 512, and costs more than the kernel's copy. */
void pipe_pages_next(pipe_pages *to)
{
    to->given = to->used;
    if (to->pages == NULL || to->used < BYTES) return;
    const bool are_dear = faults() - to->faults > FAULTS_MOST;
    const bool are_shared = !are_dear && to->is_looked_at && share_pages();
    if (!are_shared && madvise(to->pages, BYTES, MADV_DONTNEED) != 0) to->is_off = true; /* new ones */
    if (!are_shared && ++to->dear > DEAR_MOST) to->is_off = true;
    if (!are_dear && !to->is_looked_at && !to->is_off) to->is_looked_at = does_kernel_look(to->pages);
    to->used = to->given = 0;
    to->faults = faults();
}

void pipe_pages_end(pipe_pages *to)
{
    if (to->mapping != NULL) munmap(to->mapping, BYTES + HUGE_PAGE);
    *to = (pipe_pages){.is_off = true};
}
