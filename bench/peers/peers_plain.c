/* peers_plain.c: see peers_plain.h. CMakeLists.txt gives this file its flags. */
#include "peers_plain.h"

#include <math.h>

#include "peers_mkl_rooms.h"

#if defined(__x86_64__) && defined(__GLIBC__) /* the loader chooses the clone, which other C libraries' cannot */
#define FOR_THIS_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_THIS_CPU
#endif

FOR_THIS_CPU static void loss(double *restrict out, const double *y, const double *x0, const double *x1, size_t n,
                              double scale)
{
    for (size_t i = 0; i < n; i++) out[i] = (fabs(y[i] - x1[i]) - fabs(y[i] - x0[i])) / scale;
}

void plain_loss(void *out, size_t n) { loss(out, input_y, input_x0, input_x1, n, KERNEL_LOSS_SCALE); }
