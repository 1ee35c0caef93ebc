/* test_release_closed: whatever fails, no function that publishes leaves an answer in its output. Every such function,
 * every failure, in place and not: the status says what failed, all of the output is NaN, INT64_MIN or 0xff, and
 * nothing beside it is touched. */
#define _GNU_SOURCE
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <sys/wait.h>

#include "support/closed_support.h"

/* ---- streams that cannot be used ---- */

static simdp_status no_words(void *context, uint64_t *words, size_t n)
{
    (void)context;
    (void)words;
    (void)n;
    return SIMDP_ESOURCE;
}

static size_t with_dead_streams(closed_case *c, void *context)
{
    simdp_rng rng;
    size_t bad = 0;
    const double no_noise[4] = {0.0, c->p[1], c->p[2], c->p[3]}, *const kept = c->p;
    (void)context;
    c->status = SIMDP_EPARAM;
    for (int zero = 0; zero < 1 + (strchr("sdv", c->f->letters[0]) != NULL && c->f->letters[0] != 0); zero++) {
        c->p = zero ? no_noise : kept;
        entropy_stream(&rng);
        simdp_rng_wipe(&rng);
        c->failure = "wiped stream";
        bad += must_fail(c, &rng);
        memset(&rng, 0, sizeof rng);
        c->failure = "zeroed stream";
        bad += must_fail(c, &rng);
        memset(&rng, 0x5a, sizeof rng);
        c->failure = "garbage for a stream";
        bad += must_fail(c, &rng);
        for (uint64_t left = 0; left < c->n; left += c->n / 2 + 1) {
            c->failure = "end of a fixed stream";
            fixed_stream(&rng, UINT64_MAX - left);
            if (!c->f->by_id) bad += must_fail(c, &rng); /* ids have no positions */
            c->failure = "end of an entropy stream";
            entropy_stream(&rng);
            rng.position = UINT64_MAX - left;
            bad += must_fail(c, &rng);
            c->failure = "end of an external source";
            rng = (simdp_rng){.kind = RNG_SOURCE, .source = no_words, .position = UINT64_MAX - left};
            bad += must_fail(c, &rng);
        }
    }
    c->p = kept;
    return bad;
}

static void test_dead_streams(void **state)
{
    (void)state;
    on_every_set(with_dead_streams, NULL);
}

/* ---- parameters ---- */

static const double *bad_values(char letter, size_t *count)
{
#define ALWAYS NAN, -NAN, -1.0, INFINITY, -INFINITY, -0x1p-1074, -DBL_MAX
    static const double scale[] = {ALWAYS, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-901, 0x1.0000000000001p900,
                                   DBL_MAX},
                        grid[] = {ALWAYS, 0.0, 0x1p-1074, 0x1p-945, 0x1p931, 0.1, 3.0, 0x1p40, 0x1p-50},
                        discrete[] = {ALWAYS, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-11, 0x1.0000000000001p40,
                                      DBL_MAX},
                        epsilon[] = {ALWAYS}, probability[] = {ALWAYS, 0x1.0000000000001p0, 2.0},
                        eta[] = {ALWAYS, 0.0, 0x1p-1074, 0x1.fffffffffffffp-801, 0x1.0000000000001p800},
                        size[] = {ALWAYS, 0.0}, stable[] = {ALWAYS, 0.0}, inside[] = {ALWAYS, 0.0, 1.0, 2.0},
                        sensitivity[] = {ALWAYS, 0x1p903, DBL_MAX}, positive[] = {ALWAYS, 0.0, -0.0},
                        values_of[] = {0.0}, log_odds[] = {NAN, -NAN, INFINITY, -INFINITY};
#define LETTER(c, values) \
    case c: *count = sizeof values / sizeof *values; return values;
    switch (letter) {
        LETTER('s', scale)
        LETTER('g', grid)
        LETTER('d', discrete)
        LETTER('e', epsilon)
        LETTER('p', probability)
        LETTER('h', eta)
        LETTER('q', size)
        LETTER('t', stable)
        LETTER('u', inside)
        LETTER('v', sensitivity)
        LETTER('x', positive)
        LETTER('k', values_of)
        LETTER('l', log_odds)
    default: *count = 0; return NULL;
    }
}

