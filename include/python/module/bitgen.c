/* bitgen.c: BitGenerator, the cipher's words for numpy.random.Generator, which wants an object with a capsule, a lock
 * and spawn. NumPy's own class is not inherited: it cannot be from outside of its build. */
#include "module.h"

#include <pthread.h>
#include <string.h>

/* What NumPy's capsule points to, as its documentation has it (numpy/random/bitgen.h). */
typedef struct {
    void *state;
    uint64_t (*next_uint64)(void *state);
    uint32_t (*next_uint32)(void *state);
    double (*next_double)(void *state);
    uint64_t (*next_raw)(void *state);
} numpy_bitgen;

enum { WORDS = 2048, CHILDREN_MOST = 1 << 16 /* a gigabyte */ };

/* One block of memory that the capsule owns: it outlives the object, should only the capsule be kept. */
typedef struct bit_state {
    numpy_bitgen interface;
    uint64_t *next; /* among words; their end: none is left */
    uint32_t half;
    bool has_half, keyed;
    struct bit_state *before, *after; /* in the list of all */
    uint64_t words[WORDS];
    simdp_rng rng;
} bit_state;

typedef struct {
    PyObject_HEAD bit_state *state; /* of the capsule */
    PyObject *lock, *capsule;
    uint8_t key[32];
    uint64_t stream, children;
    bool keyed;
} bitgen_object;

static PyTypeObject *bitgen_type;

/* No program draws from here to the end of a stream, 2^64, where NumPy could not be told that words are gone. */
static const uint64_t POSITION_MOST = (uint64_t)1 << 63;

static uint64_t place_of(const bit_state *s) { return (uint64_t)(s->next - s->words); }

static void forget_words(bit_state *s)
{
    s->next = s->words + WORDS;
    s->has_half = false;
}

/* A forked child must not use words that its parent has in store, but for those of a key, which are the same wherever they
 * are drawn. It forgets them itself: to compare processes at each word took a fifth of a word's time. A child of a bare clone(),
 * which calls no handlers, would repeat them; Python makes none. The lock is held over a fork, so that the child finds the
 * list whole; nothing is called that takes another one meanwhile. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static bit_state *all;
static volatile unsigned forks;

unsigned fork_count(void) { return forks & 0xffffff; }

static void before_fork(void) { pthread_mutex_lock(&all_lock); }
static void in_parent(void) { pthread_mutex_unlock(&all_lock); }
static void in_child(void)
{
    forks++;
    for (bit_state *s = all; s != NULL; s = s->after) {
        if (!s->keyed) forget_words(s);
    }
    pthread_mutex_unlock(&all_lock);
}

static void enter_list(bit_state *s)
{
    pthread_mutex_lock(&all_lock);
    s->after = all;
    if (all != NULL) all->before = s;
    all = s;
    pthread_mutex_unlock(&all_lock);
}

static void leave_list(bit_state *s)
{
    pthread_mutex_lock(&all_lock);
    if (s->before != NULL) s->before->after = s->after;
    else all = s->after;
    if (s->after != NULL) s->after->before = s->before;
    pthread_mutex_unlock(&all_lock);
}

/* If a stream fails there is no way to say so: the words are taken from a new stream, or the process ends, since numbers
 * that are not random are worse. */
static void refill(bit_state *s)
{
    if (simdp_rng_words(&s->rng, s->words, WORDS) != SIMDP_OK &&
        (s->keyed || simdp_rng_init(&s->rng) != SIMDP_OK || simdp_rng_words(&s->rng, s->words, WORDS) != SIMDP_OK))
        Py_FatalError("simdp.BitGenerator: the stream failed");
    s->next = s->words;
}

/* A word is overwritten when it is taken: whoever reads the memory later does not find it. */
static inline uint64_t take(bit_state *s, uint64_t *place)
{
    const uint64_t word = *place;
    *place = 0;
    s->next = place + 1;
    return word;
}

static double as_double(uint64_t word) { return (double)(word >> 11) * 0x1p-53; }

/* NumPy calls these once a number. Most of the 1 to 2 ns is the call itself and each branch adds to it, so they have one
 * branch, begin with a line of the cache, and leave by a jump when words are gone, which spares them a stack. On Zen 5 that
 * one branch costs 0.4 ns more once the call has gone to several generators, which no form of it was found to spare. */
#define CALLED_OFTEN __attribute__((aligned(64)))
#define RARE         __attribute__((noinline))

static RARE uint64_t refilled_uint64(bit_state *s)
{
    refill(s);
    return take(s, s->words);
}

static RARE double refilled_double(bit_state *s) { return as_double(refilled_uint64(s)); }

static CALLED_OFTEN uint64_t next_uint64(void *state)
{
    bit_state *s = state;
    uint64_t *place = s->next;
    return place != s->words + WORDS ? take(s, place) : refilled_uint64(s);
}

static CALLED_OFTEN double next_double(void *state)
{
    bit_state *s = state;
    uint64_t *place = s->next;
    return place != s->words + WORDS ? as_double(take(s, place)) : refilled_double(s);
}

