/* machine_streams.c: streams, with every function that draws from one, and workspaces of prepared selections. */
#include "machine.h"

#include <math.h>

#include "bits/rng.h"

enum { MOST = 700 };

/* ---- the functions, each with its rule of how far a call of n moves the stream ---- */

typedef union {
    unsigned char bytes[MOST * 8];
    double f64[MOST];
    float f32[MOST];
    uint64_t u64[MOST];
    int64_t i64[MOST];
    uint32_t u32[MOST];
    uint8_t u8[MOST];
    size_t index[MOST];
} output;

/* Inputs of the calls below: answers, bits, scores. */
static const double numbers[MOST] = {0.5, -3, 1e9, 0x1p-1074, 7}, map[8] = {0.5, 0.5, 0.25, 0.75, 1, 0, 0, 1};
static const float floats[MOST] = {0.5f, -3, 1e9f, 0x1p-149f, 7};
static const int64_t integers[MOST] = {5, -3, INT64_MAX};
static const uint32_t values[MOST] = {1, 6, 0, 7, UINT32_MAX};
static const uint8_t bits[MOST] = {1, 0, 1, 1};

typedef enum { BY_ELEMENT, BY_ELEMENT_HALF, BY_SELECTION, BY_DRAWS } advance_rule; /* half: up to position 2^63 */

typedef struct {
    const char *name;
    simdp_status (*call)(simdp_rng *rng, output *out, size_t n, bool good); /* good: all parameters are */
    advance_rule rule;
    int flags;
} drawing;

/* There is no parameter that could be bad; counts that no memory can hold are not refused. */
enum { NO_BAD = 1, NO_HUGE = 2 };

#define SCALE (good ? 1.5 : -1.5)
#define FORM(name, call_of) \
    static simdp_status name(simdp_rng *rng, output *out, size_t n, bool good) { return (void)good, call_of; }
FORM(words, simdp_rng_words(rng, out == NULL ? NULL : out->u64, n))
FORM(uniform, simdp_noise_uniform_f64(rng, out == NULL ? NULL : out->f64, n))
FORM(uniform_f32, simdp_noise_uniform_f32(rng, out == NULL ? NULL : out->f32, n))
FORM(exponential, simdp_noise_exponential_f64(rng, out == NULL ? NULL : out->f64, n, SCALE))
FORM(laplace, simdp_noise_laplace_f64(rng, out == NULL ? NULL : out->f64, n, SCALE))
FORM(laplace_f32, simdp_noise_laplace_f32(rng, out == NULL ? NULL : out->f32, n, good ? 1.5f : NAN))
FORM(gaussian, simdp_noise_gaussian_f64(rng, out == NULL ? NULL : out->f64, n, SCALE))
FORM(gaussian_f32, simdp_noise_gaussian_f32(rng, out == NULL ? NULL : out->f32, n, good ? 1.5f : -1.5f))
FORM(gumbel, simdp_noise_gumbel_f64(rng, out == NULL ? NULL : out->f64, n, good ? 0 : INFINITY))
FORM(discrete_laplace, simdp_noise_discrete_laplace_i64(rng, out == NULL ? NULL : out->i64, n, SCALE))
FORM(discrete_gaussian, simdp_noise_discrete_gaussian_i64(rng, out == NULL ? NULL : out->i64, n, SCALE))
FORM(release_laplace, simdp_release_laplace(rng, out == NULL ? NULL : out->f64, numbers, n, SCALE, 0x1p-20))
FORM(release_gaussian, simdp_release_gaussian(rng, out == NULL ? NULL : out->f64, numbers, n, 1.5, good ? 0x1p-20 : 3))
FORM(release_laplace_f32, simdp_release_laplace_f32(rng, out == NULL ? NULL : out->f32, floats, n, SCALE, 0x1p-20))
FORM(release_private,
     simdp_release_laplace_private(rng, out == NULL ? NULL : out->f64, numbers, n, 1.5, good ? 0.1 : 0))
