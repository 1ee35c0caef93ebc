/* table.c: every function of the library that is not in draws.c or opening.c, a line each: its arguments in the order of
 * C. The compiler holds the lines against the headers; Python modules on top give them keywords and shapes.
 *
 *   rng            an Rng, or None for this thread's own
 *   out(T) in(T)   arrays of T, written or read; all arrays up to the next `count` have the same number of elements
 *   maybe(T)       as in(T), or None for NULL
 *   count          that number
 *   one(T)         an array of one T, written
 *   value(T)       an array of one T, handed over by value; ref(T) the same by its address
 *   num whole word half flag  a double, an int64_t, a uint64_t, a uint32_t, an int
 *   choice(T)      the number of an enumeration
 *   self(T)        memory of the library's object T; pld a privacy-loss distribution */
#include "module.h"

#include <string.h>

typedef enum {
    ARRAY_OUT,
    ARRAY_IN,
    ARRAY_MAYBE,
    ARRAY_ONE,
    ARRAY_REF,
    COUNT,
    NUM,
    WHOLE,
    SMALL,
    WORD,
    HALF,
    RNG,
    SELF
} slot_how;

typedef struct {
    slot_how how;
    char kind;
    size_t size;
    const char *object;
} slot_kind;

typedef struct {
    array a;
    void *p;
    double d;
    int64_t i;
    uint64_t u;
    rng_object *rng;
    memory_object *memory;
} slot;

typedef struct {
    const char *name;
    simdp_status (*run)(const slot *s);
    const slot_kind *kinds;
    size_t slots;
} table_row;

/* ---- a line: what it takes, and the call ---- */

#define KIND(T) \
    _Generic((T *)0, double * : 'd', float * : 'f', int64_t * : 'q', uint64_t * : 'Q', uint32_t * : 'I', \
             uint8_t * : 'B', default : 'T')

#define KIND_out(T)                         \
    {                                       \
        ARRAY_OUT, KIND(T), sizeof(T), NULL \
    }
#define KIND_in(T)                         \
    {                                      \
        ARRAY_IN, KIND(T), sizeof(T), NULL \
    }
#define KIND_maybe(T)                         \
    {                                         \
        ARRAY_MAYBE, KIND(T), sizeof(T), NULL \
    }
#define KIND_one(T)                         \
    {                                       \
        ARRAY_ONE, KIND(T), sizeof(T), NULL \
    }
#define KIND_ref(T)                         \
    {                                       \
        ARRAY_REF, KIND(T), sizeof(T), NULL \
    }
#define KIND_value(T)                       \
    {                                       \
        ARRAY_REF, KIND(T), sizeof(T), NULL \
    }
#define KIND_count        \
    {                     \
        COUNT, 0, 0, NULL \
    }
#define KIND_num        \
    {                   \
        NUM, 0, 0, NULL \
    }
#define KIND_whole        \
    {                     \
        WHOLE, 0, 0, NULL \
    }
#define KIND_flag         \
    {                     \
        SMALL, 0, 0, NULL \
    }
#define KIND_choice(T)    \
    {                     \
        SMALL, 0, 0, NULL \
    }
#define KIND_word        \
    {                    \
        WORD, 0, 0, NULL \
    }
#define KIND_half        \
    {                    \
        HALF, 0, 0, NULL \
    }
#define KIND_rng        \
    {                   \
        RNG, 0, 0, NULL \
    }
#define KIND_self(T)   \
    {                  \
        SELF, 0, 0, #T \
    }
#define KIND_pld                \
    {                           \
        SELF, 0, 0, "simdp_pld" \
    }

#define FROM_out(T)    POINTER, T *
#define FROM_in(T)     POINTER, const T *
#define FROM_maybe(T)  POINTER, const T *
#define FROM_one(T)    POINTER, T *
#define FROM_ref(T)    POINTER, const T *
#define FROM_value(T)  BY_VALUE, const T *
#define FROM_count     OF_SLOT, u
#define FROM_num       OF_SLOT, d
#define FROM_whole     OF_SLOT, i
#define FROM_flag      NUMBER, int
#define FROM_choice(T) NUMBER, T
#define FROM_word      OF_SLOT, u
#define FROM_half      HALF_WORD, uint32_t
#define FROM_rng       STREAM, rng
#define FROM_self(T)   MEMORY, T *
#define FROM_pld       IN_MEMORY, simdp_pld *

