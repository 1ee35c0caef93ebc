/* rng.c: Rng, a stream of random bits with a lock, and the default stream of each thread. */
#include "module.h"

#include <sched.h>

PyTypeObject *rng_type;

/* A lock holds 1 + the count of forks that made this process. One with another count was held by a thread of the parent
 * when it forked: here nobody holds it, and nobody would ever let go of it. */
void busy_lock(atomic_int *busy)
{
    const int mine = 1 + (int)fork_count();
    for (;;) {
        int seen = atomic_load_explicit(busy, memory_order_relaxed);
        if (seen != mine &&
            atomic_compare_exchange_weak_explicit(busy, &seen, mine, memory_order_acquire, memory_order_relaxed))
            return;
        Py_BEGIN_ALLOW_THREADS;
        sched_yield();
        Py_END_ALLOW_THREADS;
    }
}

void busy_unlock(atomic_int *busy) { atomic_store_explicit(busy, 0, memory_order_release); }

/* ---- the type ---- */

/* A key of 32 bytes from any object with a buffer. */
static bool open_keyed(simdp_rng *rng, PyObject *key, uint64_t stream)
{
    Py_buffer b;
    if (PyUnicode_Check(key) || !PyObject_CheckBuffer(key)) {
        PyErr_SetString(PyExc_TypeError, "key: 32 bytes are wanted");
        return false;
    }
    if (PyObject_GetBuffer(key, &b, PyBUF_SIMPLE) != 0) return false;
    const bool fits = b.len == 32;
    const simdp_status status = fits ? simdp_rng_init_deterministic(rng, b.buf, stream) : SIMDP_OK;
    PyBuffer_Release(&b);
    if (!fits) PyErr_SetString(PyExc_ValueError, "key: 32 bytes are wanted");
    return fits && !raise_status(status);
}

static bool open_rng(rng_object *self, PyObject *key, PyObject *stream)
{
    uint64_t number = 0;
    if (stream != NULL && !take_word(stream, "stream", &number)) return false;
    self->keyed = key != NULL && key != Py_None;
    if (self->keyed) return open_keyed(&self->rng, key, number);
    if (number != 0) {
        PyErr_SetString(PyExc_ValueError, "stream: only streams with a key have numbers");
        return false;
    }
    return !raise_status(simdp_rng_init(&self->rng));
}

