/* releases.c: releases of arrays. Calls are often short, and so are parsed here and not in Python. */
#include "module.h"

#include <math.h>
#include <string.h>

/* ---- the library's functions in one shape ---- */

#define RELEASE(function, ...)                                                                                 \
    static simdp_status release_##function(simdp_rng *r, void *out, const void *in, size_t n, const double *p) \
    {                                                                                                          \
        return simdp_release_##function(r, out, in, n, __VA_ARGS__);                                           \
    }

/* clang-format off */
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
RELEASE(unary, p[0], p[1])
RELEASE(k_response, (uint32_t)p[0], p[1])
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

/* ---- a call: its parameters, its arrays ---- */

enum {
    ANSWERS,
    SENSITIVITY,
    EPSILON,
    DELTA,
    SCALE,
    GRID,
    ODDS_ONE,
    ODDS_ZERO,
    VALUES,
    RNG,
    OUT,
    COPY,
    THREADS,
    COUNT,
    IDS,
    RELEASE_ARGUMENTS
};
enum { PARAMETERS = VALUES + 1, REPORT_PARAMETERS = 2 };

/* Which functions a mechanism has, and which of the parameters above it takes. */
typedef struct {
    const char *name;
    simdp_mechanism mechanism;
    const char *kinds;
    draw_function *by_promise, *f64, *f32, *i64;
    draw_function *report;                   /* one report of each person, with its parameters as they are given */
    int takes[REPORT_PARAMETERS];            /* which these are; 0 is none */
    bool packed;                             /* eight bits in a byte */
    id_function *id_f64, *id_i64, *id_bytes; /* by identity, or NULL */
    keywords *known;
    const int *places; /* of the names of `known` among the parameters above */
} release_kind;

typedef struct {
    draw_function *run;
    double p[3];
} release_plan;

/* What Python calls a parameter: the scale of Gaussian noise is sigma. */
static const char *name_of(const release_kind *r, int parameter)
{
    for (int i = 0; r->known->names[i] != NULL; i++) {
        if (r->places[i] == parameter) return r->known->names[i];
    }
    return "parameter";
}

/* A number of values is whole. One that the library has no number for is 0 values, which releases refuse. */
static bool take_values(PyObject *object, const char *name, double *values)
{
    uint64_t whole;
    if (!take_word(object, name, &whole)) return false;
    *values = whole <= UINT32_MAX ? (double)whole : 0.0;
    return true;
}

