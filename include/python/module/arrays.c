/* arrays.c: arguments of calls: numbers, arrays by the buffer protocol, keywords. */
#include "module.h"

#include <string.h>

size_t kind_size(char kind) { return kind == 'f' || kind == 'I' ? 4 : kind == 'B' ? 1 : 8; }

static const char *kind_name(char kind)
{
    switch (kind) {
    case 'd': return "float64";
    case 'f': return "float32";
    case 'q': return "int64";
    case 'Q': return "uint64";
    case 'I': return "uint32";
    case 'B': return "uint8 or bool";
    default: return "a struct";
    }
}

/* The kind of a buffer's elements, or 0 for one that the library has no function for. */
static char kind_of(const Py_buffer *b)
{
    const char *format = b->format != NULL ? b->format : "B";
    if (format[0] == '@' || format[0] == '=' || format[0] == '<') format++; /* little-endian, as the machine */
    if (format[0] == 'T') return 'T';
    if (format[0] == '\0' || format[1] != '\0') return 0;
    switch (format[0]) {
    case 'd': return b->itemsize == 8 ? 'd' : 0;
    case 'f': return b->itemsize == 4 ? 'f' : 0;
    case 'q':
    case 'l':
    case 'n': return b->itemsize == 8 ? 'q' : 0;
    case 'Q':
    case 'L':
    case 'N': return b->itemsize == 8 ? 'Q' : 0;
    case 'I': return b->itemsize == 4 ? 'I' : 0;
    case 'B':
    case '?': return b->itemsize == 1 ? 'B' : 0;
    default: return 0;
    }
}

/* What NumPy calls the elements of a buffer, of those types that it has one letter for; else the buffer's own word. */
static const char *name_of_format(const char *letter)
{
    static const struct {
        const char *letters, *name;
    } names[] = {{"e", "float16"},  {"f", "float32"}, {"d", "float64"}, {"g", "longdouble"}, {"b", "int8"},
                 {"h", "int16"},    {"i", "int32"},   {"lqn", "int64"}, {"H", "uint16"},     {"I", "uint32"},
                 {"LQN", "uint64"}, {"B", "uint8"},   {"?", "bool"},    {"O", "object"}};
    for (size_t i = 0; letter[0] != '\0' && letter[1] == '\0' && i < sizeof names / sizeof *names; i++) {
        if (strchr(names[i].letters, letter[0]) != NULL) return names[i].name;
    }
    return letter;
}

/* Says whether copy=True would help: it makes doubles of floats and of integers, but no integers of floats. */
static void raise_kind(const char *name, const char *kinds, const char *found)
{
    const char *plain = found + (found[0] == '>' || found[0] == '<' || found[0] == '=');
    const char *numbers = strchr(kinds, 'd') != NULL ? "efdgbhilqnHILQNB?" : "bhilqnHILQNB?";
    const bool converts = kinds[0] != 'T' && plain[0] != '\0' && plain[1] == '\0' && strchr(numbers, plain[0]) != NULL;
    PyErr_Format(PyExc_TypeError, "%s: an array of %s%s%s%s%s is wanted, not of %s%s%s", name, kind_name(kinds[0]),
                 kinds[1] ? " or " : "", kinds[1] ? kind_name(kinds[1]) : "", kinds[1] && kinds[2] ? " or " : "",
                 kinds[1] && kinds[2] ? kind_name(kinds[2]) : "", found[0] == '>' ? "big-endian " : "",
                 name_of_format(plain), converts ? "; copy=True converts it" : "");
}

/* The error of a buffer that could not be had says what to do; a KeyboardInterrupt or MemoryError stays what it is. */
static void explain_buffer_error(const char *name, bool writable)
{
    if (!PyErr_ExceptionMatches(PyExc_ValueError) && !PyErr_ExceptionMatches(PyExc_BufferError) &&
        !PyErr_ExceptionMatches(PyExc_TypeError))
        return;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: a C-contiguous%s array is wanted%s", name, writable ? ", writable" : "",
                 writable ? "" : "; copy=True converts others");
}

