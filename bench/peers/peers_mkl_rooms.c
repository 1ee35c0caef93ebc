/* peers_mkl_rooms.c: see peers_mkl_rooms.h. By blocks that stay in the cache, with loops for the CPU at hand. */
#include "peers_mkl_rooms.h"

#ifdef SIMDP_HAVE_MKL
#include <math.h>

enum { BLOCK = 2048 };

#define FOR_THIS_CPU                                            \
    __attribute__((target_clones("avx512f", "avx2", "default"), \
                   optimize("O3", "associative-math", "no-signed-zeros", "no-trapping-math")))

/* Largest of score - gumbel (MKL's Gumbel is the minimum form), then where it is: two loops that vectorise. */
FOR_THIS_CPU static double largest(double *key, const double *scores, size_t n)
{
    double best = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        key[i] = scores[i] - key[i];
        best = key[i] > best ? key[i] : best;
    }
    return best;
}

static int gumbel_max(void *stream, size_t *out, const double *scores, size_t n)
{
    double key[BLOCK], best = -INFINITY;
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_gumbel_f64(stream, key, count);
        if (status != 0) return status;
        const double block = largest(key, scores + done, count);
        if (block > best) {
            size_t i = 0;
            while (key[i] != block) i++;
            best = block;
            *out = done + i;
        }
    }
    return 0;
}

int mkl_select(void *stream, void *out, size_t n) { return gumbel_max(stream, out, input_scores, n); }
int mkl_select_ascending(void *stream, void *out, size_t n) { return gumbel_max(stream, out, input_ascending, n); }

/* A uniform number against the probability of the count, from a table, which tells by its cache lines what the counts
 * are; counts of the benchmark are below 1000. */
int mkl_partitions(void *stream, void *out, size_t n)
{
    enum { COUNTS = 1000 };
    static double table[COUNTS];
    uint8_t *keep = out;
    double uniform[BLOCK];
    for (int64_t i = 0; i < COUNTS && table[COUNTS - 1] == 0; i++) {
        double rest;
        if (simdp_select_partition_probability(&table[i], &rest, &i, 1, 1.0, KERNEL_PARTITION_DELTA, 1) != SIMDP_OK)
            return 1;
    }
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_uniform_f64(stream, uniform, count);
        if (status != 0) return status;
        for (size_t i = 0; i < count; i++) keep[done + i] = uniform[i] < table[input_integers[done + i]];
    }
    return 0;
}

/* How many noisy queries are above a bar, and the first of them if there is one. */
FOR_THIS_CPU static size_t count_above(const double *noise, const double *queries, size_t n, double bar)
{
    size_t above = 0;
    for (size_t i = 0; i < n; i++) above += queries[i] + 2.0 * noise[i] >= bar;
    return above;
}

int mkl_above_threshold(void *stream, void *out, size_t n)
{
    double noise[BLOCK], bar;
    size_t *index = out;
    int status = mkl_laplace_f64(stream, &bar, 1);
    *index = n;
    for (size_t done = 0; status == 0 && done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        status = mkl_laplace_f64(stream, noise, count);
        if (*index < n || count_above(noise, input_scores + done, count, 40.0 + bar) == 0) continue;
        size_t i = 0;
        while (!(input_scores[done + i] + 2.0 * noise[i] >= 40.0 + bar)) i++;
        *index = done + i;
    }
    return status;
}

FOR_THIS_CPU static void round_answers(double *out, const double *answers, const double *noise, size_t n, double grid)
{
    const double cells = 1 / grid;
    for (size_t i = 0; i < n; i++) out[i] = rint((answers[i] + noise[i]) * cells) * grid;
}

static int release(void *stream, double *out, size_t n, bench_mkl *draw)
{
    double noise[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = draw(stream, noise, count);
        if (status != 0) return status;
        round_answers(out + done, input_y + done, noise, count, KERNEL_GRID);
    }
    return 0;
}

int mkl_release_laplace(void *stream, void *out, size_t n) { return release(stream, out, n, mkl_laplace_f64); }
int mkl_release_gaussian(void *stream, void *out, size_t n) { return release(stream, out, n, mkl_gaussian_f64); }

/* to nearest by a sum whose last place is 1: what vectorises without AVX-512 */
FOR_THIS_CPU static void round_integers(int64_t *out, const int64_t *answers, const double *noise, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        union {
            double d;
            int64_t i;
        } sum = {.d = noise[i] + 0x1.8p52};
        out[i] = answers[i] + (sum.i - 0x4338000000000000);
    }
}

int mkl_release_laplace_i64(void *stream, void *out, size_t n)
{
    double noise[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_law_scaled(stream, noise, count, MKL_LAPLACE, KERNEL_INTEGER_SCALE);
        if (status != 0) return status;
        round_integers((int64_t *)out + done, input_integers + done, noise, count);
    }
    return 0;
}

/* ---- privacy loss: (|y - x1| - |y - x0|) / scale ---- */

FOR_THIS_CPU static void difference(double *out, const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (a[i] - b[i]) * (1 / KERNEL_LOSS_SCALE);
}

void vml_loss(void *out, size_t n)
{
    const mkl_calls *mkl = peers_mkl_vml();
    double a[BLOCK], b[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const int count = (int)(n - done < BLOCK ? n - done : BLOCK);
        mkl->sub(count, input_y + done, input_x1 + done, a);
        mkl->abs(count, a, a);
        mkl->sub(count, input_y + done, input_x0 + done, b);
        mkl->abs(count, b, b);
        difference((double *)out + done, a, b, (size_t)count);
    }
}

FOR_THIS_CPU static void arguments(double *a, double *b, const double *epsilon, const double *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double half = 0.5 / s[i], shift = epsilon[i] * s[i];
        a[i] = (shift - half) * 0.70710678118654752;
        b[i] = (shift + half) * 0.70710678118654752;
    }
}

FOR_THIS_CPU static void combine(double *out, const double *a, const double *b, const double *e, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = 0.5 * (a[i] - e[i] * b[i]);
}

/* Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s), low accuracy mode (LA) */
void vml_delta(void *out, size_t n)
{
    const mkl_calls *mkl = peers_mkl_vml();
    double a[BLOCK], b[BLOCK], e[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const int count = (int)(n - done < BLOCK ? n - done : BLOCK);
        arguments(a, b, input_epsilon + done, input_sigma + done, (size_t)count);
        mkl->erfc(count, a, a);
        mkl->erfc(count, b, b);
        mkl->exp(count, input_epsilon + done, e);
        combine((double *)out + done, a, b, e, (size_t)count);
    }
}

/* Draw, loss, and how often it is above each of three epsilons, on both inputs */
FOR_THIS_CPU static void count_losses(uint64_t above[6], const double *noise, size_t n)
{
    static const double epsilon[3] = {0.25, 0.5, 1.0};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 3; k++) {
            uint64_t count = 0;
            for (size_t i = 0; i < n; i++) {
                const double y = side + KERNEL_LOSS_SCALE * noise[i],
                             loss = (fabs(y - 1.0) - fabs(y)) * (1 / KERNEL_LOSS_SCALE);
                count += loss > epsilon[k];
            }
            above[3 * side + k] += count;
        }
    }
}

int mkl_audit(void *stream, void *out, size_t n)
{
    double noise[BLOCK];
    uint64_t above[6] = {0};
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_laplace_f64(stream, noise, count);
        if (status != 0) return status;
        count_losses(above, noise, count);
    }
    *(double *)out = (double)above[0];
    return 0;
}
#endif
