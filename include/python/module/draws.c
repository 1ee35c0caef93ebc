/* draws.c: the calls that are often short, and so are parsed here and not in Python: noise from an Rng, and releases. */
#include "module.h"

#include <math.h>
#include <string.h>

/* ---- the library's functions in one shape ---- */

#define NOISE_AS(law, form, T)                                                                                   \
    static simdp_status noise_##law##_##form(simdp_rng *r, void *out, const void *in, size_t n, const double *p) \
    {                                                                                                            \
        (void)in;                                                                                                \
        return simdp_noise_##law##_##form(r, out, n, (T)p[0]);                                                   \
    }
#define NOISE(law)         NOISE_AS(law, f64, double) NOISE_AS(law, f32, float)
#define NOISE_AND_SUM(law) NOISE(law) NOISE_AS(law, f64_add, double) NOISE_AS(law, f32_add, float)
#define NOISE_WITHOUT(law, function, form)                                                                       \
    static simdp_status noise_##law##_##form(simdp_rng *r, void *out, const void *in, size_t n, const double *p) \
    {                                                                                                            \
        (void)in;                                                                                                \
        (void)p;                                                                                                 \
        return function(r, out, n);                                                                              \
    }
#define RELEASE(function, ...)                                                                                 \
    static simdp_status release_##function(simdp_rng *r, void *out, const void *in, size_t n, const double *p) \
    {                                                                                                          \
        return simdp_release_##function(r, out, in, n, __VA_ARGS__);                                           \
    }

/* clang-format off */
NOISE_AND_SUM(laplace)
NOISE_AND_SUM(gaussian)
NOISE_AND_SUM(gumbel)
NOISE(exponential)
NOISE_WITHOUT(uniform, simdp_noise_uniform_f64, f64)
NOISE_WITHOUT(uniform, simdp_noise_uniform_f32, f32)
NOISE_WITHOUT(words, simdp_rng_words, u64)
NOISE_AS(discrete_laplace, i64, double)
NOISE_AS(discrete_gaussian, i64, double)
RELEASE(laplace, p[0], p[1])
RELEASE(laplace_f32, p[0], p[1])
RELEASE(laplace_i64, p[0])
RELEASE(laplace_private, p[0], p[1])
RELEASE(gaussian, p[0], p[1])
RELEASE(gaussian_f32, p[0], p[1])
RELEASE(gaussian_i64, p[0])
RELEASE(gaussian_private, p[0], p[1], p[2])
RELEASE(discrete_laplace_i64, p[0])
RELEASE(discrete_gaussian_i64, p[0])
RELEASE(randomized_response, p[0])
RELEASE(randomized_response_packed, p[0])
/* clang-format on */

/* The same by identity, without a position. */
typedef simdp_status id_function(simdp_rng *rng, void *out, const void *in, const simdp_id *ids, size_t n,
                                 const double *p);
#define RELEASE_BY_ID(function, ...)                                                                             \
    static simdp_status function##_by_id(simdp_rng *r, void *out, const void *in, const simdp_id *ids, size_t n, \
                                         const double *p)                                                        \
    {                                                                                                            \
        return simdp_release_##function##_by_id(r, out, in, ids, n, __VA_ARGS__);                                \
    }
/* clang-format off */
RELEASE_BY_ID(laplace, p[0], p[1])
RELEASE_BY_ID(laplace_i64, p[0])
RELEASE_BY_ID(gaussian, p[0], p[1])
RELEASE_BY_ID(gaussian_i64, p[0])
RELEASE_BY_ID(randomized_response, p[0])
/* clang-format on */

static bool take_threads(PyObject *object, size_t *threads)
{
    uint64_t asked = 0;
    if (object != NULL && object != Py_None && !take_word(object, "threads", &asked)) return false;
    *threads = asked;
    return true;
}

/* ---- noise of an Rng ---- */