static bool hold_buffer(array *a, PyObject *object, const char *name, const char *kinds, bool writable)
{
    const int flags = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, &a->buffer, flags) != 0) {
        explain_buffer_error(name, writable);
        return false;
    }
    a->held = true;
    a->kind = kind_of(&a->buffer);
    if (a->kind == 0 || strchr(kinds, a->kind) == NULL) {
        raise_kind(name, kinds, a->buffer.format != NULL ? a->buffer.format : "bytes");
        array_drop(a);
        return false;
    }
    a->data = a->buffer.buf;
    a->n = a->buffer.itemsize > 0 ? (size_t)(a->buffer.len / a->buffer.itemsize) : 0;
    a->is_scalar = a->buffer.ndim == 0;
    return true;
}

/* A Python number is an array of one element. Integers beyond the type are cut: data never raises. A value
 * that is no uint32 becomes the largest one, which no report names. */
static bool take_number(array *a, PyObject *object, const char *kinds)
{
    a->n = 1;
    a->is_scalar = true;
    if (PyFloat_Check(object) && strchr(kinds, 'd') != NULL) {
        a->kind = 'd';
        a->local.d = PyFloat_AsDouble(object);
        a->data = &a->local;
        return true;
    }
    if (PyBool_Check(object)) {
        if (strchr(kinds, 'B') == NULL) return false;
        a->kind = 'B';
        a->local.b = object == Py_True;
        a->data = &a->local;
        return true;
    }
    if (!PyLong_Check(object)) return false;
    int overflow = 0;
    const int64_t whole = PyLong_AsLongLongAndOverflow(object, &overflow);
    a->data = &a->local;
    if (strchr(kinds, 'q') != NULL) {
        a->kind = 'q';
        a->local.q = overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : whole;
        return true;
    }
    if (strchr(kinds, 'I') != NULL) {
        a->kind = 'I';
        a->local.i = overflow != 0 || whole < 0 || whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole;
        return true;
    }
    if (strchr(kinds, 'B') != NULL) {
        a->kind = 'B';
        a->local.b = overflow != 0 || whole != 0;
        return true;
    }
    return false;
}

/* simdp._convert.view or .copied makes an array of NumPy of other objects. */
static PyObject *converted(PyObject *object, const char *how, const char *kinds)
{
    PyObject *helper = convert_helper(how);
    return helper != NULL ? PyObject_CallFunction(helper, "Os", object, kinds) : NULL;
}

/* An array of NumPy with a mask hands out what is under it, too: refused. What is no subclass is known at a glance. */
static bool is_masked(PyObject *object, const char *name)
{
    static PyObject *plain; /* numpy.ndarray */
    if (plain == NULL) plain = Py_XNewRef(convert_helper("ndarray"));
    if (plain == NULL) return true;
    if ((PyObject *)Py_TYPE(object) == plain) return false;
    PyObject *helper = convert_helper("is_masked");
    PyObject *answer = helper != NULL ? PyObject_CallFunctionObjArgs(helper, object, NULL) : NULL;
    const bool masked = answer != Py_False;
    if (answer == Py_True)
        PyErr_Format(PyExc_TypeError, "%s: an array with a mask: take its filled() or compressed()", name);
    Py_XDECREF(answer);
    return masked;
}

bool array_read(array *a, PyObject *object, const char *name, const char *kinds, bool copy)
{
    memset(a, 0, sizeof *a);
    if (take_number(a, object, kinds)) return true;
    memset(a, 0, sizeof *a);
    if (PyObject_CheckBuffer(object) && !copy) {
        if (is_masked(object, name)) return false;
        return hold_buffer(a, object, name, kinds, false);
    }
    a->owner = converted(object, copy ? "copied" : "view", kinds);
    if (a->owner == NULL) return false;
    if (hold_buffer(a, a->owner, name, kinds, false)) return true;
    array_drop(a);
    return false;
}

