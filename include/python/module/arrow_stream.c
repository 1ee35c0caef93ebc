/* arrow_stream.c: arrays in chunks, of Arrow's C stream interface, joined to one array: values one after the other, and a
 * bitmap of what is valid if a chunk has one. */
#include "arrow.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    struct values *chunk;
    size_t count, room;
    int64_t length, null_count; /* -1: not counted */
    bool has_bits;
} chunk_list;

static void drop_chunks(chunk_list *list)
{
    for (size_t i = 0; i < list->count; i++) list->chunk[i].release(&list->chunk[i]);
    free(list->chunk);
}

static bool raise_of_stream(struct stream *from, int code)
{
    const char *text = from->get_last_error(from);
    PyErr_Format(PyExc_OSError, "the stream of Arrow failed: %s (%d)", text != NULL ? text : "no reason is given",
                 code);
    return false;
}

/* A place for one more chunk, which is not counted yet; NULL with an exception. */
static struct values *next_place(chunk_list *list)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 8;
        struct values *more = realloc(list->chunk, room * sizeof *more);
        if (more == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        list->chunk = more;
        list->room = room;
    }
    memset(&list->chunk[list->count], 0, sizeof *list->chunk);
    return &list->chunk[list->count];
}

static bool read_chunks(struct stream *from, const struct schema *s, chunk_list *list)
{
    for (;;) {
        struct values *v = next_place(list);
        if (v == NULL) return false;
        const int code = from->get_next(from, v);
        if (code != 0) return raise_of_stream(from, code);
        if (v->release == NULL) return true; /* the end */
        list->count++;
        if (!arrow_is_usable(s, v)) return false;
        if (v->length > PY_SSIZE_T_MAX / 16 - list->length) return PyErr_NoMemory() != NULL;
        list->length += v->length;
        list->null_count = list->null_count < 0 || v->null_count < 0 ? -1 : list->null_count + v->null_count;
        list->has_bits |= v->length > 0 && v->buffers[0] != NULL;
    }
}

/* What a joined array owns. */
typedef struct {
    const void *buffers[2];
    uint8_t *valid;
    char *data;
} joined;

static void free_joined(joined *j)
{
    if (j == NULL) return;
    free(j->valid);
    free(j->data);
    free(j);
}

static void release_joined(struct values *v)
{
    free_joined(v->private_data);
    v->release = NULL;
}

static void copy_chunks(joined *j, const chunk_list *list, int64_t size)
{
    static const uint8_t ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    int64_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct values *v = &list->chunk[i];
        if (v->length == 0) continue;
        memcpy(j->data + at * size, (const char *)v->buffers[1] + v->offset * size, (size_t)(v->length * size));
        if (j->valid != NULL && v->buffers[0] != NULL) {
            arrow_copy_bits(j->valid, at, v->buffers[0], v->offset, v->length);
        } else if (j->valid != NULL) { /* a chunk without a bitmap is valid everywhere */
            for (int64_t k = 0; k < v->length; k += 64)
                arrow_copy_bits(j->valid, at + k, ones, 0, v->length - k < 64 ? v->length - k : 64);
        }
        at += v->length;
    }
}

static PyObject *joined_capsule(const chunk_list *list, int64_t size)
{
    struct values *out = calloc(1, sizeof *out);
    joined *j = calloc(1, sizeof *j);
    if (j != NULL) {
        j->data = malloc((size_t)(list->length * size) + 1);
        j->valid = list->has_bits ? calloc((size_t)list->length / 8 + 1, 1) : NULL;
    }
    if (out == NULL || j == NULL || j->data == NULL || (list->has_bits && j->valid == NULL)) {
        free(out);
        free_joined(j);
        return PyErr_NoMemory();
    }
    copy_chunks(j, list, size);
    j->buffers[0] = j->valid;
    j->buffers[1] = j->data;
    *out = (struct values){.length = list->length,
                           .null_count = list->has_bits ? list->null_count : 0,
                           .n_buffers = 2,
                           .buffers = j->buffers,
                           .release = release_joined,
                           .private_data = j};
    PyObject *capsule = PyCapsule_New(out, "arrow_array", arrow_drop_values);
    if (capsule == NULL) {
        free_joined(j);
        free(out);
    }
    return capsule;
}

bool arrow_join(PyObject *capsule, PyObject **schema, PyObject **values)
{
    struct stream *from = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (from == NULL) return false;
    if (from->release == NULL) {
        PyErr_SetString(PyExc_ValueError, "the stream of Arrow is used up");
        return false;
    }
    struct schema *s = calloc(1, sizeof *s);
    if (s == NULL) return PyErr_NoMemory() != NULL;
    *schema = PyCapsule_New(s, "arrow_schema", arrow_drop_schema);
    if (*schema == NULL) {
        free(s);
        return false;
    }
    chunk_list list = {.count = 0};
    const int code = from->get_schema(from, s);
    if (code != 0) return raise_of_stream(from, code);
    const char *format = s->format != NULL ? arrow_element_format(s->format) : NULL;
    if (format == NULL) return arrow_is_usable(s, NULL);
    if (read_chunks(from, s, &list)) *values = joined_capsule(&list, (int64_t)kind_size(format[0]));
    drop_chunks(&list);
    return *values != NULL;
}