FORM(release_laplace_i64, simdp_release_laplace_i64(rng, out == NULL ? NULL : out->i64, integers, n, SCALE))
FORM(release_wide_i64, simdp_release_laplace_i64(rng, out == NULL ? NULL : out->i64, integers, n, 1000 * SCALE))
FORM(release_gaussian_i64, simdp_release_gaussian_i64(rng, out == NULL ? NULL : out->i64, integers, n, SCALE))
FORM(release_discrete, simdp_release_discrete_laplace_i64(rng, out == NULL ? NULL : out->i64, integers, n, SCALE))
FORM(release_bounded,
     simdp_release_discrete_laplace_bounded_i64(rng, out == NULL ? NULL : out->i64, integers, n, 1.5, 0, good ? 9 : -1))
FORM(release_truncated,
     simdp_release_discrete_gaussian_truncated_i64(rng, out == NULL ? NULL : out->i64, integers, n, 1.5, good ? 9 : 1))
FORM(response, simdp_release_randomized_response(rng, out == NULL ? NULL : out->u8, bits, n, SCALE))
FORM(response_packed, simdp_release_randomized_response_packed(rng, out == NULL ? NULL : out->u8, bits, n, SCALE))
FORM(unary, simdp_release_unary(rng, out == NULL ? NULL : out->u8, bits, n, 0, good ? -1.5 : NAN))
FORM(k_response, simdp_release_k_response(rng, out == NULL ? NULL : out->u32, values, n, good ? 7 : 0, 1.5))
FORM(leaky, simdp_theory_leaky_response(rng, out == NULL ? NULL : out->u8, bits, n, 1, good ? 0.1 : 1.1))
FORM(name_and_shame, simdp_theory_name_and_shame(rng, out == NULL ? NULL : out->u8, n, good ? 0.1 : NAN))
FORM(urn, simdp_theory_polya_urn(rng, out == NULL ? NULL : out->u8, n, good ? 3 : 0, 0))
FORM(laplace_map, simdp_theory_laplace_map(rng, out == NULL ? NULL : out->f64, bits, n, 0, 1, SCALE))
FORM(map_draw, simdp_theory_discrete_map_draw(rng, out == NULL ? NULL : out->index, bits, n, map, good ? 2 : 0))
FORM(selection, simdp_select_gumbel(rng, out == NULL ? NULL : out->index, numbers, n, SCALE))
FORM(flip, simdp_select_permute_flip(rng, out == NULL ? NULL : out->index, numbers, n, SCALE))
FORM(vartime, simdp_select_gumbel_vartime(rng, out == NULL ? NULL : out->index, numbers, n, SCALE))
FORM(many, simdp_select_gumbel_many(rng, out == NULL ? NULL : out->index, n, numbers, 5, SCALE))

