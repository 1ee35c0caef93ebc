/* pld_spectrum.c: powers and products of spectra, with a bound on the error at each frequency. If |y - z| <= e, then
 * |y^k - z^k| <= k e (|y| + e)^(k-1); computing the power by multiplications, each within sqrt(5) u, adds at most
 * sqrt(5) u k |y|^k; a product carries the errors of both factors. */
#include "account/pld.h"
#include "fft/fft.h"
#include "math/plain_math.h"

#define SQRT5_U       0x1.1e3779b97f4a8p-52 /* of a complex product */
#define POWER_NOTHING 1e-36                 /* powers below are taken for 0 */

typedef struct {
    double re, im;
} complex_number;

static inline complex_number times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* z^k and bound^(k-1), k >= 1, by squaring. */
static inline complex_number power(complex_number z, double bound, uint64_t k, double *bound_power)
{
    complex_number y = {1, 0};
    double b = 1;
    for (uint64_t rest = k - 1; rest > 0; rest >>= 1) { /* bound: 64 turns, as below */
        if (rest & 1) b *= bound;
        bound *= bound;
    }
    bool empty = true;
    for (uint64_t rest = k;;) {
        if (rest & 1) {
            y = empty ? z : times(y, z);
            empty = false;
        }
        rest >>= 1;
        if (rest == 0) break;
        z = times(z, z);
    }
    *bound_power = b;
    return y;
}

pld_spectrum_sums simdp_pld_multiply_power(double *product, double *errors, const double *factor, size_t frequencies,
                                           uint64_t k, double transform_error, bool first)
{
    const size_t group = simdp_fft_group(2 * frequencies);
    const double k_real = (double)k, rounding = 1.01 * SQRT5_U * k_real;
    /* |z|^k < POWER_NOTHING; never for small k, where the error alone is larger than that */
    const double nothing = k < 16 ? -1 : plain_pow(POWER_NOTHING, 2 / k_real);
    pld_spectrum_sums sums = {0, 0};
    for (size_t f = 0; f < frequencies; f++) {
        const size_t re = simdp_fft_place(2 * frequencies, f), im = re + group;
        const complex_number z = {factor[re], factor[im]};
        const double square = z.re * z.re + z.im * z.im;
        complex_number y = {0, 0};
        double error = 2 * POWER_NOTHING, modulus = 0;
        if (square > nothing) {
            const double size = sqrt(square);
            double bound_power;
            y = power(z, size + transform_error, k, &bound_power);
            modulus = sqrt(y.re * y.re + y.im * y.im);
            error = k_real * transform_error * bound_power + rounding * modulus + POWER_NOTHING;
        }
        if (!first) {
            const complex_number before = {product[re], product[im]};
            const double before_modulus = sqrt(before.re * before.re + before.im * before.im);
            error = errors[f] * (modulus + error) + before_modulus * (error + SQRT5_U * modulus) + POWER_NOTHING;
            y = times(before, y);
            modulus *= before_modulus;
        }
        product[re] = y.re, product[im] = y.im;
        if (errors != NULL) errors[f] = error;
        sums.error += error;
        sums.modulus += modulus;
    }
    return sums;
}
