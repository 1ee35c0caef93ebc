/* witness_identity.c: see witness.h: who reads which blocks of ids. */
#include "bits/bits_kernels.h"
#include "support/test_support.h"
#include "support/witness.h"

void simdp_witness_identity(const uint64_t key[2], uint32_t domain, const uint64_t *ids, uint64_t *words, size_t count);

static struct {
    uint64_t signature;
    const forced_bits *forced;
    bool pairs;
    witness_plant_identity *plant;
    const simdp_id *alone;
} now;

static witness_identities seen;
const witness_identities *witness_identities_seen(void) { return &seen; }

/* ---- records: which id, and which law and parameters, an address belongs to ---- */

enum { RECORDS_LOG = 18, RECORDS_SIZE = 1 << RECORDS_LOG };

typedef struct {
    uint64_t key[2], id[2]; /* the address */
    uint64_t asked[2], signature;
    bool used;
} block_record;

static block_record *records;
static size_t records_count;

void witness_identity_clear(void)
{
    if (records == NULL) records = calloc(RECORDS_SIZE, sizeof *records);
    assert_non_null(records);
    memset(records, 0, RECORDS_SIZE * sizeof *records);
    records_count = 0;
    seen = (witness_identities){0};
}

static void record(const uint64_t key[2], const uint64_t id[2], const uint64_t asked[2])
{
    uint64_t hash = key[0] ^ key[1] ^ id[0] * 3 ^ id[1] * 5;
    size_t i = test_random(&hash) >> (64 - RECORDS_LOG);
    while (records[i].used && (memcmp(records[i].key, key, 16) != 0 || memcmp(records[i].id, id, 16) != 0))
        i = (i + 1) % RECORDS_SIZE;
    block_record *r = &records[i];
    if (!r->used) {
        *r = (block_record){{key[0], key[1]}, {id[0], id[1]}, {asked[0], asked[1]}, now.signature, true};
        assert_true(++records_count < RECORDS_SIZE * 3 / 4);
    }
    seen.shared += memcmp(r->asked, asked, 16) != 0 || r->signature != now.signature;
}

/* ---- blocks ---- */

static void block_under(uint64_t words[2], const uint64_t key[2], const uint64_t id[2])
{
    uint64_t bytes[2] = {key[0], key[1]};
    test_put_in_order(bytes, 2, 1);
    simdp_kernels_witnessed.bits->cipher_block_aes128(words, id, (const uint8_t *)bytes);
}

static void force_word(uint64_t *word, uint64_t digits, uint64_t mask) { *word = (*word & ~mask) | (digits & mask); }

static void force(uint32_t level, const uint64_t id[2], uint64_t words[2])
{
    const forced_bits *f = now.forced;
    uint64_t hash = id[0] ^ id[1] << 1;
    if (f == NULL || f->rate == 0 || test_random(&hash) % f->rate != 0) return;
    for (unsigned w = 0; w < 2; w++) {
        if (now.pairs && level < f->levels) force_word(&words[w], f->digits[level][w], f->mask[level][w]);
        if (!now.pairs && level == 0 && w < f->levels) force_word(&words[w], f->digits[w][0], f->mask[w][0]);
    }
}

void simdp_witness_identity(const uint64_t key[2], uint32_t domain, const uint64_t *ids, uint64_t *words, size_t count)
{
    const uint32_t level = domain & ((1u << BITS_LEVELS) - 1);
    for (size_t i = 0; i < count; i++, ids += 2, words += 2) {
        uint64_t own[2] = {key[0], key[1]}, id[2] = {ids[0], ids[1]};
        if (now.plant != NULL) {
            now.plant(own, domain, id);
            block_under(words, own, id);
        }
        record(own, id, ids);
        seen.blocks++;
        seen.further += level > 0;
        force(level, ids, words);
        if (now.alone != NULL && (now.alone->low != ids[0] || now.alone->high != ids[1]))
            for (int w = 0; w < 2; w++) words[w] = ~words[w];
        if (domain == BITS_SELECT_GUMBEL_BY_ID) witness_stream_key(words);
    }
}

void witness_identity_call(uint64_t signature, const forced_bits *f, bool pairs, witness_plant_identity *plant,
                           const simdp_id *alone)
{
    now.signature = signature;
    now.forced = f;
    now.pairs = pairs;
    now.plant = plant;
    now.alone = alone;
}