typedef struct {
    const char *name;
    char usual;                  /* the kind without dtype= */
    draw_function *of_kind['z']; /* by kind */
} noise_law;

static bool kind_asked(PyObject *dtype, const noise_law *law, char *kind)
{
    *kind = law->usual;
    if (dtype == NULL || dtype == Py_None) return true;
    PyObject *helper = convert_helper("kind_of_dtype"), *text;
    if (helper == NULL || (text = PyObject_CallFunctionObjArgs(helper, dtype, NULL)) == NULL) return false;
    *kind = (char)PyUnicode_ReadChar(text, 0);
    Py_DECREF(text);
    if (*kind > 0 && *kind < 'z' && law->of_kind[(unsigned char)*kind] != NULL) return true;
    PyErr_Format(PyExc_TypeError, "%s() has no numbers of dtype %R", law->name, dtype);
    return false;
}

static PyObject *number_of(const array *a, bool truth)
{
    if (truth) return PyBool_FromLong(*(const uint8_t *)a->data);
    switch (a->kind) {
    case 'd': return PyFloat_FromDouble(*(const double *)a->data);
    case 'f': return PyFloat_FromDouble((double)*(const float *)a->data);
    case 'q': return PyLong_FromLongLong(*(const int64_t *)a->data);
    case 'Q': return PyLong_FromUnsignedLongLong(*(const uint64_t *)a->data);
    default: return PyLong_FromLong(*(const uint8_t *)a->data);
    }
}

static const char *kinds_of(const noise_law *law, char text[8])
{
    size_t count = 0;
    for (const char *kind = "dfqQB"; *kind != '\0'; kind++) {
        if (law->of_kind[(unsigned char)*kind] != NULL) text[count++] = *kind;
    }
    text[count] = '\0';
    return text;
}

static bool run_noise(rng_object *rng, const noise_law *law, array *out, double scale, size_t threads)
{
    const draw d = {law->of_kind[(unsigned char)out->kind], out->data, NULL, out->n, 8 * kind_size(out->kind), &scale};
    return !raise_status(draw_run(rng, &d, threads));
}

/* size= makes an array, out= fills one, neither gives one number. */
static PyObject *draw_noise(rng_object *rng, const noise_law *law, PyObject *size, PyObject *given, PyObject *dtype,
                            double scale, size_t threads)
{
    array out = {0};
    char kinds[8], kind;
    if (size != NULL && size != Py_None && given != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() takes size= or out=, not both", law->name);
        return NULL;
    }
    if (!kind_asked(dtype, law, &kind)) return NULL;
    PyObject *made = given != NULL ? Py_NewRef(given) : NULL;
    if (made == NULL && size != NULL && size != Py_None && (made = array_new(size, kind)) == NULL) return NULL;
    if (made == NULL) {
        out = (array){.kind = kind, .n = 1, .is_scalar = true};
        out.data = &out.local;
    } else if (!array_write(&out, made, "out", kinds_of(law, kinds))) {
        Py_DECREF(made);
        return NULL;
    }
    if (!run_noise(rng, law, &out, scale, threads)) Py_CLEAR(made);
    else if (made == NULL) made = number_of(&out, false);
    array_drop(&out);
    return made;
}

static PyObject *noise_call(PyObject *self, const noise_law *law, bool scaled, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    static const char *const with[] = {"size", "scale", "out", "dtype", "threads", NULL};
    static const char *const without[] = {"size", "out", "dtype", "threads", NULL};
    static keywords known[2] = {{without, 1, {NULL}}, {with, 2, {NULL}}};
    PyObject *v[5];
    double scale = 1.0;
    size_t threads;
    if (!keywords_take(&known[scaled], law->name, args, nargs, kwnames, v)) return NULL;
    PyObject **rest = v + (scaled ? 2 : 1);
    if (scaled && v[1] != NULL && !take_double(v[1], "scale", &scale)) return NULL;
    if (!take_threads(rest[2], &threads)) return NULL;
    return draw_noise((rng_object *)self, law, v[0], rest[0] == Py_None ? NULL : rest[0], rest[1], scale, threads);
}