#define POINTER(at, T)   ((T)s[at].p)
#define BY_VALUE(at, T)  (*(T)s[at].p)
#define OF_SLOT(at, of)  (s[at].of)
#define NUMBER(at, T)    ((T)s[at].i)
#define HALF_WORD(at, T) ((T)s[at].u)
#define STREAM(at, of)   (&s[at].of->rng)
#define MEMORY(at, T)    ((T)s[at].memory->memory)
#define IN_MEMORY(at, T) (*(T *)s[at].memory->memory)

/* EACH(m, a, b, ...) is m(0, a), m(1, b), ... for up to eight arguments. */
#define EACH_1(m, a)                                m(0, a)
#define EACH_2(m, a, b)                             EACH_1(m, a), m(1, b)
#define EACH_3(m, a, b, c)                          EACH_2(m, a, b), m(2, c)
#define EACH_4(m, a, b, c, d)                       EACH_3(m, a, b, c), m(3, d)
#define EACH_5(m, a, b, c, d, e)                    EACH_4(m, a, b, c, d), m(4, e)
#define EACH_6(m, a, b, c, d, e, f)                 EACH_5(m, a, b, c, d, e), m(5, f)
#define EACH_7(m, a, b, c, d, e, f, g)              EACH_6(m, a, b, c, d, e, f), m(6, g)
#define EACH_8(m, a, b, c, d, e, f, g, h)           EACH_7(m, a, b, c, d, e, f, g), m(7, h)
#define EACH_OF(a, b, c, d, e, f, g, h, which, ...) which
#define EACH(m, ...) \
    EACH_OF(__VA_ARGS__, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )(m, __VA_ARGS__)

enum { SLOTS_MOST = 8 };

#define AS_KIND(place, token)     KIND_##token
#define AS_ARGUMENT(place, token) APPLY(place, FROM_##token)
#define APPLY(place, ...)         APPLY_ONE(place, __VA_ARGS__)
#define APPLY_ONE(place, how, T)  how(place, T)

#define CALL_AS(function, called, ...)                                                                   \
    static simdp_status run_##function(const slot *s) { return called(EACH(AS_ARGUMENT, __VA_ARGS__)); } \
    static const slot_kind kinds_##function[] = {EACH(AS_KIND, __VA_ARGS__)};
#define CALL(function, ...) CALL_AS(function, simdp_##function, __VA_ARGS__)
#define WRAP(function, ...) CALL_AS(function, function, __VA_ARGS__) /* one of the functions below */

/* ---- functions that return no status, or whose arrays have several sizes ---- */

static simdp_status release_grid(double *grid, double scale)
{
    *grid = simdp_release_grid(scale);
    return SIMDP_OK;
}

static simdp_status select_scale(double *scale, double epsilon, double sensitivity, int monotonic)
{
    *scale = simdp_select_scale(epsilon, sensitivity, monotonic);
    return *scale == *scale ? SIMDP_OK : SIMDP_EPARAM;
}

static simdp_status pld_grid(double *grid, double most, double loss)
{
    *grid = simdp_pld_grid(most, loss);
    return *grid == *grid ? SIMDP_OK : SIMDP_EPARAM;
}

static simdp_status pld_points(uint64_t *points, const simdp_pld *pld)
{
    *points = simdp_pld_points(pld);
    return SIMDP_OK;
}

/* A matrix comes as all its elements; it has `rows` rows, or rows of n. */
static bool is_matrix(size_t all, size_t rows, size_t *n)
{
    *n = rows > 0 ? all / rows : 0;
    return *n * rows == all;
}

