/* format_raw.c: elements as they lie in memory, little-endian, without anything around them. */
#include "formats.h"

static void begin(source *from)
{
    const size_t size = element_bytes(from->type);
    const uint64_t bytes = input_left(&from->in);
    if (bytes == UINT64_MAX) return;
    if (bytes % size != 0)
        input_error(&from->in, 0, "%llu bytes are not whole elements of %zu", (unsigned long long)bytes, size);
    from->count = bytes / size;
}

static size_t read_elements(source *from, void *values, size_t most)
{
    const size_t size = element_bytes(from->type), bytes = input_bytes(&from->in, values, most * size);
    if (bytes % size != 0)
        input_error(&from->in, 0, "ends within element %llu, of %zu bytes",
                    (unsigned long long)from->done + bytes / size, size);
    return bytes / size;
}

static void nothing(sink *to) { (void)to; }

static void write_elements(sink *to, const void *values, size_t n)
{
    output_put(&to->out, values, n * element_bytes(to->type));
}

const format format_raw = {.name = "raw",
                           .endings = {"raw", "bin"},
                           .is_binary = true,
                           .begin = begin,
                           .read = read_elements,
                           .head = nothing,
                           .write = write_elements,
                           .foot = nothing};