/* Also for a caller who runs with subnormals as 0 and rounds up: a subnormal scale is not 0. */
static size_t with_bad_parameters(closed_case *c, void *context)
{
    simdp_rng rng;
    size_t bad = 0, count;
    const double *const kept = c->p;
    double p[4];
    (void)context;
    c->status = SIMDP_EPARAM;
    c->failure = "bad parameter";
    for (size_t i = 0; c->f->letters[i] != 0; i++) {
        const double *values = bad_values(c->f->letters[i], &count);
        for (size_t j = 0; j < count; j++) {
            memcpy(p, kept, sizeof p);
            p[i] = values[j];
            c->p = p;
            for (int odd_mode = 0; odd_mode < 2; odd_mode++) {
                const unsigned mode = _mm_getcsr();
                fixed_stream(&rng, 7);
                if (odd_mode) _mm_setcsr(0x1f80 | 0x8040 | 0x4000);
                const size_t wrong = must_fail(c, &rng);
                _mm_setcsr(mode);
                if (wrong > 0) printf("    the parameter is %a\n", values[j]);
                bad += wrong;
            }
        }
    }
    c->p = kept;
    return bad;
}

static size_t with_no_candidates(closed_case *c, void *context)
{
    simdp_rng rng;
    size_t bad = 0;
    (void)context;
    if (c->f->out != OUT_INDEX) return 0;
    static const size_t counts[] = {0, SIZE_MAX / 8 + 1, SIZE_MAX};
    c->status = SIMDP_EPARAM;
    c->failure = "bad number of candidates";
    const bool takes_none = strcmp(c->f->name, "simdp_select_above_threshold") == 0; /* none of them is above */
    for (size_t i = takes_none ? 1 : 0; i < sizeof counts / sizeof *counts; i++) {
        const void *in = input_of(c->f, CANDIDATES, false);
        if (c->f->in == IN_WORKSPACE) memset(workspace, i == 0 ? 0 : 0x5a, sizeof workspace); /* never prepared */
        kernel_call call = prepare(c, &rng, in);
        call.candidates = counts[i];
        fixed_stream(&rng, 7);
        bad += judge(c, c->f->run(&call));
    }
    return bad;
}

static void test_bad_parameters(void **state)
{
    (void)state;
    /* found out before an instruction set matters */
    assert_int_equal(visit_all(with_bad_parameters, NULL), 0);
    assert_int_equal(visit_all(with_no_candidates, NULL), 0);
}

/* ---- entropy ---- */

static size_t with_no_entropy(closed_case *c, void *context)
{
    simdp_rng rng;
    (void)context;
    entropy_stream(&rng);
    c->status = c->f->by_id ? SIMDP_EPARAM : SIMDP_EENTROPY;
    c->failure = "no entropy after a fork";
    fork_without_entropy();
    const size_t bad = must_fail(c, &rng);
    getrandom_fails = 0;
    return bad;
}

static void test_no_entropy(void **state)
{
    (void)state;
    on_every_set(with_no_entropy, NULL);
}

/* The fork comes while the first piece is written, and the next one finds no entropy. Whoever asks a stream only once
 * has what they need by then. */
static size_t with_no_entropy_later(closed_case *c, void *context)
{
    simdp_rng rng;
    size_t bad = 0;
    (void)context;
    const size_t first = c->f->words_block > 0 ? c->f->words_block : 1;
    if (c->f->one_draw || c->n <= first) return 0;
    c->status = SIMDP_EENTROPY;
    c->failure = "no entropy for a later piece";
    for (size_t here = first; here < c->n; here += (c->n - first) / 2 + 1) {
        entropy_stream(&rng);
        rng.position =
            5 * SIMDP_RNG_ERASE_POSITIONS - here; /* of the call's elements, the first `here` have this key */
        const kernel_call call = prepare(c, &rng, input_of(c->f, CANDIDATES, c->in_place));
        set_trap();
        const simdp_status status = c->f->run(&call);
        if (trap_was_idle()) printf("%s, n = %zu: wrote nothing before its second piece\n", c->f->name, c->n), bad++;
        bad += judge(c, status) + (rng.position != 5 * SIMDP_RNG_ERASE_POSITIONS - here);
    }
    return bad;
}

