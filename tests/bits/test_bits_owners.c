/* test_bits_owners: a call owns its positions; no bit that any other call at any other position, of any function, reads
 * is among those it reads. Random sequences of all functions that draw run under a witness (support/witness.h):
 *
 *     what a call returns does not change when every bit that does not belong to its positions does, and
 *     the bits that do belong to calls of one stream are disjoint, but for the two elements of a Gaussian pair.
 *
 * Planted layouts that break the rule must be noticed by these two checks, or they could not fail. */
#include "bits/rng.h"
#include "support/drawing.h"
#include "support/test_support.h"

/* ---- one call ---- */

typedef struct {
    uint64_t calls, changed; /* calls whose output, status or stream the bits of others changed */
} owners_tally;

/* Runs a call on rng, and on copies of it with all else disturbed. */
static void watch(simdp_rng *rng, const kernel_line *f, const drawing_call *c, witness_plant *plant,
                  owners_tally *tally)
{
    static _Alignas(16) unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];
    static simdp_rng before, again;
    before = *rng;
    memset(want, 0x5a, sizeof want);
    witness_call(&c->forced, plant);
    witness_learn(rng);
    const simdp_status status = drawing_run(f, rng, c, 0, c->n, want);
    witness_rest(rng);
    assert_int_equal(status, SIMDP_OK);
    bool same = true;
    for (int pattern = 0; pattern < WITNESS_PATTERNS; pattern++) {
        again = before;
        memset(got, 0x5a, sizeof got);
        witness_disturb(&again, (witness_pattern)pattern, pattern == 0);
        same = drawing_run(f, &again, c, 0, c->n, got) == status && same;
        witness_rest(&again);
        same = memcmp(got, want, sizeof want) == 0 && memcmp(&again, rng, sizeof again) == 0 && same;
    }
    tally->calls++;
    tally->changed += !same;
    if (!same && plant == NULL)
        print_error("%s: n %zu, %zu candidates, parameters %g %g, position %llu, forced 1 in %u\n", f->name, c->n,
                    c->candidates, c->p[0], c->p[1], (unsigned long long)before.position, c->forced.rate);
}

/* ---- streams ---- */

static void sequence_stream(simdp_rng *rng, uint64_t sequence, uint64_t *random)
{
    const uint64_t far = test_random(random), near = test_random(random) % 600;
    switch (sequence % 4) {
    case 0: test_stream(rng, sequence, sequence, near); break;
    case 1: test_stream(rng, sequence, sequence, ((uint64_t)1 << 40) - 3000 + near); break;
    case 2: test_stream(rng, sequence, sequence, far >> 4); break;
    default: test_entropy_stream(rng, sequence, (1 + far % 5) * SIMDP_RNG_ERASE_POSITIONS - 1500 + near);
    }
}

static size_t random_count(uint64_t *random)
{
    static const size_t border[] = {0, 16, 32, 64, 128, 256, 512};
    const uint64_t r = test_random(random);
    if (r >> 58 == 0) return 2000 + (r >> 8) % 4000; /* more than the blocks that kernels work in */
    if (r % 3 == 0) return (r >> 8) % 12;
    if (r % 3 == 1) return (r >> 8) % 200;
    const size_t n = border[(r >> 8) % 7] + (r >> 16) % 5;
    return n < 2 ? n : n - 2;
}

enum { SEQUENCE_CALLS = 40 };

/* Moves a stream that erases its keys on to where its next call may need two of them. */
static void approach_border(simdp_rng *rng, uint64_t random)
{
    const uint64_t border = (rng->position / SIMDP_RNG_ERASE_POSITIONS + 1) * SIMDP_RNG_ERASE_POSITIONS;
    if (rng->kind == RNG_ENTROPY && border - rng->position > 200) rng->position = border - 1 - random % 200;
}

