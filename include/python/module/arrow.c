/* arrow.c: arrays of Arrow's C data interface. ArrowArray reads the values of one through the buffer protocol, and makes one of
 * other values with the same bitmap of what is valid. */
#include "arrow.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject_HEAD PyObject *schema, *array; /* capsules of somebody else's */
    PyObject *replaced;                     /* NULL, or an array with other values */
    Py_ssize_t shape, stride;
} arrow_object;

static PyTypeObject *arrow_type;

static struct schema *schema_of(const arrow_object *a) { return PyCapsule_GetPointer(a->schema, "arrow_schema"); }
static struct values *values_of(const arrow_object *a) { return PyCapsule_GetPointer(a->array, "arrow_array"); }

const char *arrow_element_format(const char *format)
{
    if (strcmp(format, "g") == 0) return "d";
    if (strcmp(format, "f") == 0) return "f";
    if (strcmp(format, "l") == 0) return "q";
    if (strcmp(format, "I") == 0) return "I";
    return NULL;
}

bool arrow_is_usable(const struct schema *s, const struct values *v)
{
    if (s->release != NULL && s->format != NULL && arrow_element_format(s->format) != NULL && s->dictionary == NULL &&
        v != NULL && v->release != NULL && v->n_buffers == 2 && v->buffers != NULL && v->length >= 0 &&
        v->offset >= 0 && v->offset <= PY_SSIZE_T_MAX / 16 - v->length && (v->length == 0 || v->buffers[1] != NULL))
        return true;
    PyErr_Format(PyExc_TypeError, "an Arrow array of float64, float32, int64 or uint32 is wanted, not of format %s",
                 s->release != NULL && s->format != NULL ? s->format : "nothing");
    return false;
}

static PyObject *make(PyObject *schema, PyObject *values, PyObject *replaced)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(arrow_type, Py_tp_alloc);
    arrow_object *self = (arrow_object *)allocate(arrow_type, 0);
    if (self == NULL) return NULL;
    self->schema = Py_NewRef(schema);
    self->array = Py_NewRef(values);
    self->replaced = Py_XNewRef(replaced);
    const struct schema *s = schema_of(self);
    const struct values *v = values_of(self);
    if (s != NULL && v != NULL && arrow_is_usable(s, v)) return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

/* Capsules of our own with what others held. Theirs are left empty, as Arrow's pages have it: whoever else takes what is in
 * them would free it while we read it. */
static PyObject *moved_schema(PyObject *capsule)
{
    struct schema *from = PyCapsule_GetPointer(capsule, "arrow_schema");
    struct schema *to = from != NULL ? calloc(1, sizeof *to) : NULL;
    if (to == NULL) return from != NULL ? PyErr_NoMemory() : NULL;
    PyObject *made = PyCapsule_New(to, "arrow_schema", arrow_drop_schema);
    if (made == NULL) {
        free(to);
        return NULL;
    }
    *to = *from;
    from->release = NULL;
    return made;
}

static PyObject *moved_values(PyObject *capsule)
{
    struct values *from = PyCapsule_GetPointer(capsule, "arrow_array");
    struct values *to = from != NULL ? calloc(1, sizeof *to) : NULL;
    if (to == NULL) return from != NULL ? PyErr_NoMemory() : NULL;
    PyObject *made = PyCapsule_New(to, "arrow_array", arrow_drop_values);
    if (made == NULL) {
        free(to);
        return NULL;
    }
    *to = *from;
    from->release = NULL;
    return made;
}

static PyObject *from_capsules(PyObject *their_schema, PyObject *their_values)
{
    PyObject *schema = moved_schema(their_schema);
    PyObject *values = schema != NULL ? moved_values(their_values) : NULL;
    PyObject *made = values != NULL ? make(schema, values, NULL) : NULL;
    Py_XDECREF(schema);
    Py_XDECREF(values);
    return made;
}