static PyObject *sum_call(PyObject *self, const noise_law *law, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames)
{
    static const char *const names[] = {"array", "scale", "threads", NULL};
    static keywords known = {names, 2, {NULL}};
    PyObject *v[3];
    array sum;
    double scale = 1.0;
    size_t threads;
    if (!keywords_take(&known, law->name, args, nargs, kwnames, v) || !take_threads(v[2], &threads)) return NULL;
    if (v[1] != NULL && !take_double(v[1], "scale", &scale)) return NULL;
    if (v[0] == NULL) {
        PyErr_Format(PyExc_TypeError, "%s() wants an array", law->name);
        return NULL;
    }
    if (!array_write(&sum, v[0], "array", "df")) return NULL;
    const bool done = run_noise((rng_object *)self, law, &sum, scale, threads);
    array_drop(&sum);
    return done ? Py_NewRef(v[0]) : NULL;
}

#define FLOATS(law, end)                                               \
    {                                                                  \
        ['d'] = noise_##law##_f64##end, ['f'] = noise_##law##_f32##end \
    }
#define RNG_METHOD(law, scaled, common, ...)                                                               \
    static PyObject *rng_##law(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    {                                                                                                      \
        static const noise_law of = {#law, common, __VA_ARGS__};                                           \
        return noise_call(self, &of, scaled, args, nargs, kwnames);                                        \
    }
#define RNG_SUM(law)                                                                                           \
    static PyObject *rng_add_##law(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    {                                                                                                          \
        static const noise_law of = {"add_" #law, 'd', FLOATS(law, _add)};                                     \
        return sum_call(self, &of, args, nargs, kwnames);                                                      \
    }

/* clang-format off */
RNG_METHOD(laplace, true, 'd', FLOATS(laplace, ))
RNG_METHOD(gaussian, true, 'd', FLOATS(gaussian, ))
RNG_METHOD(gumbel, true, 'd', FLOATS(gumbel, ))
RNG_METHOD(exponential, true, 'd', FLOATS(exponential, ))
RNG_METHOD(uniform, false, 'd', FLOATS(uniform, ))
RNG_METHOD(words, false, 'Q', {['Q'] = noise_words_u64})
RNG_METHOD(discrete_laplace, true, 'q', {['q'] = noise_discrete_laplace_i64})
RNG_METHOD(discrete_gaussian, true, 'q', {['q'] = noise_discrete_gaussian_i64})
RNG_SUM(laplace)
RNG_SUM(gaussian)
RNG_SUM(gumbel)
/* clang-format on */

/* A function with keywords, as PyMethodDef has it: by way of a type without arguments, which compilers do not mind. */
#define METHOD(name, function, doc)                                                                \
    {                                                                                              \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, PyDoc_STR(doc) \
    }
#define RAW   "\n\nNumbers, not a private release: see simdp.release."
#define SIZES ", size=None, scale=1.0, *, out=None, dtype=None, threads=None)\n--\n\n"

