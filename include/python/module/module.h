/* module.h: what the files of the C module simdp._simdp share. The stable ABI of CPython 3.11, and nothing of NumPy:
 * arrays come in through the buffer protocol, and numpy.empty is called as any Python function.
 *
 *   module.c   the module: exceptions, instruction sets, the command
 *   arrays.c   arguments: numbers, arrays by the buffer protocol, keywords
 *   rng.c      Rng: a stream with a lock; the default stream of each thread
 *   threads.c  a call cut over threads by positions
 *   draws.c    noise of Rng
 *   releases.c releases of arrays
 *   memory.c   objects of the library that are plain memory: statistics, audits, filters, distributions
 *   table.c    every other function of the library, a line each
 *   opening.c  functions whose plans hold pointers, or that call back
 *   interact.c adaptive interactions
 *   layout.c   structs and enumerations, as NumPy and Python need to know them
 *   bitgen.c   BitGenerator, for numpy.random.Generator
 *   arrow.c    arrays of Arrow's C data interface; arrow_stream.c: those in chunks
 *   older_glibc.c   what newer versions of glibc renamed, by its older name */
#ifndef SIMDP_PYTHON_MODULE_H
#define SIMDP_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "simdp/simdp.h"

_Static_assert(sizeof(size_t) == 8, "indices are taken as 64-bit words");

/* From this many elements on, a call lets other Python threads run. */
enum { ELEMENTS_WITHOUT_GIL = 2000 };

/* ---- module.c ---- */

/* Sets the exception of a status; true if there was one to set. ValueError for what parameters decide. */
bool raise_status(simdp_status status);
/* The same with a name before its text: that of a function, or of an argument. */
bool raise_status_of(simdp_status status, const char *name);

/* The module's own Python helpers, simdp._convert, imported at the first use. Borrowed. */
PyObject *convert_helper(const char *name);

/* ---- arrays.c ---- */

typedef struct {
    Py_buffer buffer;
    PyObject *owner; /* the object whose buffer it is, if that is not the argument itself */
    void *data;
    size_t n;  /* elements */
    char kind; /* d f q Q I B: double, float, int64_t, uint64_t, uint32_t, bytes; T: structs */
    bool is_scalar;
    bool held;
    union {
        double d;
        int64_t q;
        uint32_t i;
        uint8_t b;
    } local; /* a Python number */
} array;

/* Fills *a from an object that has one of the kinds, any shape, C-contiguous. On failure a TypeError that names the
 * argument. `copy`: what has another layout or type is converted. An array that is written must be one in memory. */
bool array_read(array *a, PyObject *object, const char *name, const char *kinds, bool copy);
bool array_write(array *a, PyObject *object, const char *name, const char *kinds);
void array_drop(array *a);
/* Functions that read their arrays as C objects want them where such objects may be: false with a TypeError if not. */
bool array_is_aligned(const array *a, const char *name);

/* A new array of NumPy like `like` (its shape and kind), or of a shape and a kind. NULL with an exception. */
PyObject *array_new_like(const array *like);
PyObject *array_new(PyObject *shape, char kind);
size_t kind_size(char kind);
bool arrays_overlap_in_part(const array *a, const array *b);

/* Arguments by name. Names are interned once; values that were not given stay NULL. */
typedef struct {
    const char *const *names; /* ends with NULL */
    int positional;           /* how many may be given by position */
    PyObject *interned[16];
} keywords;
bool keywords_take(keywords *k, const char *function, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                   PyObject **values);
bool take_double(PyObject *object, const char *name, double *out);
bool take_word(PyObject *object, const char *name, uint64_t *out);
bool take_truth(PyObject *object, bool *out); /* NULL is false */

/* ---- rng.c ---- */

typedef struct {
    PyObject_HEAD atomic_int busy;
    bool keyed, closed;
    simdp_rng rng;
} rng_object;

extern PyTypeObject *rng_type;
bool rng_add_type(PyObject *module);

/* The stream of an argument: an Rng, or for NULL and None this thread's own. A new reference, or NULL. */
rng_object *rng_take(PyObject *object);
/* True with a ValueError for a stream that was closed. Asked when a call has failed. */
bool rng_was_closed(const rng_object *rng);

/* While it is locked no other thread uses the object. Waits with the GIL released. No Python code runs under it, since
 * that could come back to the same object; and a lock is let go before the GIL is asked for again, since a daemon thread
 * never gets it when the interpreter ends. */
void busy_lock(atomic_int *busy);
void busy_unlock(atomic_int *busy);

/* ---- threads.c ---- */

typedef simdp_status draw_function(simdp_rng *rng, void *out, const void *in, size_t n, const double *p);

typedef struct {
    draw_function *run;
    void *out;
    const void *in;
    size_t n;
    size_t bits; /* of an element: 64, 32, 8 or 1 */
    const double *p;
} draw;

/* Runs a draw, with the GIL released if it is long and on several threads if asked (0: as many as there are cores, from
 * 4 MB on). The same bytes as on one for a stream with a key. */
simdp_status draw_run(rng_object *rng, const draw *d, size_t threads);

/* ---- draws.c ---- */

bool take_threads(PyObject *object, size_t *threads); /* NULL and None are 0 */
PyObject *number_of(const array *a, bool truth);      /* the first element */

/* ---- the other files ---- */

/* A function with keywords, as PyMethodDef has it: by way of a type without arguments, which compilers do not mind. */
#define METHOD(name, function, doc)                                                                \
    {                                                                                              \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, PyDoc_STR(doc) \
    }

extern PyMethodDef rng_draw_methods[], opening_methods[];
bool release_add_functions(PyObject *module);
/* interact.c */
PyObject *theory_interact(PyObject *module, PyObject *args);
PyObject *theory_transcript_map(PyObject *module, PyObject *args);

bool table_add_functions(PyObject *module);
bool layout_add(PyObject *module);
bool bitgen_add_type(PyObject *module);
unsigned fork_count(void); /* bitgen.c: how many forks made this process, from the import on */
bool arrow_add_type(PyObject *module);

/* memory.c: memory of a struct of the library, by the name of its type */
enum { MEMORY_KEPT = 3 };
typedef struct {
    PyObject_HEAD atomic_int busy;
    const char *kind;
    void *memory;
    array kept[MEMORY_KEPT]; /* arrays that the struct points to: buffers that are held, so that they may be moved */
} memory_object;
extern PyTypeObject *memory_type;
bool memory_add_type(PyObject *module);
memory_object *memory_make(const char *kind, size_t size);
/* NULL with an exception unless the object is memory of this kind, opened or not. */
memory_object *memory_take(PyObject *object, const char *kind);
/* Exchanges the arrays that the struct points to. Under the lock; those of before are dropped after it. */
void memory_swap_kept(memory_object *m, array kept[MEMORY_KEPT]);

#endif
