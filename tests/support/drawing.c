/* drawing.c: see drawing.h. Data and calls. */
#include "support/drawing.h"

#include "support/test_support.h"

drawing_call drawing_choose(const kernel_line *function, size_t n, bool force, uint64_t *random)
{
    drawing_call c = {.seed = test_random(random), .n = n, .candidates = 8, .grid = 1};
    assert_true(n <= DRAWING_MOST);
    memcpy(c.p, function->good, sizeof c.p);
    drawing_parameters(&c, function, random);
    if (!force) c.forced.rate = 0;
    /* with forced bits every candidate that a race keeps is compared in 512 bits: few of them, for the 12 best */
    if (c.forced.rate != 0 && c.candidates > 20) c.candidates = 12 + c.candidates % 9;
    return c;
}

/* ---- data ---- */

uint64_t drawing_datum(const drawing_call *c, size_t i)
{
    uint64_t x = c->seed + i;
    return test_random(&x);
}

/* Multiples of the grid if bits are forced, so that the borders are where they were computed. */
static const double *answers_f64(const drawing_call *c)
{
    static double x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) {
        const double units = (double)(int64_t)(drawing_datum(c, i) % 2001) - 1000;
        x[i] = c->forced.rate != 0 ? units * c->grid : units * c->grid / 7;
    }
    return x;
}

static const float *answers_f32(const drawing_call *c)
{
    static float x[DRAWING_MOST];
    const double *from = answers_f64(c);
    for (size_t i = 0; i < c->n; i++) x[i] = (float)from[i];
    return x;
}

static const int64_t *answers_i64(const drawing_call *c)
{
    static int64_t x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) x[i] = (int64_t)(drawing_datum(c, i) % 2001) - 1000;
    return x;
}

/* Counts of groups; all the same where bits are forced, so that one probability is met. */
static const int64_t *counts_of(const drawing_call *c)
{
    static int64_t x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) x[i] = c->forced.rate != 0 ? 3 : (int64_t)(drawing_datum(c, i) % 48) - 4;
    return x;
}

static const uint8_t *bytes_of(const drawing_call *c, uint64_t mask)
{
    static uint8_t x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) x[i] = (uint8_t)(drawing_datum(c, i) & mask);
    return x;
}

/* Rows of scores of a call, also as floats. */
typedef struct {
    double f64[DRAWING_SELECTIONS * DRAWING_CANDIDATES];
    float f32[DRAWING_SELECTIONS * DRAWING_CANDIDATES];
} score_rows;

static const score_rows *scores_of(const drawing_call *c, size_t rows)
{
    static score_rows s;
    assert_true(rows * c->candidates <= sizeof s.f64 / sizeof *s.f64);
    for (size_t i = 0; i < rows * c->candidates; i++)
        s.f32[i] = (float)(s.f64[i] = c->forced.rate != 0 ? 3.0 : (double)(drawing_datum(c, i) % 4096) / 256);
    return &s;
}

static const void *prepared(const drawing_call *c)
{
    static _Alignas(16) unsigned char workspace[8 * DRAWING_CANDIDATES];
    assert_true(simdp_select_workspace(c->candidates) <= sizeof workspace);
    must(simdp_select_prepare(workspace, scores_of(c, 1)->f64, c->candidates, c->scale));
    return workspace;
}

/* What a function that may work in place reads. */
static const void *answers_of(const kernel_line *f, const drawing_call *c)
{
    switch (f->out) {
    case OUT_F64: return answers_f64(c);
    case OUT_F32: return answers_f32(c);
    case OUT_I64: return answers_i64(c);
    case OUT_PACKED: return bytes_of(c, 0xff);
    default: return bytes_of(c, 1);
    }
}

static bool is_named(const kernel_line *f, const char *part) { return strstr(f->name, part) != NULL; }

/* Where element `first` of the input is, given where it is in the output. */
static const void *input_of(const kernel_line *f, const drawing_call *c, size_t first, size_t offset)
{
    const bool has_rows = is_named(f, "_rows");
    const size_t rows = has_rows ? c->n : f->more > 0 ? 2 : 1, skipped = has_rows ? first * c->candidates : 0;
    switch (f->in) {
    case IN_SAME: return (const char *)answers_of(f, c) + offset;
    case IN_F64: return scores_of(c, rows)->f64 + skipped;
    case IN_F32: return scores_of(c, rows)->f32 + skipped;
    case IN_I64: return counts_of(c) + first;
    case IN_BYTES: return bytes_of(c, 3) + first;
    case IN_WORKSPACE: return prepared(c);
    default: return NULL;
    }
}

static void fill_sums(const kernel_line *f, const drawing_call *c, size_t first, size_t count, void *out)
{
    for (size_t i = 0; i < count; i++) {
        const double x = (double)(drawing_datum(c, first + i) % 1000);
        if (f->out == OUT_F64) ((double *)out)[i] = x;
        else ((float *)out)[i] = (float)x;
    }
}

/* Of an audit only what was counted: hockey-stick sums may be added up in another order. */
static void keep_counts(simdp_loss_audit_row *rows)
{
    for (size_t j = 0; j < KERNEL_AUDIT_ROWS; j++) {
        simdp_loss_audit_row counts;
        memset(&counts, 0, sizeof counts);
        memcpy(counts.above, rows[j].above, sizeof counts.above);
        memcpy(counts.outputs, rows[j].outputs, sizeof counts.outputs);
        memcpy(&rows[j], &counts, sizeof counts);
    }
}

simdp_status drawing_run(const kernel_line *f, simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                         unsigned char *out)
{
    const size_t offset = first == 0 ? 0 : kernel_out_bytes(f, first);
    double p[KERNEL_PARAMETERS];
    memcpy(p, c->p, sizeof p);
    kernel_call call = {.rng = rng, .out = out + offset, .n = count, .candidates = c->candidates, .p = p};
    call.in = input_of(f, c, first, offset);
    if (f->in == IN_F64 && f->more > 0) call.more[0] = (const double *)call.in + c->candidates;
    if (is_named(f, "_add")) fill_sums(f, c, first, count, call.out);
    if (is_named(f, "polya_urn")) { /* the urn goes on with the counts that the draws before reached */
        for (size_t i = 0; i < first; i++) p[out[i] != 0 ? 0 : 1]++;
    }
    const simdp_status status = f->run(&call);
    if (f->out == OUT_ROWS && status == SIMDP_OK) keep_counts(call.out);
    return status;
}