static const drawing drawings[] = {
    {"words", words, BY_ELEMENT, NO_BAD},
    {"uniform", uniform, BY_ELEMENT, NO_BAD},
    {"uniform_f32", uniform_f32, BY_ELEMENT, NO_BAD},
    {"exponential", exponential, BY_ELEMENT, 0},
    {"laplace", laplace, BY_ELEMENT, 0},
    {"laplace_f32", laplace_f32, BY_ELEMENT, 0},
    {"gaussian", gaussian, BY_ELEMENT, 0},
    {"gaussian_f32", gaussian_f32, BY_ELEMENT, 0},
    {"gumbel", gumbel, BY_ELEMENT, 0},
    {"discrete_laplace", discrete_laplace, BY_ELEMENT, 0},
    {"discrete_gaussian", discrete_gaussian, BY_ELEMENT, 0},
    {"release_laplace", release_laplace, BY_ELEMENT, 0},
    {"release_gaussian", release_gaussian, BY_ELEMENT, 0},
    {"release_laplace_f32", release_laplace_f32, BY_ELEMENT, 0},
    {"release_private", release_private, BY_ELEMENT, 0},
    {"release_laplace_i64", release_laplace_i64, BY_ELEMENT, 0},
    {"release_wide_i64", release_wide_i64, BY_ELEMENT, 0},
    {"release_gaussian_i64", release_gaussian_i64, BY_ELEMENT, 0},
    {"release_discrete", release_discrete, BY_ELEMENT, 0},
    {"release_bounded", release_bounded, BY_ELEMENT, 0},
    {"release_truncated", release_truncated, BY_ELEMENT, 0},
    {"response", response, BY_ELEMENT, 0},
    {"response_packed", response_packed, BY_ELEMENT, NO_HUGE},
    {"unary", unary, BY_ELEMENT, NO_HUGE},
    {"k_response", k_response, BY_ELEMENT, 0},
    {"leaky", leaky, BY_ELEMENT_HALF, 0},
    {"name_and_shame", name_and_shame, BY_ELEMENT_HALF, 0},
    {"urn", urn, BY_ELEMENT, 0},
    {"laplace_map", laplace_map, BY_ELEMENT, 0},
    {"map_draw", map_draw, BY_ELEMENT, 0},
    {"selection", selection, BY_SELECTION, 0},
    {"flip", flip, BY_SELECTION, 0},
    {"vartime", vartime, BY_SELECTION, 0},
    {"many", many, BY_DRAWS, 0},
};

/* The position after a good call of n; false if it does not fit into the stream. */
static bool advance(uint64_t *position, advance_rule rule, size_t n)
{
    if (rule == BY_SELECTION || rule == BY_DRAWS) {
        const uint64_t group = SIMDP_SELECT_GROUP, most = UINT64_MAX - 2 * group;
        const uint64_t selections = rule == BY_DRAWS ? n : 1, candidates = rule == BY_DRAWS ? 5 : n;
        if (selections == 0 || candidates == 0) return true;
        if (*position > most) return false;
        const uint64_t from = (*position + group - 1) / group * group,
                       stride = (candidates + group - 1) / group * group;
        if (from > most || candidates > most - from) return false;
        if (selections - 1 > (most - from - candidates) / stride) return false;
        *position = from + (selections - 1) * stride + candidates;
        return true;
    }
    const uint64_t end = rule == BY_ELEMENT_HALF ? INT64_MAX : UINT64_MAX;
    if (*position > end || n > end - *position) return false;
    *position += n;
    return true;
}

/* ---- the machine ---- */

typedef enum { CLOSED, DETERMINISTIC, ENTROPY, SOURCE } stream_state;

typedef struct {
    simdp_rng rng;
    stream_state state;
    uint64_t position, key, id;
    size_t left; /* words that a source still has */
} stream;

static simdp_status take_words(void *context, uint64_t *out, size_t n)
{
    stream *s = context;
    if (n > s->left) return SIMDP_ESOURCE;
    s->left -= n;
    for (size_t i = 0; i < n; i++) out[i] = (i + s->left) * 0x9e3779b97f4a7c15;
    return SIMDP_OK;
}

static void open_stream(stream *s, dice *d)
{
    *s = (stream){.state = (stream_state)roll(d, 4), .key = roll(d, 3), .id = roll(d, 2)};
    s->state = one_in(d, 2) ? DETERMINISTIC : s->state;
    memset(&s->rng, 0, sizeof s->rng);
    if (s->state == DETERMINISTIC) test_stream(&s->rng, s->key, s->id, 0);
    if (s->state == ENTROPY) { /* near to where its key changes */
        static uint64_t skipped[SIMDP_RNG_ERASE_POSITIONS];
        must(simdp_rng_init(&s->rng));
        s->position = SIMDP_RNG_ERASE_POSITIONS - roll(d, 2000);
        must(simdp_rng_words(&s->rng, skipped, s->position));
    }
    if (s->state == SOURCE) {
        s->left = some_count(d, 3000);
        s->rng.kind = RNG_SOURCE, s->rng.source = take_words, s->rng.context = s;
    }
}

