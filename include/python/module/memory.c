/* memory.c: objects of the library that are plain memory with private members: statistics, audits, filters, and the
 * pointer to a privacy-loss distribution. Python sees a handle. */
#include "module.h"

#include <string.h>

PyTypeObject *memory_type;

static const struct {
    const char *kind;
    size_t size;
} kinds[] = {
    {"simdp_loss_statistics", sizeof(simdp_loss_statistics)},
    {"simdp_loss_audit", sizeof(simdp_loss_audit)},
    {"simdp_select_threshold", sizeof(simdp_select_threshold)},
    {"simdp_theory_filter", sizeof(simdp_theory_filter)},
    {"simdp_pld", sizeof(simdp_pld *)},
};

memory_object *memory_make(const char *kind, size_t size)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(memory_type, Py_tp_alloc);
    memory_object *self = (memory_object *)allocate(memory_type, 0);
    if (self == NULL) return NULL;
    self->kind = kind;
    self->memory = PyMem_Calloc(1, size);
    if (self->memory != NULL) return self;
    Py_DECREF(self);
    PyErr_NoMemory();
    return NULL;
}

static PyObject *memory_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    const char *kind;
    (void)type;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "s", &kind)) return NULL;
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && strcmp(kinds[i].kind, kind) != 0) i++;
    if (i == sizeof kinds / sizeof *kinds) return PyErr_Format(PyExc_ValueError, "no memory of kind %s", kind);
    return (PyObject *)memory_make(kinds[i].kind, kinds[i].size);
}

void memory_swap_kept(memory_object *m, array kept[MEMORY_KEPT])
{
    for (size_t i = 0; i < MEMORY_KEPT; i++) {
        const array before = m->kept[i];
        m->kept[i] = kept[i];
        kept[i] = before;
    }
}

static void memory_dealloc(PyObject *object)
{
    memory_object *self = (memory_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->kind != NULL && strcmp(self->kind, "simdp_pld") == 0 && self->memory != NULL)
        simdp_pld_destroy(*(simdp_pld **)self->memory);
    if (self->kind != NULL && strcmp(self->kind, "simdp_select_threshold") == 0)
        simdp_select_threshold_wipe(self->memory);
    for (size_t i = 0; i < MEMORY_KEPT; i++) array_drop(&self->kept[i]);
    PyMem_Free(self->memory);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

bool memory_add_type(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Memory of a struct of the library."},
        {Py_tp_new, memory_new},
        {Py_tp_dealloc, memory_dealloc},
        {0, NULL},
    };
    static PyType_Spec spec = {"simdp._simdp.Memory", sizeof(memory_object), 0, Py_TPFLAGS_DEFAULT, slots};
    memory_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return memory_type != NULL && PyModule_AddObjectRef(module, "Memory", (PyObject *)memory_type) == 0;
}

memory_object *memory_take(PyObject *object, const char *kind)
{
    memory_object *m = (memory_object *)object;
    if (PyObject_TypeCheck(object, memory_type) && strcmp(m->kind, kind) == 0) return m;
    PyErr_Format(PyExc_TypeError, "memory of %s is wanted", kind);
    return NULL;
}
