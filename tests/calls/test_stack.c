/* test_stack: how deep every public function that draws goes on the stack, and what it leaves there. Calls run on a
 * thread whose stack was painted before. */
#define _GNU_SOURCE
#include "support/painted_stack.h"

#include "bits/rng.h"
#include "kernel_list/kernel_list.h"
#include "support/audits.h"
#include "select/select_call.h"
#include "support/registers.h"
#include "support/release_support.h"

enum { N = 10000, DRAWS = 40, ROUND_KEY_BYTES = 176, KEY_BYTES = 16 };

static double inputs[N + 64];
static float inputs_f32[N + 64];
static unsigned char out[sizeof(simdp_theory_step) * N];
static unsigned char workspace[1 << 17];
static size_t elements = N; /* of a call */
static const void *answers = inputs;

static int set_up(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        inputs[i] = (double)(test_random(&seed) >> 40) * 0x1p-20;
        inputs_f32[i] = (float)inputs[i];
    }
    return !painted_stack_made() || simdp_select_workspace(N) > sizeof workspace ? -1 : 0;
}

typedef struct {
    const kernel_line *f; /* NULL: nothing is called */
    simdp_rng *rng;
    simdp_status status;
} task;

static void run_task(void *given)
{
    task *const t = (task *)given;
    const kernel_line *f = t->f;
    if (f == NULL) return;
    const bool many = f->out == OUT_INDEX && f->in != IN_BYTES;
    const bool best = strstr(f->name, "top_k") != NULL, rows = strstr(f->name, "_rows") != NULL;
    const void *in = f->in == IN_F32 ? (const void *)inputs_f32 : f->in == IN_WORKSPACE ? workspace : answers;
    kernel_call call = {.rng = t->rng, .out = out, .in = in, .n = elements, .candidates = N, .p = f->good};
    if (many) call.n = DRAWS;
    if (rows) call.candidates = N / DRAWS;
    if (best) call.n = N / 10;
    if (f->out == OUT_ROWS && f->in == IN_F64) call.candidates = 40;
    if (f->out == OUT_STEPS) call.n = 40;
    simdp_kernels_active()->clear_registers(); /* a thread begins with those of the one that made it */
    t->status = f->run(&call);
    keep_registers();
}

/* Runs the function on the painted stack. */
static simdp_status run_painted(const kernel_line *f, simdp_rng *rng)
{
    task t = {f, rng, SIMDP_OK};
    memset(registers, 0, sizeof registers);
    painted_stack_run(run_task, &t);
    return t.status;
}

/* Places that hold some 16 bytes in a row of the round keys; each byte is counted once. */
static size_t copies_in(const unsigned char *memory, size_t n, const unsigned char keys[ROUND_KEY_BYTES])
{
    size_t copies = 0;
    for (size_t at = 0; at + KEY_BYTES <= n; at++) {
        const unsigned char first = memory[at]; /* paint, or scrubbed; three such bytes begin one key in 2^23 */
        if ((first == PAINT || first == 0) && memory[at + 1] == first && memory[at + 2] == first) continue;
        for (size_t k = 0; k + KEY_BYTES <= ROUND_KEY_BYTES; k++) {
            if (memcmp(memory + at, keys + k, KEY_BYTES) != 0) continue;
            copies++;
            at += KEY_BYTES - 1;
            break;
        }
    }
    return copies;
}

/* On the stack, and in registers, which a signal would write there. */
static size_t copies_of(const unsigned char keys[ROUND_KEY_BYTES])
{
    return copies_in(stack, STACK, keys) + copies_in(registers, sizeof registers, keys);
}

static void prepare(const simdp_kernels *t)
{
    must(simdp_isa_select(t->variant));
    must(simdp_select_prepare(workspace, inputs, N, 2.0));
}

/* What the thread itself takes: libc keeps its own data there too. */
static size_t empty_depth(void)
{
    must(run_painted(NULL, NULL));
    return painted_stack_depth();
}

/* ---- paths that next to no call takes, forced ---- */

static void fixed_stream(simdp_rng *rng)
{
    static const uint8_t key[32] = {9};
    if (simdp_rng_init_deterministic(rng, key, 0) != SIMDP_OK) abort();
}

/* A kernel called as by a public function, which has a walk through the stream and perhaps a stream of its own on the
 * stack meanwhile. */
typedef struct {
    rng_draw draw;
    simdp_rng own;
    char frames[1024];
} public_function;