/* The low half first, then the high half. */
static CALLED_OFTEN uint32_t next_uint32(void *state)
{
    bit_state *s = state;
    if (s->has_half) {
        s->has_half = false;
        return s->half;
    }
    const uint64_t word = next_uint64(s);
    s->has_half = true;
    s->half = (uint32_t)(word >> 32);
    return (uint32_t)word;
}

/* ---- the type ---- */

static bool open_stream(bitgen_object *self, PyObject *key, uint64_t stream)
{
    bit_state *s = self->state;
    forget_words(s);
    s->keyed = self->keyed = key != NULL && key != Py_None;
    self->stream = stream;
    if (!self->keyed) {
        if (stream != 0) PyErr_SetString(PyExc_ValueError, "stream: only streams with a key have numbers");
        return stream == 0 && !raise_status(simdp_rng_init(&s->rng));
    }
    Py_buffer b;
    if (PyUnicode_Check(key) || !PyObject_CheckBuffer(key)) {
        PyErr_SetString(PyExc_TypeError, "key: 32 bytes are wanted");
        return false;
    }
    if (PyObject_GetBuffer(key, &b, PyBUF_SIMPLE) != 0) return false;
    const bool fits = b.len == 32;
    if (fits) memcpy(self->key, b.buf, 32);
    else PyErr_SetString(PyExc_ValueError, "key: 32 bytes are wanted");
    PyBuffer_Release(&b);
    return fits && !raise_status(simdp_rng_init_deterministic(&s->rng, self->key, stream));
}

