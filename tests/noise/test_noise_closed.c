/* test_noise_closed: raw draws that fail. Where entropy or an external source fails, at once or in the middle of a call,
 * every byte of the output is 0xff; where anything else is wrong nothing is written. Either way the stream has not moved,
 * and nothing beside the output is touched. */
#define _GNU_SOURCE
#include "bits/rng.h"
#include "kernel_list/kernel_list.h"
#include "support/failing_system.h"

enum { MOST = 4099 };
static const size_t lengths[] = {1, 2, 8, 65, 1000, MOST};
#define OLD 0x3c

static simdp_status run(const kernel_line *f, simdp_rng *rng, size_t n)
{
    const kernel_call call = {.rng = rng, .out = out, .n = n, .p = f->good};
    return f->run(&call);
}

static void prepare(const kernel_line *f, size_t n)
{
    const size_t bytes = kernel_out_bytes(f, n);
    assert_true(bytes + CANARIES <= OUT_PAGES * PAGE);
    memset(out - CANARIES, CANARY, bytes + 2 * CANARIES);
    memset(out, OLD, bytes);
}

/* 0 if all of the output is `byte`. */
static size_t judge(const kernel_line *f, size_t n, const char *failure, bool failed, bool moved, int byte)
{
    const size_t bytes = kernel_out_bytes(f, n);
    size_t others = 0;
    for (size_t i = 0; i < bytes; i++) others += out[i] != byte;
    if (failed && !moved && others == 0 && canaries_live(bytes)) return 0;
    printf("%s, n = %zu, %s: %s%s, %zu bytes of the output are not %x%s\n", f->name, n, failure,
           failed ? "the status is right" : "WRONG STATUS", moved ? ", THE STREAM HAS MOVED" : "", others,
           (unsigned)byte, canaries_live(bytes) ? "" : ", and something beside it WAS WRITTEN");
    return 1;
}

static size_t must_fail(const kernel_line *f, simdp_rng *rng, size_t n, const char *failure, simdp_status expected)
{
    const uint64_t before = rng->position;
    prepare(f, n);
    const simdp_status status = run(f, rng, n);
    const bool with_data = expected == SIMDP_EENTROPY || expected == SIMDP_ESOURCE;
    return judge(f, n, failure, status == expected, rng->position != before, with_data ? 0xff : OLD);
}

/* ---- failures ---- */

static size_t without_entropy(const kernel_line *f, size_t n)
{
    simdp_rng rng;
    must(simdp_rng_init(&rng));
    fork_without_entropy();
    const size_t bad = must_fail(f, &rng, n, "no entropy after a fork", SIMDP_EENTROPY);
    getrandom_fails = 0;
    return bad;
}

/* The fork comes while the first piece is written, and the next one finds no entropy. */
static size_t without_entropy_later(const kernel_line *f, size_t n)
{
    simdp_rng rng;
    if (n < 2) return 0;
    must(simdp_rng_init(&rng));
    rng.position = 5 * SIMDP_RNG_ERASE_POSITIONS - n / 2;
    const uint64_t before = rng.position;
    prepare(f, n);
    set_trap();
    const simdp_status status = run(f, &rng, n);
    if (trap_was_idle()) return printf("%s: wrote nothing before its second piece\n", f->name), 1;
    return judge(f, n, "no entropy for a later piece", status == SIMDP_EENTROPY, rng.position != before, 0xff);
}

static size_t with_failing_source(const kernel_line *f, size_t n)
{
    failing_source source = {.fails_at = SIZE_MAX};
    simdp_rng rng = {.kind = RNG_SOURCE, .source = some_words, .context = &source};
    size_t bad = 0;
    prepare(f, n);
    must(run(f, &rng, n));
    assert_true(source.calls > 0 && canaries_live(kernel_out_bytes(f, n)));
    const size_t calls = source.calls, at[] = {0, calls / 2, calls - 1};
    for (size_t i = 0; i < 3; i++) {
        source = (failing_source){.fails_at = at[i], .status = i == 1 ? SIMDP_EPARAM : SIMDP_ESOURCE};
        rng = (simdp_rng){.kind = RNG_SOURCE, .source = some_words, .context = &source};
        bad += must_fail(f, &rng, n, "external source fails", SIMDP_ESOURCE);
    }
    return bad;
}

static size_t with_dead_streams(const kernel_line *f, size_t n)
{
    static const uint8_t key[32] = {1};
    simdp_rng rng;
    must(simdp_rng_init_deterministic(&rng, key, 0));
    must(simdp_rng_seek(&rng, UINT64_MAX - n + 1));
    size_t bad = must_fail(f, &rng, n, "end of a stream", SIMDP_EPARAM);
    simdp_rng_wipe(&rng);
    bad += must_fail(f, &rng, n, "wiped stream", SIMDP_EPARAM);
    return bad;
}

static void every_raw_draw(size_t (*fails)(const kernel_line *f, size_t n))
{
    const simdp_kernels *t;
    const kernel_line *f;
    size_t bad = 0, functions = 0;
    for (size_t unit = 0; (t = next_usable(&unit)) != NULL; unit++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        for (size_t i = 0; (f = kernel_drawing_at(i)) != NULL; i++) {
            if (strncmp(f->name, "simdp_noise_", 12) != 0 && strcmp(f->name, "simdp_rng_words") != 0) continue;
            functions++;
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) bad += fails(f, lengths[l]);
        }
    }
    must(simdp_isa_select(NULL));
    assert_true(functions >= 16);
    assert_int_equal(bad, 0);
}

static void test_no_entropy(void **state)
{
    (void)state;
    every_raw_draw(without_entropy);
}

static void test_no_entropy_later(void **state)
{
    (void)state;
    struct sigaction action = {.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO}, before;
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0); /* in place of the test runner's own */
    every_raw_draw(without_entropy_later);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

static void test_failing_source(void **state)
{
    (void)state;
    every_raw_draw(with_failing_source);
}

static void test_dead_streams(void **state)
{
    (void)state;
    every_raw_draw(with_dead_streams);
}

static int set_up(void **state)
{
    (void)state;
    return arena_made() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_entropy),
        cmocka_unit_test(test_no_entropy_later),
        cmocka_unit_test(test_failing_source),
        cmocka_unit_test(test_dead_streams),
    };
    return cmocka_run_group_tests_name("noise_closed", tests, set_up, NULL);
}