PyMethodDef rng_draw_methods[] = {
    METHOD("laplace", rng_laplace,
           "laplace($self" SIZES "Laplace deviates: density exp(-|x|/scale) / (2 scale)." RAW
           "\n\n>>> rng = simdp.Rng(key=bytes(32))\n>>> rng.laplace((2, 3), scale=2.0).shape\n(2, 3)\n>>> "
           "rng.laplace(4, dtype='f4').dtype\ndtype('float32')\n"),
    METHOD("gaussian", rng_gaussian,
           "gaussian($self" SIZES "Gaussian deviates: mean 0, standard deviation scale." RAW
           "\n\n>>> import numpy\n>>> x = numpy.empty(1000)\n>>> simdp.Rng(key=bytes(32)).gaussian(out=x) is "
           "x\nTrue\n>>> bool(abs(x.mean()) < 0.2)\nTrue\n"),
    METHOD("gumbel", rng_gumbel, "gumbel($self" SIZES "Gumbel deviates, maximum form." RAW),
    METHOD("exponential", rng_exponential, "exponential($self" SIZES "Exponential deviates of mean scale." RAW),
    METHOD(
        "uniform", rng_uniform,
        "uniform($self, size=None, *, out=None, dtype=None, threads=None)\n--\n\nUniform in the open interval (0, 1), "
        "dense near 0." RAW),
    METHOD("words", rng_words,
           "words($self, size=None, *, out=None, dtype=None, threads=None)\n--\n\nThe next words of the stream, "
           "uint64.\n\n>>> hex(simdp.Rng(key=bytes(32)).words())\n'0x881be6c7a9b93553'\n"),
    METHOD("discrete_laplace", rng_discrete_laplace,
           "discrete_laplace($self" SIZES "Integers with P[x] = tanh(1/(2 scale)) exp(-|x|/scale)." RAW),
    METHOD("discrete_gaussian", rng_discrete_gaussian,
           "discrete_gaussian($self" SIZES "Integers with P[x] proportional to exp(-x^2/(2 scale^2))." RAW),
    METHOD("add_laplace", rng_add_laplace,
           "add_laplace($self, array, scale=1.0, *, threads=None)\n--\n\nAdds Laplace noise in place, in one pass, and "
           "returns the array." RAW),
    METHOD(
        "add_gaussian", rng_add_gaussian,
        "add_gaussian($self, array, scale=1.0, *, threads=None)\n--\n\nAdds Gaussian noise in place, in one pass, and "
        "returns the array." RAW),
    METHOD("add_gumbel", rng_add_gumbel,
           "add_gumbel($self, array, scale=1.0, *, threads=None)\n--\n\nAdds Gumbel noise in place, in one pass, and "
           "returns the array." RAW),
    {NULL, NULL, 0, NULL},
};

/* ---- releases ---- */

enum { ANSWERS, SENSITIVITY, EPSILON, DELTA, SCALE, GRID, RNG, OUT, COPY, THREADS, COUNT, IDS, RELEASE_ARGUMENTS };

/* Which functions a mechanism has, and which of the parameters above it takes. */
typedef struct {
    const char *name;
    simdp_mechanism mechanism;
    const char *kinds;
    draw_function *by_promise, *f64, *f32, *i64, *bytes;
    id_function *id_f64, *id_i64, *id_bytes; /* by identity, or NULL */
    keywords *known;
    const int *places; /* of the names of `known` among the parameters above */
} release_kind;

typedef struct {
    draw_function *run;
    double p[3];
} release_plan;

static bool take_parameters(PyObject *const *v, double *of)
{
    static const char *const names[] = {NULL, "sensitivity", "epsilon", "delta", "scale", "grid"};
    for (int i = SENSITIVITY; i <= GRID; i++) {
        of[i] = NAN;
        if (v[i] != NULL && !take_double(v[i], names[i], &of[i])) return false;
    }
    return true;
}

/* The noise for a promise, for types that the library has no function by promise for. NaN, which releases refuse, if
 * there is none. Never below what the release can draw, since more noise keeps the promise too. */
static double scale_for(const release_kind *r, const double *of, double least)
{
    const bool gaussian = r->mechanism == SIMDP_MECHANISM_GAUSSIAN;
    const simdp_account_target target = {of[EPSILON], gaussian ? of[DELTA] : 0.0, of[SENSITIVITY]};
    simdp_account_planned planned;
    if (!(target.epsilon > 0 && target.epsilon < INFINITY)) return NAN;
    if (gaussian && !(target.delta > 0 && target.delta < 1)) return NAN;
    if (simdp_account_plan(&planned, &target, 1, r->mechanism) != SIMDP_OK) return NAN;
    return target.sensitivity > 0 && planned.scale < least ? least : planned.scale;
}