static void wipe(void *memory, size_t bytes)
{
    memset(memory, 0, bytes);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static void free_state(bit_state *s)
{
    leave_list(s);
    simdp_rng_wipe(&s->rng);
    wipe(s->words, sizeof s->words);
    PyMem_Free(s);
}

static void free_capsule(PyObject *capsule) { free_state(PyCapsule_GetPointer(capsule, "BitGenerator")); }

static bool make_members(bitgen_object *self)
{
    self->state = PyMem_Calloc(1, sizeof *self->state);
    if (self->state == NULL) return PyErr_NoMemory() != NULL;
    enter_list(self->state);
    self->state->interface = (numpy_bitgen){self->state, next_uint64, next_uint32, next_double, next_uint64};
    self->capsule = PyCapsule_New(&self->state->interface, "BitGenerator", free_capsule);
    if (self->capsule == NULL) free_state(self->state);
    PyObject *threading = PyImport_ImportModule("threading");
    self->lock = threading != NULL ? PyObject_CallMethod(threading, "RLock", NULL) : NULL;
    Py_XDECREF(threading);
    return self->lock != NULL && self->capsule != NULL;
}

static PyObject *bitgen_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"key", "stream", NULL};
    PyObject *key = NULL, *stream = NULL;
    uint64_t number = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:BitGenerator", names, &key, &stream)) return NULL;
    if (stream != NULL && !take_word(stream, "stream", &number)) return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    bitgen_object *self = (bitgen_object *)allocate(type, 0);
    if (self == NULL) return NULL;
    if (!make_members(self) || !open_stream(self, key, number)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void bitgen_dealloc(PyObject *object)
{
    bitgen_object *self = (bitgen_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->lock);
    Py_XDECREF(self->capsule);
    wipe(self->key, sizeof self->key);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* Child i of stream s has the key, and the number made of words of the parent's stream at places that it never draws
 * from: the key's stream 2^64 - 1 - s. Without a key, a child is a stream of its own. */
static PyObject *spawn_one(bitgen_object *self)
{
    if (!self->keyed) return PyObject_CallNoArgs((PyObject *)bitgen_type);
    simdp_rng names;
    uint64_t material[5] = {0};
    simdp_status status = simdp_rng_init_deterministic(&names, self->key, UINT64_MAX - self->stream);
    if (status == SIMDP_OK) status = simdp_rng_seek(&names, 5 * self->children);
    if (status == SIMDP_OK) status = simdp_rng_words(&names, material, 5);
    simdp_rng_wipe(&names);
    if (raise_status(status)) return NULL;
    self->children++;
    PyObject *child = PyObject_CallFunction((PyObject *)bitgen_type, "y#K", (const char *)material, (Py_ssize_t)32,
                                            (unsigned long long)(material[4] >> 1));
    wipe(material, sizeof material);
    return child;
}

static PyObject *bitgen_spawn(PyObject *object, PyObject *count)
{
    uint64_t n;
    if (!take_word(count, "n_children", &n)) return NULL;
    if (n > CHILDREN_MOST) return PyErr_Format(PyExc_ValueError, "n_children: at most %d a call", (int)CHILDREN_MOST);
    PyObject *list = PyList_New(0);
    for (uint64_t i = 0; list != NULL && i < n; i++) {
        PyObject *child = spawn_one((bitgen_object *)object);
        if (child == NULL || PyList_Append(list, child) != 0) Py_CLEAR(list);
        Py_XDECREF(child);
    }
    return list;
}

/* Holds NumPy's lock while the stream moves. */
static bool hold(bitgen_object *self, const char *how)
{
    PyObject *done = PyObject_CallMethod(self->lock, how, NULL);
    Py_XDECREF(done);
    return done != NULL;
}

static PyObject *bitgen_seek(PyObject *object, PyObject *position)
{
    bitgen_object *self = (bitgen_object *)object;
    uint64_t to;
    if (!take_word(position, "position", &to)) return NULL;
    if (to > POSITION_MOST) return PyErr_Format(PyExc_ValueError, "position: at most 2^63");
    if (!hold(self, "acquire")) return NULL;
    const simdp_status status = simdp_rng_seek(&self->state->rng, to);
    if (status == SIMDP_OK) forget_words(self->state);
    const bool released = hold(self, "release");
    if (released && status == SIMDP_EPARAM && !self->keyed)
        PyErr_SetString(PyExc_ValueError, "position: only generators with a key have positions to seek");
    if (!released || raise_status(status)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *bitgen_position(PyObject *object, void *closure)
{
    const bit_state *s = ((bitgen_object *)object)->state;
    (void)closure;
    return PyLong_FromUnsignedLongLong(simdp_rng_position(&s->rng) - (WORDS - place_of(s)));
}

static PyObject *bitgen_random_raw(PyObject *object, PyObject *unused)
{
    bitgen_object *self = (bitgen_object *)object;
    (void)unused;
    if (!hold(self, "acquire")) return NULL;
    const uint64_t word = next_uint64(self->state);
    return hold(self, "release") ? PyLong_FromUnsignedLongLong(word) : NULL;
}

static PyObject *bitgen_member(PyObject *object, void *which)
{
    bitgen_object *self = (bitgen_object *)object;
    return Py_NewRef(which != NULL ? self->lock : self->capsule);
}

static PyObject *bitgen_refuse_copy(PyObject *object, PyObject *args)
{
    (void)object;
    (void)args;
    PyErr_SetString(PyExc_TypeError, "a copy of a stream would repeat its bits: spawn makes others");
    return NULL;
}

bool bitgen_add_type(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"spawn", bitgen_spawn, METH_O,
         PyDoc_STR(
             "spawn($self, n_children, /)\n--\n\nBit generators that share nothing with this one.\n\n>>> len(simdp."
             "BitGenerator().spawn(3))\n3\n")},
        {"seek", bitgen_seek, METH_O,
         PyDoc_STR("seek($self, position, /)\n--\n\nThe next word, counted from the start of the stream; only with a "
                   "key.\n\n>>> bits = simdp.BitGenerator(key=bytes(32))\n>>> first = bits.random_raw()\n>>> "
                   "bits.seek(0)\n>>> bits.random_raw() == first\nTrue\n")},
        {"random_raw", bitgen_random_raw, METH_NOARGS, PyDoc_STR("random_raw($self, /)\n--\n\nThe next word.")},
        {"__copy__", bitgen_refuse_copy, METH_VARARGS, NULL},
        {"__deepcopy__", bitgen_refuse_copy, METH_VARARGS, NULL},
        {"__reduce_ex__", bitgen_refuse_copy, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL},
    };
    static char lock_mark;
    static PyGetSetDef getters[] = {
        {"capsule", bitgen_member, NULL, PyDoc_STR("What numpy.random.Generator calls."), NULL},
        {"lock", bitgen_member, NULL, PyDoc_STR("Held by numpy.random.Generator while it draws."), &lock_mark},
        {"position", bitgen_position, NULL, PyDoc_STR("The next word, from the start of the stream."), NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, "BitGenerator(key=None, stream=0)\n--\n\n"
                    "The cipher's words for numpy.random.Generator, and so for every distribution of NumPy and SciPy.\n"
                    "Raw numbers, as from any generator: for noisy answers take simdp.release.\n\n"
                    "A double is made of the 53 high bits of a word; of two 32-bit numbers the first is a word's low\n"
                    "half. Words are overwritten when they are taken. Children of a fork draw other words, unless\n"
                    "there is a key.\n\n"
                    ">>> generator = numpy.random.Generator(simdp.BitGenerator(key=bytes(32)))\n"
                    ">>> generator.integers(10, size=3).shape\n(3,)\n"},
        {Py_tp_new, bitgen_new},
        {Py_tp_dealloc, bitgen_dealloc},
        {Py_tp_methods, methods},
        {Py_tp_getset, getters},
        {0, NULL},
    };
    static PyType_Spec spec = {"simdp.BitGenerator", sizeof(bitgen_object), 0, Py_TPFLAGS_DEFAULT, slots};
    static bool watches_forks; /* once: with two locks a fork would wait for itself */
    watches_forks = watches_forks || pthread_atfork(before_fork, in_parent, in_child) == 0;
    if (!watches_forks) return PyErr_NoMemory() != NULL;
    bitgen_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return bitgen_type != NULL && PyModule_AddObjectRef(module, "BitGenerator", (PyObject *)bitgen_type) == 0;
}
