/* closed_support.h: calls that must fail, for tests of functions that publish: what they are given, and the walk over
 * functions, lengths and instruction sets. */
#ifndef SIMDP_CLOSED_SUPPORT_H
#define SIMDP_CLOSED_SUPPORT_H

#include "bits/rng.h"
#include "kernel_list/kernel_list.h"
#include "support/failing_system.h"

/* ---- inputs, which lie elsewhere ---- */

enum { MOST = 4099, CANDIDATES = 5 };

static double inputs[MOST * CANDIDATES + 64], inputs_kept[MOST * CANDIDATES + 64];
static float inputs_f32[MOST * CANDIDATES + 64];
static unsigned char workspace[1 << 16];

static int set_up(void **state)
{
    (void)state;
    if (!arena_made()) return -1;
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        inputs[i] = (double)(test_random(&seed) >> 11) * 0x1p-50;
        inputs_f32[i] = (float)inputs[i];
    }
    memcpy(inputs_kept, inputs, sizeof inputs);
    return 0;
}

static const void *input_of(const kernel_line *f, size_t candidates, bool in_place)
{
    if (f->in == IN_NONE) return NULL;
    if (f->in == IN_F32) return inputs_f32;
    if (f->in == IN_WORKSPACE) {
        if (simdp_select_workspace(candidates) > sizeof workspace) abort();
        if (simdp_select_prepare(workspace, inputs, candidates, 2.0) != SIMDP_OK) abort();
        return workspace;
    }
    return in_place ? (void *)out : inputs;
}

/* ---- one call that must fail ---- */

typedef struct {
    const kernel_line *f;
    const double *p;
    size_t n;
    bool in_place;
    const char *failure;
    simdp_status status; /* expected */
} closed_case;

static size_t written(const closed_case *c) { return c->f->winners > 0 ? c->f->winners : c->n; }

static kernel_call prepare(const closed_case *c, simdp_rng *rng, const void *in)
{
    memset(out - CANARIES, CANARY, kernel_out_bytes(c->f, c->n) + 2 * CANARIES);
    /* old contents of out, and the answers if it is in place */
    memcpy(out, inputs, kernel_out_bytes(c->f, c->n));
    /* as many candidates as winners, so that the best k exist */
    const size_t candidates = strstr(c->f->name, "top_k") != NULL ? c->n + 1 : CANDIDATES;
    return (kernel_call){
        .rng = rng, .out = out, .in = in, .n = c->n, .candidates = candidates, .p = c->p, .ids = kernel_ids(c->n)};
}

static bool is_closed(const closed_case *c)
{
    static const uint64_t no_answer[] = {
        [OUT_F64] = 0x7ff8000000000000, [OUT_F32] = 0x7fc000007fc00000, [OUT_I64] = 0x8000000000000000,
        [OUT_U32] = 0xffffffffffffffff, [OUT_INDEX] = UINT64_MAX,       [OUT_PACKED] = 0};
    const size_t bytes = kernel_out_bytes(c->f, c->n);
    if (c->f->out == OUT_BYTES || c->f->out == OUT_FLAGS || c->f->out == OUT_PACKED) {
        for (size_t i = 0; i < bytes; i++)
            if (out[i] != (c->f->out == OUT_FLAGS ? 0 : 0xff)) return false;
        return true;
    }
    const size_t size = c->f->out == OUT_F32 || c->f->out == OUT_U32 ? 4 : 8;
    for (size_t i = 0; i < written(c); i++)
        if (memcmp(out + size * i, &no_answer[c->f->out], size) != 0) return false;
    return true;
}

/* 0 if the call failed as it should; tests add these up, also in children, where an assert could not be reported. */
static size_t judge(const closed_case *c, simdp_status got)
{
    const bool closed = is_closed(c), beside = canaries_live(kernel_out_bytes(c->f, c->n));
    if (got == c->status && closed && beside) return 0;
    printf("%s, n = %zu%s, %s: status %d instead of %d, output %s, memory beside it %s\n", c->f->name, c->n,
           c->in_place ? ", in place" : "", c->failure, (int)got, (int)c->status, closed ? "closed" : "OPEN",
           beside ? "kept" : "WRITTEN");
    return 1;
}

static size_t must_fail(const closed_case *c, simdp_rng *rng)
{
    const kernel_call call = prepare(c, rng, input_of(c->f, CANDIDATES, c->in_place));
    const uint64_t before = rng->position;
    size_t bad = judge(c, c->f->run(&call));
    if (rng->position != before) {
        printf("%s, %s: the stream has moved\n", c->f->name, c->failure);
        bad++;
    }
    return bad;
}

/* ---- every function and every length ---- */

typedef size_t visitor(closed_case *c, void *context);

static size_t visit_lengths(closed_case *c, const size_t *lengths, size_t count, visitor *visit, void *context)
{
    size_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        if (c->f->winners > 0 && i > 0) break;
        c->n = c->f->winners > 0 ? c->f->winners : lengths[i];
        for (int in_place = 0; in_place < 1 + (c->f->in == IN_SAME); in_place++) {
            c->in_place = in_place;
            bad += visit(c, context);
        }
    }
    return bad;
}

static size_t visit_all(visitor *visit, void *context)
{
    static const size_t lengths[] = {1, 2, 7, 8, 9, 64, 65, 130, 513, 1000, MOST};
    size_t bad = 0;
    const kernel_line *f;
    for (size_t i = 0; (f = kernel_at(i)) != NULL; i++) {
        if (f->kind != KERNEL_PUBLISHES || f->variant != NULL) continue;
        closed_case c = {.f = f, .p = f->good};
        bad += visit_lengths(&c, lengths, sizeof lengths / sizeof *lengths, visit, context);
    }
    return bad;
}

static void on_every_set(visitor *visit, void *context)
{
    const simdp_kernels *t;
    size_t bad = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        bad += visit_all(visit, context);
    }
    must(simdp_isa_select(NULL));
    assert_int_equal(bad, 0);
    assert_memory_equal(inputs, inputs_kept, sizeof inputs);
}

static void entropy_stream(simdp_rng *rng)
{
    if (simdp_rng_init(rng) != SIMDP_OK) abort();
}

static void fixed_stream(simdp_rng *rng, uint64_t position)
{
    static const uint8_t key[32] = {1, 2, 3};
    if (simdp_rng_init_deterministic(rng, key, 0) != SIMDP_OK || simdp_rng_seek(rng, position) != SIMDP_OK) abort();
}

#endif
