/* quadrature.c: see quadrature.h. */
#include "math/quadrature.h"

#include "math/plain_math.h"

/* By Newton's method on the Legendre polynomial. */
void simdp_gauss_legendre(int nodes, double *node, double *weight)
{
    for (int k = 0; k < nodes; k++) {
        double z = plain_cos_pi((k + 0.75) / (nodes + 0.5)), slope = 1;
        for (int round = 0; round < 8; round++) {
            double p = 1, before = 0;
            for (int j = 1; j <= nodes; j++) {
                const double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
                before = p, p = next;
            }
            slope = nodes * (z * p - before) / (z * z - 1);
            z -= p / slope;
        }
        node[k] = (1 - z) / 2;
        weight[k] = 1 / ((1 - z * z) * slope * slope);
    }
}