static simdp_status loss_sum(double *total, size_t rows, const double *loss, size_t all)
{
    size_t n;
    return is_matrix(all, rows, &n) ? simdp_loss_sum(total, loss, rows, n) : SIMDP_EPARAM;
}

static simdp_status loss_transcripts(double *loss, size_t rows, const double *y, size_t all,
                                     const simdp_loss_step *steps, size_t k)
{
    size_t n;
    return is_matrix(all, rows, &n) && (n == k || rows == 0) ? simdp_loss_transcripts(loss, y, rows, steps, k)
                                                             : SIMDP_EPARAM;
}

#define ROWS_OF(suffix, T)                                                                                      \
    static simdp_status select_gumbel_rows##suffix(simdp_rng *rng, size_t *index, size_t rows, const T *scores, \
                                                   size_t all, double scale)                                    \
    {                                                                                                           \
        size_t n;                                                                                               \
        return is_matrix(all, rows, &n) ? simdp_select_gumbel_rows##suffix(rng, index, scores, rows, n, scale)  \
                                        : SIMDP_EPARAM;                                                         \
    }
ROWS_OF(, double)
ROWS_OF(_f32, float)

/* starts: one more than there are texts, and none beyond the bytes */
static simdp_status rng_ids(simdp_rng *rng, simdp_id *ids, size_t n, const uint8_t *bytes, size_t size,
                            const uint64_t *starts, size_t count)
{
    if (count != n + 1 || starts[n] > size) return SIMDP_EPARAM;
    return simdp_rng_ids(rng, ids, bytes, starts, n);
}

static simdp_status select_gumbel_rows_by_id(simdp_rng *rng, size_t *index, const simdp_id *ids, size_t rows,
                                             const double *scores, size_t all, double scale)
{
    size_t n;
    return is_matrix(all, rows, &n) ? simdp_select_gumbel_rows_by_id(rng, index, scores, ids, rows, n, scale)
                                    : SIMDP_EPARAM;
}

static simdp_status select_quantile_scores(double *scores, const double *candidates, size_t n, const double *records,
                                           size_t count, uint64_t numerator, uint64_t denominator)
{
    return simdp_select_quantile_scores(scores, records, count, candidates, n, numerator, denominator);
}

static simdp_status select_probabilities(double *p, const double *scores, size_t all, uint64_t n, double scale)
{
    size_t rows;
    return is_matrix(all, n, &rows) ? simdp_select_probabilities(p, scores, rows, n, scale) : SIMDP_EPARAM;
}

static simdp_status select_log_probabilities(double *p, const double *scores, size_t all, uint64_t n, double scale)
{
    size_t rows;
    return is_matrix(all, n, &rows) ? simdp_select_log_probabilities(p, scores, rows, n, scale) : SIMDP_EPARAM;
}

static simdp_status select_expected_score(double *mean, size_t rows, const double *scores, size_t all, double scale)
{
    size_t n;
    return is_matrix(all, rows, &n) ? simdp_select_expected_score(mean, scores, rows, n, scale) : SIMDP_EPARAM;
}

static simdp_status theory_select_column(simdp_rng *rng, size_t *column, double *sums, size_t columns,
                                         const double *matrix, size_t all, double eta)
{
    size_t rows;
    if (!is_matrix(all, columns, &rows)) return SIMDP_EPARAM;
    return simdp_theory_select_column(rng, column, sums, matrix, rows, columns, eta);
}

static simdp_status theory_discrete_map(double *map, size_t all, const double *p, const double *q, size_t n,
                                        double epsilon, double delta)
{
    return all == 4 * n ? simdp_theory_discrete_map(map, p, q, n, epsilon, delta) : SIMDP_EPARAM;
}

static simdp_status theory_discrete_map_draw(simdp_rng *rng, size_t *out, const uint8_t *symbols, size_t draws,
                                             const double *map, size_t all)
{
    return all % 4 == 0 ? simdp_theory_discrete_map_draw(rng, out, symbols, draws, map, all / 4) : SIMDP_EPARAM;
}