static bool plan_by_scale(const release_kind *r, const array *in, PyObject *const *v, const double *of, double scale,
                          release_plan *plan)
{
    if (in->kind == 'q') {
        if (v[GRID] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s(): integers are released on the grid 1: no grid is taken", r->name);
            return false;
        }
        *plan = (release_plan){r->i64, {scale}};
    } else {
        *plan = (release_plan){in->kind == 'f' ? r->f32 : r->f64,
                               {scale, v[GRID] != NULL ? of[GRID] : simdp_release_grid(scale)}};
    }
    return true;
}

static bool has(PyObject *const *v, int first, int last)
{
    for (int i = first; i <= last; i++) {
        if (v[i] != NULL) return true;
    }
    return false;
}

static bool plan_release(const release_kind *r, const array *in, PyObject *const *v, release_plan *plan)
{
    double of[GRID + 1];
    if (!take_parameters(v, of)) return false;
    if (r->bytes != NULL) {
        *plan = (release_plan){r->bytes, {of[EPSILON]}};
        if (v[EPSILON] == NULL) PyErr_Format(PyExc_TypeError, "%s() wants epsilon=", r->name);
        return v[EPSILON] != NULL;
    }
    const bool gaussian = r->mechanism == SIMDP_MECHANISM_GAUSSIAN;
    const bool promised = v[SENSITIVITY] != NULL && v[EPSILON] != NULL && (!gaussian || v[DELTA] != NULL);
    if (v[SCALE] != NULL ? has(v, SENSITIVITY, DELTA) : !promised) {
        PyErr_Format(PyExc_TypeError,
                     gaussian ? "%s() wants sensitivity=, epsilon= and delta=, or sigma="
                              : "%s() wants sensitivity= and epsilon=, or scale=",
                     r->name);
        return false;
    }
    if (v[SCALE] != NULL) return plan_by_scale(r, in, v, of, of[SCALE], plan);
    if (in->kind == 'd' && r->by_promise != NULL && v[GRID] == NULL && v[IDS] == NULL) {
        *plan = (release_plan){r->by_promise, {of[SENSITIVITY], of[EPSILON], of[DELTA]}};
        return true;
    }
    const double least = r->by_promise == NULL ? SIMDP_RELEASE_DISCRETE_MIN
                         : in->kind == 'q'     ? 0x1p-30
                                               : SIMDP_NOISE_SCALE_MIN;
    return plan_by_scale(r, in, v, of, scale_for(r, of, least), plan);
}

/* Answers of a packed release: count=, or all bits there are. */
static bool count_packed(const array *in, PyObject *count, size_t *n)
{
    uint64_t asked = 8 * (uint64_t)in->n;
    if (count != NULL && count != Py_None && !take_word(count, "count", &asked)) return false;
    *n = asked;
    if (asked <= 8 * (uint64_t)in->n && (asked + 7) / 8 == in->n) return true;
    PyErr_SetString(PyExc_ValueError, "count: (count + 7) / 8 must be the number of bytes");
    return false;
}

/* The array that is written: given, or new and like the answers; a Python number is returned as one. */
static bool open_output(array *out, PyObject **made, const array *in, PyObject *given)
{
    const bool truth = in->held && in->buffer.format != NULL && in->buffer.format[0] == '?';
    memset(out, 0, sizeof *out);
    if (given == NULL && in->is_scalar) {
        *out = (array){.kind = in->kind, .n = 1, .is_scalar = true};
        out->data = &out->local;
        return true;
    }
    if (given == NULL) {
        array like = *in;
        if (truth) like.kind = '?';
        *made = array_new_like(&like);
    } else {
        *made = Py_NewRef(given);
    }
    const char kinds[2] = {in->kind, '\0'};
    if (*made == NULL || !array_write(out, *made, "out", kinds)) return false;
    if (out->n != in->n) {
        PyErr_SetString(PyExc_ValueError, "out: as many elements as answers are wanted");
        return false;
    }
    if (arrays_overlap_in_part(out, in)) {
        PyErr_SetString(PyExc_ValueError, "out: the answers themselves, or no memory of theirs");
        return false;
    }
    return true;
}