static void run_sequences(uint64_t first, uint64_t count, witness_plant *plant, owners_tally *tally)
{
    static simdp_rng rng;
    for (uint64_t s = first; s < first + count; s++) {
        uint64_t random = s * 1000003;
        sequence_stream(&rng, s, &random);
        witness_stream();
        /* of all functions, or of three, whose calls then often touch each other in one use */
        const bool few = s / 4 % 2 == 0;
        const uint64_t chosen = test_random(&random);
        for (int i = 0; i < SEQUENCE_CALLS; i++) {
            const uint64_t r = test_random(&random);
            if (i % 4 == 3) approach_border(&rng, r >> 32);
            const kernel_line *f =
                kernel_drawing_at((few ? chosen >> 20 * (r % 3) & 0xfffff : r) % kernel_drawing_count());
            const bool force = test_random(&random) % 2 == 0;
            const drawing_call c = drawing_choose(f, random_count(&random), force, &random);
            watch(&rng, f, &c, plant, tally);
        }
    }
}

static void begin_witnessed(void)
{
    atomic_store(&simdp_kernels_chosen, &simdp_kernels_witnessed);
    kernel_between_steps = witness_mark;
    witness_counts_clear();
}

/* ---- the rule ---- */

static void test_all_functions(void **state)
{
    (void)state;
    owners_tally tally = {0};
    begin_witnessed();
    run_sequences(0, is_full() ? 2000 : is_short() ? 8 : 96, NULL, &tally);
    const witness_counts *seen = witness_seen();
    assert_int_equal(tally.changed, 0);
    assert_int_equal(seen->shared, 0);
    assert_int_equal(seen->unknown, 0);
    assert_int_equal(seen->strange_keys, 0);
    assert_int_equal(witness_keys_repeated(), 0);
    print_message("%zu local keys, %zu keys erased\n", (size_t)seen->local_keys, (size_t)seen->erased);
    /* the sequences reach what they are for */
    assert_true(seen->bits > 1000 * tally.calls && seen->further > 20 * tally.calls);
    assert_true(seen->pairs > 100 || is_short());
    assert_true((seen->local_keys > 40 && seen->erased > 10) || is_short());
}

/* Forced bits lead where they should: words of the levels after the forced ones change what a call returns. */
static void test_rare_paths_are_reached(void **state)
{
    (void)state;
    static _Alignas(16) unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];
    static simdp_rng rng, before;
    uint64_t random = 5;
    begin_witnessed();
    assert_null(drawing_not_listed());
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        int changed = 0, calls = 0;
        for (; calls < 40 && changed < 3; calls++) {
            const drawing_call c = drawing_choose(f, 200, true, &random);
            if (c.forced.rate == 0) break;
            test_stream(&rng, i, (uint64_t)calls, 1000);
            before = rng;
            witness_call(&c.forced, NULL);
            witness_learn(&rng);
            must(drawing_run(f, &rng, &c, 0, c.n, want));
            witness_rest(&rng);
            memcpy(got, want, sizeof got);
            witness_disturb_own(&before, c.forced.levels);
            must(drawing_run(f, &before, &c, 0, c.n, got));
            witness_rest(&before);
            changed += memcmp(got, want, sizeof got) != 0;
        }
        if (calls > 0 && changed < 3) print_error("%s: further words change nothing\n", f->name);
        assert_true(calls == 0 || changed == 3);
    }
}

/* External sources have no positions. What is left to check: a call that needs further words has a key of its own. */
static simdp_status give_words(void *context, uint64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = test_random(context);
    if (n == 4) witness_key(out);
    return SIMDP_OK;
}

static void test_sources(void **state)
{
    (void)state;
    static _Alignas(16) unsigned char out[DRAWING_BYTES];
    uint64_t words = 1, random = 2;
    simdp_rng rng = {.kind = RNG_SOURCE, .source = give_words, .context = &words};
    begin_witnessed();
    for (int i = 0; i < 2000; i++) {
        const kernel_line *f = kernel_drawing_at(test_random(&random) % kernel_drawing_count());
        const drawing_call c = drawing_choose(f, random_count(&random), false, &random);
        witness_call(&c.forced, NULL);
        witness_learn(&rng);
        must(drawing_run(f, &rng, &c, 0, c.n, out));
        witness_rest(&rng);
    }
    assert_true(witness_seen()->local_keys > 500);
    assert_int_equal(witness_seen()->strange_keys, 0);
    assert_int_equal(witness_keys_repeated(), 0);
}