/* As many estimates as the plan had epsilons or orders, which the statistics know. */
static simdp_status loss_statistics_estimates(const simdp_loss_statistics *s, simdp_loss_estimate *out, size_t n,
                                              simdp_loss_statistics_of what, double error)
{
    if (n != (what == SIMDP_LOSS_RENYI ? s->orders : s->epsilons)) return SIMDP_EPARAM;
    return simdp_loss_statistics_estimates(s, out, what, error);
}

static simdp_status theory_filter_admit(simdp_theory_filter *filter, int64_t *admitted,
                                        const simdp_theory_mechanism *mechanism)
{
    int answer = 0;
    const simdp_status status = simdp_theory_filter_admit(filter, &answer, mechanism);
    *admitted = answer;
    return status;
}

static simdp_status loss_audit_rows(const simdp_loss_audit *audit, simdp_loss_audit_row *rows, size_t n)
{
    return n == audit->epsilons ? simdp_loss_audit_rows(audit, rows) : SIMDP_EPARAM;
}

/* ---- the lines ---- */

#include "table_lines.h"

#undef CALL
#undef WRAP
#define CALL(function, ...) {#function, run_##function, kinds_##function, sizeof kinds_##function / sizeof(slot_kind)},
#define WRAP                CALL
static const table_row rows[] = {
#include "table_lines.h"
};

/* ---- the call ---- */

static bool fill_array(slot *s, const slot_kind *k, PyObject *object, const char *name)
{
    const char kinds[2] = {k->kind, '\0'};
    const bool writes = k->how == ARRAY_OUT || k->how == ARRAY_ONE;
    if (k->how == ARRAY_MAYBE && object == Py_None) return true;
    if (writes ? !array_write(&s->a, object, name, kinds) : !array_read(&s->a, object, name, kinds, false))
        return false;
    if (!array_is_aligned(&s->a, name)) return false;
    s->p = s->a.data;
    const bool one = k->how == ARRAY_ONE || k->how == ARRAY_REF;
    if ((k->kind != 'T' || (size_t)s->a.buffer.itemsize == k->size) && (!one || s->a.n == 1)) return true;
    PyErr_Format(PyExc_TypeError, "%s: elements of %zu bytes are wanted%s", name, k->size, one ? ", one of them" : "");
    return false;
}

static bool take_whole(PyObject *object, const char *name, int64_t *out)
{
    PyObject *whole = PyNumber_Index(object);
    *out = whole != NULL ? PyLong_AsLongLong(whole) : -1;
    Py_XDECREF(whole);
    if (*out != -1 || !PyErr_Occurred()) return true;
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) PyErr_Format(PyExc_ValueError, "%s: beyond 64 bits", name);
    return false;
}

static bool fill_slot(slot *s, const slot_kind *k, PyObject *object, const char *name)
{
    switch (k->how) {
    case NUM: return take_double(object, name, &s->d);
    case WORD: return take_word(object, name, &s->u);
    case HALF:
        if (!take_word(object, name, &s->u)) return false;
        if (s->u > UINT32_MAX) PyErr_Format(PyExc_ValueError, "%s: beyond 32 bits", name);
        return s->u <= UINT32_MAX;
    case WHOLE: return take_whole(object, name, &s->i);
    case SMALL: /* an int of C */
        if (!take_whole(object, name, &s->i)) return false;
        if (s->i != (int)s->i) PyErr_Format(PyExc_ValueError, "%s: beyond 32 bits", name);
        return s->i == (int)s->i;
    case RNG: return (s->rng = rng_take(object)) != NULL;
    case SELF: s->memory = memory_take(object, k->object); return s->memory != NULL && Py_NewRef(object) != NULL;
    default: return fill_array(s, k, object, name);
    }
}