/* ids=: as many ids of 16 bytes as answers. The stream does not move. */
static bool release_by_id(const release_kind *r, rng_object *rng, const array *in, void *out, PyObject *given,
                          const double *p)
{
    id_function *run = in->kind == 'd' ? r->id_f64 : in->kind == 'q' ? r->id_i64 : in->kind == 'B' ? r->id_bytes : NULL;
    array ids;
    if (run == NULL) {
        PyErr_Format(PyExc_TypeError, "%s() has no noise by identity for arrays of this type", r->name);
        return false;
    }
    if (!array_read(&ids, given, "ids", "TQ", false)) return false;
    const bool fits = ids.held && (size_t)ids.buffer.len == in->n * sizeof(simdp_id);
    simdp_status status = SIMDP_EPARAM;
    if (fits) {
        busy_lock(&rng->busy);
        Py_BEGIN_ALLOW_THREADS;
        status = run(&rng->rng, out, in->data, ids.data, in->n, p);
        Py_END_ALLOW_THREADS;
        busy_unlock(&rng->busy);
    } else {
        PyErr_SetString(PyExc_ValueError,
                        "ids: one id of 16 bytes for each answer is wanted; simdp.release.ids makes them");
    }
    array_drop(&ids);
    return fits && !raise_status(status);
}

static PyObject *release_into(const release_kind *r, const array *in, PyObject *const *v, PyObject *answers)
{
    array out = {0};
    PyObject *made = NULL;
    release_plan plan;
    size_t threads, n = in->n;
    const bool packed = r->bytes == release_randomized_response_packed;
    rng_object *rng = rng_take(v[RNG]);
    bool done = rng != NULL && take_threads(v[THREADS], &threads) && (!packed || count_packed(in, v[COUNT], &n)) &&
                plan_release(r, in, v, &plan) && open_output(&out, &made, in, v[OUT] == Py_None ? NULL : v[OUT]);
    if (done && v[IDS] != NULL) {
        done = release_by_id(r, rng, in, out.data, v[IDS], plan.p);
    } else if (done) {
        const draw d = {plan.run, out.data, in->data, n, packed ? 1 : 8 * kind_size(in->kind), plan.p};
        done = !raise_status(draw_run(rng, &d, threads));
    }
    if (done && made == NULL) made = number_of(&out, PyBool_Check(answers));
    array_drop(&out);
    Py_XDECREF((PyObject *)rng);
    if (!done) Py_CLEAR(made);
    return made;
}

static PyObject *release_call(const release_kind *r, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *named[RELEASE_ARGUMENTS], *v[RELEASE_ARGUMENTS] = {NULL};
    array in;
    bool copy;
    if (!keywords_take(r->known, r->name, args, nargs, kwnames, named)) return NULL;
    for (int i = 0; r->known->names[i] != NULL; i++) v[r->places[i]] = named[i];
    if (v[ANSWERS] == NULL) {
        PyErr_Format(PyExc_TypeError, "%s() wants %s", r->name, r->known->names[0]);
        return NULL;
    }
    if (v[IDS] == Py_None) v[IDS] = NULL;
    if (!take_truth(v[COPY], &copy) || !array_read(&in, v[ANSWERS], r->known->names[0], r->kinds, copy)) return NULL;
    PyObject *made = release_into(r, &in, v, v[ANSWERS]);
    /* what came as Arrow goes out as Arrow, with the bitmap of what is valid */
    if (made != NULL && v[OUT] == NULL && in.owner != NULL && PyObject_HasAttrString(in.owner, "with_values")) {
        PyObject *whole = PyObject_CallMethod(in.owner, "with_values", "O", made);
        Py_DECREF(made);
        made = whole;
    }
    array_drop(&in);
    return made;
}

