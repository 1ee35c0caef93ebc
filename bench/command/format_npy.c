/* format_npy.c: an array of NumPy, of any shape, in one file: a head that says type and shape, then raw elements. The
 * head is hostile until it is read to its end: every length is checked before it is used. */
#include <stdio.h>
#include <string.h>

#include "formats.h"
#include "options.h"

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
enum { HEAD_MOST = 4096, HEAD_UNIT = 64 };

/* ---- reading the head: a Python dictionary of three entries ---- */

typedef struct {
    const source *from;
    const char *at; /* ends with a NUL */
} cursor;

_Noreturn static void broken(const cursor *c, const char *what)
{
    input_error(&c->from->in, 0, "the head of the npy file is broken: %s", what);
}

static void skip_blanks(cursor *c) { c->at += strspn(c->at, " \t\n"); }

static bool take(cursor *c, const char *word)
{
    skip_blanks(c);
    const size_t length = strlen(word);
    if (strncmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

static void take_string(cursor *c, char *to, size_t room)
{
    skip_blanks(c);
    const char quote = *c->at;
    if (quote != '\'' && quote != '"') broken(c, "a name in quotes is missing");
    const char *end = strchr(c->at + 1, quote);
    if (end == NULL || (size_t)(end - c->at) > room) broken(c, "a name has no end, or is too long");
    memcpy(to, c->at + 1, (size_t)(end - c->at) - 1);
    to[end - c->at - 1] = '\0';
    c->at = end + 1;
}

/* A tuple of lengths; their product is the number of elements. */
static void take_shape(cursor *c, source *from)
{
    const uint64_t most = (uint64_t)INT64_MAX / element_bytes(from->type);
    uint64_t count = 1;
    bool is_empty = false; /* a length of 0, which makes any others harmless */
    if (!take(c, "(")) broken(c, "shape is no tuple");
    const char *begin = c->at - 1;
    while (!take(c, ")")) {
        uint64_t length = 0;
        skip_blanks(c);
        if (*c->at < '0' || *c->at > '9') broken(c, "shape has something else than lengths");
        for (; *c->at >= '0' && *c->at <= '9'; c->at++) {
            if (length > most / 10) broken(c, "a length is too large");
            length = 10 * length + (uint64_t)(*c->at - '0');
        }
        if (length == 0) is_empty = true;
        else if (count > most / length) broken(c, "the array is larger than 2^63 bytes");
        else count *= length;
        if (!take(c, ",")) {
            if (!take(c, ")")) broken(c, "shape has no end");
            break;
        }
    }
    const size_t text = (size_t)(c->at - begin);
    if (text >= sizeof from->npy.shape) broken(c, "too many dimensions");
    memcpy(from->npy.shape, begin, text);
    from->npy.shape[text] = '\0';
    from->count = is_empty ? 0 : count;
}

static void take_entries(cursor *c, source *from)
{
    char name[32], descr[32] = "";
    int order = -1;
    bool has_shape = false;
    if (!take(c, "{")) broken(c, "it is no dictionary");
    while (!take(c, "}")) {
        take_string(c, name, sizeof name);
        if (!take(c, ":")) broken(c, "a name has no value");
        if (strcmp(name, "descr") == 0) {
            take_string(c, descr, sizeof descr);
        } else if (strcmp(name, "fortran_order") == 0) {
            order = take(c, "True") ? 1 : take(c, "False") ? 0 : -1;
            if (order == -1) broken(c, "fortran_order is neither True nor False");
        } else if (strcmp(name, "shape") == 0) {
            take_shape(c, from);
            has_shape = true;
        } else {
            broken(c, "it has an unknown name");
        }
        if (take(c, ",")) continue;
        if (!take(c, "}")) broken(c, "it has no end");
        break;
    }
    if (descr[0] == '\0' || order == -1 || !has_shape) broken(c, "descr, fortran_order or shape is missing");
    if (!element_fits(from->type, descr))
        input_error(&from->in, 0, "its elements are '%s', and this needs '%s'", descr, element_descr(from->type));
    from->npy.fortran_order = order == 1;
}

static void begin(source *from)
{
    unsigned char first[12];
    char text[HEAD_MOST + 1];
    if (input_bytes(&from->in, first, 8) != 8 || memcmp(first, magic, sizeof magic) != 0)
        input_error(&from->in, 0, "is not an npy file");
    if (first[6] < 1 || first[6] > 3) input_error(&from->in, 0, "is of npy version %d, and 1 to 3 are known", first[6]);
    const size_t width = first[6] == 1 ? 2 : 4;
    size_t length = 0;
    if (input_bytes(&from->in, first + 8, width) != width) input_error(&from->in, 0, "ends within its head");
    for (size_t i = width; i-- > 0;) length = 256 * length + first[8 + i];
    if (length > HEAD_MOST) input_error(&from->in, 0, "has a head of %zu bytes, more than %d", length, HEAD_MOST);
    if (input_bytes(&from->in, text, length) != length) input_error(&from->in, 0, "ends within its head");
    text[length] = '\0';
    if (strlen(text) != length) input_error(&from->in, 0, "has a NUL byte in its head");
    cursor c = {from, text};
    take_entries(&c, from);
    skip_blanks(&c);
    if (*c.at != '\0') broken(&c, "something follows it");
    const uint64_t bytes = input_left(&from->in), wanted = from->count * element_bytes(from->type);
    if (bytes != UINT64_MAX && bytes != wanted)
        input_error(&from->in, 0, "has %llu bytes of elements, and its head says %llu", (unsigned long long)bytes,
                    (unsigned long long)wanted);
}

static size_t read_elements(source *from, void *values, size_t most)
{
    const uint64_t left = from->count - from->done;
    const size_t size = element_bytes(from->type), n = left < most ? (size_t)left : most;
    char beyond;
    if (input_bytes(&from->in, values, n * size) != n * size)
        input_error(&from->in, 0, "ends before its element %llu", (unsigned long long)from->count - 1);
    if (n == 0 && input_bytes(&from->in, &beyond, 1) != 0) input_error(&from->in, 0, "goes on after its last element");
    return n;
}

/* ---- writing ---- */

/* The head for so many elements, of the same length for all numbers of them. */
static size_t make_head(const sink *to, uint64_t count, char *head)
{
    const bool is_same = to->from != NULL && to->from->format == &format_npy;
    char shape[32], entries[HEAD_MOST];
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)count);
    const int text = snprintf(entries, sizeof entries, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
                              element_descr(to->type), is_same && to->from->npy.fortran_order ? "True" : "False",
                              is_same ? to->from->npy.shape : shape);
    size_t length = 10 + (size_t)text + 1; /* magic, version, length; the line end */
    length = length <= 2 * HEAD_UNIT ? 2 * HEAD_UNIT : (length + HEAD_UNIT - 1) / HEAD_UNIT * HEAD_UNIT;
    memset(head, ' ', length);
    memcpy(head, magic, sizeof magic);
    head[6] = 1;
    head[7] = 0;
    head[8] = (char)((length - 10) & 0xff);
    head[9] = (char)((length - 10) >> 8);
    memcpy(head + 10, entries, (size_t)text);
    head[length - 1] = '\n';
    return length;
}

static void head(sink *to)
{
    char bytes[HEAD_MOST + HEAD_UNIT];
    const bool is_known = to->count != COUNT_UNKNOWN;
    if (!is_known && !output_can_rewrite(&to->out)) usage_error("npy needs to know how many elements come: --count N");
    output_put(&to->out, bytes, make_head(to, is_known ? to->count : 0, bytes));
}

static void foot(sink *to)
{
    char bytes[HEAD_MOST + HEAD_UNIT];
    if (to->count == COUNT_UNKNOWN) output_rewrite(&to->out, bytes, make_head(to, to->done, bytes));
}

static void write_elements(sink *to, const void *values, size_t n)
{
    output_put(&to->out, values, n * element_bytes(to->type));
}

const format format_npy = {.name = "npy",
                           .endings = {"npy"},
                           .is_binary = true,
                           .needs_count = true,
                           .begin = begin,
                           .read = read_elements,
                           .head = head,
                           .write = write_elements,
                           .foot = foot};