static void seek(stream *s, dice *d)
{
    static const uint64_t places[] = {0, 1000, UINT64_MAX, (uint64_t)1 << 62, (uint64_t)1 << 40};
    const uint64_t to = places[roll(d, 5)] + roll(d, 2000) - (one_in(d, 2) ? 1000 : 0);
    const simdp_status status = simdp_rng_seek(&s->rng, to);
    assert_int_equal(status, s->state == DETERMINISTIC ? SIMDP_OK : SIMDP_EPARAM);
    if (status == SIMDP_OK) s->position = to;
}

/* The same call on a fresh stream at the same place gives the same bytes: nothing else of the past matters. */
static void replay(const stream *s, const drawing *f, const output *out, size_t n, uint64_t position)
{
    static output again;
    simdp_rng rng;
    memset(&again, 0xaa, sizeof again);
    test_stream(&rng, s->key, s->id, position);
    must(f->call(&rng, &again, n, true));
    if (memcmp(&again, out, sizeof again) != 0) fail_msg("%s of %zu at %llu", f->name, n, (unsigned long long)position);
    assert_true(simdp_rng_position(&rng) == simdp_rng_position(&s->rng));
}

static void draw(stream *s, dice *d)
{
    static output out;
    const drawing *f = &drawings[roll(d, sizeof drawings / sizeof drawings[0])];
    const bool huge = one_in(d, 20), no_output = one_in(d, 20), good = (f->flags & NO_BAD) != 0 || !one_in(d, 8);
    const bool is_selection = f->rule == BY_SELECTION;
    const size_t n = huge ? SIZE_MAX - roll(d, 2) : some_count(d, MOST);
    const uint64_t before = simdp_rng_position(&s->rng);
    uint64_t after = before;
    memset(&out, 0xaa, sizeof out);
    const bool fits = advance(&after, f->rule, n);
    simdp_status want = SIMDP_OK;
    if (s->state == CLOSED || !fits || !good || huge || (is_selection && n == 0)) want = SIMDP_EPARAM;
    if (no_output && (n > 0 || is_selection)) want = SIMDP_ENULL;
    /* a bad scale makes releases write all of their output: with a huge count there is none such */
    if (huge && !good) return;
    if (n == 0 && s->state == CLOSED) return; /* does nothing, and may say so or not */
    if (huge && (f->flags & NO_HUGE) != 0) return;
    const simdp_status got = f->call(&s->rng, no_output ? NULL : &out, n, good);
    assert_int_equal(f->call(NULL, &out, n > MOST ? 1 : n, true), SIMDP_ENULL);
    const uint64_t position = simdp_rng_position(&s->rng);
    if (s->state == SOURCE && want == SIMDP_OK) { /* it may have ended */
        assert_true(got == SIMDP_OK || got == SIMDP_ESOURCE);
        assert_true(position == (got == SIMDP_OK ? after : before));
        s->position = position;
        return;
    }
    if (got != want)
        fail_msg("%s of %zu, state %d, position %llu: status %d, not %d", f->name, n, (int)s->state,
                 (unsigned long long)before, (int)got, (int)want);
    if (want == SIMDP_OK) s->position = after;
    if (position != s->position)
        fail_msg("%s of %zu at %llu: position %llu, not %llu, status %d", f->name, n, (unsigned long long)before,
                 (unsigned long long)position, (unsigned long long)s->position, (int)got);
    if (want == SIMDP_OK && s->state == DETERMINISTIC) replay(s, f, &out, n, before);
}

/* A copy repeats the original, and the two then go their own ways. */
static void copy(const stream *s, dice *d)
{
    if (s->state != DETERMINISTIC && s->state != ENTROPY) return;
    simdp_rng original = s->rng, other = s->rng;
    uint64_t a[50], b[50];
    const size_t n = some_count(d, 50);
    if (s->position > UINT64_MAX - 50) return;
    must(simdp_rng_words(&original, a, n));
    must(simdp_rng_words(&other, b, n));
    assert_memory_equal(a, b, n * sizeof *a);
}