static simdp_status release_at(int law, bool integers, double scale, int least)
{
    volatile public_function caller;
    simdp_rng rng;
    fixed_stream(&rng);
    caller.draw.left = caller.own.position = (uint64_t)(caller.frames[0] = 0);
    const simdp_release_plan plan = simdp_release_plan_forced(law, scale, 1.0, 1.0, least, &release_scratch);
    const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .use = simdp_release_use(law, integers, scale)};
    if (integers)
        release_planned_i64(law, (int64_t *)(void *)out, (const int64_t *)(const void *)inputs, 100, &at, &plan);
    else release_planned(law, (double *)(void *)out, inputs, 100, &at, &plan);
    return (simdp_status)caller.frames[0];
}

#define RARE(name) static simdp_status name(const kernel_call *c)
RARE(laplace_dd) { return release_at(RELEASE_LAPLACE, false, c->p[0], PRECISION_DD); }
RARE(laplace_wide) { return release_at(RELEASE_LAPLACE, false, c->p[0], PRECISION_WIDE); }
RARE(gaussian_dd) { return release_at(RELEASE_GAUSSIAN, false, c->p[0], PRECISION_DD); }
RARE(gaussian_wide) { return release_at(RELEASE_GAUSSIAN, false, c->p[0], PRECISION_WIDE); }
RARE(laplace_i64_dd) { return release_at(RELEASE_LAPLACE, true, c->p[0], PRECISION_DD); }
RARE(laplace_i64_wide) { return release_at(RELEASE_LAPLACE, true, c->p[0], PRECISION_WIDE); }
RARE(gaussian_i64_dd) { return release_at(RELEASE_GAUSSIAN, true, c->p[0], PRECISION_DD); }
RARE(gaussian_i64_wide) { return release_at(RELEASE_GAUSSIAN, true, c->p[0], PRECISION_WIDE); }

RARE(discrete_laplace_wide)
{
    volatile public_function caller;
    simdp_rng rng;
    simdp_discrete_laplace plan;
    int64_t stage[1024]; /* as the public function has */
    fixed_stream(&rng);
    caller.frames[0] = 0;
    simdp_discrete_laplace_plan(&plan, c->p[0], 1.0, PRECISION_WIDE, &discrete_scratch);
    const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .use = BITS_DISCRETE_LAPLACE};
    simdp_kernels_active()->release->discrete_laplace(stage, 100, &at, &plan);
    memcpy(out, stage, sizeof stage);
    return (simdp_status)caller.frames[0];
}

RARE(discrete_gaussian_exact)
{
    volatile public_function caller;
    simdp_rng rng;
    simdp_discrete_gaussian plan;
    int64_t stage[1024];
    fixed_stream(&rng);
    caller.frames[0] = 0;
    simdp_discrete_gaussian_plan(&plan, c->p[0]);
    plan.radius = 1e300; /* doubles decide nothing */
    const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .use = BITS_DISCRETE_GAUSSIAN};
    simdp_kernels_active()->release->discrete_gaussian(stage, 100, &at, &plan);
    memcpy(out, stage, sizeof stage);
    return (simdp_status)caller.frames[0];
}

static simdp_status select_wide(const kernel_call *c, size_t k, bool vartime, bool flip)
{
    return simdp_select_run(&(select_call){.rng = c->rng,
                                           .index = c->out,
                                           .scores = {inputs, false},
                                           .rows = 1,
                                           .n = N,
                                           .draws = 1,
                                           .k = k,
                                           .scale = c->p[0],
                                           .vartime = vartime,
                                           .flip = flip,
                                           .from = SELECT_FROM_WIDE});
}
RARE(select_constant_wide) { return select_wide(c, 1, false, false); }
RARE(select_vartime_wide) { return select_wide(c, 1, true, false); }
RARE(select_top_k_wide) { return select_wide(c, 20, false, false); }
RARE(select_flip_wide) { return select_wide(c, 1, false, true); }

static simdp_status select_few_from(const kernel_call *c, int from)
{
    return simdp_select_run(&(select_call){.rng = c->rng,
                                           .index = c->out,
                                           .scores = {inputs, false},
                                           .rows = 1,
                                           .n = 100,
                                           .draws = 1,
                                           .k = 1,
                                           .scale = c->p[0],
                                           .from = from});
}
RARE(select_few) { return select_few_from(c, SELECT_FROM_START); }
RARE(select_few_wide) { return select_few_from(c, SELECT_FROM_WIDE); }

