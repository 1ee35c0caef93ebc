/* opening.c: functions whose plans hold pointers to arrays, which the object then keeps, and the composition of a
 * privacy-loss distribution, which calls back. */
#include "module.h"

/* Reads an array of doubles that may be None into *a, which is empty. One number is no array here: it would lie in *a,
 * which is moved. */
static bool read_optional(array *a, PyObject *object, const char *name)
{
    if (object == Py_None) return true;
    if (!array_read(a, object, name, "d", false)) return false;
    if (a->held) return array_is_aligned(a, name);
    PyErr_Format(PyExc_TypeError, "%s: an array is wanted", name);
    return false;
}

static void drop_arrays(array kept[MEMORY_KEPT])
{
    for (size_t i = 0; i < MEMORY_KEPT; i++) array_drop(&kept[i]);
}

static PyObject *done_with(simdp_status status)
{
    if (raise_status(status)) return NULL;
    Py_RETURN_NONE;
}

/* select_prepare(scores, scale): memory of the workspace, which keeps the scores */
static PyObject *select_prepare(PyObject *module, PyObject *args)
{
    PyObject *scores;
    double scale;
    array given;
    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &scores, &scale) || !array_read(&given, scores, "scores", "df", false))
        return NULL;
    const size_t bytes = given.held ? simdp_select_workspace(given.n) : 0;
    memory_object *m = bytes > 0 ? memory_make("void", bytes) : NULL;
    if (m == NULL) {
        if (!PyErr_Occurred()) raise_status(SIMDP_EPARAM);
        array_drop(&given);
        return NULL;
    }
    m->kept[0] = given; /* an array in memory: its data are not in the struct */
    simdp_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = given.kind == 'd' ? simdp_select_prepare(m->memory, given.data, given.n, scale)
                               : simdp_select_prepare_f32(m->memory, given.data, given.n, scale);
    Py_END_ALLOW_THREADS;
    if (!raise_status(status)) return (PyObject *)m;
    Py_DECREF(m);
    return NULL;
}

/* loss_statistics_init(memory, epsilon, deltas, bound, order, counts, low, high); counts has bins + 2 numbers */
static PyObject *statistics_init(PyObject *module, PyObject *args)
{
    PyObject *object, *epsilon, *order, *counts;
    simdp_loss_statistics_plan plan = {0};
    array of_epsilon = {0}, of_order = {0}, kept[MEMORY_KEPT] = {{.n = 0}};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOpdOOdd", &object, &epsilon, &plan.deltas, &plan.bound, &order, &counts, &plan.low,
                          &plan.high))
        return NULL;
    memory_object *m = memory_take(object, "simdp_loss_statistics");
    if (m == NULL) return NULL;
    bool good = read_optional(&of_epsilon, epsilon, "epsilon") && read_optional(&of_order, order, "order") &&
                (counts == Py_None || array_write(&kept[0], counts, "counts", "Q"));
    if (good && counts != Py_None && kept[0].n < 3) {
        PyErr_SetString(PyExc_ValueError, "counts: bins + 2 numbers are wanted");
        good = false;
    }
    if (good) {
        plan.epsilon = of_epsilon.data;
        plan.epsilons = of_epsilon.n;
        plan.order = of_order.data;
        plan.orders = of_order.n;
        plan.counts = kept[0].data;
        plan.bins = kept[0].n > 2 ? kept[0].n - 2 : 0;
    } else {
        plan = (simdp_loss_statistics_plan){.bound = -1.0, .deltas = -1}; /* refused */
    }
    busy_lock(&m->busy);
    memory_swap_kept(m, kept);
    const simdp_status status = simdp_loss_statistics_init(m->memory, &plan);
    busy_unlock(&m->busy);
    drop_arrays(kept);
    array_drop(&of_epsilon);
    array_drop(&of_order);
    return good ? done_with(status) : NULL;
}

/* ---- audits ---- */

/* The part of a plan that Python hands over: (mechanism, x0, x1, scale, scores0, scores1, epsilon, hockey_stick, samples,
 * error). Scores are read into kept[0] and kept[1], epsilons into kept[2]. */
