/* mkl_calls.h: MKL's functions behind pointers. On CPUs of other makers than Intel MKL runs generic code, although it
 * has code for their instruction sets: one shared library each, which can be called directly. So a peer runs as MKL
 * itself chooses, and as the code for an instruction set. */
#ifndef SIMDP_MKL_CALLS_H
#define SIMDP_MKL_CALLS_H

/* laws with a method and two parameters: the name here, and MKL's */
#define MKL_LAWS(X)             \
    X(uniform, Uniform)         \
    X(exponential, Exponential) \
    X(laplace, Laplace)         \
    X(gaussian, Gaussian)       \
    X(gumbel, Gumbel)

typedef int mkl_law_f64(int method, void *stream, int n, double *out, double a, double b);
typedef int mkl_law_f32(int method, void *stream, int n, float *out, float a, float b);
typedef int mkl_words_call(int method, void *stream, int n, unsigned long long *out);
typedef int mkl_new_stream(void **stream, int generator, int n, const unsigned *seeds);
typedef void mkl_vml_call(int n, const double *a, double *out);
typedef void mkl_vml_pair(int n, const double *a, const double *b, double *out);

typedef struct {
    mkl_new_stream *new_stream;
    mkl_words_call *words;
#define MKL_MEMBERS(name, function) \
    mkl_law_f64 *name##_f64;        \
    mkl_law_f32 *name##_f32;
    MKL_LAWS(MKL_MEMBERS)
#undef MKL_MEMBERS
    mkl_vml_call *erfc, *exp, *abs; /* low accuracy mode (LA) */
    mkl_vml_pair *sub;
} mkl_calls;

/* MKL as a program gets it. */
const mkl_calls *mkl_calls_chosen(void);

/* Its code for an instruction set, "avx512" or "avx2"; NULL where that or one of its functions is missing. */
const mkl_calls *mkl_calls_of(const char *code);

#endif
