/* quadrature.h: nodes and weights of Gauss-Legendre quadrature. */
#ifndef SIMDP_QUADRATURE_H
#define SIMDP_QUADRATURE_H

/* On [0, 1], nodes rising from 0 to 1; to 2^-50, for up to 32 nodes. */
void simdp_gauss_legendre(int nodes, double *node, double *weight);

#endif