bool array_write(array *a, PyObject *object, const char *name, const char *kinds)
{
    memset(a, 0, sizeof *a);
    if (PyObject_CheckBuffer(object)) return hold_buffer(a, object, name, kinds, true);
    a->owner = converted(object, "shared", kinds);
    if (a->owner == NULL) return false;
    if (hold_buffer(a, a->owner, name, kinds, true)) return true;
    array_drop(a);
    return false;
}

void array_drop(array *a)
{
    if (a->held) PyBuffer_Release(&a->buffer);
    Py_XDECREF(a->owner);
    memset(a, 0, sizeof *a);
}

bool array_is_aligned(const array *a, const char *name)
{
    if ((uintptr_t)a->data % kind_size(a->kind) == 0) return true;
    PyErr_Format(PyExc_TypeError, "%s: an array whose numbers are aligned is wanted", name);
    return false;
}

PyObject *array_new(PyObject *shape, char kind)
{
    PyObject *helper = convert_helper("empty");
    return helper != NULL ? PyObject_CallFunction(helper, "OC", shape, kind) : NULL;
}

PyObject *array_new_like(const array *like)
{
    const int dimensions = like->held ? like->buffer.ndim : 0;
    PyObject *shape = PyTuple_New(dimensions);
    for (int i = 0; shape != NULL && i < dimensions; i++) {
        PyObject *length = PyLong_FromSsize_t(like->buffer.shape[i]);
        if (length == NULL || PyTuple_SetItem(shape, i, length) != 0) Py_CLEAR(shape);
    }
    PyObject *made = shape != NULL ? array_new(shape, like->kind) : NULL;
    Py_XDECREF(shape);
    return made;
}

bool arrays_overlap_in_part(const array *a, const array *b)
{
    const char *first = a->data, *second = b->data;
    const size_t bytes = a->n * kind_size(a->kind), others = b->n * kind_size(b->kind);
    return first != second && first < second + others && second < first + bytes;
}

/* ---- keywords ---- */

static int place_of(keywords *k, PyObject *name)
{
    for (int i = 0; k->names[i] != NULL; i++) {
        if (k->interned[i] == NULL) k->interned[i] = PyUnicode_InternFromString(k->names[i]);
        if (k->interned[i] == name) return i;
    }
    for (int i = 0; k->names[i] != NULL; i++) {
        if (PyUnicode_CompareWithASCIIString(name, k->names[i]) == 0) return i;
    }
    return -1;
}

bool keywords_take(keywords *k, const char *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **values)
{
    if (nargs > k->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", function, k->positional,
                     nargs);
        return false;
    }
    for (int i = 0; k->names[i] != NULL; i++) values[i] = i < nargs ? args[i] : NULL;
    const Py_ssize_t named = kwnames != NULL ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(kwnames, i);
        const int place = place_of(k, name);
        if (place < 0 || values[place] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         place < 0 ? "%s() got an unexpected keyword argument '%U'"
                                   : "%s() got multiple values for argument '%U'",
                         function, name);
            return false;
        }
        values[place] = args[nargs + i];
    }
    return true;
}

bool take_double(PyObject *object, const char *name, double *out)
{
    *out = PyFloat_AsDouble(object);
    if (*out != -1.0 || !PyErr_Occurred()) return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s: a number is wanted, not %R", name, (PyObject *)Py_TYPE(object));
    else if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s: beyond the range of doubles", name);
    return false;
}

bool take_word(PyObject *object, const char *name, uint64_t *out)
{
    PyObject *whole = PyNumber_Index(object);
    if (whole == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "%s: a whole number is wanted, not %R", name, (PyObject *)Py_TYPE(object));
        return false;
    }
    *out = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (*out != UINT64_MAX || !PyErr_Occurred()) return true;
    PyErr_Format(PyExc_ValueError, "%s: a whole number from 0 to 2^64 - 1 is wanted", name);
    return false;
}

bool take_truth(PyObject *object, bool *out)
{
    const int truth = object != NULL ? PyObject_IsTrue(object) : 0;
    *out = truth > 0;
    return truth >= 0;
}