static PyObject *from_array(PyObject *object)
{
    PyObject *made = NULL, *schema, *values;
    PyObject *pair = PyObject_CallMethod(object, "__arrow_c_array__", NULL);
    if (pair == NULL) return NULL;
    if (!PyTuple_Check(pair)) PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ gave no pair of capsules");
    else if (PyArg_ParseTuple(pair, "OO", &schema, &values)) made = from_capsules(schema, values);
    Py_DECREF(pair);
    return made;
}

static PyObject *from_stream(PyObject *object)
{
    PyObject *made = NULL, *schema = NULL, *values = NULL;
    PyObject *stream = PyObject_CallMethod(object, "__arrow_c_stream__", NULL);
    if (stream == NULL) return NULL;
    if (arrow_join(stream, &schema, &values)) made = make(schema, values, NULL);
    Py_XDECREF(schema);
    Py_XDECREF(values);
    Py_DECREF(stream);
    return made;
}

static PyObject *arrow_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *object;
    (void)type;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "O:ArrowArray", &object)) return NULL;
    const bool in_chunks =
        !PyObject_HasAttrString(object, "__arrow_c_array__") && PyObject_HasAttrString(object, "__arrow_c_stream__");
    return in_chunks ? from_stream(object) : from_array(object);
}

static void arrow_dealloc(PyObject *object)
{
    arrow_object *self = (arrow_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->schema);
    Py_XDECREF(self->array);
    Py_XDECREF(self->replaced);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- values, by the buffer protocol, to be read ---- */

static int arrow_buffer(PyObject *object, Py_buffer *b, int flags)
{
    arrow_object *self = (arrow_object *)object;
    if (self->replaced != NULL) return PyObject_GetBuffer(self->replaced, b, flags & ~PyBUF_WRITABLE);
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "values of Arrow are not written");
        return -1;
    }
    const struct values *v = values_of(self);
    const char *format = arrow_element_format(schema_of(self)->format);
    const Py_ssize_t size = (Py_ssize_t)kind_size(format[0]);
    self->shape = v->length;
    self->stride = size;
    *b = (Py_buffer){.buf = v->length > 0 ? (char *)v->buffers[1] + v->offset * size : (char *)self,
                     .obj = Py_NewRef(object),
                     .len = v->length * size,
                     .itemsize = size,
                     .readonly = 1,
                     .ndim = 1,
                     .format = (flags & PyBUF_FORMAT) ? (char *)format : NULL,
                     .shape = (flags & PyBUF_ND) ? &self->shape : NULL,
                     .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &self->stride : NULL};
    return 0;
}

/* An array with the same bitmap and other values, which must be as many and of the same type. */
static PyObject *arrow_with_values(PyObject *object, PyObject *replaced)
{
    arrow_object *self = (arrow_object *)object;
    array a;
    const char *format = arrow_element_format(schema_of(self)->format);
    if (!array_read(&a, replaced, "values", format, false)) return NULL;
    const bool fits = a.held && a.n == (size_t)values_of(self)->length;
    array_drop(&a);
    if (!fits) return PyErr_Format(PyExc_ValueError, "values: as many as there were are wanted");
    return make(self->schema, self->array, replaced);
}

/* ---- the way out ---- */

/* What an exported array owns. */
typedef struct {
    const void *buffers[2];
    uint8_t *valid;
    Py_buffer held;
} exported;

static void release_schema(struct schema *s) { s->release = NULL; }

static void release_values(struct values *v)
{
    exported *e = v->private_data;
    if (Py_IsInitialized()) { /* others may let go of an array when Python has ended */
        const PyGILState_STATE state = PyGILState_Ensure();
        PyBuffer_Release(&e->held);
        PyGILState_Release(state);
    }
    free(e->valid);
    free(e);
    v->release = NULL;
}

void arrow_drop_schema(PyObject *capsule)
{
    struct schema *s = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (s->release != NULL) s->release(s);
    free(s);
}

void arrow_drop_values(PyObject *capsule)
{
    struct values *v = PyCapsule_GetPointer(capsule, "arrow_array");
    if (v->release != NULL) v->release(v);
    free(v);
}

void arrow_copy_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t first, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t source = first + i, target = at + i;
        to[target / 8] |= (uint8_t)(((from[source / 8] >> (source % 8)) & 1) << (target % 8));
    }
}