/* ---- controls: layouts that break the rule ---- */

/* Further words of randomized response by rank: the k-th undecided element of a group has word k of it. */
static struct {
    uint64_t group, rank, last;
} ranks;

static void plant_ranks(uint32_t *domain, uint64_t *index, size_t count)
{
    if (*domain == BITS_RESPONSE) ranks.rank = 0; /* another call, or run */
    if (*domain != bits_level(BITS_RESPONSE, 1) || count != 2) return;
    const uint64_t group = *index / 512;
    if (group != ranks.group) ranks.rank = 0;
    if (*index % 2 == 0) ranks.last = ranks.rank++; /* two words of a block are seen, one of them is read */
    ranks.group = group;
    *index = group * 512 + ranks.last;
}

/* Two calls of randomized response in each of many groups of 512. */
static void respond_twice(witness_plant *plant, owners_tally *tally)
{
    const kernel_line *f = kernel_named("simdp_release_randomized_response");
    static simdp_rng rng;
    uint64_t random = 9;
    test_stream(&rng, 11, 0, 0);
    witness_stream();
    for (int group = 0; group < 20; group++) {
        for (int part = 0; part < 2; part++) {
            drawing_call c = drawing_choose(f, part == 0 ? 8 : 504, true, &random);
            c.forced.levels = 1;
            c.forced.rate = 64; /* few enough for the path that decides all of them at once */
            watch(&rng, f, &c, plant, tally);
        }
    }
}

static void test_control_ranks(void **state)
{
    (void)state;
    owners_tally good = {0}, bad = {0};
    begin_witnessed();
    respond_twice(NULL, &good);
    assert_int_equal(good.changed, 0);
    respond_twice(plant_ranks, &bad);
    assert_true(bad.changed > bad.calls / 4);
}

/* Laplace releases and Gaussian noise read one domain. */
static void plant_one_domain(uint32_t *domain, uint64_t *index, size_t count)
{
    (void)index, (void)count;
    if (*domain == BITS_RELEASE_LAPLACE_F64) *domain = BITS_GAUSSIAN_F64;
}

static void release_then_noise(witness_plant *plant, owners_tally *tally)
{
    static const char *const names[2] = {"simdp_release_laplace", "simdp_noise_gaussian_f64"};
    static const size_t sizes[2] = {5, 11};
    static simdp_rng rng;
    uint64_t random = 9;
    test_entropy_stream(&rng, 12, 0);
    witness_stream();
    for (int i = 0; i < 200; i++) {
        const kernel_line *f = kernel_named(names[i % 2]);
        const drawing_call c = drawing_choose(f, sizes[i % 2], false, &random);
        watch(&rng, f, &c, plant, tally);
    }
}

static void test_control_one_domain(void **state)
{
    (void)state;
    owners_tally tally = {0};
    begin_witnessed();
    release_then_noise(NULL, &tally);
    assert_int_equal(witness_seen()->shared, 0);
    release_then_noise(plant_one_domain, &tally);
    assert_true(witness_seen()->shared >= 100);
    assert_int_equal(tally.changed, 0); /* it is the other check that sees this one */
}

/* The same, where both take the words of their own positions alone to be theirs: Gaussian pairs then read others. */
static void plant_no_pairs(uint32_t *domain, uint64_t *index, size_t count)
{
    (void)index, (void)count;
    if (*domain == BITS_RELEASE_LAPLACE_F64 || *domain == BITS_GAUSSIAN_F64) *domain = BITS_WORDS;
}

static void test_control_no_pairs(void **state)
{
    (void)state;
    owners_tally tally = {0};
    begin_witnessed();
    release_then_noise(plant_no_pairs, &tally);
    assert_true(tally.changed >= 100);
}

