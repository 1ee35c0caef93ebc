/* interact.c: adaptive interactions whose analyst and queries are Python functions. While one runs, its stream and its
 * filter are taken out of their objects, so that a function that is called back cannot use them: it gets an error. */
#include "module.h"

#include <string.h>

typedef struct {
    PyObject *analyst;          /* called with a list of (tag, output); gives None or a request */
    PyObject *data, *neighbour; /* the two data sets: their addresses are what the library knows of them */
    PyObject *query;            /* of the request under way */
} asking;

/* A query gives a number, or a sequence of n numbers. */
static bool fill_answers(PyObject *answer, double *answers, size_t n)
{
    if (n == 1 && !PySequence_Check(answer)) return take_double(answer, "the query's answer", &answers[0]);
    if (PySequence_Size(answer) != (Py_ssize_t)n) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "the query gave another number of answers than %zu", n);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        PyObject *one = PySequence_GetItem(answer, (Py_ssize_t)i);
        const bool good = one != NULL && take_double(one, "the query's answer", &answers[i]);
        Py_XDECREF(one);
        if (!good) return false;
    }
    return true;
}

static simdp_status run_query(void *context, double *answers, size_t n, const void *data)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(((asking *)context)->query, (PyObject *)data, NULL);
    const bool good = answer != NULL && fill_answers(answer, answers, n);
    Py_XDECREF(answer);
    return good ? SIMDP_OK : SIMDP_ESOURCE;
}

static PyObject *transcript(const simdp_theory_step *steps, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *step =
            Py_BuildValue("(iKd)", (int)steps[i].mechanism.kind, (unsigned long long)steps[i].tag, steps[i].output);
        if (step == NULL || PyList_Append(list, step) != 0) Py_CLEAR(list);
        Py_XDECREF(step);
    }
    return list;
}

/* A request is (kind, sensitivity, scale, epsilon, delta, nu, query, candidates, tag). */
static simdp_status ask(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    asking *a = context;
    int kind;
    unsigned long long candidates, tag;
    PyObject *query, *list = transcript(steps, count);
    PyObject *request = list != NULL ? PyObject_CallFunctionObjArgs(a->analyst, list, NULL) : NULL;
    Py_XDECREF(list);
    if (request == NULL) return SIMDP_ESOURCE;
    simdp_theory_mechanism *m = &next->mechanism;
    const bool stops = request == Py_None;
    const bool good = stops || (PyTuple_Check(request) &&
                                PyArg_ParseTuple(request, "idddddOKK", &kind, &m->sensitivity, &m->scale, &m->epsilon,
                                                 &m->delta, &m->nu, &query, &candidates, &tag));
    if (good && !stops) {
        m->kind = (simdp_mechanism)kind;
        Py_XDECREF(a->query);
        a->query = Py_NewRef(query);
        next->query = run_query;
        next->query_context = a;
        next->candidates = candidates;
        next->tag = tag;
    }
    Py_DECREF(request);
    if (!good && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "the analyst gives a request or None");
    return good ? SIMDP_OK : SIMDP_ESOURCE;
}

/* What both functions have in common: memory of the run. */
typedef struct {
    rng_object *rng;
    simdp_rng stream;
    simdp_theory_interaction run;
} interaction;

static bool open_interaction(interaction *x, PyObject *stream, unsigned long long capacity, unsigned long long scratch)
{
    memset(x, 0, sizeof *x);
    if (capacity > (1u << 24) || scratch > (1u << 28)) {
        PyErr_SetString(PyExc_ValueError, "capacity: at most 2^24 steps and 2^25 candidates");
        return false;
    }
    x->rng = rng_take(stream);
    if (x->rng == NULL) return false;
    x->run.steps = PyMem_Calloc(capacity + 1, sizeof *x->run.steps);
    x->run.losses = PyMem_Calloc(capacity + 1, sizeof *x->run.losses);
    x->run.scratch = PyMem_Calloc(scratch + 1, sizeof *x->run.scratch);
    x->run.capacity = capacity;
    x->run.scratch_size = scratch;
    if (x->run.steps == NULL || x->run.losses == NULL || x->run.scratch == NULL) {
        PyErr_NoMemory();
        return false;
    }
    busy_lock(&x->rng->busy);
    x->stream = x->rng->rng;
    simdp_rng_wipe(&x->rng->rng);
    busy_unlock(&x->rng->busy);
    return true;
}