/* More candidates than weights are kept for at a time. */
static double many_scores[2 * N];

static void make_many_scores(void)
{
    for (size_t i = 0; i < 2 * N; i++) many_scores[i] = inputs[i % N];
}

RARE(audit_in_parts)
{
    static const double epsilon = 0.5;
    const simdp_loss_audit_plan plan = {.epsilon = &epsilon, .epsilons = 1, .samples = DRAWS, .error = 1e-3};
    make_many_scores();
    return audit_selection(c->rng, (simdp_loss_audit_row *)(void *)out, &plan, many_scores, many_scores, 2 * N,
                           c->p[0]);
}

RARE(select_parts_wide)
{
    make_many_scores();
    return simdp_select_run(&(select_call){.rng = c->rng,
                                           .index = c->out,
                                           .scores = {many_scores, false},
                                           .rows = 1,
                                           .n = 2 * N,
                                           .draws = DRAWS,
                                           .k = 1,
                                           .scale = c->p[0],
                                           .vartime = true,
                                           .from = SELECT_FROM_WIDE});
}

#define RARE_ROW(function, scale)                             \
    {                                                         \
        .name = #function, .run = function, .good = { scale } \
    }
static const kernel_line rare_paths[] = {
    RARE_ROW(laplace_dd, 9.0),
    RARE_ROW(laplace_wide, 9.0),
    RARE_ROW(gaussian_dd, 9.0),
    RARE_ROW(gaussian_wide, 9.0),
    RARE_ROW(laplace_i64_dd, 9.0),
    RARE_ROW(laplace_i64_wide, 9.0),
    RARE_ROW(laplace_i64_wide, 900.0),
    RARE_ROW(gaussian_i64_dd, 9.0),
    RARE_ROW(gaussian_i64_wide, 9.0),
    RARE_ROW(gaussian_i64_wide, 900.0),
    RARE_ROW(discrete_laplace_wide, 9.0),
    RARE_ROW(discrete_gaussian_exact, 9.0),
    RARE_ROW(discrete_gaussian_exact, 0x1p30),
    RARE_ROW(select_few, 1.0),
    RARE_ROW(select_few_wide, 1.0),
    RARE_ROW(select_constant_wide, 1.0),
    RARE_ROW(select_vartime_wide, 1.0),
    RARE_ROW(select_top_k_wide, 1.0),
    RARE_ROW(select_flip_wide, 1.0),
    RARE_ROW(select_parts_wide, 1.0),
    RARE_ROW(audit_in_parts, 1.0),
};
#define RARE_PATHS (sizeof rare_paths / sizeof *rare_paths)

static const kernel_line *measured(size_t j)
{
    return j < kernel_drawing_count() ? kernel_drawing_at(j) : &rare_paths[j - kernel_drawing_count()];
}

/* ---- depth ---- */

static void test_depth(void **state)
{
    (void)state;
    const simdp_kernels *t;
    size_t sets = 0, most = 0, deep[8][128] = {{0}};
    const size_t count = kernel_drawing_count() + RARE_PATHS;
    const char *names[8];
    assert_true(count <= 128);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        prepare(t);
        const size_t thread = empty_depth();
        assert_true(thread < 65536);
        names[sets] = t->variant;
        for (size_t j = 0; j < count; j++) {
            simdp_rng rng;
            test_stream(&rng, 1, 0, 8);
            must(run_painted(measured(j), &rng));
            deep[sets][j] = painted_stack_depth() - thread;
            must(simdp_rng_init(&rng));
            must(run_painted(measured(j), &rng));
            if (painted_stack_depth() - thread > deep[sets][j]) deep[sets][j] = painted_stack_depth() - thread;
        }
        sets++;
    }
    must(simdp_isa_select(NULL));
    print_message("%-46s", "bytes of stack");
    for (size_t s = 0; s < sets; s++) print_message("%12s", names[s]);
    print_message("\n");
    for (size_t j = 0; j < count; j++) {
        print_message("%-46s", measured(j)->name);
        for (size_t s = 0; s < sets; s++) {
            print_message("%12zu", deep[s][j]);
            if (deep[s][j] > most) most = deep[s][j];
        }
        print_message("\n");
    }
    print_message("the deepest: %zu\n", most);
    assert_true(most <= SIMDP_STACK_BYTES);
    assert_true(most > 1000); /* else nothing was measured */
}

/* ---- what is left of keys ---- */