static bool take_parameters(const release_kind *r, PyObject *const *v, double *of)
{
    for (int i = SENSITIVITY; i < PARAMETERS; i++) {
        of[i] = NAN;
        if (v[i] == NULL) continue;
        const char *name = name_of(r, i);
        if (i == VALUES ? !take_values(v[i], name, &of[i]) : !take_double(v[i], name, &of[i])) return false;
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

static bool plan_report(const release_kind *r, PyObject *const *v, const double *of, release_plan *plan)
{
    *plan = (release_plan){r->report, {0.0}};
    for (int i = 0; i < REPORT_PARAMETERS && r->takes[i] != 0; i++) {
        if (v[r->takes[i]] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() wants %s=", r->name, name_of(r, r->takes[i]));
            return false;
        }
        plan->p[i] = of[r->takes[i]];
    }
    return true;
}

static bool plan_release(const release_kind *r, const array *in, PyObject *const *v, release_plan *plan)
{
    double of[PARAMETERS];
    if (!take_parameters(r, v, of)) return false;
    if (r->report != NULL) return plan_report(r, v, of, plan);
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
    if (count != NULL && !take_word(count, "count", &asked)) return false;
    *n = asked;
    if (asked <= 8 * (uint64_t)in->n && (asked + 7) / 8 == in->n) return true;
    PyErr_SetString(PyExc_ValueError, "count: (count + 7) / 8 must be the number of bytes");
    return false;
}

static bool has_shape_of(const array *a, const array *b)
{
    if (!a->held || !b->held || a->is_scalar || b->is_scalar) return true; /* their counts are compared */
    return a->buffer.ndim == b->buffer.ndim &&
           memcmp(a->buffer.shape, b->buffer.shape, (size_t)a->buffer.ndim * sizeof *a->buffer.shape) == 0;
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
        PyErr_Format(PyExc_ValueError, "out: as many elements as answers are wanted: %zu, not %zu", in->n, out->n);
        return false;
    }
    if (!has_shape_of(out, in)) {
        PyErr_SetString(PyExc_ValueError, "out: the shape of the answers is wanted");
        return false;
    }
    if (arrays_overlap_in_part(out, in)) {
        PyErr_SetString(PyExc_ValueError, "out: the answers themselves, or no memory of theirs");
        return false;
    }
    return true;
}

/* The error of a release: what was given, if that can be why. */
static void explain_failure(const release_kind *r, const rng_object *rng, PyObject *const *v, simdp_status status)
{
    if (rng_was_closed(rng)) return;
    if (status != SIMDP_EPARAM) {
        raise_status_of(status, r->name);
        return;
    }
    PyObject *text = PyUnicode_FromFormat("%s: %s:", r->name, simdp_status_text(status));
    for (int i = SENSITIVITY; text != NULL && i < PARAMETERS; i++) {
        if (v[i] == NULL) continue;
        PyObject *longer = PyUnicode_FromFormat("%U %s=%R", text, name_of(r, i), v[i]);
        Py_DECREF(text);
        text = longer;
    }
    if (text != NULL) PyErr_SetObject(PyExc_ValueError, text);
    Py_XDECREF(text);
}

/* What the library writes when it fails, for failures that come before the library is called. */
static void leave_no_answer(const array *out)
{
    const int64_t none = INT64_MIN;
    if (out->kind != 'q') memset(out->data, 0xff, out->n * kind_size(out->kind)); /* NaN, and what is no report */
    else
        for (size_t i = 0; i < out->n; i++) memcpy((char *)out->data + i * sizeof none, &none, sizeof none);
}

/* ids=: as many ids of 16 bytes as answers. The stream does not move. */
static bool release_by_id(const release_kind *r, rng_object *rng, const array *in, const array *out, PyObject *const *v,
                          const double *p)
{
    id_function *run = in->kind == 'd' ? r->id_f64 : in->kind == 'q' ? r->id_i64 : in->kind == 'B' ? r->id_bytes : NULL;
    array ids;
    if (run == NULL) {
        PyErr_Format(PyExc_TypeError, "%s() has no noise by identity for arrays of this type", r->name);
        return false;
    }
    if (!rng->keyed && !rng->closed) {
        PyErr_SetString(PyExc_ValueError, "ids: noise by identity is a function of a key: rng=simdp.Rng(key=...)");
        return false;
    }
    if (!array_read(&ids, v[IDS], "ids", "TQ", false)) return false;
    const array as_words = {.data = ids.data, .n = ids.held ? (size_t)ids.buffer.len / 8 : 0, .kind = 'Q'};
    const bool fits = ids.held && (size_t)ids.buffer.len == in->n * sizeof(simdp_id) && ids.data != out->data &&
                      !arrays_overlap_in_part(out, &as_words);
    simdp_status status = SIMDP_EPARAM;
    if (fits) {
        busy_lock(&rng->busy);
        Py_BEGIN_ALLOW_THREADS;
        status = run(&rng->rng, out->data, in->data, ids.data, in->n, p);
        busy_unlock(&rng->busy);
        Py_END_ALLOW_THREADS;
    } else {
        PyErr_SetString(PyExc_ValueError,
                        "ids: one id of 16 bytes for each answer is wanted, in other memory than out; "
                        "simdp.release.ids makes them");
    }
    array_drop(&ids);
    if (fits && status != SIMDP_OK) explain_failure(r, rng, v, status);
    return status == SIMDP_OK;
}

static PyObject *release_into(const release_kind *r, const array *in, PyObject *const *v, PyObject *answers)
{
    array out = {0};
    PyObject *made = NULL;
    release_plan plan;
    size_t threads, n = in->n;
    rng_object *rng = NULL;
    const bool opened = open_output(&out, &made, in, v[OUT]);
    bool done = opened && (rng = rng_take(v[RNG])) != NULL && take_threads(v[THREADS], &threads) &&
                (!r->packed || count_packed(in, v[COUNT], &n)) && plan_release(r, in, v, &plan);
    if (done && v[IDS] != NULL) {
        done = release_by_id(r, rng, in, &out, v, plan.p);
    } else if (done) {
        const draw d = {plan.run, out.data, in->data, n, r->packed ? 1 : 8 * kind_size(in->kind), plan.p};
        const simdp_status status = draw_run(rng, &d, threads);
        if (status != SIMDP_OK) explain_failure(r, rng, v, status);
        done = status == SIMDP_OK;
    }
    if (!done && opened) leave_no_answer(&out);
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
    for (int i = 0; r->known->names[i] != NULL; i++) v[r->places[i]] = i > 0 && named[i] == Py_None ? NULL : named[i];
    if (v[ANSWERS] == NULL) {
        PyErr_Format(PyExc_TypeError, "%s() wants %s", r->name, r->known->names[0]);
        return NULL;
    }
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
static const char *const unary_names[] = {"bits", "log_odds_one", "log_odds_zero", "count", "rng",
                                          "out",  "copy",         "threads",       NULL};
static const int unary_places[] = {ANSWERS, ODDS_ONE, ODDS_ZERO, COUNT, RNG, OUT, COPY, THREADS};
static keywords unary_known = {unary_names, 1, {NULL}};
static const char *const values_names[] = {"values", "k", "epsilon", "rng", "out", "copy", "threads", NULL};
static const int values_places[] = {ANSWERS, VALUES, EPSILON, RNG, OUT, COPY, THREADS};
static keywords values_known = {values_names, 1, {NULL}};

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
RELEASE_FUNCTION(randomized_response, bits, "B", .report = release_randomized_response, .takes = {EPSILON},
                 .id_bytes = randomized_response_by_id)
RELEASE_FUNCTION(randomized_response_packed, packed, "B", .report = release_randomized_response_packed,
                 .takes = {EPSILON}, .packed = true)
RELEASE_FUNCTION(unary, unary, "B", .report = release_unary, .takes = {ODDS_ONE, ODDS_ZERO}, .packed = true)
RELEASE_FUNCTION(k_response, values, "I", .report = release_k_response, .takes = {VALUES, EPSILON})
/* clang-format on */

#define COMMON                                                                                                       \
    "\n\nrng: an Rng, by default this thread's own, of the operating system's entropy. out: an array to fill, or "   \
    "the\n"                                                                                                          \
    "answers themselves. copy: converts arrays of other types and layouts. threads: by default all cores from 4 MB " \
    "on."
#define REST       ", rng=None, out=None, copy=False, threads=None)\n--\n\n"
#define REST_BY_ID ", rng=None, out=None, copy=False, threads=None, ids=None)\n--\n\n"

/* The names are those of the module simdp.release, which help() shows; here they stand behind release_. */
static PyMethodDef release_methods[] = {
    METHOD("laplace", python_laplace,
           "laplace(answers, *, sensitivity=None, epsilon=None, scale=None, grid=None" REST_BY_ID
           "Answers with Laplace noise, on a grid, safe to publish: all of them together are epsilon-private if one\n"
           "record moves them by at most `sensitivity` in sum. Or noise of a scale of your own, on a grid (a power of\n"
           "two). Floats give floats, integers integers." COMMON "\n\n>>> counts = numpy.array([1312.0, 87.0, 402.0])\n"
           ">>> noisy = simdp.release.laplace(counts, sensitivity=1, epsilon=0.5)\n"
           ">>> noisy.shape\n(3,)\n"
           ">>> rng = simdp.Rng(key=bytes(32))\n"
           ">>> simdp.release.laplace([10, 20], scale=0, rng=rng)\narray([10, 20])\n"),
    METHOD("gaussian", python_gaussian,
           "gaussian(answers, *, sensitivity=None, epsilon=None, delta=None, sigma=None, grid=None" REST_BY_ID
           "Answers with Gaussian noise, on a grid, safe to publish: (epsilon, delta)-private together if one record\n"
           "moves them by at most `sensitivity` in Euclidean norm. Or a sigma of your own." COMMON
           "\n\n>>> type(simdp.release.gaussian(3.5, sensitivity=1, epsilon=0.5, delta=1e-6))\n<class 'float'>\n"),
    METHOD("discrete_laplace", python_discrete_laplace,
           "discrete_laplace(answers, *, sensitivity=None, epsilon=None, scale=None" REST
           "Integers with discrete Laplace noise, P[x] = tanh(1/(2 scale)) exp(-|x|/scale), exactly." COMMON
           "\n\n>>> type(simdp.release.discrete_laplace(42, sensitivity=1, epsilon=1))\n<class 'int'>\n"),
    METHOD("discrete_gaussian", python_discrete_gaussian,
           "discrete_gaussian(answers, *, sigma=None" REST
           "Integers with discrete Gaussian noise, P[x] proportional to exp(-x^2/(2 sigma^2)), exactly." COMMON
           "\n\n>>> simdp.release.discrete_gaussian(numpy.arange(3), sigma=2.0).dtype\ndtype('int64')\n"),
    METHOD("randomized_response", python_randomized_response,
           "randomized_response(bits, *, epsilon=None" REST_BY_ID
           "Each bit turned with probability 1 / (1 + e^epsilon): epsilon-private for each answer." COMMON
           "\n\n>>> simdp.release.randomized_response(numpy.array([True, False]), epsilon=1.0).dtype\ndtype('bool')\n"),
    METHOD("randomized_response_packed", python_randomized_response_packed,
           "randomized_response_packed(bits, *, epsilon=None, count=None" REST
           "The same for `count` answers packed into bytes, answer i in bit i % 8 of byte i // 8." COMMON
           "\n\n>>> simdp.release.randomized_response_packed(bytes([255]), epsilon=1e6, count=3)\narray([7], "
           "dtype=uint8)\n"),
    METHOD(
        "unary", python_unary,
        "unary(bits, *, log_odds_one=None, log_odds_zero=None, count=None" REST
        "Bits packed alike, each 1 with the log-odds log_odds_one if it is 1, log_odds_zero if it is 0. A value that\n"
        "is sent as bits of which one is 1 is |log_odds_one - log_odds_zero|-private; for an epsilon, 0 and -epsilon\n"
        "have the least variance for rare values. simdp.loss.unary_epsilon has the promise, simdp.loss.count_unary\n"
        "counts people." COMMON "\n\n>>> one_of_eight = numpy.packbits(numpy.eye(8, dtype='B')[5], bitorder='little')\n"
        ">>> report = simdp.release.unary(one_of_eight, log_odds_one=0.0, log_odds_zero=-2.0)\n"
        ">>> simdp.release.unary(one_of_eight, log_odds_one=1e6, log_odds_zero=-1e6)\narray([32], dtype=uint8)\n"),
    METHOD(
        "k_response", python_k_response,
        "k_response(values, *, k=None, epsilon=None" REST
        "Values below k, uint32: each stays with probability e^epsilon / (e^epsilon + k - 1), else becomes one of the\n"
        "others: epsilon-private for each report. simdp.loss.count_k_response counts people." COMMON
        "\n\n>>> report = simdp.release.k_response(numpy.array([0, 3, 1], 'u4'), k=4, epsilon=1.0)\n"
        ">>> simdp.release.k_response([0, 3, 1], k=4, epsilon=1e6)\narray([0, 3, 1], dtype=uint32)\n"),
    {NULL, NULL, 0, NULL},
};

bool release_add_functions(PyObject *module)
{
    PyObject *home = PyUnicode_InternFromString("simdp.release");
    bool added = home != NULL;
    for (PyMethodDef *m = release_methods; added && m->ml_name != NULL; m++) {
        PyObject *name = PyUnicode_FromFormat("release_%s", m->ml_name);
        PyObject *function = name != NULL ? PyCFunction_NewEx(m, module, home) : NULL;
        added = function != NULL && PyObject_SetAttr(module, name, function) == 0;
        Py_XDECREF(function);
        Py_XDECREF(name);
    }
    Py_XDECREF(home);
    return added;
}
