/* beside.h: somebody else's work, cut into small steps, that a function of this room runs between its own operations.
 * A polynomial is a chain of multiply-adds, each of which waits for the one before; work that does not depend on it
 * fills the gaps. The caller names the function that makes a step: after inlining it is a constant to the compiler, and
 * a step costs no call. */
#ifndef SIMDP_BESIDE_H
#define SIMDP_BESIDE_H

#include "vec/vec.h"

typedef struct {
    void (*step)(void *work, int number); /* makes step `number` */
    void *work;
} math_beside;

#define BESIDE_NOTHING ((math_beside){NULL, NULL})

OP void beside_step(const math_beside beside, int number)
{
    if (beside.step != NULL) beside.step(beside.work, number);
}

#endif
