/* machine.h: state machines: one object of the API driven through a random sequence of legal and illegal calls, beside
 * a simple model that says which status, position and result each call must have. A sequence is a function of its
 * number. */
#ifndef SIMDP_MACHINE_H
#define SIMDP_MACHINE_H

#include "support/test_support.h"

/* One sequence each; they fail by cmocka's assertions. */
void machine_stream(uint64_t sequence);       /* simdp_rng, and everything that draws from one */
void machine_workspace(uint64_t sequence);    /* prepared selections */
void machine_statistics(uint64_t sequence);   /* simdp_loss_statistics */
void machine_audit(uint64_t sequence);        /* simdp_loss_audit */
void machine_filter(uint64_t sequence);       /* simdp_theory_filter */
void machine_interaction(uint64_t sequence);  /* simdp_theory_interaction */
void machine_distribution(uint64_t sequence); /* simdp_pld */

/* The dice of a sequence. */
typedef struct {
    uint64_t state;
} dice;

static inline dice dice_of(uint64_t machine, uint64_t sequence) { return (dice){sequence * 0x9e3779b9 + machine}; }
static inline uint64_t roll(dice *d, uint64_t sides) { return test_random(&d->state) % sides; }
static inline bool one_in(dice *d, uint64_t times) { return roll(d, times) == 0; }

/* Any number of an interval, and short ones more often. */
static inline size_t some_count(dice *d, size_t most) { return roll(d, roll(d, most) + 1); }

/* Another usable instruction set: no result may depend on it, nor on when it changes. */
static inline void change_isa(dice *d)
{
    size_t count = 0;
    const simdp_kernels *usable[8], *t;
    for (size_t i = 0; count < 8 && (t = next_usable(&i)) != NULL; i++) usable[count++] = t;
    if (!is_short()) must(simdp_isa_select(usable[roll(d, count)]->variant));
    assert_int_equal(simdp_isa_select("no such set"), SIMDP_EISA); /* the choice stays */
}

#endif