static size_t copies_of_entropy_key(const kernel_line *f, uint64_t position, uint64_t *moved)
{
    simdp_rng rng;
    unsigned char keys[ROUND_KEY_BYTES];
    must(simdp_rng_init(&rng));
    rng.position = position;
    memcpy(keys, rng.cipher, sizeof keys);
    must(run_painted(f, &rng));
    *moved = rng.position - position;
    return copies_of(keys);
}

/* Round keys of the key that an entropy stream had when the call began: it lasts beyond the call (and what is left now
 * would outlive it), or ends soon after the call began, in its middle, or with its last position. */
static size_t copies_of_stream_key(const kernel_line *f)
{
    const uint64_t border = (uint64_t)65536 * SIMDP_RNG_ERASE_POSITIONS;
    uint64_t moved, ignored;
    size_t copies = copies_of_entropy_key(f, 0, &moved);
    copies += copies_of_entropy_key(f, border - 20, &ignored);
    copies += copies_of_entropy_key(f, border - moved / 2, &ignored);
    return copies + copies_of_entropy_key(f, border - moved, &ignored);
}

/* The four words that key a call's own stream; where they are asked for otherwise, any will do. */
static const uint64_t local_key[4] = {0x0123456789abcdef, 0x1032547698badcfe, 0x55aa33cc0ff01234, 0x9876543210fedcba};

static simdp_status fixed_words(void *context, uint64_t *words, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) words[i] = local_key[i % 4];
    return SIMDP_OK;
}

/* An external source's words key a stream that lives for the call. */
static size_t copies_of_local_key(const kernel_line *f)
{
    simdp_rng rng = {.kind = RNG_SOURCE, .source = fixed_words}, local;
    unsigned char keys[ROUND_KEY_BYTES];
    must(simdp_rng_init_deterministic(&local, (const uint8_t *)local_key, 0));
    memcpy(keys, local.cipher, sizeof keys);
    must(run_painted(f, &rng));
    return copies_of(keys);
}

static size_t count_copies(void)
{
    const simdp_kernels *t;
    size_t all = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        prepare(t);
        for (size_t j = 0; j < kernel_drawing_count() + RARE_PATHS; j++) {
            const kernel_line *f = measured(j);
            if (j >= kernel_drawing_count() && strncmp(f->name, "select", 6) != 0) continue; /* has its own stream */
            const size_t own = copies_of_stream_key(f), local = copies_of_local_key(f);
            if (own + local > 0)
                print_message("%s, %s: %zu round keys of the stream, %zu of a call's own stream\n", t->variant, f->name,
                              own, local);
            all += own + local;
        }
    }
    must(simdp_isa_select(NULL));
    return all;
}

/* ---- what is left of noise ---- */

static unsigned char kept[2][STACK];

/* A call of n elements in place, on answers that are inputs + data. */
static void run_in_place(const kernel_line *f, const simdp_rng *from, size_t n, double data)
{
    static simdp_rng rng;
    rng = *from;
    for (size_t i = 0; i < N; i++) {
        const double x = inputs[i] + data;
        memcpy(out + i * sizeof x, &x, sizeof x);
    }
    elements = n;
    answers = out;
    must(run_painted(f, &rng));
    elements = N;
    answers = inputs;
}

/* Eight bytes that depend on the key and not on the answers. */
static size_t words_of_noise(const kernel_line *f, size_t n, uint64_t position)
{
    simdp_rng one, other;
    size_t words = 0;
    must(simdp_rng_init(&one));
    must(simdp_rng_init(&other));
    one.position = other.position = position;
    run_in_place(f, &one, n, 0);
    memcpy(kept[0], stack, STACK);
    run_in_place(f, &one, n, 77);
    memcpy(kept[1], stack, STACK);
    run_in_place(f, &other, n, 0);
    for (size_t i = 0; i + 8 <= call_bytes; i += 8)
        words += memcmp(kept[0] + i, kept[1] + i, 8) == 0 && memcmp(kept[0] + i, stack + i, 8) != 0;
    return words;
}

/* Within one key, and where a key's last position lies within the call; blocks begin before the call's elements. */
static size_t words_of_noise_anywhere(const kernel_line *f)
{
    static const size_t counts[] = {1, 100, 300, N};
    size_t words = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        words += words_of_noise(f, counts[i], 5) + words_of_noise(f, counts[i], 7 * SIMDP_RNG_ERASE_POSITIONS - 11);
    return words;
}