static const char *const laplace_names[] = {"answers", "sensitivity", "epsilon", "scale", "grid", "rng",
                                            "out",     "copy",        "threads", "ids",   NULL};
static const int laplace_places[] = {ANSWERS, SENSITIVITY, EPSILON, SCALE, GRID, RNG, OUT, COPY, THREADS, IDS};
static keywords laplace_known = {laplace_names, 1, {NULL}};
static const char *const gaussian_names[] = {"answers", "sensitivity", "epsilon", "delta",   "sigma", "grid",
                                             "rng",     "out",         "copy",    "threads", "ids",   NULL};
static const int gaussian_places[] = {ANSWERS, SENSITIVITY, EPSILON, DELTA, SCALE, GRID, RNG, OUT, COPY, THREADS, IDS};
static keywords gaussian_known = {gaussian_names, 1, {NULL}};
static const char *const discrete_names[] = {"answers", "sensitivity", "epsilon", "scale", "rng",
                                             "out",     "copy",        "threads", NULL};
static const int discrete_places[] = {ANSWERS, SENSITIVITY, EPSILON, SCALE, RNG, OUT, COPY, THREADS};
static keywords discrete_known = {discrete_names, 1, {NULL}};
static const char *const sigma_names[] = {"answers", "sigma", "rng", "out", "copy", "threads", NULL};
static const int sigma_places[] = {ANSWERS, SCALE, RNG, OUT, COPY, THREADS};
static keywords sigma_known = {sigma_names, 1, {NULL}};
static const char *const bits_names[] = {"bits", "epsilon", "rng", "out", "copy", "threads", "ids", NULL};
static const int bits_places[] = {ANSWERS, EPSILON, RNG, OUT, COPY, THREADS, IDS};
static keywords bits_known = {bits_names, 1, {NULL}};
static const char *const packed_names[] = {"bits", "epsilon", "count", "rng", "out", "copy", "threads", NULL};
static const int packed_places[] = {ANSWERS, EPSILON, COUNT, RNG, OUT, COPY, THREADS};
static keywords packed_known = {packed_names, 1, {NULL}};

#define RELEASE_FUNCTION(python, names, takes, ...)                                                           \
    static PyObject *python_##python(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    {                                                                                                         \
        (void)m;                                                                                              \
        static const release_kind of = {                                                                      \
            .name = #python, .kinds = takes, .known = &names##_known, .places = names##_places, __VA_ARGS__}; \
        return release_call(&of, args, nargs, kwnames);                                                       \
    }

/* clang-format off */
RELEASE_FUNCTION(laplace, laplace, "dfq", .mechanism = SIMDP_MECHANISM_LAPLACE, .by_promise = release_laplace_private,
                 .id_f64 = laplace_by_id, .id_i64 = laplace_i64_by_id,
                 .f64 = release_laplace, .f32 = release_laplace_f32, .i64 = release_laplace_i64)
RELEASE_FUNCTION(gaussian, gaussian, "dfq", .mechanism = SIMDP_MECHANISM_GAUSSIAN, .by_promise = release_gaussian_private,
                 .id_f64 = gaussian_by_id, .id_i64 = gaussian_i64_by_id,
                 .f64 = release_gaussian, .f32 = release_gaussian_f32, .i64 = release_gaussian_i64)
RELEASE_FUNCTION(discrete_laplace, discrete, "q", .mechanism = SIMDP_MECHANISM_LAPLACE, .i64 = release_discrete_laplace_i64)
RELEASE_FUNCTION(discrete_gaussian, sigma, "q", .mechanism = SIMDP_MECHANISM_GAUSSIAN, .i64 = release_discrete_gaussian_i64)
RELEASE_FUNCTION(randomized_response, bits, "B", .bytes = release_randomized_response,
                 .id_bytes = randomized_response_by_id)
