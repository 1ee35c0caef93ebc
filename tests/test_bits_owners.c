/* test_bits_owners: a call owns its positions; no bit that any other call at any other position, of any function, reads
 * is among those it reads. Random sequences of all functions that draw run under a witness (support/witness.h):
 *
 *     what a call returns does not change when every bit that does not belong to its positions does, and
 *     the bits that do belong to calls of one stream are disjoint, but for the two elements of a Gaussian pair.
 *
 * Planted layouts that break the rule must be noticed by these two checks, or they could not fail. */
#include <dirent.h>

#include "bits/rng.h"
#include "support/drawing.h"
#include "support/test_support.h"

/* ---- one call ---- */

typedef struct {
    uint64_t calls, changed;   /* calls whose output, status or stream the bits of others changed */
} owners_tally;

static bool verbose(void) { return getenv("OWNERS_VERBOSE") != NULL; }

/* Runs a call on rng, and on copies of it with all else disturbed. */
static void watch(simdp_rng *rng, const drawing_function *f, const drawing_call *c, witness_plant *plant,
                  owners_tally *tally)
{
    static unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];
    static simdp_rng before, again;
    before = *rng;
    memset(want, 0x5a, sizeof want);
    witness_call(&c->forced, plant);
    witness_learn(rng);
    const simdp_status status = f->run(rng, c, 0, c->n, want);
    witness_rest(rng);
    assert_int_equal(status, SIMDP_OK);
    bool same = true;
    for (int pattern = 0; pattern < WITNESS_PATTERNS; pattern++) {
        again = before;
        memset(got, 0x5a, sizeof got);
        witness_disturb(&again, (witness_pattern)pattern, pattern == 0);
        same = f->run(&again, c, 0, c->n, got) == status && same;
        witness_rest(&again);
        same = memcmp(got, want, sizeof want) == 0 && memcmp(&again, rng, sizeof again) == 0 && same;
    }
    tally->calls++;
    tally->changed += !same;
    if (!same && verbose())
        fprintf(stderr, "%s n %zu candidates %zu scale %g epsilon %g position %llu forced %u changes\n", f->name, c->n,
                c->candidates, c->scale, c->epsilon, (unsigned long long)before.position, c->forced.rate);
}

/* ---- streams ---- */

/* A stream that erases its keys, from a fixed key, at a given position. */
static void entropy_stream(simdp_rng *rng, uint64_t seed, uint64_t position)
{
    simdp_rng fixed;
    test_stream(&fixed, seed, 0, 0);
    must(simdp_rng_init(rng));
    memcpy(rng->cipher, fixed.cipher, sizeof rng->cipher);
    rng->position = position;
}

static void sequence_stream(simdp_rng *rng, uint64_t sequence, uint64_t *random)
{
    const uint64_t far = test_random(random), near = test_random(random) % 600;
    switch (sequence % 4) {
    case 0: test_stream(rng, sequence, sequence, near); break;
    case 1: test_stream(rng, sequence, sequence, ((uint64_t)1 << 40) - 3000 + near); break;
    case 2: test_stream(rng, sequence, sequence, far >> 4); break;
    default: entropy_stream(rng, sequence, (1 + far % 5) * SIMDP_ERASE_POSITIONS - 2500 + near);
    }
}

static size_t random_count(uint64_t *random)
{
    static const size_t border[] = {0, 16, 32, 64, 128, 256, 512};
    const uint64_t r = test_random(random);
    if (r % 3 == 0) return (r >> 8) % 12;
    if (r % 3 == 1) return (r >> 8) % 200;
    const size_t n = border[(r >> 8) % 7] + (r >> 16) % 5;
    return n < 2 ? n : n - 2;
}

enum { SEQUENCE_CALLS = 40 };

static void run_sequences(uint64_t first, uint64_t count, witness_plant *plant, owners_tally *tally)
{
    static simdp_rng rng;
    for (uint64_t s = first; s < first + count; s++) {
        uint64_t random = s * 1000003;
        sequence_stream(&rng, s, &random);
        witness_stream();
        for (int i = 0; i < SEQUENCE_CALLS; i++) {
            const drawing_function *f = &drawing_functions[test_random(&random) % drawing_functions_count];
            const bool force = test_random(&random) % 2 == 0;
            const drawing_call c = drawing_choose(f, random_count(&random), force, &random);
            watch(&rng, f, &c, plant, tally);
        }
    }
}

static void begin_witnessed(void)
{
    atomic_store(&simdp_kernels_chosen, &simdp_kernels_witnessed);
    drawing_between = witness_mark;
    witness_counts_clear();
}

/* ---- the rule ---- */

static void test_all_functions(void **state)
{
    (void)state;
    owners_tally tally = {0};
    begin_witnessed();
    run_sequences(0, is_full() ? 2000 : is_short() ? 8 : 120, NULL, &tally);
    const witness_counts *seen = witness_seen();
    if (verbose())
        fprintf(stderr, "calls %llu changed %llu words %llu bits %llu pairs %llu further %llu keys %llu shared %llu\n",
                (unsigned long long)tally.calls, (unsigned long long)tally.changed, (unsigned long long)seen->words,
                (unsigned long long)seen->bits, (unsigned long long)seen->pairs, (unsigned long long)seen->further,
                (unsigned long long)seen->local_keys, (unsigned long long)seen->shared);
    assert_int_equal(tally.changed, 0);
    assert_int_equal(seen->shared, 0);
    assert_int_equal(seen->unknown, 0);
    assert_int_equal(seen->strange_keys, 0);
    assert_int_equal(witness_keys_repeated(), 0);
    /* the sequences reach what they are for */
    assert_true(seen->bits > 1000 * tally.calls && seen->further > 20 * tally.calls);
    assert_true(seen->pairs > 100 || is_short());
    assert_true(seen->local_keys > 100 || is_short());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_functions),
    };
    return cmocka_run_group_tests_name("bits_owners", tests, NULL, NULL);
}