/* Whether a function adds noise to what its caller has, who does not get to see it. */
static bool hides_noise(const kernel_line *f)
{
    return f->in == IN_SAME || f->out == OUT_FLAGS || strstr(f->name, "_add") != NULL;
}

static simdp_status laplace_i64_large(const kernel_call *c)
{
    return simdp_release_laplace_i64(c->rng, c->out, c->in, c->n, c->p[0]);
}

/* The winners do not lie on the stack; the noise of all candidates must not either. */
static size_t selected[3];
static simdp_status select_one(const kernel_call *c)
{
    return simdp_select_gumbel(c->rng, selected, c->in, c->n, c->p[0]);
}
static simdp_status select_three(const kernel_call *c)
{
    return simdp_select_gumbel_top_k(c->rng, selected, 3, c->in, c->n + 2, c->p[0]);
}
static simdp_status select_soon(const kernel_call *c)
{
    return simdp_select_gumbel_vartime(c->rng, selected, c->in, c->n, c->p[0]);
}

/* Nor the noise of queries, nor that of the threshold. */
static simdp_status select_above(const kernel_call *c)
{
    uint8_t found;
    return simdp_select_above_threshold(c->rng, selected, &found, c->in, c->n, c->p[0], 1.0, 2.0);
}

static void test_no_noise_left(void **state)
{
    (void)state;
    const kernel_line more[] = {
        {.name = "wide", .run = laplace_i64_large, .in = IN_SAME, .good = {900.0}},
        {.name = "select one", .run = select_one, .in = IN_SAME, .good = {9.0}},
        {.name = "select three", .run = select_three, .in = IN_SAME, .good = {9.0}},
        {.name = "select in variable time", .run = select_soon, .in = IN_SAME, .good = {9.0}},
        {.name = "above a threshold", .run = select_above, .in = IN_SAME, .good = {1e6}},
    };
    const size_t count = kernel_drawing_count() + sizeof more / sizeof *more;
    const simdp_kernels *t;
    size_t all = 0, functions = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        prepare(t);
        for (size_t j = 0; j < count; j++) {
            const kernel_line *f =
                j < kernel_drawing_count() ? kernel_drawing_at(j) : &more[j - kernel_drawing_count()];
            if (!hides_noise(f)) continue;
            const size_t words = words_of_noise_anywhere(f);
            if (words > 0) print_message("%s, %s: %zu words of noise\n", t->variant, f->name, words);
            all += words;
            functions++;
        }
    }
    must(simdp_isa_select(NULL));
    assert_true(functions >= 20);
    assert_int_equal(all, 0);
}

/* Control: noise that a call does leave on its stack is found. */
static simdp_status leave_noise(const kernel_call *call)
{
    volatile double left[8];
    double noise[8];
    const simdp_status status = simdp_noise_laplace_f64(call->rng, noise, 8, 1.0);
    for (size_t i = 0; i < 8; i++) left[i] = noise[i];
    left[0] = left[0];
    return status;
}

static void test_noise_is_found(void **state)
{
    (void)state;
    const kernel_line leaves = {.name = "leaves noise", .run = leave_noise, .in = IN_SAME};
    assert_true(words_of_noise_anywhere(&leaves) >= 6 * 8);
}

/* Control: a key that a call does leave on its stack is found. */
static simdp_status leave_a_key(const kernel_call *call)
{
    volatile unsigned char left[ROUND_KEY_BYTES];
    for (size_t i = 0; i < sizeof left; i++) left[i] = ((const unsigned char *)call->rng->cipher)[i];
    const simdp_status status = simdp_rng_words(call->rng, call->out, call->n);
    left[0] = left[0]; /* its place is not given up before */
    return status;
}

static void test_keys_are_found(void **state)
{
    (void)state;
    const kernel_line leaves = {.name = "leaves a key", .run = leave_a_key, .out = OUT_WORDS};
    assert_true(copies_of_stream_key(&leaves) >= 4 * ROUND_KEY_BYTES / KEY_BYTES);
}

static void test_no_keys_left(void **state)
{
    (void)state;
    assert_int_equal(count_copies(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),         cmocka_unit_test(test_keys_are_found),
        cmocka_unit_test(test_no_keys_left),  cmocka_unit_test(test_noise_is_found),
        cmocka_unit_test(test_no_noise_left),
    };
    return cmocka_run_group_tests_name("stack", tests, set_up, NULL);
}