static PyObject *numbers(const double *values, size_t n)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < n; i++) {
        PyObject *one = PyFloat_FromDouble(values[i]);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* (stop, steps, losses, loss), and the stream goes back. */
static PyObject *close_interaction(interaction *x, simdp_status status, bool ran)
{
    PyObject *result = NULL;
    if (ran) {
        busy_lock(&x->rng->busy);
        if (!x->rng->closed) x->rng->rng = x->stream;
        busy_unlock(&x->rng->busy);
        simdp_rng_wipe(&x->stream);
        if (!raise_status(status)) {
            PyObject *steps = transcript(x->run.steps, x->run.count), *losses = numbers(x->run.losses, x->run.count);
            if (steps != NULL && losses != NULL)
                result = Py_BuildValue("(iOOd)", (int)x->run.stop, steps, losses, x->run.loss);
            Py_XDECREF(steps);
            Py_XDECREF(losses);
        }
    }
    PyMem_Free(x->run.steps);
    PyMem_Free(x->run.losses);
    if (x->run.scratch != NULL) memset(x->run.scratch, 0, x->run.scratch_size * sizeof *x->run.scratch);
    PyMem_Free(x->run.scratch);
    Py_XDECREF((PyObject *)x->rng);
    return result;
}

/* The filter and the arrays that it points to leave their object, and come back. What was opened there meanwhile goes. */
static void lend_filter(memory_object *m, simdp_theory_filter *budget, array kept[MEMORY_KEPT])
{
    busy_lock(&m->busy);
    memory_swap_kept(m, kept);
    memcpy(budget, m->memory, sizeof *budget);
    memset(m->memory, 0, sizeof *budget);
    busy_unlock(&m->busy);
}

static void return_filter(memory_object *m, const simdp_theory_filter *budget, array kept[MEMORY_KEPT])
{
    busy_lock(&m->busy);
    memory_swap_kept(m, kept);
    memcpy(m->memory, budget, sizeof *budget);
    busy_unlock(&m->busy);
    for (size_t i = 0; i < MEMORY_KEPT; i++) array_drop(&kept[i]);
}

/* theory_interact(rng, analyst, data, neighbour, filter, capacity, scratch) */
PyObject *theory_interact(PyObject *module, PyObject *args)
{
    PyObject *stream, *filter;
    asking a = {0};
    unsigned long long capacity, scratch;
    interaction x;
    simdp_status status = SIMDP_OK;
    simdp_theory_filter budget;
    array kept[MEMORY_KEPT] = {{.n = 0}};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOKK", &stream, &a.analyst, &a.data, &a.neighbour, &filter, &capacity, &scratch))
        return NULL;
    memory_object *m = filter != Py_None ? memory_take(filter, "simdp_theory_filter") : NULL;
    if (filter != Py_None && m == NULL) return NULL;
    const bool opened = open_interaction(&x, stream, capacity, scratch);
    if (opened) {
        const void *neighbour = a.neighbour != Py_None ? a.neighbour : NULL;
        if (m != NULL) lend_filter(m, &budget, kept);
        status = simdp_theory_interact(&x.stream, &x.run, ask, &a, a.data, neighbour, m != NULL ? &budget : NULL);
        if (m != NULL) return_filter(m, &budget, kept);
    }
    Py_XDECREF(a.query);
    return close_interaction(&x, status, opened);
}

/* theory_transcript_map(rng, symbols, analyst, data, neighbour, epsilon, delta, capacity, scratch) */
PyObject *theory_transcript_map(PyObject *module, PyObject *args)
{
    PyObject *stream, *given;
    asking a = {0};
    unsigned long long capacity, scratch;
    double epsilon, delta;
    interaction x;
    array symbols;
    simdp_status status = SIMDP_OK;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOddKK", &stream, &given, &a.analyst, &a.data, &a.neighbour, &epsilon, &delta,
                          &capacity, &scratch) ||
        !array_read(&symbols, given, "symbols", "B", false))
        return NULL;
    const bool opened = open_interaction(&x, stream, capacity, scratch);
    if (opened)
        status = simdp_theory_transcript_map(&x.stream, &x.run, symbols.data, symbols.n, ask, &a, a.data, a.neighbour,
                                             epsilon, delta);
    array_drop(&symbols);
    Py_XDECREF(a.query);
    return close_interaction(&x, status, opened);
}