static bool read_audit_plan(PyObject *tuple, simdp_loss_audit_plan *plan, array kept[3])
{
    PyObject *scores[2], *epsilon, *samples;
    int mechanism;
    uint64_t count;
    if (!PyArg_ParseTuple(tuple, "idddOOOpOd", &mechanism, &plan->x0, &plan->x1, &plan->scale, &scores[0], &scores[1],
                          &epsilon, &plan->hockey_stick, &samples, &plan->error))
        return false;
    if (!take_word(samples, "samples", &count) || !read_optional(&kept[0], scores[0], "scores") ||
        !read_optional(&kept[1], scores[1], "scores") || !read_optional(&kept[2], epsilon, "epsilon"))
        return false;
    if (kept[0].n != kept[1].n) {
        PyErr_SetString(PyExc_ValueError, "scores: as many on the first input as on the second");
        return false;
    }
    plan->mechanism = (simdp_mechanism)mechanism;
    plan->scores[0] = kept[0].data;
    plan->scores[1] = kept[1].data;
    plan->candidates = kept[0].n;
    plan->epsilon = kept[2].data;
    plan->epsilons = kept[2].n;
    plan->samples = count;
    return true;
}

/* loss_audit_init(memory, plan) */
static PyObject *audit_init(PyObject *module, PyObject *args)
{
    PyObject *object, *tuple;
    simdp_loss_audit_plan plan = {0};
    array kept[MEMORY_KEPT] = {{.n = 0}};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &object, &PyTuple_Type, &tuple)) return NULL;
    memory_object *m = memory_take(object, "simdp_loss_audit");
    if (m == NULL) return NULL;
    const bool good = read_audit_plan(tuple, &plan, kept);
    busy_lock(&m->busy);
    memory_swap_kept(m, kept);
    const simdp_status status = simdp_loss_audit_init(m->memory, good ? &plan : &(simdp_loss_audit_plan){0});
    busy_unlock(&m->busy);
    drop_arrays(kept);
    return good ? done_with(status) : NULL;
}

/* loss_audit_run(rng, rows, plan) */
static PyObject *audit_run(PyObject *module, PyObject *args)
{
    PyObject *stream, *out, *tuple;
    simdp_loss_audit_plan plan = {0};
    array kept[MEMORY_KEPT] = {{.n = 0}}, rows = {.n = 0};
    simdp_status status = SIMDP_OK;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO!", &stream, &out, &PyTuple_Type, &tuple)) return NULL;
    rng_object *rng = rng_take(stream);
    bool good = rng != NULL && read_audit_plan(tuple, &plan, kept) && array_write(&rows, out, "rows", "T");
    if (good && (rows.n != plan.epsilons || (size_t)rows.buffer.itemsize != sizeof(simdp_loss_audit_row))) {
        PyErr_SetString(PyExc_ValueError, "rows: one for each epsilon is wanted");
        good = false;
    }
    if (good) {
        busy_lock(&rng->busy);
        Py_BEGIN_ALLOW_THREADS;
        status = simdp_loss_audit_run(&rng->rng, rows.data, &plan);
        busy_unlock(&rng->busy);
        Py_END_ALLOW_THREADS;
    }
    array_drop(&rows);
    drop_arrays(kept);
    Py_XDECREF((PyObject *)rng);
    return good ? done_with(status) : NULL;
}

/* ---- filters ---- */

/* theory_filter_open(memory, kind, epsilon, delta, slack, nu, limit, orders, spent) */
static PyObject *filter_open(PyObject *module, PyObject *args)
{
    PyObject *object, *orders, *spent, *limit;
    simdp_theory_budget budget = {0};
    array kept[MEMORY_KEPT] = {{.n = 0}};
    int kind;
    uint64_t most;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiddddOOO", &object, &kind, &budget.epsilon, &budget.delta, &budget.slack, &budget.nu,
                          &limit, &orders, &spent) ||
        !take_word(limit, "limit", &most))
        return NULL;
    memory_object *m = memory_take(object, "simdp_theory_filter");
    if (m == NULL) return NULL;
    bool good =
        read_optional(&kept[0], orders, "orders") &&
        (spent == Py_None || (array_write(&kept[1], spent, "spent", "d") && array_is_aligned(&kept[1], "spent")));
    if (good && kept[0].n != kept[1].n) {
        PyErr_SetString(PyExc_ValueError, "spent: one number for each order");
        good = false;
    }
    budget.kind = (simdp_theory_filter_kind)(good ? kind : -1); /* a plan that is refused closes the filter */
    budget.limit = most;
    budget.orders = kept[0].data;
    budget.spent = kept[1].data;
    budget.orders_count = kept[0].n;
    busy_lock(&m->busy);
    memory_swap_kept(m, kept);
    const simdp_status status = simdp_theory_filter_open(m->memory, &budget);
    busy_unlock(&m->busy);
    drop_arrays(kept);
    return good ? done_with(status) : NULL;
}

/* ---- privacy-loss distributions ---- */