static void test_no_entropy_later(void **state)
{
    (void)state;
    struct sigaction action = {.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO}, before;
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0); /* in place of the test runner's own */
    on_every_set(with_no_entropy_later, NULL);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

static size_t in_child(closed_case *c, void *stream)
{
    simdp_rng rng = *(simdp_rng *)stream;
    c->status = c->f->by_id ? SIMDP_EPARAM : SIMDP_EENTROPY;
    c->failure = "no entropy in a child";
    return must_fail(c, &rng);
}

/* The same by a real fork. */
static void test_no_entropy_in_child(void **state)
{
    (void)state;
    simdp_rng rng;
    int status;
    entropy_stream(&rng);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        getrandom_fails = 1;
        const size_t bad = visit_all(in_child, &rng);
        fflush(stdout);
        _exit(bad == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- external sources ---- */

/* At the first, a middle and the last call of the source; what the source itself returns must not open the gate. */
static size_t with_failing_source(closed_case *c, void *context)
{
    static const simdp_status statuses[] = {SIMDP_ESOURCE, SIMDP_ENULL, SIMDP_EPARAM, (simdp_status)77};
    failing_source source = {.fails_at = SIZE_MAX};
    simdp_rng rng = {.kind = RNG_SOURCE, .source = some_words, .context = &source};
    size_t bad = 0;
    (void)context;
    c->status = c->f->by_id ? SIMDP_EPARAM : SIMDP_ESOURCE;
    c->failure = "external source fails";
    if (c->f->by_id) return must_fail(c, &rng) + (source.calls != 0); /* it is not even asked */
    const kernel_call call = prepare(c, &rng, input_of(c->f, CANDIDATES, c->in_place));
    if (c->f->run(&call) != SIMDP_OK || source.calls == 0) {
        printf("%s, n = %zu: does not run from an external source\n", c->f->name, c->n);
        return 1;
    }
    const size_t calls = source.calls, at[] = {0, calls / 2, calls - 1};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < sizeof statuses / sizeof *statuses; j++) {
            source = (failing_source){.fails_at = at[i], .status = statuses[j]};
            rng = (simdp_rng){.kind = RNG_SOURCE, .source = some_words, .context = &source};
            bad += must_fail(c, &rng);
        }
    }
    return bad;
}

static void test_failing_source(void **state)
{
    (void)state;
    on_every_set(with_failing_source, NULL);
}

/* ---- an instruction set that does not exist ---- */

static size_t with_no_set(closed_case *c, void *streams)
{
    size_t bad = 0;
    c->failure = "no such instruction set";
    for (int i = 0; i < 3; i++) {
        c->status = c->f->by_id && i > 0 ? SIMDP_EPARAM : SIMDP_EISA; /* streams that ids refuse anyway */
        simdp_rng rng = ((simdp_rng *)streams)[i];
        const kernel_call call =
            prepare(c, &rng, c->f->in == IN_WORKSPACE ? workspace : input_of(c->f, CANDIDATES, c->in_place));
        bad += judge(c, c->f->run(&call));
    }
    return bad;
}

