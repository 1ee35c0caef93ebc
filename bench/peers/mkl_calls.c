/* mkl_calls.c: see mkl_calls.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "mkl_calls.h"

#ifdef SIMDP_HAVE_MKL
#include <dlfcn.h>
#include <mkl_vml.h>
#include <mkl_vsl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void erfc_la(int n, const double *a, double *out) { vmdErfc(n, a, out, VML_LA); }
static void exp_la(int n, const double *a, double *out) { vmdExp(n, a, out, VML_LA); }
static void abs_la(int n, const double *a, double *out) { vdAbs(n, a, out); }
static void sub_la(int n, const double *a, const double *b, double *out) { vdSub(n, a, b, out); }

#define CHOSEN(name, function) .name##_f64 = vdRng##function, .name##_f32 = vsRng##function,

const mkl_calls *mkl_calls_chosen(void)
{
    static const mkl_calls chosen = {.new_stream = vslNewStreamEx,
                                     .words = viRngUniformBits64,
                                     MKL_LAWS(CHOSEN).erfc = erfc_la,
                                     .exp = exp_la,
                                     .abs = abs_la,
                                     .sub = sub_la};
    return &chosen;
}

/* A function of a shared library, as bytes: C has no conversion from an object's address to a function's. */
static bool find(void *library, const char *name, void *function, size_t size)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, size);
    return address != NULL;
}
#define FIND(member, name)       find(library, name, &calls->member, sizeof calls->member)
#define FIND_LAW(name, function) &&FIND(name##_f64, "_vsldRng" #function) && FIND(name##_f32, "_vslsRng" #function)

static bool find_all(mkl_calls *calls, void *library)
{
    return FIND(new_stream, "__vslNewStreamEx") && FIND(words, "_vsliRngUniformBits64") MKL_LAWS(FIND_LAW) &&
           FIND(erfc, "_vmldErfc_50") && FIND(exp, "_vmldExp_50") && FIND(abs, "_vmldAbs_50") &&
           FIND(sub, "_vmldSub_50");
}

const mkl_calls *mkl_calls_of(const char *code)
{
    static mkl_calls found[2];
    static bool tried[2], good[2];
    const int which = strcmp(code, "avx512") == 0 ? 0 : 1;
    if (!tried[which]) {
        char name[64];
        tried[which] = true;
        snprintf(name, sizeof name, "libmkl_vml_%s.so.3", code);
        void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL); /* beside the MKL that this program is linked with */
        good[which] = library != NULL && find_all(&found[which], library);
        if (!good[which]) fprintf(stderr, "simdp-bench: MKL's %s code cannot be called directly\n", code);
    }
    return good[which] ? &found[which] : NULL;
}
#endif
