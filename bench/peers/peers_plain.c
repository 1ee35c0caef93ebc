/* peers_plain.c: see peers_plain.h. CMakeLists.txt gives this file its flags. */
#include "peers_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers_mkl_rooms.h"

typedef void plain_loop(double *restrict out, const double *y, const double *x0, const double *x1, size_t n,
                        double scale);

#define LOSS(name, attribute)                                                                                       \
    attribute static void name(double *restrict out, const double *y, const double *x0, const double *x1, size_t n, \
                               double scale)                                                                        \
    {                                                                                                               \
        for (size_t i = 0; i < n; i++) out[i] = (fabs(y[i] - x1[i]) - fabs(y[i] - x0[i])) / scale;                  \
    }
LOSS(loss, )

/* In a process that limits MKL to AVX2 the loop is limited as well: its rows stand beside ours on AVX2. */
#if defined(__x86_64__)
LOSS(loss_avx512, __attribute__((target("avx512f"))))
LOSS(loss_avx2, __attribute__((target("avx2,fma"))))
static plain_loop *best(void)
{
    const char *limit = getenv("MKL_ENABLE_INSTRUCTIONS");
    if (__builtin_cpu_supports("avx512f") && (limit == NULL || strcmp(limit, "AVX2") != 0)) return loss_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? loss_avx2 : loss;
}
#else
static plain_loop *best(void) { return loss; }
#endif

void plain_loss(void *out, size_t n)
{
    static plain_loop *chosen;
    if (chosen == NULL) chosen = best();
    chosen(out, input_y, input_x0, input_x1, n, KERNEL_LOSS_SCALE);
}
