/* fuzz_calls: sequences of calls of every function in the list of kernels, on streams of every kind, with any
 * parameters, lengths, addresses and data. Held against each call: what lies beside the output is untouched; a call
 * that publishes and fails leaves no answer; whether it fails, and how far the stream moves, does not depend on data;
 * bits and position are those of the scalar unit. */
#include "fuzz.h"

#include "bits/rng.h"
#include "dispatch/table.h"
#include "kernel_list/kernel_list.h"

enum { ELEMENTS = 600, BYTES = 8 * ELEMENTS, BESIDE = 64, CALLS = 6, CANDIDATES = 40, CANARY = 0xa5 };

static unsigned char memory[2][BYTES + 2 * BESIDE + 8];
static unsigned char workspace[1 << 16];
static double data[ELEMENTS * CANDIDATES], more[3][ELEMENTS];
static float data_f32[ELEMENTS * CANDIDATES];
static simdp_id ids[ELEMENTS];

/* ---- an external source that ends ---- */

typedef struct {
    uint64_t state, left;
} ending;

static simdp_status next_words(void *context, uint64_t *words, size_t n)
{
    ending *const e = context;
    for (size_t i = 0; i < n; i++) {
        if (e->left-- == 0) return SIMDP_EENTROPY;
        e->state = e->state * 6364136223846793005u + 1442695040888963407u;
        words[i] = e->state ^ e->state >> 31;
    }
    return SIMDP_OK;
}

/* ---- one call ---- */

typedef struct {
    const kernel_line *f;
    kernel_call call;
    size_t offset;
    bool in_place, other_data;
    int kind; /* of stream */
    uint64_t seed, position, words;
} attempt;

static void fill_data(const attempt *a, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < ELEMENTS * CANDIDATES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint64_t bits = state ^ state >> 29;
        if (seed % 3 == 0) memcpy(&data[i], &bits, sizeof bits); /* any number, or none */
        else data[i] = (double)(int32_t)(bits >> 32) * 0x1p-12;
        data_f32[i] = (float)(i % 7) * (float)(seed % 5);
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        ids[i] = (simdp_id){i * (seed | 1), seed};
        for (int j = 0; j < 3; j++) more[j][i] = (double)((i + (size_t)j) % 9);
    }
    if (a->f->in == IN_INDEX)
        for (size_t i = 0; i < ELEMENTS; i++) ((uint64_t *)(void *)data)[i] = (seed + i) % CANDIDATES;
}

static size_t out_bytes(const attempt *a) { return kernel_out_bytes(a->f, a->call.n); }

/* Runs it into memory[place] on an instruction set; the position afterwards. */
static simdp_status run(const attempt *a, int place, const char *set, uint64_t *position)
{
    static const uint8_t key[32] = {7, 5, 3};
    simdp_rng rng;
    ending source = {a->seed, a->words};
    MUST(simdp_isa_select(set) == SIMDP_OK, "%s", set);
    MUST(simdp_rng_init_deterministic(&rng, key, a->seed) == SIMDP_OK, "key");
    if (a->kind == 2) rng = (simdp_rng){.kind = RNG_SOURCE, .source = next_words, .context = &source};
    if (a->kind != 2) rng.position = a->position;
    if (a->kind == 1) simdp_rng_wipe(&rng); /* closed */
    unsigned char *const out = memory[place] + BESIDE + a->offset;
    memset(memory[place], CANARY, sizeof memory[place]);
    kernel_call call = a->call;
    call.rng = &rng;
    call.out = out;
    call.ids = ids;
    for (int j = 0; j < 3; j++) call.more[j] = more[j];
    call.in = a->f->in == IN_F32 ? (const void *)data_f32 : a->f->in == IN_NONE ? NULL : (const void *)data;
    if (a->f->in == IN_WORKSPACE) {
        if (simdp_select_prepare(workspace, data, a->call.candidates, 2.0) != SIMDP_OK) abort();
        call.in = workspace;
    }
    if (a->in_place) {
        memcpy(out, data, out_bytes(a));
        call.in = out;
    }
    const simdp_status status = a->f->run(&call);
    *position = rng.position;
    return status;
}

static void check_beside(const attempt *a, int place)
{
    const unsigned char *const out = memory[place] + BESIDE + a->offset, *const end = out + out_bytes(a);
    for (const unsigned char *p = memory[place]; p < out; p++)
        MUST(*p == CANARY, "%s writes %zd bytes before its output", a->f->name, out - p);
    for (const unsigned char *p = end; p < memory[place] + sizeof memory[place]; p++)
        MUST(*p == CANARY, "%s, n = %zu, writes %zd bytes behind its output", a->f->name, a->call.n, p - end);
}

static bool is_no_answer(const attempt *a, const unsigned char *element, size_t size)
{
    static const uint64_t none[] = {[OUT_F64] = 0x7ff8000000000000,
                                    [OUT_F32] = 0x7fc000007fc00000,
                                    [OUT_I64] = 0x8000000000000000,
                                    [OUT_U32] = UINT64_MAX,
                                    [OUT_INDEX] = UINT64_MAX,
                                    [OUT_BYTES] = UINT64_MAX,
                                    [OUT_FLAGS] = 0,
                                    [OUT_PACKED] = UINT64_MAX};
    return memcmp(element, &none[a->f->out], size) == 0;
}

