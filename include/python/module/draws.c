/* draws.c: noise from an Rng. Calls are often short, and so are parsed here and not in Python. */
#include "module.h"

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
/* clang-format on */

bool take_threads(PyObject *object, size_t *threads)
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

PyObject *number_of(const array *a, bool truth)
{
    if (truth) return PyBool_FromLong(*(const uint8_t *)a->data);
    switch (a->kind) {
    case 'd': return PyFloat_FromDouble(*(const double *)a->data);
    case 'f': return PyFloat_FromDouble((double)*(const float *)a->data);
    case 'q': return PyLong_FromLongLong(*(const int64_t *)a->data);
    case 'Q': return PyLong_FromUnsignedLongLong(*(const uint64_t *)a->data);
    case 'I': return PyLong_FromUnsignedLong(*(const uint32_t *)a->data);
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
    const simdp_status status = draw_run(rng, &d, threads);
    return status == SIMDP_OK || !(rng_was_closed(rng) || raise_status_of(status, law->name));
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