/* ---- identities: an element owns the blocks of its id, under keys of its law and parameters ---- */

enum { ID_CALLS = 8, ID_MOST = 500 };

/* Forms by identity, and those by position whose parameters and forced bits serve them too. */
static const struct {
    const char *name, *like;
    bool pairs;
} by_id[] = {{"simdp_release_laplace_by_id", "simdp_release_laplace", false},
             {"simdp_release_gaussian_by_id", "simdp_release_gaussian", true},
             {"simdp_release_laplace_i64_by_id", "simdp_release_laplace_i64", false},
             {"simdp_release_gaussian_i64_by_id", "simdp_release_gaussian_i64", true},
             {"simdp_release_randomized_response_by_id", "simdp_release_randomized_response", false},
             {"simdp_select_partitions_by_id", "simdp_select_partitions", false},
             {"simdp_select_gumbel_rows_by_id", "simdp_select_gumbel_rows", false}};
enum { BY_ID = sizeof by_id / sizeof *by_id };

/* One call: elements ids[0] .. ids[n - 1]. */
typedef struct {
    const kernel_line *f;
    drawing_call c;
    bool pairs;
    uint64_t signature;
    double answers[ID_MOST * KERNEL_STEP_CANDIDATES];
    int64_t integers[ID_MOST];
    uint8_t bits[ID_MOST];
    simdp_id ids[ID_MOST];
} id_call;

static void choose_id_call(id_call *call, size_t which, size_t n, uint64_t *random)
{
    const kernel_line *like = kernel_named(by_id[which].like);
    call->f = kernel_named(by_id[which].name);
    call->pairs = by_id[which].pairs;
    call->c = drawing_choose(like, n, true, random);
    if (call->f->out == OUT_INDEX) call->c.candidates = 1 + n % KERNEL_STEP_CANDIDATES;
    /* bits of halves, planes and units are not laid out as those of ids */
    if (call->f->out == OUT_INDEX || call->f->out == OUT_BYTES || (call->f->out == OUT_I64 && call->c.p[0] <= 512))
        call->c.forced.rate = 0;
    call->c.n = n;
    call->signature = which * 1000003 + call->c.candidates;
    for (int i = 0; i < KERNEL_PARAMETERS; i++) {
        uint64_t bits;
        memcpy(&bits, &call->c.p[i], 8);
        call->signature = test_random(&call->signature) ^ bits;
    }
    for (size_t i = 0; i < n; i++) {
        call->ids[i] = (simdp_id){i % 2 == 0 ? i / 6 : test_random(random), i % 3}; /* all different */
        call->bits[i] = (uint8_t)(i & 1);
        call->integers[i] = (int64_t)(i % 7);
    }
    for (size_t i = 0; i < n * KERNEL_STEP_CANDIDATES; i++) call->answers[i] = (double)(i % 13) * call->c.grid;
}

static simdp_status run_id_call(const id_call *call, simdp_rng *rng, void *out)
{
    const bool integers = call->f->out == OUT_I64 || call->f->in == IN_I64;
    const void *in = integers                    ? (const void *)call->integers
                     : call->f->out == OUT_BYTES ? (const void *)call->bits
                                                 : call->answers;
    return call->f->run(&(kernel_call){.rng = rng,
                                       .out = out,
                                       .in = in,
                                       .n = call->c.n,
                                       .candidates = call->c.candidates,
                                       .p = call->c.p,
                                       .ids = call->ids});
}

static size_t others_changed; /* runs in which the words of other ids changed something */

static size_t element_bytes(const kernel_line *f) { return kernel_out_bytes(f, 1); }

/* Runs a call, then again with every word of positions changed, then with the words of all ids but one: what this one
 * has comes out as before. Returns how often it did not. */
