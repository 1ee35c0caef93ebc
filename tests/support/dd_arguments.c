/* dd_arguments.c: arguments for the functions of math/dd.inc: see dd_ops.h. */
#include <math.h>

#include "math/dd_ops.h"
#include "support/test_support.h"

static const double edge_hi[] = {
    1.0,      0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp+0, 0x1.6a09e667f3bccp+0,
    0x1.8p-1, 0x1.5555555555555p-2};
#define EDGES     (sizeof edge_hi / sizeof edge_hi[0])
#define DISTANCES 130 /* 2^-2 to 2^-131 from an edge, to both sides */

static double power(int k) { return ldexp(1.0, k); }

static void normalize(double x[2], double hi, double lo) /* |hi| >= |lo| */
{
    x[0] = hi + lo;
    x[1] = lo - (x[0] - hi);
}

/* hi of 53 random bits between 2^least and 2^most; lo of any size up to half a unit of its last place, sometimes 0 or
 * just that half */
static void random_dd(double x[2], int least, int most, uint64_t *random)
{
    const uint64_t r = test_random(random);
    const double fraction = 1.0 + (double)(test_random(random) >> 12) * 0x1p-52;
    const double hi = fraction * power(least + (int)(r % (uint64_t)(most - least)));
    const double half_unit = (nextafter(hi, INFINITY) - hi) / 2;
    double lo = (double)(int64_t)test_random(random) * 0x1p-63 * half_unit;
    switch (r >> 32 & 15) {
    case 0: lo = 0.0; break;
    case 1: lo = r >> 40 & 1 ? half_unit : -half_unit / 2; break;
    case 2: lo *= power(-(int)(r >> 40 & 31)); break;
    default: break;
    }
    normalize(x, hi, lo);
}

/* argument i of the domain, for i below 2 EDGES DISTANCES: an edge, and a power of two more or less */
static void edge_argument(dd_domain domain, uint64_t i, double a[2], uint64_t *random)
{
    const double distance = power(-2 - (int)(i / 2 % DISTANCES)) * (i % 2 ? 1.0 : -1.0);
    const double hi = edge_hi[i / 2 / DISTANCES];
    const int scale = (int)(test_random(random) % 1700) - 850;
    switch (domain) {
    case DD_UNIT:
        if (i % 2) normalize(a, 1.0, -distance);
        else normalize(a, -distance, -distance * power(-54 - (int)(i % 50)));
        break;
    case DD_ANGLE: normalize(a, hi > 1.0 ? 1.0 : hi, -fabs(distance) * (hi > 1.0 ? 0x1p-20 : 0x1p-2)); break;
    default:
        normalize(a, hi, distance);
        if (domain != DD_POSITIVE || i / 2 / DISTANCES == 0) return; /* around 1 it stays */
        a[0] *= power(scale);
        a[1] *= power(scale);
    }
}

void dd_argument(dd_domain domain, uint64_t i, double a[2], double b[2])
{
    uint64_t random = 1000 * i + (uint64_t)domain;
    const int spread = domain == DD_PRODUCT ? 200 : domain == DD_POSITIVE && i % 2 ? 899 : 20;
    random_dd(a, -spread, spread, &random);
    random_dd(b, -spread, spread, &random);
    const bool near = test_random(&random) % 2;
    const uint64_t high = test_random(&random), low = test_random(&random);
    if (domain == DD_WORDS) {
        const uint64_t words[2] = {high >> i % 64, i % 3 ? low : -(low >> i % 63)};
        memcpy(a, words, sizeof words);
        return;
    }
    if (i < 2 * EDGES * DISTANCES) {
        edge_argument(domain, i, a, &random);
    } else if (domain == DD_UNIT) {
        random_dd(a, near ? -130 : -8, 0, &random);
    } else if (domain == DD_ANGLE) {
        random_dd(a, near ? -130 : -4, 0, &random);
    } else if (domain == DD_POSITIVE && near) { /* within an octave of 1 */
        random_dd(a, -1, 1, &random);
    }
    if (domain == DD_UNIT || domain == DD_ANGLE) { /* rounding may have reached past the end */
        if (a[0] > 1.0 || (a[0] == 1.0 && a[1] >= 0.0)) normalize(a, 1.0, -power(-60 - (int)(high % 60)));
    }
    if (domain == DD_SUM && near) { /* sums that cancel: the leading bits of b are those of a */
        const double change = a[0] * power(-(int)(high % 110)) * (low % 4 ? 1.0 : 0.0);
        normalize(b, a[0], 0.0);
        normalize(b, b[0] + change, low % 3 ? a[1] : b[1]);
    }
    if (domain != DD_POSITIVE && domain != DD_UNIT) {
        if (high >> 63) a[0] = -a[0], a[1] = -a[1];
        if (low >> 63) b[0] = -b[0], b[1] = -b[1];
    }
}
