/* module.c: the module simdp._simdp: exceptions, instruction sets, the command. */
#include "module.h"

#include <stdio.h>

bool raise_status_of(simdp_status status, const char *name)
{
    PyObject *type = PyExc_RuntimeError;
    if (status == SIMDP_OK) return false;
    if (PyErr_Occurred()) return true; /* of a function that the library called back */
    if (status == SIMDP_EPARAM || status == SIMDP_ENULL) type = PyExc_ValueError;
    if (status == SIMDP_ENOMEMORY) type = PyExc_MemoryError;
    if (status == SIMDP_EENTROPY) type = PyExc_OSError;
    if (name != NULL) PyErr_Format(type, "%s: %s", name, simdp_status_text(status));
    else PyErr_SetString(type, simdp_status_text(status));
    return true;
}

bool raise_status(simdp_status status) { return raise_status_of(status, NULL); }

PyObject *convert_helper(const char *name)
{
    static PyObject *helpers;
    if (helpers == NULL) {
        PyObject *module = PyImport_ImportModule("simdp._convert");
        if (module == NULL) return NULL;
        helpers = Py_NewRef(PyModule_GetDict(module));
        Py_DECREF(module);
    }
    PyObject *helper = PyDict_GetItemString(helpers, name);
    if (helper == NULL) PyErr_Format(PyExc_RuntimeError, "simdp._convert.%s is not there", name);
    return helper;
}

static PyObject *isa_select(PyObject *module, PyObject *args)
{
    const char *name = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "|z:isa_select", &name) || raise_status(simdp_isa_select(name))) return NULL;
    Py_RETURN_NONE;
}

static PyObject *isa_name(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(simdp_isa_name());
}

static PyObject *isa_variant(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(simdp_isa_variant());
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(simdp_version());
}

static PyObject *bound_name(PyObject *module, PyObject *number)
{
    (void)module;
    const long bound = PyLong_AsLong(number);
    if (bound == -1 && PyErr_Occurred()) return NULL;
    return PyUnicode_FromString(simdp_account_bound_name((simdp_account_bound)bound));
}

/* The simdp command: bench/command, whose main has this name here. */
int simdp_command_main(int argc, char **argv);

/* Runs it with the words of a list and returns its exit status. Only for `python -m simdp`: it writes on the process's
 * own standard output, and a wrong option ends the process. */
static PyObject *command(PyObject *module, PyObject *words)
{
    char *argv[64];
    PyObject *kept[64];
    (void)module;
    const Py_ssize_t count = PySequence_Size(words);
    if (count < 0) return NULL;
    if (count >= 64) return PyErr_Format(PyExc_ValueError, "too many words");
    Py_ssize_t taken = 0;
    for (; taken < count; taken++) {
        PyObject *word = PySequence_GetItem(words, taken);
        kept[taken] = word != NULL ? PyUnicode_EncodeFSDefault(word) : NULL;
        Py_XDECREF(word);
        argv[taken] = kept[taken] != NULL ? PyBytes_AsString(kept[taken]) : NULL;
        if (argv[taken] == NULL) break;
    }
    int status = -1;
    if (taken == count) {
        argv[count] = NULL;
        Py_BEGIN_ALLOW_THREADS;
        status = simdp_command_main((int)count, argv);
        fflush(stdout);
        Py_END_ALLOW_THREADS;
    }
    for (Py_ssize_t i = 0; i < taken; i++) Py_DECREF(kept[i]);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(status);
}

static PyMethodDef module_methods[] = {
    {"isa_select", isa_select, METH_VARARGS,
     PyDoc_STR(
         "isa_select(name=None, /)\n--\n\nChooses the instruction set of the process: 'scalar', 'avx2', 'avx512', or "
         "None for the best.\nOutputs do not depend on it.\n\n>>> simdp.isa_select('scalar'); "
         "simdp.isa_name()\n'scalar'\n>>> simdp.isa_select()\n")},
    {"isa_name", isa_name, METH_NOARGS, PyDoc_STR("isa_name()\n--\n\nWhat runs: 'scalar', 'avx2' or 'avx512'.")},
    {"isa_variant", isa_variant, METH_NOARGS,
     PyDoc_STR("isa_variant()\n--\n\nThe same in full: 'scalar', 'avx2_vaes', 'avx2_aesni' or 'avx512'.")},
    {"version", version, METH_NOARGS, PyDoc_STR("version()\n--\n\nThe version of the library.")},
    {"account_bound_name", bound_name, METH_O, NULL},
    {"command", command, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyMODINIT_FUNC PyInit__simdp(void);
PyMODINIT_FUNC PyInit__simdp(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                            "simdp._simdp",
                                            "The library for Python; see the package simdp.",
                                            -1,
                                            module_methods,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL};
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
#ifdef Py_GIL_DISABLED
    PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    if (!release_add_functions(module) || PyModule_AddFunctions(module, opening_methods) != 0 ||
        !rng_add_type(module) || !memory_add_type(module) || !bitgen_add_type(module) || !arrow_add_type(module) ||
        !table_add_functions(module) || !layout_add(module)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
