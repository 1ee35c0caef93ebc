/* test_in_bounds: no function of the list reads or writes beyond the arrays of a call: each ends where the page after it
 * may not be touched. Sanitizers see the same in scalar code; this is for vectors, whose last one is often not whole. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel_list/kernel_list.h"
#include "support/test_support.h"

enum { PAGE = 4096, ROOM = 16 * PAGE, ARRAYS = 6 };

static unsigned char *ends[ARRAYS]; /* just behind ROOM bytes */
static char running[160];

/* An array of so many bytes that nothing lies behind. */
static void *array(int i, size_t bytes) { return ends[i] - bytes; }

static size_t in_bytes(const kernel_line *k, size_t n)
{
    switch (k->in) {
    case IN_SAME: return kernel_out_bytes(k, n);
    case IN_F32: return 4 * n;
    case IN_BYTES: return n;
    case IN_F64:
    case IN_I64:
    case IN_INDEX: return 8 * n;
    default: return 0;
    }
}

/* Whether n says how long all arrays are. */
static bool is_simple(const kernel_line *k)
{
    if (k->in == IN_WORKSPACE || k->in == IN_INDEX || (k->in == IN_SAME && k->out == OUT_PACKED)) return false;
    if (k->out == OUT_INDEX || k->out == OUT_ROWS || k->out == OUT_STEPS || k->winners > 0) return false;
    return strstr(k->name, "transcript") == NULL && !(k->form != NULL && strcmp(k->form, "rows") == 0);
}

static void call_at_the_end(const kernel_line *k, size_t n)
{
    simdp_rng rng;
    test_stream(&rng, 1, 0, 3);
    kernel_call c = {.rng = &rng, .n = n, .candidates = 4, .p = k->good};
    const size_t out = kernel_out_bytes(k, n);
    c.out = array(0, out);
    memset(c.out, 0, out);
    c.in = in_bytes(k, n) > 0 ? array(1, in_bytes(k, n)) : NULL;
    for (int j = 0; j < 3; j++) {
        double *const more = array(2 + j, n * sizeof *more);
        for (size_t i = 0; i < n; i++) more[i] = 1.0;
        c.more[j] = more;
    }
    if (k->by_id) c.ids = memcpy(array(5, n * sizeof *c.ids), kernel_ids(n), n * sizeof *c.ids);
    snprintf(running, sizeof running, "%s%s%s, n = %zu\n", k->name, k->form ? "." : "", k->form ? k->form : "", n);
    if (k->run(&c) != SIMDP_OK) fail_msg("%s", running);
}

static void name_it(int signal_number)
{
    (void)signal_number;
    if (write(STDERR_FILENO, running, strlen(running)) < 0) _exit(2);
    _exit(1);
}

static void test_all(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = name_it};
    const simdp_kernels *t;
    const kernel_line *k;
    size_t functions = 0;
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0); /* in place of the test runner's own */
    for (size_t set = 0; (t = next_usable(&set)) != NULL; set++) {
        must(simdp_isa_select(t->variant));
        for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
            if (!is_simple(k)) continue;
            functions++;
            for (size_t n = 1; n < 70; n++) call_at_the_end(k, n);
            for (size_t n = 1000; n < 1009; n++) call_at_the_end(k, n);
        }
    }
    must(simdp_isa_select(NULL));
    assert_true(functions >= 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    for (int i = 0; i < ARRAYS; i++) {
        unsigned char *all = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED || mprotect(all + ROOM, PAGE, PROT_NONE) != 0) return 1;
        ends[i] = all + ROOM;
    }
    return cmocka_run_group_tests_name("in_bounds", tests, NULL, NULL);
}
