#define _POSIX_C_SOURCE 200809L
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

enum { BLOCK = 1 << 18 };
static unsigned char block[BLOCK];

void input_error(const input *in, size_t line, const char *format, ...)
{
    char reason[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (line == 0) usage_error("%s: %s", in->name, reason);
    usage_error("%s, line %zu: %s", in->name, line, reason);
}

void input_open(input *in, const char *file)
{
    const bool is_standard = file == NULL || strcmp(file, "-") == 0;
    *in = (input){.fd = STDIN_FILENO, .name = "standard input", .line = 1, .next = block, .end = block};
    if (is_standard) return;
    in->name = file;
    in->fd = open(file, O_RDONLY | O_CLOEXEC);
    if (in->fd == -1) usage_error("%s: %s", file, strerror(errno));
}

void input_close(input *in)
{
    if (in->fd != STDIN_FILENO) close(in->fd);
}

static size_t read_some(const input *in, void *to, size_t most)
{
    ssize_t got;
    do got = read(in->fd, to, most);
    while (got == -1 && errno == EINTR);
    if (got == -1) usage_error("%s: cannot be read: %s", in->name, strerror(errno));
    return (size_t)got;
}

int input_next(input *in)
{
    if (in->next == in->end) {
        in->next = block;
        in->end = block + read_some(in, block, BLOCK);
        if (in->next == in->end) return -1;
    }
    const int c = *in->next++;
    if (c == '\0') input_error(in, in->line, "a NUL byte, which is not text");
    in->line += c == '\n';
    return c;
}

size_t input_bytes(input *in, void *to, size_t most)
{
    size_t done = (size_t)(in->end - in->next);
    if (done > most) done = most;
    memcpy(to, in->next, done);
    in->next += done;
    while (done < most) {
        const size_t got = read_some(in, (char *)to + done, most - done);
        if (got == 0) break;
        done += got;
    }
    return done;
}

uint64_t input_left(const input *in)
{
    struct stat about;
    if (fstat(in->fd, &about) != 0 || !S_ISREG(about.st_mode)) return UINT64_MAX;
    const off_t at = lseek(in->fd, 0, SEEK_CUR);
    if (at < 0) return UINT64_MAX;
    return (uint64_t)(about.st_size > at ? about.st_size - at : 0) + (uint64_t)(in->end - in->next);
}

bool input_line(input *in, char *line, size_t room, size_t *number)
{
    size_t length = 0;
    *number = in->line;
    int c = input_next(in);
    if (c == -1) return false;
    for (; c != -1 && c != '\n'; c = input_next(in)) {
        if (length + 1 == room) input_error(in, *number, "longer than %zu characters", room - 1);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    return true;
}
