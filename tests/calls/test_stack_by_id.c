/* test_stack_by_id: how deep the functions go on the stack whose noise belongs to identities, also on paths that next to
 * no call takes; and that none leaves the keys of identities or of texts behind. test_stack has the functions that
 * draw from positions. */
#define _GNU_SOURCE
#include "support/painted_stack.h"

#include "bits/bits_kernels.h"
#include "bits/rng.h"
#include "kernel_list/kernel_list.h"
#include "reference/aes_reference.h"
#include "select/select_call.h"
#include "support/release_support.h"
#include "vec/byte_order.h"

enum { N = 10000, ROWS = 40 };

static double inputs[N];
static unsigned char out[8 * N];
static simdp_rng rng;

typedef struct {
    const char *name;
    void (*call)(void *given);
    const kernel_line *line;
    double scale;
    size_t n;
} task;

static void nothing(void *given) { (void)given; }

/* ---- the public functions ---- */

static void public_function(void *given)
{
    const task *const t = (const task *)given;
    const kernel_line *const f = t->line;
    const bool selects = f->out == OUT_INDEX;
    kernel_call call = {.rng = &rng, .out = out, .in = inputs, .n = t->n, .p = f->good, .ids = kernel_ids(N)};
    call.candidates = N / ROWS;
    if (selects && call.n > ROWS) call.n = ROWS;
    must(f->run(&call));
}

static const kernel_line *by_id_at(size_t i)
{
    const kernel_line *k;
    for (size_t line = 0; (k = kernel_at(line)) != NULL; line++) {
        if (k->by_id && k->variant == NULL && i-- == 0) return k;
    }
    return NULL;
}

/* ---- paths that next to no call takes, forced ---- */

static const uint32_t uses[RELEASE_LAWS][2] = {
    [RELEASE_LAPLACE] = {BITS_LAPLACE_F64_BY_ID, BITS_LAPLACE_I64_BY_ID},
    [RELEASE_GAUSSIAN] = {BITS_GAUSSIAN_F64_BY_ID, BITS_GAUSSIAN_I64_BY_ID},
};

/* As a public function has them, scratch and keys lie on the stack. */
static void release_wide(int law, bool integers, double scale)
{
    const simdp_release_kernels *kernels = simdp_kernels_active()->release;
    const uint64_t parameter = identity_number(scale);
    simdp_release_scratch scratch;
    simdp_identity identity;
    must(rng_identity(&identity, &rng, uses[law][integers], 2, &parameter, 1));
    const simdp_release_plan plan = simdp_release_plan_forced(law, scale, 1.0, 1.0, PRECISION_WIDE, &scratch);
    if (integers) kernels->i64_by_id[law]((void *)out, (const void *)inputs, kernel_ids(N), 100, &identity, &plan);
    else kernels->f64_by_id[law]((void *)out, inputs, kernel_ids(N), 100, &identity, &plan);
}
static void laplace_wide(void *t) { release_wide(RELEASE_LAPLACE, false, ((const task *)t)->scale); }
static void gaussian_wide(void *t) { release_wide(RELEASE_GAUSSIAN, false, ((const task *)t)->scale); }
static void laplace_i64_wide(void *t) { release_wide(RELEASE_LAPLACE, true, ((const task *)t)->scale); }
static void gaussian_i64_wide(void *t) { release_wide(RELEASE_GAUSSIAN, true, ((const task *)t)->scale); }

static void response_exact(void *given)
{
    const double epsilon = ((const task *)given)->scale;
    const uint64_t parameter = identity_number(epsilon);
    simdp_identity identity;
    simdp_bernoulli law;
    must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, &parameter, 1));
    simdp_bernoulli_response(&law, epsilon);
    out[0] = simdp_bernoulli_of_id(kernel_ids(1), &identity, simdp_kernels_active()->bits->identity_blocks, &law);
}

static void select_wide(void *given)
{
    must(simdp_select_run(&(select_call){.rng = &rng,
                                         .index = (size_t *)(void *)out,
                                         .scores = {inputs, false},
                                         .ids = kernel_ids(N),
                                         .rows = 2,
                                         .n = N / 2,
                                         .draws = 1,
                                         .k = 1,
                                         .scale = ((const task *)given)->scale,
                                         .from = SELECT_FROM_WIDE}));
}

static const task rare[] = {
    {"laplace, 512 bits", laplace_wide, NULL, 9.0, 0},
    {"gaussian, 512 bits", gaussian_wide, NULL, 9.0, 0},
    {"laplace_i64, 512 bits", laplace_i64_wide, NULL, 9.0, 0},
    {"laplace_i64 of doubles, 512 bits", laplace_i64_wide, NULL, 900.0, 0},
    {"gaussian_i64, 512 bits", gaussian_i64_wide, NULL, 9.0, 0},
    {"gaussian_i64 of doubles, 512 bits", gaussian_i64_wide, NULL, 900.0, 0},
    {"randomized_response, all digits", response_exact, NULL, 1.0, 0},
    {"select_gumbel_rows, 512 bits", select_wide, NULL, 1.0, 0},
};

static int set_up(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t i = 0; i < N; i++) inputs[i] = (double)(test_random(&seed) >> 40) * 0x1p-20;
    (void)kernel_ids(N);
    test_stream(&rng, 1, 0, 8);
    return painted_stack_made() ? 0 : -1;
}