static size_t watch_ids(const id_call *call, simdp_rng *rng, witness_plant_identity *plant, uint64_t *random)
{
    static _Alignas(16) unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];
    const size_t bytes = element_bytes(call->f);
    size_t changed = 0;
    witness_call(NULL, NULL);
    witness_identity_call(call->signature, &call->c.forced, call->pairs, plant, NULL);
    witness_learn(rng);
    must(run_id_call(call, rng, want));
    witness_rest(rng);
    witness_disturb(rng, WITNESS_COMPLEMENT, true);
    must(run_id_call(call, rng, got));
    witness_rest(rng);
    changed += memcmp(got, want, bytes * call->c.n) != 0;
    for (int k = 0; k < 3; k++) {
        const size_t i = test_random(random) % call->c.n;
        witness_identity_call(call->signature, &call->c.forced, call->pairs, plant, &call->ids[i]);
        witness_disturb(rng, WITNESS_RANDOM, false);
        must(run_id_call(call, rng, got));
        witness_rest(rng);
        changed += memcmp(got + bytes * i, want + bytes * i, bytes) != 0;
        others_changed += memcmp(got, want, bytes * call->c.n) != 0;
    }
    return changed;
}

static size_t run_id_calls(witness_plant_identity *plant, size_t each)
{
    static id_call call;
    static simdp_rng rng;
    uint64_t random = 3;
    size_t changed = 0;
    others_changed = 0;
    begin_witnessed();
    witness_identity_clear();
    witness_stream();
    test_stream(&rng, 21, 4, 100);
    for (size_t i = 0; i < each; i++) {
        for (size_t which = 0; which < BY_ID; which++) {
            const size_t n = 1 + test_random(&random) % (which == BY_ID - 1 ? 60 : ID_MOST);
            choose_id_call(&call, which, n, &random);
            changed += watch_ids(&call, &rng, plant, &random);
        }
    }
    assert_int_equal(simdp_rng_position(&rng), 100);
    return changed;
}

static void test_identities(void **state)
{
    (void)state;
    const kernel_line *k;
    size_t listed = 0;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) listed += k->by_id && k->variant == NULL;
    assert_int_equal(listed, BY_ID); /* every form by identity is watched */
    assert_int_equal(run_id_calls(NULL, is_full() ? 100 : ID_CALLS), 0);
    const witness_identities *seen = witness_identities_seen();
    print_message("%zu blocks of ids, %zu of further levels\n", (size_t)seen->blocks, (size_t)seen->further);
    assert_int_equal(seen->shared, 0);
    assert_true(seen->blocks > 10000 && seen->further > 100);
    assert_true(others_changed > 2 * BY_ID * ID_CALLS); /* of three runs of each call */
    assert_int_equal(witness_seen()->unknown, 0);
    assert_int_equal(witness_seen()->strange_keys, 0);
    assert_int_equal(witness_seen()->bits, 0); /* no bit of a position belongs to them */
}

/* Keys that do not know the parameters, or not the law; ids of which a half is not read. */
static void plant_no_parameters(uint64_t key[2], uint32_t domain, uint64_t id[2])
{
    (void)id;
    key[0] = domain;
    key[1] = 7;
}

static void plant_no_law(uint64_t key[2], uint32_t domain, uint64_t id[2])
{
    (void)id;
    key[0] = domain & 0xffffff;
    key[1] = 7;
}

static void plant_half_ids(uint64_t key[2], uint32_t domain, uint64_t id[2])
{
    (void)key, (void)domain;
    id[1] = 0;
}

static void test_control_identities(void **state)
{
    (void)state;
    static witness_plant_identity *const plants[] = {plant_no_parameters, plant_no_law, plant_half_ids};
    for (int i = 0; i < 3; i++) {
        run_id_calls(plants[i], ID_CALLS);
        assert_true(witness_identities_seen()->shared > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rare_paths_are_reached),
        cmocka_unit_test(test_all_functions),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_control_ranks),
        cmocka_unit_test(test_control_one_domain),
        cmocka_unit_test(test_control_no_pairs),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_control_identities),
    };
    return cmocka_run_group_tests_name("bits_owners", tests, NULL, NULL);
}