RELEASE_FUNCTION(randomized_response_packed, packed, "B", .bytes = release_randomized_response_packed)
/* clang-format on */

#define COMMON                                                                                                       \
    "\n\nrng: an Rng, by default this thread's own, of the operating system's entropy. out: an array to fill, or "   \
    "the\n"                                                                                                          \
    "answers themselves. copy: converts arrays of other types and layouts. threads: by default all cores from 4 MB " \
    "on."
#define REST       ", rng=None, out=None, copy=False, threads=None)\n--\n\n"
#define REST_BY_ID ", rng=None, out=None, copy=False, threads=None, ids=None)\n--\n\n"

PyMethodDef draw_methods[] = {
    METHOD("release_laplace", python_laplace,
           "laplace(answers, *, sensitivity=None, epsilon=None, scale=None, grid=None" REST_BY_ID
           "Answers with Laplace noise, on a grid, safe to publish: all of them together are epsilon-private if one\n"
           "record moves them by at most `sensitivity` in sum. Or noise of a scale of your own, on a grid (a power of\n"
           "two). Floats give floats, integers integers." COMMON "\n\n>>> counts = numpy.array([1312.0, 87.0, 402.0])\n"
           ">>> noisy = simdp.release.laplace(counts, sensitivity=1, epsilon=0.5)\n"
           ">>> noisy.shape\n(3,)\n"
           ">>> rng = simdp.Rng(key=bytes(32))\n"
           ">>> simdp.release.laplace([10, 20], scale=0, rng=rng)\narray([10, 20])\n"),
    METHOD("release_gaussian", python_gaussian,
           "gaussian(answers, *, sensitivity=None, epsilon=None, delta=None, sigma=None, grid=None" REST_BY_ID
           "Answers with Gaussian noise, on a grid, safe to publish: (epsilon, delta)-private together if one record\n"
           "moves them by at most `sensitivity` in Euclidean norm. Or a sigma of your own." COMMON
           "\n\n>>> type(simdp.release.gaussian(3.5, sensitivity=1, epsilon=0.5, delta=1e-6))\n<class 'float'>\n"),
    METHOD("release_discrete_laplace", python_discrete_laplace,
           "discrete_laplace(answers, *, sensitivity=None, epsilon=None, scale=None" REST
           "Integers with discrete Laplace noise, P[x] = tanh(1/(2 scale)) exp(-|x|/scale), exactly." COMMON
           "\n\n>>> type(simdp.release.discrete_laplace(42, sensitivity=1, epsilon=1))\n<class 'int'>\n"),
    METHOD("release_discrete_gaussian", python_discrete_gaussian,
           "discrete_gaussian(answers, *, sigma=None" REST
           "Integers with discrete Gaussian noise, P[x] proportional to exp(-x^2/(2 sigma^2)), exactly." COMMON
           "\n\n>>> simdp.release.discrete_gaussian(numpy.arange(3), sigma=2.0).dtype\ndtype('int64')\n"),
    METHOD("release_randomized_response", python_randomized_response,
           "randomized_response(bits, *, epsilon=None" REST_BY_ID
           "Each bit turned with probability 1 / (1 + e^epsilon): epsilon-private for each answer." COMMON
           "\n\n>>> simdp.release.randomized_response(numpy.array([True, False]), epsilon=1.0).dtype\ndtype('bool')\n"),
    METHOD("release_randomized_response_packed", python_randomized_response_packed,
           "randomized_response_packed(bits, *, epsilon=None, count=None" REST
           "The same for `count` answers packed into bytes, answer i in bit i % 8 of byte i // 8." COMMON
           "\n\n>>> simdp.release.randomized_response_packed(bytes([255]), epsilon=1e6, count=3)\narray([7], "
           "dtype=uint8)\n"),
    {NULL, NULL, 0, NULL},
};