/* Each count is the number of elements of the arrays before it. False if they differ. */
static bool fill_counts(const table_row *row, slot *s, size_t *elements)
{
    bool open = false;
    size_t n = 0;
    *elements = 0;
    for (size_t i = 0; i < row->slots; i++) {
        const slot_how how = row->kinds[i].how;
        if (how == COUNT) {
            s[i].u = n;
            *elements += n;
            open = false;
        } else if ((how == ARRAY_OUT || how == ARRAY_IN || how == ARRAY_MAYBE) && s[i].p != NULL) {
            if (open && s[i].a.n != n) {
                PyErr_Format(PyExc_ValueError, "%s: arrays of %zu and %zu elements", row->name, n, s[i].a.n);
                return false;
            }
            n = s[i].a.n;
            open = true;
        }
    }
    return true;
}

/* Locks of streams and memory, each once and in the order of their addresses, so that two calls cannot wait for each
 * other. */
static size_t locks_of(const table_row *row, slot *s, atomic_int **locks)
{
    size_t count = 0;
    for (size_t i = 0; i < row->slots; i++) {
        atomic_int *lock = s[i].rng != NULL ? &s[i].rng->busy : s[i].memory != NULL ? &s[i].memory->busy : NULL;
        size_t place = 0;
        while (place < count && locks[place] < lock) place++;
        if (lock == NULL || (place < count && locks[place] == lock)) continue;
        memmove(locks + place + 1, locks + place, (count++ - place) * sizeof *locks);
        locks[place] = lock;
    }
    return count;
}

static simdp_status run_row(const table_row *row, slot *s, size_t elements)
{
    enum { ELEMENTS_OF_FORMS_WITHOUT_GIL = 64 }; /* a closed form takes up to a microsecond, and more */
    atomic_int *locks[SLOTS_MOST + 1];
    const size_t count = locks_of(row, s, locks);
    simdp_status status;
    for (size_t i = 0; i < count; i++) busy_lock(locks[i]);
    PyThreadState *state = elements < ELEMENTS_OF_FORMS_WITHOUT_GIL ? NULL : PyEval_SaveThread();
    status = row->run(s);
    for (size_t i = 0; i < count; i++) busy_unlock(locks[i]);
    if (state != NULL) PyEval_RestoreThread(state);
    return status;
}

static void drop_slots(const table_row *row, slot *s)
{
    for (size_t i = 0; i < row->slots; i++) {
        array_drop(&s[i].a);
        Py_XDECREF((PyObject *)s[i].rng);
        Py_XDECREF((PyObject *)s[i].memory);
    }
}

static PyObject *call_row(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    const table_row *row = PyCapsule_GetPointer(self, NULL);
    slot s[SLOTS_MOST];
    Py_ssize_t given = 0;
    size_t elements;
    bool good = row != NULL;
    memset(s, 0, sizeof s);
    for (size_t i = 0; good && i < row->slots; i++) {
        if (row->kinds[i].how == COUNT) continue;
        good = given < nargs && fill_slot(&s[i], &row->kinds[i], args[given], row->name);
        given++;
    }
    if (row != NULL && given != nargs && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s() got %zd arguments, not what it takes", row->name, nargs);
        good = false;
    }
    good = good && fill_counts(row, s, &elements);
    const simdp_status status = good ? run_row(row, s, elements) : SIMDP_OK;
    for (size_t i = 0; status != SIMDP_OK && good && i < row->slots; i++)
        good = s[i].rng == NULL || !rng_was_closed(s[i].rng);
    good = good && !raise_status_of(status, row->name);
    if (row != NULL) drop_slots(row, s);
    return good ? Py_NewRef(Py_None) : NULL;
}

bool table_add_functions(PyObject *module)
{
    static PyMethodDef methods[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        methods[i] = (PyMethodDef){rows[i].name, (PyCFunction)(void (*)(void))call_row, METH_FASTCALL, NULL};
        PyObject *row = PyCapsule_New((void *)&rows[i], NULL, NULL);
        PyObject *function = row != NULL ? PyCFunction_NewEx(&methods[i], row, NULL) : NULL;
        Py_XDECREF(row);
        const bool added = function != NULL && PyModule_AddObjectRef(module, rows[i].name, function) == 0;
        Py_XDECREF(function);
        if (!added) return false;
    }
    return true;
}
