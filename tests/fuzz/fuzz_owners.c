/* fuzz_owners: sequences of calls of every function that draws from positions, on one stream, under a witness
 * (support/witness.h). No bit of a word belongs to two calls, but for the elements of a Gaussian pair; what a call
 * returns does not change when all bits that are not its own do; every domain is one of uses.h. */
#include "fuzz.h"

#include "bits/rng.h"
#include "support/drawing.h"

enum { CALLS = 6, ELEMENTS = 600 };

static void open_stream(simdp_rng *rng, script *s)
{
    static const uint8_t key[32] = {2, 2};
    const bool erases = script_below(s, 3) == 0;
    if (simdp_rng_init_deterministic(rng, key, script_number(s, 1)) != SIMDP_OK) abort();
    const simdp_rng fixed = *rng;
    if (erases) { /* as a stream of operating-system entropy, but from a fixed key */
        if (simdp_rng_init(rng) != SIMDP_OK) abort();
        memcpy(rng->cipher, fixed.cipher, sizeof rng->cipher);
    }
    /* near the border of a key, of a batch, or anywhere */
    const uint64_t position = script_below(s, 2) == 0 ? script_below(s, 600) : script_number(s, 7);
    rng->position = erases ? (1 + position % 5) * SIMDP_RNG_ERASE_POSITIONS - 1 - position / 5 % 400 : position;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static _Alignas(16) unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];
    static simdp_rng rng, before, again;
    script s = {bytes, bytes + size};
    atomic_store(&simdp_kernels_chosen, &simdp_kernels_witnessed);
    kernel_between_steps = witness_mark;
    witness_counts_clear();
    open_stream(&rng, &s);
    witness_stream();
    for (int i = 0; i < CALLS && !script_ended(&s); i++) {
        const kernel_line *const f = kernel_drawing_at(script_below(&s, kernel_drawing_count()));
        const bool force = script_below(&s, 2) == 0;
        const size_t n = script_below(&s, ELEMENTS);
        uint64_t random = script_number(&s, 3);
        const drawing_call c = drawing_choose(f, n, force, &random);
        before = again = rng;
        memset(want, 0x5a, sizeof want);
        memset(got, 0x5a, sizeof got);
        witness_call(&c.forced, NULL);
        witness_learn(&rng);
        const simdp_status status = drawing_run(f, &rng, &c, 0, c.n, want);
        witness_rest(&rng);
        MUST(status == SIMDP_OK, "%s: %s", f->name, simdp_status_text(status));
        witness_disturb(&again, (witness_pattern)script_below(&s, WITNESS_PATTERNS), true);
        MUST(drawing_run(f, &again, &c, 0, c.n, got) == status, "%s: the status depends on bits of others", f->name);
        witness_rest(&again);
        MUST(memcmp(got, want, sizeof want) == 0, "%s, n = %zu at %llu: bits of others change it", f->name, c.n,
             (unsigned long long)before.position);
        MUST(memcmp(&again, &rng, sizeof again) == 0, "%s: bits of others change the stream", f->name);
        MUST(witness_seen()->shared == 0, "%s, n = %zu at %llu: a bit of it belongs to an earlier call", f->name, c.n,
             (unsigned long long)before.position);
        MUST(witness_seen()->unknown == 0 && witness_seen()->strange_keys == 0, "%s: a domain or key of nobody",
             f->name);
    }
    return 0;
}