static void test_depth(void **state)
{
    (void)state;
    const simdp_kernels *t;
    const kernel_line *f;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        size_t most = 0, functions = 0;
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        painted_stack_run(nothing, NULL);
        const size_t thread = painted_stack_depth();
        for (; (f = by_id_at(functions)) != NULL; functions++) {
            task whole = {f->name, public_function, f, 0.0, N};
            painted_stack_run(whole.call, &whole);
            const size_t depth = painted_stack_depth() - thread;
            print_message("%-12s %-46s %8zu\n", t->variant, f->name, depth);
            if (depth > most) most = depth;
        }
        for (size_t j = 0; j < sizeof rare / sizeof *rare; j++) {
            task one = rare[j];
            painted_stack_run(one.call, &one);
            const size_t depth = painted_stack_depth() - thread;
            print_message("%-12s %-46s %8zu\n", t->variant, one.name, depth);
            if (depth > most) most = depth;
        }
        assert_true(functions >= 7 && most > 1000 && most <= SIMDP_STACK_BYTES);
    }
    must(simdp_isa_select(NULL));
}

/* ---- what is left of keys ---- */

/* The struct of keys as a function had it, or a part of it: 16 bytes of the first round key, which is the key itself. */
static size_t copies_of(const uint64_t key[2])
{
    size_t copies = 0;
    for (size_t at = 0; at + 16 <= call_bytes; at++) copies += memcmp(stack + at, key, 16) == 0;
    return copies;
}

/* Copies of the parent of all keys of identities, which is the same for every use. */
static size_t copies_of_parent(const kernel_line *f, size_t n)
{
    task whole = {f->name, public_function, f, 0.0, n};
    simdp_identity identity;
    must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, NULL, 0));
    painted_stack_run(whole.call, &whole);
    return copies_of(identity.parent);
}

/* Not in scalar code, where compilers spill words of keys into frames of their own: a deterministic stream keeps its key
 * anyway, so no call on one scrubs the stack. */
static void test_keys(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 100, N};
    const simdp_kernels *t;
    const kernel_line *f;
    size_t all = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t) || strcmp(t->isa, "scalar") == 0) continue;
        must(simdp_isa_select(t->variant));
        for (size_t j = 0; (f = by_id_at(j)) != NULL; j++) {
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                const size_t copies = copies_of_parent(f, counts[c]);
                if (copies > 0) print_message("%s, %s, n = %zu: %zu keys\n", t->variant, f->name, counts[c], copies);
                all += copies;
            }
        }
    }
    must(simdp_isa_select(NULL));
    assert_int_equal(all, 0);
}

/* ---- what is left of the key of texts ---- */

static const char texts[] = "a text, and one of more than a block";
static const uint64_t starts[] = {0, 6, sizeof texts - 1};
static simdp_id ids_of_texts[2];

static void one_id(void *given)
{
    (void)given;
    must(simdp_rng_id(&rng, &ids_of_texts[0], texts, sizeof texts - 1));
}

static void many_ids(void *given)
{
    (void)given;
    must(simdp_rng_ids(&rng, ids_of_texts, texts, starts, 2));
}

/* What CMAC adds to a last block: twice a block of zeros under the key, with the top bit of byte 0 first. */
static void subkey_of(uint8_t subkey[16], const uint64_t key[2])
{
    static const uint8_t zeros[16];
    uint8_t block[16];
    aes_reference(block, zeros, (const uint8_t *)key, 16);
    for (int i = 0; i < 16; i++) subkey[i] = (uint8_t)(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
    if (block[0] >> 7) subkey[15] ^= 0x87;
}

static void test_text_keys(void **state)
{
    (void)state;
    static void (*const calls[])(void *) = {one_id, many_ids};
    const simdp_kernels *t;
    size_t all = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t) || strcmp(t->isa, "scalar") == 0) continue;
        must(simdp_isa_select(t->variant));
        const simdp_bits_at at = {.cipher = rng_cipher(&rng), .use = BITS_IDENTITY_TEXT};
        uint64_t key[2], subkey[2];
        t->bits->cipher_words(key, 2, &at);
        for (int j = 0; j < 2; j++) key[j] = word_as_bytes(key[j]);
        subkey_of((uint8_t *)subkey, key);
        for (size_t j = 0; j < sizeof calls / sizeof *calls; j++) {
            painted_stack_run(calls[j], NULL);
            const size_t keys = copies_of(key), subkeys = copies_of(subkey);
            if (keys + subkeys > 0) print_message("%s, %zu: %zu keys, %zu subkeys\n", t->variant, j, keys, subkeys);
            all += keys + subkeys;
        }
    }
    must(simdp_isa_select(NULL));
    assert_int_equal(all, 0);
}

/* Control: keys that are not wiped are found. */
static void leave_keys(void *given)
{
    volatile simdp_identity left;
    simdp_identity identity;
    (void)given;
    must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, NULL, 0));
    for (int i = 0; i < 22; i++) left.parent[i] = identity.parent[i];
    left.parent[0] = left.parent[0];
}

static void test_keys_are_found(void **state)
{
    (void)state;
    simdp_identity identity;
    must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, NULL, 0));
    painted_stack_run(leave_keys, NULL);
    assert_true(copies_of(identity.parent) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_text_keys),
        cmocka_unit_test(test_keys_are_found),
    };
    return cmocka_run_group_tests_name("stack_by_id", tests, set_up, NULL);
}