/* A failed call of a function that publishes: no answer anywhere; what could not be counted is as it was. */
static void check_closed(const attempt *a, int place)
{
    const kernel_out out = a->f->out;
    const size_t size = out == OUT_F32 || out == OUT_U32                            ? 4
                        : out == OUT_BYTES || out == OUT_FLAGS || out == OUT_PACKED ? 1
                                                                                    : 8;
    for (size_t i = 0; i < out_bytes(a); i += size) {
        const unsigned char *const element = memory[place] + BESIDE + a->offset + i;
        MUST(is_no_answer(a, element, size), "%s, n = %zu: failed open at byte %zu", a->f->name, a->call.n, i);
    }
}

static void check(attempt *a, const char *set)
{
    uint64_t position, other;
    fill_data(a, a->seed);
    const simdp_status status = run(a, 0, set, &position);
    check_beside(a, 0);
    if (status != SIMDP_OK && a->f->kind == KERNEL_PUBLISHES && a->f->out != OUT_ROWS && a->f->out != OUT_STEPS)
        check_closed(a, 0);
    /* adapters of audits and interactions make several calls, and have moved by those before the one that is refused */
    const bool one_call = a->f->out != OUT_STEPS && a->f->out != OUT_ROWS;
    if ((status == SIMDP_EPARAM || status == SIMDP_ENULL) && one_call)
        MUST(position == (a->kind == 2   ? 0
                          : a->kind == 1 ? position
                                         : a->position),
             "%s moves a stream that it refuses", a->f->name);
    if (a->kind == 2 && status == SIMDP_OK) return; /* what a source gives is used up by sets in other pieces */
    MUST(run(a, 1, "scalar", &other) == status, "%s: another status than scalar's on %s", a->f->name, set);
    MUST(other == position, "%s: another position than scalar's on %s", a->f->name, set);
    if (status == SIMDP_OK)
        MUST(memcmp(memory[0], memory[1], sizeof memory[0]) == 0, "%s, n = %zu: other bits than scalar's on %s",
             a->f->name, a->call.n, set);
    if (!a->other_data || a->f->kind != KERNEL_PUBLISHES || a->f->in == IN_WORKSPACE) return;
    fill_data(a, a->seed + 1);
    MUST(run(a, 1, set, &other) == status, "%s: the status depends on data", a->f->name);
    MUST(other == position, "%s: the position depends on data", a->f->name);
}

static const char *choose_set(script *s)
{
    const char *sets[8];
    size_t count = 0;
    bool usable;
    const simdp_kernels *table;
    for (size_t i = 0; (table = simdp_kernels_row(i, &usable)) != NULL; i++)
        if (usable) sets[count++] = table->variant;
    return sets[script_below(s, count)];
}

static size_t choose_count(script *s)
{
    static const size_t counts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 511, 512, 513};
    enum { COUNTS = sizeof counts / sizeof *counts };
    const uint64_t which = script_below(s, COUNTS + 4);
    return which < COUNTS ? counts[which] : script_below(s, ELEMENTS);
}

static uint64_t choose_position(script *s)
{
    switch (script_below(s, 4)) {
    case 0: return script_below(s, 300);
    case 1: return UINT64_MAX - script_below(s, 1024);
    case 2: return (uint64_t)INT64_MAX - script_below(s, 512);
    default: return script_number(s, 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    script s = {bytes, bytes + size};
    size_t kernels = 0;
    while (kernel_at(kernels) != NULL) kernels++;
    for (int step = 0; step < CALLS && !script_ended(&s); step++) {
        static double p[KERNEL_PARAMETERS];
        attempt a = {.f = kernel_at(script_below(&s, kernels))};
        const char *const set = choose_set(&s);
        a.kind = (int)script_below(&s, 3);
        if (a.kind == 1 && a.f->kind == KERNEL_DATA) a.kind = 0;
        a.seed = script_number(&s, 2);
        a.position = choose_position(&s);
        a.words = script_below(&s, 4) == 0 ? script_below(&s, 2000) : UINT64_MAX;
        a.call.n = a.f->winners > 0 ? a.f->winners : choose_count(&s);
        a.call.candidates = 1 + script_below(&s, CANDIDATES);
        if (strstr(a.f->name, "top_k") != NULL) a.call.n %= a.call.candidates + 1;
        if (a.f->out == OUT_STEPS && a.call.n > KERNEL_STEPS_MOST) a.call.n = KERNEL_STEPS_MOST;
        if (a.f->out == OUT_ROWS && a.call.n == 0) a.call.n = 1;
        a.offset = script_below(&s, 8);
        /* indices, rows, and what theory writes are objects of C, which have their alignment */
        if (a.f->out == OUT_INDEX || a.f->out == OUT_ROWS || a.f->out == OUT_STEPS || a.f->kind == KERNEL_DATA ||
            strncmp(a.f->name, "simdp_theory", 12) == 0)
            a.offset = 0;
        a.in_place = a.f->in == IN_SAME && script_below(&s, 2) == 1;
        a.other_data = script_below(&s, 4) == 0;
        for (size_t j = 0; j < KERNEL_PARAMETERS; j++) {
            p[j] = a.f->good[j];
            /* "-": whole numbers, some of them, which the adapter casts */
            if (j < strlen(a.f->letters) && a.f->letters[j] != '-' && script_below(&s, 3) == 0)
                p[j] = script_double(&s);
        }
        a.call.p = p;
        check(&a, set);
    }
    return simdp_isa_select(NULL) != SIMDP_OK;
}