void machine_stream(uint64_t sequence)
{
    dice d = dice_of(1, sequence);
    stream s;
    open_stream(&s, &d);
    for (uint64_t step = roll(&d, 40); step > 0; step--) {
        const uint64_t what = roll(&d, 24);
        if (what == 0) open_stream(&s, &d);
        else if (what == 1) seek(&s, &d);
        else if (what == 2) copy(&s, &d);
        else if (what == 3) change_isa(&d);
        else if (what == 4 && one_in(&d, 3)) {
            simdp_rng_wipe(&s.rng);
            s.state = CLOSED, s.position = 0;
        } else draw(&s, &d);
        assert_true(simdp_rng_position(&s.rng) == s.position);
    }
    assert_true(simdp_rng_position(NULL) == 0);
    assert_int_equal(simdp_rng_seek(NULL, 0), SIMDP_ENULL);
    simdp_rng_wipe(NULL);
    simdp_rng_wipe(&s.rng);
}

/* ---- workspaces ---- */

enum { CANDIDATES = 300, DRAWS = 20 };

/* What a refused prepare leaves: the workspace as it was. */
static const bool refused_prepare_keeps = true;

void machine_workspace(uint64_t sequence)
{
    static _Alignas(64) unsigned char memory[1 << 14];
    static double scores[2][CANDIDATES]; /* those in use stay as they are while others are made */
    dice d = dice_of(2, sequence);
    unsigned char *workspace = memory + roll(&d, 64);
    simdp_rng rng, other;
    double scale = 0;
    size_t n = 0, used = 0;
    bool prepared = false;
    memset(memory, 0, sizeof memory);
    test_stream(&rng, 3, 0, roll(&d, 1000));
    for (uint64_t step = roll(&d, 20); step > 0; step--) {
        if (one_in(&d, 4)) {
            const size_t wanted = some_count(&d, CANDIDATES);
            const double s = one_in(&d, 4) ? (one_in(&d, 2) ? NAN : -1) : (double)roll(&d, 3);
            const bool missing = one_in(&d, 6);
            double *fresh = scores[1 - used];
            for (size_t i = 0; i < wanted; i++) fresh[i] = (double)roll(&d, 1000) * 0.01;
            assert_true((simdp_select_workspace(wanted) == 0) == (wanted == 0));
            const simdp_status want = missing ? SIMDP_ENULL : wanted == 0 || !(s >= 0) ? SIMDP_EPARAM : SIMDP_OK;
            assert_int_equal(simdp_select_prepare(workspace, missing ? NULL : fresh, wanted, s), want);
            if (want == SIMDP_OK) prepared = true, n = wanted, scale = s, used = 1 - used;
            else prepared = prepared && refused_prepare_keeps;
        } else if (one_in(&d, 8)) {
            change_isa(&d);
        } else if (one_in(&d, 12)) {
            memset(memory, (int)roll(&d, 256), sizeof memory);
            prepared = false;
        } else {
            size_t index[DRAWS], same[DRAWS];
            const size_t draws = roll(&d, DRAWS + 1);
            const bool vartime = one_in(&d, 2);
            const uint64_t before = simdp_rng_position(&rng);
            other = rng;
            const simdp_status status = vartime ? simdp_select_prepared_vartime(&rng, index, draws, workspace)
                                                : simdp_select_prepared(&rng, index, draws, workspace);
            assert_int_equal(status, prepared ? SIMDP_OK : SIMDP_EPARAM);
            if (!prepared) {
                assert_true(simdp_rng_position(&rng) == before);
                continue;
            }
            must(simdp_select_gumbel_many(&other, same, draws, scores[used], n, scale));
            assert_memory_equal(index, same, draws * sizeof *index);
            assert_true(simdp_rng_position(&rng) == simdp_rng_position(&other));
        }
        assert_int_equal(simdp_select_prepared(&rng, NULL, 1, NULL), SIMDP_ENULL);
    }
}
