/* arrow.h: the structs of Arrow's C data and stream interfaces (arrow.apache.org/docs/format/CDataInterface.html), declared
 * as those pages have them, and what arrow.c and arrow_stream.c share. */
#ifndef SIMDP_PYTHON_ARROW_H
#define SIMDP_PYTHON_ARROW_H

#include "module.h"

struct schema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct schema **children, *dictionary;
    void (*release)(struct schema *);
    void *private_data;
};

struct values {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct values **children, *dictionary;
    void (*release)(struct values *);
    void *private_data;
};

struct stream {
    int (*get_schema)(struct stream *, struct schema *out);
    int (*get_next)(struct stream *, struct values *out);
    const char *(*get_last_error)(struct stream *);
    void (*release)(struct stream *);
    void *private_data;
};

/* The element's format for the buffer protocol, NULL for types that the library has no function for. */
const char *arrow_element_format(const char *format);

/* Whether the values are an array of such elements; else a TypeError. */
bool arrow_is_usable(const struct schema *s, const struct values *v);

/* Adds n bits of `from`, from its bit `first` on, to `to` at bit `at`, where zeros are. */
void arrow_copy_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t first, int64_t n);

/* Destructors of capsules. */
void arrow_drop_schema(PyObject *capsule);
void arrow_drop_values(PyObject *capsule);

/* The chunks of a capsule with a stream, joined: new capsules of a schema and of one array. */
bool arrow_join(PyObject *capsule, PyObject **schema, PyObject **values);

#endif