/* Streams are opened while there is still one; then the child is as a process that begins with a bad SIMDP_ISA. */
static void test_no_instruction_set(void **state)
{
    (void)state;
    failing_source source = {.fails_at = SIZE_MAX};
    simdp_rng streams[3] = {[2] = {.kind = RNG_SOURCE, .source = some_words, .context = &source}};
    int status;
    fixed_stream(&streams[0], 0);
    entropy_stream(&streams[1]);
    must(simdp_select_prepare(workspace, inputs, CANDIDATES, 2.0));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        setenv("SIMDP_ISA", "rubbish", 1);
        atomic_store(&simdp_kernels_chosen, NULL);
        const size_t bad = visit_all(with_no_set, streams);
        fflush(stdout);
        _exit(bad == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- pointers, and counts that no memory holds ---- */

static size_t count_touched(const kernel_call *call, const closed_case *c, simdp_status wanted)
{
    const simdp_status status = c->f->run(call);
    const size_t bytes = kernel_out_bytes(c->f, c->n);
    if (status == wanted && memcmp(out, inputs, bytes) == 0 && canaries_live(bytes)) return 0;
    printf("%s, %s: status %d instead of %d, output %s\n", c->f->name, c->failure, (int)status, (int)wanted,
           memcmp(out, inputs, bytes) == 0 ? "kept" : "touched");
    return 1;
}

/* SIMDP_ENULL leaves everything as it was, whatever else is wrong. */
static size_t with_null(closed_case *c, void *context)
{
    static const double nan[4] = {NAN, NAN, NAN, NAN};
    simdp_rng rng = {0};
    size_t bad = 0;
    (void)context;
    c->failure = "NULL";
    for (int i = 0; i < 3; i++) {
        c->p = i == 1 ? nan : c->f->good;
        if (i == 0) fixed_stream(&rng, 3);
        kernel_call call = prepare(c, &rng, input_of(c->f, CANDIDATES, c->in_place));
        call.rng = NULL;
        bad += count_touched(&call, c, SIMDP_ENULL);
        call.rng = &rng;
        call.out = NULL;
        bad += count_touched(&call, c, SIMDP_ENULL);
        call.out = out;
        call.in = NULL;
        if (c->f->in != IN_NONE) bad += count_touched(&call, c, SIMDP_ENULL);
        call.in = input_of(c->f, CANDIDATES, c->in_place);
        call.ids = NULL;
        if (c->f->by_id) bad += count_touched(&call, c, SIMDP_ENULL);
        if (i == 1) simdp_rng_wipe(&rng);
    }
    c->p = c->f->good;
    return bad;
}

static void test_null(void **state)
{
    (void)state;
    on_every_set(with_null, NULL);
}

/* SIMDP_EPARAM and nothing written, whatever the stream and the parameters are like: the memory is not there. */
static size_t with_too_many(closed_case *c, void *context)
{
    static const double nan[4] = {NAN, NAN, NAN, NAN};
    const bool bytes = c->f->out == OUT_BYTES || c->f->out == OUT_FLAGS || c->f->out == OUT_PACKED;
    const size_t size = bytes ? 1 : c->f->out == OUT_F32 || c->f->out == OUT_U32 ? 4 : 8;
    const size_t counts[] = {PTRDIFF_MAX / size + 1, SIZE_MAX / size, SIZE_MAX / size + (size > 1), SIZE_MAX - 7,
                             SIZE_MAX};
    simdp_rng rng;
    size_t bad = 0;
    (void)context;
    if (c->f->winners > 0) return 0;
    c->failure = "more than memory holds";
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int how = 0; how < 5; how++) {
            fixed_stream(&rng, how == 1 ? UINT64_MAX : how == 2 ? 1 : 0);
            if (how == 4) simdp_rng_wipe(&rng);
            kernel_call call = prepare(c, &rng, input_of(c->f, CANDIDATES, c->in_place));
            call.n = counts[i];
            if (how == 3) call.p = nan;
            bad += count_touched(&call, c, SIMDP_EPARAM);
        }
    }
    return bad;
}

static void test_too_many(void **state)
{
    (void)state;
    on_every_set(with_too_many, NULL);
}

/* ---- interactions: what is published is in their steps ---- */

static simdp_status ask_secret(void *context, double *answers, size_t n, const void *data)
{
    (void)context;
    for (size_t i = 0; i < n; i++) answers[i] = *(const double *)data;
    return SIMDP_OK;
}