/* The bits from offset on, moved to the first place. */
static uint8_t *moved_bits(const uint8_t *bits, int64_t offset, int64_t length)
{
    uint8_t *moved = calloc((size_t)length / 8 + 1, 1);
    if (moved != NULL) arrow_copy_bits(moved, 0, bits, offset, length);
    return moved;
}

static bool fill_export(const arrow_object *self, struct values *out, exported *e)
{
    const struct values *v = values_of(self);
    const uint8_t *bits = v->buffers[0];
    if (PyObject_GetBuffer((PyObject *)self, &e->held, PyBUF_SIMPLE) != 0) return false;
    if (bits != NULL && (e->valid = moved_bits(bits, v->offset, v->length)) == NULL) {
        PyBuffer_Release(&e->held);
        return PyErr_NoMemory() != NULL;
    }
    e->buffers[0] = e->valid;
    e->buffers[1] = e->held.buf;
    *out = (struct values){.length = v->length,
                           .null_count = v->null_count,
                           .n_buffers = 2,
                           .buffers = e->buffers,
                           .release = release_values,
                           .private_data = e};
    return true;
}

static PyObject *export_values(const arrow_object *self)
{
    struct values *out = calloc(1, sizeof *out);
    exported *e = calloc(1, sizeof *e);
    if (out == NULL || e == NULL || !fill_export(self, out, e)) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        free(out);
        free(e);
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(out, "arrow_array", arrow_drop_values);
    if (capsule == NULL) {
        release_values(out);
        free(out);
    }
    return capsule;
}

static PyObject *export_schema(const arrow_object *self)
{
    struct schema *s = calloc(1, sizeof *s);
    if (s == NULL) return PyErr_NoMemory();
    const char *format = schema_of(self)->format; /* a string of our own, which stays */
    *s = (struct schema){.format = strcmp(format, "g") == 0   ? "g"
                                   : strcmp(format, "f") == 0 ? "f"
                                   : strcmp(format, "I") == 0 ? "I"
                                                              : "l",
                         .name = "",
                         .flags = schema_of(self)->flags,
                         .release = release_schema};
    PyObject *capsule = PyCapsule_New(s, "arrow_schema", arrow_drop_schema);
    if (capsule == NULL) free(s);
    return capsule;
}

static PyObject *arrow_c_array(PyObject *object, PyObject *args)
{
    PyObject *requested = NULL;
    if (!PyArg_ParseTuple(args, "|O", &requested)) return NULL; /* a wish for another type may be left unheard */
    PyObject *schema = export_schema((arrow_object *)object);
    PyObject *values = schema != NULL ? export_values((arrow_object *)object) : NULL;
    PyObject *pair = values != NULL ? PyTuple_Pack(2, schema, values) : NULL;
    Py_XDECREF(schema);
    Py_XDECREF(values);
    return pair;
}

static Py_ssize_t arrow_length(PyObject *object) { return values_of((arrow_object *)object)->length; }

bool arrow_add_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"with_values", arrow_with_values, METH_O,
         PyDoc_STR("with_values($self, values, /)\n--\n\nAn array with these values and the same bitmap of what is "
                   "valid.")},
        {"__arrow_c_array__", arrow_c_array, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "ArrowArray(array, /)\n--\n\nAn array of Arrow's C data interface: what a release of Arrow's answers "
         "gives.\nChunks of a stream (a column of a table) are joined to one array. Nulls stay "
         "null.\npyarrow.array(x), polars.Series(x) and the like take it over without a copy of the values."},
        {Py_tp_new, arrow_new},
        {Py_tp_dealloc, arrow_dealloc},
        {Py_bf_getbuffer, arrow_buffer},
        {Py_sq_length, arrow_length},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    static PyType_Spec spec = {"simdp.ArrowArray", sizeof(arrow_object), 0, Py_TPFLAGS_DEFAULT, slots};
    arrow_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return arrow_type != NULL && PyModule_AddObjectRef(module, "ArrowArray", (PyObject *)arrow_type) == 0;
}
