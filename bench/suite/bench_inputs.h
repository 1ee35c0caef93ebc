/* bench_inputs.h: what kernels and their peers read. Inputs lie in static memory (those of --large on the heap): no row
 * depends on the batch sizes asked for. */
#ifndef SIMDP_BENCH_INPUTS_H
#define SIMDP_BENCH_INPUTS_H

#include "bench.h"

enum { INPUTS_MOST = 1 << 20, INPUTS_CANDIDATES = 1000 };

/* scores of candidates, at random and in ascending order; outputs with two inputs, epsilons and sigmas; integers; bytes
 * that are 0 or 1; candidates that won, of INPUTS_CANDIDATES */
extern double input_scores[], input_ascending[], input_y[], input_x0[], input_x1[], input_epsilon[], input_sigma[];
extern int64_t input_integers[];
extern float input_floats[];
extern uint8_t input_bits[];
extern size_t input_winners[];

/* Answers as bits. As bytes they are what the buffer of results holds: any byte but 0 is the same answer. */
extern const uint8_t input_packed[BENCH_BATCH_MAX / 8];
extern const uint32_t input_values[BENCH_BATCH_MAX];

void inputs_fill(void);

/* Arrays of BENCH_LARGE elements; false, after a word to the user, if there is no memory for them and a quarter more.
 */
bool inputs_make_large(void);

/* The outputs whose losses are asked for, and room for these losses. */
const double *inputs_outputs(size_t n);
double *inputs_losses(size_t n);

/* A call of a line of the list, with inputs that fit it. A selection has n candidates and one winner. */
kernel_call inputs_call(const kernel_line *line, void *out, size_t n);

#endif