static simdp_status ask_forever(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    static const simdp_mechanism kinds[] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_GAUSSIAN,
                                            SIMDP_MECHANISM_SELECTION, SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                            SIMDP_MECHANISM_LEAKY_RESPONSE};
    (void)context;
    (void)steps;
    next->mechanism = (simdp_theory_mechanism){.kind = kinds[count % 5], .sensitivity = 1, .scale = 4, .epsilon = 1};
    next->mechanism.delta = 1e-6;
    next->query = ask_secret;
    next->candidates = CANDIDATES;
    return SIMDP_OK;
}

/* A step that fails does not join the transcript, and leaves no byte in it. */
static void test_interactions(void **state)
{
    (void)state;
    enum { STEPS = 10 };
    const double secret = 12345.678;
    double scratch[CANDIDATES];
    simdp_theory_step steps[STEPS], kept[STEPS];
    size_t ended_at[STEPS + 1] = {0};
    memset(kept, CANARY, sizeof kept);
    for (size_t fails_at = 0; fails_at <= STEPS; fails_at++) {
        failing_source source = {.fails_at = fails_at, .status = SIMDP_ENULL};
        simdp_rng rng = {.kind = RNG_SOURCE, .source = some_words, .context = &source};
        simdp_theory_interaction run = {
            .steps = steps, .capacity = STEPS, .scratch = scratch, .scratch_size = CANDIDATES};
        memset(steps, CANARY, sizeof steps);
        const simdp_status status = simdp_theory_interact(&rng, &run, ask_forever, NULL, &secret, NULL, NULL);
        assert_int_equal(status, run.count == STEPS ? SIMDP_OK : SIMDP_ESOURCE);
        assert_memory_equal(steps + run.count, kept, (STEPS - run.count) * sizeof *steps);
        ended_at[run.count]++;
    }
    for (size_t i = 0; i <= STEPS; i++) assert_int_equal(ended_at[i], 1); /* each step was the one that failed */
    simdp_rng dead = {0};
    simdp_theory_interaction run = {.steps = steps, .capacity = STEPS, .scratch = scratch, .scratch_size = CANDIDATES};
    memset(steps, CANARY, sizeof steps);
    assert_int_equal(simdp_theory_interact(&dead, &run, ask_forever, NULL, &secret, NULL, NULL), SIMDP_EPARAM);
    assert_memory_equal(steps, kept, sizeof steps);
}

/* ---- controls ---- */

/* Good calls are not closed: what is asserted above is not what every call leaves. */
static size_t with_nothing_wrong(closed_case *c, void *context)
{
    simdp_rng rng;
    (void)context;
    c->failure = "nothing is wrong";
    fixed_stream(&rng, 16);
    const kernel_call call = prepare(c, &rng, input_of(c->f, CANDIDATES, c->in_place));
    const simdp_status status = c->f->run(&call);
    /* all flags may be 0 by chance */
    if (status == SIMDP_OK && (!is_closed(c) || c->f->out == OUT_FLAGS) && canaries_live(kernel_out_bytes(c->f, c->n)))
        return 0;
    printf("%s, n = %zu: fails with %d, or writes beside its output\n", c->f->name, c->n, (int)status);
    return 1;
}

static void test_good_calls(void **state)
{
    (void)state;
    on_every_set(with_nothing_wrong, NULL);
}

/* What these names begin with is published, so nobody may list them as anything else. */
static void test_list(void **state)
{
    (void)state;
    const kernel_line *k;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        if (k->kind == KERNEL_DATA) continue; /* no stream, so no release */
        if (strncmp(k->name, "simdp_release_", 14) == 0 || strncmp(k->name, "simdp_select_", 13) == 0)
            assert_int_equal(k->kind, KERNEL_PUBLISHES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_good_calls),
        cmocka_unit_test(test_dead_streams),
        cmocka_unit_test(test_bad_parameters),
        cmocka_unit_test(test_no_entropy),
        cmocka_unit_test(test_no_entropy_later),
        cmocka_unit_test(test_no_entropy_in_child),
        cmocka_unit_test(test_failing_source),
        cmocka_unit_test(test_no_instruction_set),
        cmocka_unit_test(test_interactions),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests_name("release_closed", tests, set_up, NULL);
}
