#define _GNU_SOURCE /* O_TMPFILE, F_SETPIPE_SZ */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

enum { BUFFER = 1 << 20, MUCH = BUFFER / 4, LITTLE = BUFFER / 16 };

static const char *target_name(const output *out) { return out->file != NULL ? out->file : "standard output"; }

/* ---- new files that have a name: only where a file system cannot do without ---- */

static char *volatile to_remove;

static void remove_working_file(void)
{
    if (to_remove != NULL) unlink(to_remove);
}

static void remove_and_die(int number)
{
    remove_working_file();
    signal(number, SIG_DFL);
    raise(number);
}

static int open_named(output *out)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    const size_t length = strlen(out->file) + sizeof ".XXXXXX";
    out->working_name = malloc(length);
    if (out->working_name == NULL) failure("no memory");
    snprintf(out->working_name, length, "%s.XXXXXX", out->file);
    const int fd = mkostemp(out->working_name, O_CLOEXEC);
    if (fd == -1) return -1;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    to_remove = out->working_name;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) signal(ends[i], remove_and_die);
    atexit(remove_working_file);
    return fd;
}

/* ---- opening ---- */

/* A file without a name in the folder of the target: whatever ends the program, the kernel removes it. */
static int open_unnamed(const char *file)
{
    const char *slash = strrchr(file, '/');
    char folder[4096];
    const size_t length = slash == NULL ? 1 : slash == file ? 1 : (size_t)(slash - file);
    if (length >= sizeof folder) return -1;
    memcpy(folder, slash == NULL ? "." : file, length);
    folder[length] = '\0';
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

static int open_spool(void)
{
    const char *folder = getenv("TMPDIR");
    char name[4096];
    if (folder == NULL || folder[0] == '\0') folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd != -1) return fd;
    snprintf(name, sizeof name, "%s/simdp.XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd == -1) failure("%s: results cannot be kept back there until they are whole: %s", folder, strerror(errno));
    unlink(name);
    return fd;
}

/* Who may read the file that is replaced may read the new one, and nobody else. */
static void keep_rights(int fd, const struct stat *old)
{
    if (fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0) {
        fchmod(fd, old->st_mode & 0700); /* a group that we are not in */
        return;
    }
    fchmod(fd, old->st_mode & 0777);
}

static void open_target(output *out)
{
    struct stat about;
    char target;
    out->real = realpath(out->file, NULL); /* a link stays, and what it names is replaced */
    if (out->real != NULL) out->file = out->real;
    const bool is_there = stat(out->file, &about) == 0;
    if (!is_there && readlink(out->file, &target, 1) != -1) failure("%s: a link to nothing that is there", out->file);
    if (is_there && !S_ISREG(about.st_mode)) { /* a device or a pipe is written as it is */
        out->fd = open(out->file, O_WRONLY | O_CLOEXEC);
    } else if (!is_there || access(out->file, W_OK) == 0) {
        out->is_new = true;
        out->fd = open_unnamed(out->file);
        if (out->fd == -1) out->fd = open_named(out);
    } else {
        out->fd = -1;
    }
    if (out->fd == -1) failure("%s: cannot be written: %s", out->file, strerror(errno));
    if (out->is_new && is_there) keep_rights(out->fd, &about);
}

/* The device too: as a file it would replace what standard output goes to, and all that was there before. */
bool output_is_standard(const char *file)
{
    return file == NULL || strcmp(file, "-") == 0 || strcmp(file, "/dev/stdout") == 0;
}

void output_open(output *out, const char *file, bool keep_back)
{
    *out = (output){.fd = STDOUT_FILENO, .spool = -1};
    out->buffer = malloc(BUFFER);
    if (out->buffer == NULL) failure("no memory");
    if (!output_is_standard(file)) {
        out->file = file;
        open_target(out);
    }
    out->keeps_back = keep_back && !out->is_new;
    /* of a pipe: fewer changes between the two programs */
    out->pages.is_off = fcntl(out->fd, F_SETPIPE_SZ, BUFFER) == -1 && fcntl(out->fd, F_GETPIPE_SZ) == -1;
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is told by write */
}

/* ---- writing ---- */

static void write_all(const output *out, int fd, const void *bytes, size_t count)
{
    const char *from = bytes;
    while (count > 0) {
        const ssize_t done = write(fd, from, count);
        if (done == -1 && errno == EINTR) continue;
        if (done == -1 && errno == EAGAIN) { /* somebody made the pipe one that does not wait */
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (done == -1 && errno == EPIPE && fd == out->fd) { /* where the signal was not taken: as if it were */
            signal(SIGPIPE, SIG_DFL);
            raise(SIGPIPE);
        }
        if (done == -1)
            failure("cannot write to %s: %s", fd == out->fd ? target_name(out) : "a temporary file", strerror(errno));
        from += done;
        count -= (size_t)done;
    }
}

static void flush_pages(output *out)
{
    if (out->pages.used == out->pages.given) return;
    const unsigned char *left;
    const size_t count = pipe_pages_give(&out->pages, out->fd, &left);
    write_all(out, out->fd, left, count);
    pipe_pages_next(&out->pages);
}

static void flush(output *out)
{
    flush_pages(out);
    if (out->keeps_back && out->spool == -1) out->spool = open_spool();
    write_all(out, out->keeps_back ? out->spool : out->fd, out->buffer, out->used);
    out->used = 0;
}

/* Into a pipe a copy of our own, to pages that the caches still have, costs less than that of the kernel. */
static void put_much(output *out, const unsigned char *bytes, size_t count)
{
    if (out->used > 0) flush(out);
    while (count > 0 && !out->pages.is_off) {
        const size_t taken = pipe_pages_put(&out->pages, bytes, count);
        if (taken == 0) flush_pages(out);
        bytes += taken;
        count -= taken;
    }
    write_all(out, out->fd, bytes, count);
}

void *output_place(output *out, size_t count)
{
    if (out->keeps_back || out->pages.is_off || count < LITTLE || count > MUCH) return NULL;
    if (out->used > 0) flush(out);
    void *place = pipe_pages_place(&out->pages, count);
    if (place != NULL || out->pages.is_off) return place;
    flush_pages(out);
    return pipe_pages_place(&out->pages, count);
}

void output_put(output *out, const void *bytes, size_t count)
{
    const bool is_in_place = out->pages.pages != NULL && bytes == out->pages.pages + out->pages.used;
    if (!out->keeps_back && (count >= MUCH || is_in_place)) {
        put_much(out, bytes, count);
        return;
    }
    if (count > BUFFER - out->used) flush(out);
    for (const char *from = bytes; count > 0;) {
        const size_t part = count < BUFFER - out->used ? count : BUFFER - out->used;
        memcpy(out->buffer + out->used, from, part);
        out->used += part;
        from += part;
        count -= part;
        if (out->used == BUFFER && count > 0) flush(out);
    }
}

void output_text(output *out, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) failure("a line of results is too long");
    output_put(out, text, (size_t)length);
}

bool output_can_rewrite(const output *out) { return out->keeps_back || out->is_new; }

void output_rewrite(output *out, const void *bytes, size_t count)
{
    if (out->keeps_back && out->spool == -1) { /* all of it is still in memory */
        memcpy(out->buffer, bytes, count < out->used ? count : out->used);
        return;
    }
    flush(out);
    const int fd = out->keeps_back ? out->spool : out->fd;
    if (pwrite(fd, bytes, count, 0) != (ssize_t)count) failure("cannot write to %s", target_name(out));
}

/* ---- the end ---- */

static void copy_spool(output *out)
{
    flush(out);
    if (lseek(out->spool, 0, SEEK_SET) != 0) failure("a temporary file cannot be read: %s", strerror(errno));
    for (;;) {
        const ssize_t got = read(out->spool, out->buffer, BUFFER);
        if (got == -1 && errno == EINTR) continue;
        if (got == -1) failure("a temporary file cannot be read: %s", strerror(errno));
        if (got == 0) break;
        write_all(out, out->fd, out->buffer, (size_t)got);
    }
    close(out->spool);
}

/* All of it is on the disk before it has its name: after a power failure the name stands for the old file or for the whole
 * new one. */
static void settle(const output *out)
{
    int done;
    do done = fsync(out->fd);
    while (done == -1 && errno == EINTR);
    if (done == -1 && errno != EINVAL && errno != ENOTSUP) /* of a file system that has no disk */
        failure("cannot write to %s: %s", out->file, strerror(errno));
}

/* Gives an unnamed file a name beside the target's, so that one step puts it in its place. */
static void name_file(output *out)
{
    char from[64];
    const size_t length = strlen(out->file) + 32;
    out->working_name = malloc(length);
    if (out->working_name == NULL) failure("no memory");
    snprintf(from, sizeof from, "/proc/self/fd/%d", out->fd);
    snprintf(out->working_name, length, "%s.%ld", out->file, (long)getpid());
    if (linkat(AT_FDCWD, from, AT_FDCWD, out->working_name, AT_SYMLINK_FOLLOW) != 0)
        failure("%s: cannot be made: %s", out->file, strerror(errno));
}

void output_end(output *out)
{
    if (out->spool != -1) {
        copy_spool(out);
    } else {
        flush_pages(out);
        write_all(out, out->fd, out->buffer, out->used);
    }
    if (out->is_new) settle(out);
    if (out->is_new && out->working_name == NULL) name_file(out);
    if (out->file != NULL && close(out->fd) != 0) failure("cannot write to %s: %s", out->file, strerror(errno));
    if (out->is_new && rename(out->working_name, out->file) != 0) {
        const int reason = errno;
        unlink(out->working_name);
        failure("%s: cannot be made: %s", out->file, strerror(reason));
    }
    to_remove = NULL;
    free(out->working_name);
    free(out->real);
    free(out->buffer);
    pipe_pages_end(&out->pages);
    *out = (output){.fd = -1, .spool = -1};
}
