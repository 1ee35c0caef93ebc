/* test_account_memory: privacy-loss distributions without memory. Every allocation of a life of one fails in turn: the
 * call says SIMDP_ENOMEMORY and gives no answer, or does without and gives the right one; nothing is lost, and the
 * distribution can still be destroyed. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "support/test_support.h"

/* ---- in place of libc's: glibc has its own under these names, too ---- */

extern void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t size), *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t alignment, size_t n);
extern void __libc_free(void *p);

static atomic_long held;               /* blocks that are not freed */
static atomic_long until_failure = -1; /* allocations before the one that fails; below 0: none does */

static bool fails(void) { return atomic_load(&until_failure) >= 0 && atomic_fetch_sub(&until_failure, 1) == 0; }

static void *counted(void *p)
{
    if (p != NULL) atomic_fetch_add(&held, 1);
    return p;
}

void *malloc(size_t n) { return fails() ? NULL : counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : counted(__libc_calloc(n, size)); }
void *aligned_alloc(size_t alignment, size_t n) { return fails() ? NULL : counted(__libc_memalign(alignment, n)); }
void *realloc(void *p, size_t n)
{
    if (p == NULL) return malloc(n);
    return fails() ? NULL : __libc_realloc(p, n);
}
void free(void *p)
{
    if (p != NULL) atomic_fetch_sub(&held, 1);
    __libc_free(p);
}

/* ---- a life ---- */

static const double mass[] = {0.2, 0.5, 0.3}, p[] = {0.5, 0.3, 0.2}, q[] = {0.2, 0.3, 0.5};
static const double sensitivity[] = {0.5, 1.0}, probability[] = {0.5, 0.5};

static simdp_status add(simdp_pld *pld, int law)
{
    switch (law) {
    case 0: return simdp_pld_add_laplace(pld, 0.3, 3);
    case 1: return simdp_pld_add_gaussian(pld, 4.0, 2);
    case 2: return simdp_pld_add_gaussian_sampled(pld, 2.0, 0.1, 5);
    case 3: return simdp_pld_add_laplace_sampled(pld, 0.5, 0.2, 2);
    case 4: return simdp_pld_add_randomized_response(pld, 0.5, 0.001, 2);
    case 5: return simdp_pld_add_bounded_range(pld, 0.4, 2);
    case 6: return simdp_pld_add_discrete_laplace(pld, 3.0, 1, 2);
    case 7: return simdp_pld_add_discrete_gaussian(pld, 4.0, 1, 2);
    case 8: return simdp_pld_add_gaussian_mixture(pld, sensitivity, probability, 2, 2.0, 2);
    case 9: return simdp_pld_add_histogram(pld, mass, 3, -1, 0.0, 2);
    case 10: return simdp_pld_add_pair(pld, p, q, 3, 2);
    }
    return SIMDP_EPARAM;
}
enum { LAWS = 11 };

/* What the first call says that fails; the answer of a query is NaN before. */
static simdp_status live(double *upper)
{
    simdp_pld *pld = NULL;
    const double epsilon = 8.0;
    *upper = NAN;
    simdp_status status = simdp_pld_create(&pld, 0x1p-6);
    if (status != SIMDP_OK) {
        assert_null(pld);
        return status;
    }
    for (int law = 0; law < LAWS && status == SIMDP_OK; law++) status = add(pld, law);
    if (status == SIMDP_OK) status = simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL);
    if (status == SIMDP_OK) status = simdp_pld_delta(pld, NULL, upper, &epsilon, 1);
    simdp_pld_destroy(pld);
    return status;
}

static void test_every_allocation(void **state)
{
    (void)state;
    double upper, with_memory;
    must(live(&with_memory)); /* before it is counted: what libc keeps for itself */
    assert_true(with_memory > 0 && with_memory < 1);
    const long before = atomic_load(&held);
    long failed = 0, spared = 0;
    for (;; failed++) {
        atomic_store(&until_failure, failed);
        const simdp_status status = live(&upper);
        const bool reached = atomic_load(&until_failure) < 0;
        atomic_store(&until_failure, -1);
        if (atomic_load(&held) != before) fail_msg("allocation %ld: %ld lost", failed, atomic_load(&held) - before);
        if (!reached) {
            must(status);
            break;
        }
        if (status == SIMDP_OK) spared++;
        const bool good = status == SIMDP_OK ? fabs(upper / with_memory - 1) < 0.01 : isnan(upper);
        if ((status != SIMDP_OK && status != SIMDP_ENOMEMORY) || !good)
            fail_msg("allocation %ld: status %d, %g instead of %g", failed, status, upper, with_memory);
    }
    print_message("%ld allocations, %ld of which only save work\n", failed, spared);
    assert_true(failed > 30 && spared < failed / 2 && upper == with_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};
    return cmocka_run_group_tests_name("account_memory", tests, NULL, NULL);
}