/* pld_create(memory, grid) */
static PyObject *pld_create(PyObject *module, PyObject *args)
{
    PyObject *object;
    double grid;
    (void)module;
    if (!PyArg_ParseTuple(args, "Od", &object, &grid)) return NULL;
    memory_object *m = memory_take(object, "simdp_pld");
    if (m == NULL) return NULL;
    busy_lock(&m->busy);
    simdp_pld *made = NULL;
    const simdp_status status = simdp_pld_create(&made, grid);
    if (status == SIMDP_OK) {
        simdp_pld_destroy(*(simdp_pld **)m->memory);
        *(simdp_pld **)m->memory = made;
    }
    busy_unlock(&m->busy);
    return done_with(status);
}

/* Runs in the thread that composes, which has its Python state but not the GIL. */
static int report_progress(void *context, double done)
{
    PyObject *callable = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    int stop = PyErr_CheckSignals() != 0;
    if (!stop && callable != Py_None) {
        PyObject *answer = PyObject_CallFunction(callable, "d", done);
        stop = answer == NULL || PyObject_IsTrue(answer) != 0;
        Py_XDECREF(answer);
    }
    PyGILState_Release(state);
    return stop;
}

/* pld_compose(memory, delta_least, delta_most, upper, lower, progress). While it runs the memory holds no distribution,
 * so that whoever asks from another thread or from progress gets an error. */
static PyObject *pld_compose(PyObject *module, PyObject *args)
{
    PyObject *object, *progress;
    double least, most;
    int upper, lower;
    (void)module;
    if (!PyArg_ParseTuple(args, "OddiiO", &object, &least, &most, &upper, &lower, &progress)) return NULL;
    memory_object *m = memory_take(object, "simdp_pld");
    if (m == NULL) return NULL;
    if (progress != Py_None && !PyCallable_Check(progress))
        return PyErr_Format(PyExc_TypeError, "progress: a function is wanted");
    busy_lock(&m->busy);
    simdp_pld *pld = *(simdp_pld **)m->memory;
    *(simdp_pld **)m->memory = NULL;
    busy_unlock(&m->busy);
    simdp_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = simdp_pld_compose(pld, least, most, (simdp_pld_rounding)upper, (simdp_pld_rounding)lower, report_progress,
                               progress);
    Py_END_ALLOW_THREADS;
    busy_lock(&m->busy);
    if (*(simdp_pld **)m->memory == NULL) *(simdp_pld **)m->memory = pld;
    else simdp_pld_destroy(pld); /* another one was created meanwhile */
    busy_unlock(&m->busy);
    return done_with(status);
}

/* account_sgd_epsilon(noise, rate, steps, delta, error, progress): (lower, upper) */
static PyObject *sgd_epsilon(PyObject *module, PyObject *args)
{
    simdp_account_sgd_run run;
    PyObject *steps, *progress;
    double delta, error, lower, upper;
    (void)module;
    if (!PyArg_ParseTuple(args, "ddOddO", &run.noise, &run.rate, &steps, &delta, &error, &progress) ||
        !take_word(steps, "steps", &run.steps))
        return NULL;
    simdp_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = simdp_account_sgd_epsilon(&lower, &upper, run, delta, error, report_progress, progress);
    Py_END_ALLOW_THREADS;
    return raise_status(status) ? NULL : Py_BuildValue("(dd)", lower, upper);
}

/* account_sgd_noise(epsilon, delta, rate, steps, error, progress) */
static PyObject *sgd_noise(PyObject *module, PyObject *args)
{
    simdp_privacy target;
    PyObject *steps, *progress;
    double rate, error, noise;
    uint64_t count;
    (void)module;
    if (!PyArg_ParseTuple(args, "dddOdO", &target.epsilon, &target.delta, &rate, &steps, &error, &progress) ||
        !take_word(steps, "steps", &count))
        return NULL;
    simdp_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = simdp_account_sgd_noise(&noise, target, rate, count, error, report_progress, progress);
    Py_END_ALLOW_THREADS;
    return raise_status(status) ? NULL : PyFloat_FromDouble(noise);
}

PyMethodDef opening_methods[] = {
    {"account_sgd_epsilon", sgd_epsilon, METH_VARARGS, NULL},
    {"account_sgd_noise", sgd_noise, METH_VARARGS, NULL},
    {"select_prepare", select_prepare, METH_VARARGS, NULL},
    {"loss_statistics_init", statistics_init, METH_VARARGS, NULL},
    {"loss_audit_init", audit_init, METH_VARARGS, NULL},
    {"loss_audit_run", audit_run, METH_VARARGS, NULL},
    {"theory_filter_open", filter_open, METH_VARARGS, NULL},
    {"theory_interact", theory_interact, METH_VARARGS, NULL},
    {"theory_transcript_map", theory_transcript_map, METH_VARARGS, NULL},
    {"pld_create", pld_create, METH_VARARGS, NULL},
    {"pld_compose", pld_compose, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