static PyObject *rng_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"key", "stream", NULL};
    PyObject *key = NULL, *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:Rng", names, &key, &stream)) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    rng_object *self = (rng_object *)allocate(type, 0);
    if (self != NULL && !open_rng(self, key, stream)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void rng_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    simdp_rng_wipe(&((rng_object *)object)->rng);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *rng_seek(PyObject *object, PyObject *position)
{
    rng_object *self = (rng_object *)object;
    uint64_t to;
    if (!take_word(position, "position", &to)) return NULL;
    busy_lock(&self->busy);
    const simdp_status status = simdp_rng_seek(&self->rng, to);
    busy_unlock(&self->busy);
    if (status != SIMDP_OK && rng_was_closed(self)) return NULL;
    if (status == SIMDP_EPARAM && !self->keyed) {
        PyErr_SetString(PyExc_ValueError, "position: only streams with a key have positions to seek");
        return NULL;
    }
    if (raise_status(status)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *rng_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    rng_object *self = (rng_object *)object;
    busy_lock(&self->busy);
    simdp_rng_wipe(&self->rng);
    self->keyed = false;
    self->closed = true;
    busy_unlock(&self->busy);
    Py_RETURN_NONE;
}

bool rng_was_closed(const rng_object *rng)
{
    if (rng->closed) PyErr_SetString(PyExc_ValueError, "rng: it was closed");
    return rng->closed;
}

static PyObject *rng_enter(PyObject *object, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(object);
}

static PyObject *rng_exit(PyObject *object, PyObject *args)
{
    (void)args;
    return rng_close(object, NULL);
}

static PyObject *rng_refuse_copy(PyObject *object, PyObject *args)
{
    (void)object;
    (void)args;
    PyErr_SetString(PyExc_TypeError, "a copy of a stream would repeat its bits: open another one");
    return NULL;
}

static PyObject *rng_position(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(simdp_rng_position(&((rng_object *)object)->rng));
}

bool rng_add_type(PyObject *module)
{
    static PyMethodDef methods[32] = {
        {"seek", rng_seek, METH_O,
         PyDoc_STR(
             "seek($self, position, /)\n--\n\nThe next position to use, counted from the start of the stream; only "
             "streams with a key can.\n\n>>> rng = simdp.Rng(key=bytes(32))\n>>> first = rng.words(4)\n>>> "
             "rng.seek(2)\n>>> bool(rng.words(1)[0] == first[2])\nTrue\n")},
        {"close", rng_close, METH_NOARGS,
         PyDoc_STR("close($self, /)\n--\n\nOverwrites the stream with zeros. Later use is a ValueError.")},
        {"__enter__", rng_enter, METH_NOARGS, NULL},
        {"__exit__", rng_exit, METH_VARARGS, NULL},
        {"__copy__", rng_refuse_copy, METH_VARARGS, NULL},
        {"__deepcopy__", rng_refuse_copy, METH_VARARGS, NULL},
        {"__reduce_ex__", rng_refuse_copy, METH_VARARGS, NULL},
    };
    static PyGetSetDef getters[] = {
        {"position", rng_position, NULL, PyDoc_STR("The next position, in elements from the start of the stream."),
         NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Rng(key=None, stream=0)\n--\n\n"
                    "A stream of random bits, AES-128 in counter mode.\n\n"
                    "Without a key it takes the operating system's entropy, for real releases. A key of 32 bytes\n"
                    "gives the bytes that C gives with it, for tests and replays: whoever has the key can remove\n"
                    "the noise. Streams with different numbers share nothing.\n\n"
                    ">>> rng = simdp.Rng(key=bytes(32), stream=7)\n"
                    ">>> rng.laplace(3, scale=2.0).round(3)\n"
                    "array([ 4.931,  0.875, -3.964])\n"
                    ">>> rng.position\n3\n"},
        {Py_tp_new, rng_new},
        {Py_tp_dealloc, rng_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_getset, getters},
        {0, NULL},
    };
    static PyType_Spec spec = {"simdp.Rng", sizeof(rng_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    size_t place = 0;
    while (methods[place].ml_name != NULL) place++;
    for (PyMethodDef *m = rng_draw_methods; m->ml_name != NULL; m++) methods[place++] = *m;
    rng_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return rng_type != NULL && PyModule_AddObjectRef(module, "Rng", (PyObject *)rng_type) == 0;
}

/* ---- the stream of a thread ---- */

/* It lies in the dictionary of the thread's state, so that it is wiped when the thread ends. */
static rng_object *thread_rng(void)
{
    static PyObject *name;
    if (name == NULL) name = PyUnicode_InternFromString("simdp.rng");
    PyObject *state = PyThreadState_GetDict();
    if (name == NULL || state == NULL) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "this thread has no Python state");
        return NULL;
    }
    PyObject *there = PyDict_GetItemWithError(state, name);
    if (there != NULL && PyObject_TypeCheck(there, rng_type)) return (rng_object *)Py_NewRef(there);
    if (PyErr_Occurred()) return NULL;
    PyObject *made = PyObject_CallNoArgs((PyObject *)rng_type);
    if (made != NULL && PyDict_SetItem(state, name, made) != 0) Py_CLEAR(made);
    return (rng_object *)made;
}

rng_object *rng_take(PyObject *object)
{
    if (object == NULL || object == Py_None) return thread_rng();
    if (PyObject_TypeCheck(object, rng_type)) return (rng_object *)Py_NewRef(object);
    PyErr_Format(PyExc_TypeError, "rng: an Rng is wanted, not %R", (PyObject *)Py_TYPE(object));
    return NULL;
}
