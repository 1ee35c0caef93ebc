/* witness.c: see witness.h. */
#include "support/witness.h"

#include "bits/rng.h"
#include "support/test_support.h"

void simdp_witness(const simdp_cipher *cipher, uint32_t domain, uint64_t index, uint64_t *words, size_t count);

/* ---- the shapes of uses.h ---- */

typedef struct {
    unsigned number;
    uint32_t levels;
    int first, further;
} use_row;

#define USE_ROW(name, number, levels, first, further) {number, levels, first, further},
static const use_row use_rows[] = {BITS_USES(USE_ROW)};

static const use_row *use_of(uint32_t domain)
{
    for (size_t i = 0; i < sizeof use_rows / sizeof *use_rows; i++) {
        const use_row *row = &use_rows[i];
        if (row->number == domain >> BITS_LEVELS && (domain & ((1u << BITS_LEVELS) - 1)) < row->levels) return row;
    }
    return NULL;
}

static uint32_t level_of(uint32_t domain) { return domain & ((1u << BITS_LEVELS) - 1); }

static int shape_of(const use_row *row, uint32_t domain) { return level_of(domain) == 0 ? row->first : row->further; }

/* The position that has unit u: bit 0 of u chooses the half of a group of 128, bits 1 to 6 the place in it, of which
 * the second and the third bit are exchanged. */
static uint64_t position_of_unit(uint64_t u)
{
    const uint64_t place = u >> 1 & 63, swapped = (place & 57) | (place >> 1 & 2) | (place << 1 & 4);
    return (u & ~(uint64_t)127) + 64 * (u & 1) + swapped;
}

/* A part of a word that belongs to one position, or to that and its partner in a pair. */
typedef struct {
    uint64_t mask;
    unsigned shift;
    uint64_t position;
} word_part;

/* Part k of a word: false where there are no more. */
static bool part_of(int shape, uint64_t index, unsigned k, word_part *part)
{
    const uint64_t group = index / 128, line = index % 8;
    switch (shape) {
    case SHAPE_TWO: *part = (word_part){UINT64_MAX, 0, index / 2}; return k < 1;
    case SHAPE_FOUR: *part = (word_part){UINT64_MAX, 0, index / 4}; return k < 1;
    case SHAPE_HALF:
    case SHAPE_PAIR_HALF:
        *part = (word_part){(uint64_t)UINT32_MAX << 32 * (k & 1), 32 * k, 2 * index + k};
        return k < 2;
    case SHAPE_UNIT:
        *part = (word_part){(uint64_t)UINT16_MAX << 16 * (k & 3), 16 * k, position_of_unit(4 * index + k)};
        return k < 4;
    case SHAPE_UNIT_WORD: *part = (word_part){UINT64_MAX, 0, position_of_unit(index)}; return k < 1;
    case SHAPE_PLANES: /* ten planes of eight words; the words after them belong to nobody */
        *part = (word_part){(uint64_t)1 << (k & 63), k, 512 * group + 64 * line + k};
        return k < 64 && index % 128 < 80;
    default: *part = (word_part){UINT64_MAX, 0, index}; return k < 1; /* words, also those of pairs */
    }
}

/* How far apart the positions of a pair lie; 0: there are no pairs. */
static uint64_t pair_of(int shape)
{
    return shape == SHAPE_PAIR ? 8 : shape == SHAPE_PAIR_HALF || shape == SHAPE_PAIR_FAR ? 16 : 0;
}

static bool lies_in(uint64_t position, uint64_t first, uint64_t end) { return position >= first && position < end; }

uint64_t witness_owned(uint32_t domain, uint64_t index, uint64_t first, uint64_t end, bool *known)
{
    const use_row *row = use_of(domain);
    uint64_t owned = 0;
    word_part part;
    *known = row != NULL;
    if (row == NULL) return 0;
    const int shape = shape_of(row, domain);
    if (shape == SHAPE_KEY) return index < 2 ? UINT64_MAX : 0; /* of the stream itself, whatever the call */
    for (unsigned k = 0; part_of(shape, index, k, &part); k++) {
        const uint64_t partner = part.position ^ pair_of(shape);
        if (lies_in(part.position, first, end) || lies_in(partner, first, end)) owned |= part.mask;
    }
    return owned;
}

/* ---- the state of the witness ---- */

enum { PARTS = 64, LOCAL_KEYS = 4096 };

typedef struct {
    uint64_t word[2];
} aes_key;

typedef enum { RESTS, LEARNS, DISTURBS, DISTURBS_OWN } witness_doing;

typedef struct {
    witness_doing state;
    const simdp_cipher *own;
    witness_pattern pattern;
    bool record;
    bool erases;     /* the stream erases its keys, */
    uint64_t window; /* each of which serves the positions between two multiples: this is the lower one */
    uint32_t level;  /* from which on the call's own bits are disturbed */
    const forced_bits *forced;
    witness_plant *plant;
    uint64_t border[PARTS + 1]; /* part i of the call has the positions border[i] .. border[i + 1] */
    size_t parts, part;
    uint64_t call;                               /* its number, of all calls */
    aes_key local[LOCAL_KEYS], good[LOCAL_KEYS]; /* keys of local streams seen, and those that its words make */
    size_t locals, goods;
} witness_state;

static witness_state now;
static witness_counts counts;

const witness_counts *witness_seen(void) { return &counts; }
void witness_counts_clear(void) { counts = (witness_counts){0}; }

/* ---- forced bits ---- */

static uint64_t mix(uint64_t x) { return test_random(&x); }

/* Halves of which floats make tails: close to 0, to 2^31, from either side. */
static uint64_t tail_half(uint64_t position)
{
    const uint64_t r = mix(position ^ 77), small = r >> 47;
    return ((r & 3) == 0   ? small
            : (r & 3) == 1 ? ~small
            : (r & 3) == 2 ? 0x7fffffff - small
                           : 0x80000000 + small) &
           0xffffffff;
}

static void force(uint32_t domain, uint64_t index, uint64_t *word)
{
    const forced_bits *f = now.forced;
    const uint32_t level = level_of(domain);
    if (f == NULL || f->rate == 0 || domain - level != f->use || level >= f->levels) return;
    const int shape = shape_of(use_of(domain), domain);
    const uint64_t pair = pair_of(shape);
    word_part part;
    for (unsigned k = 0; part_of(shape, index, k, &part); k++) {
        if (mix(part.position & ~pair) % f->rate != 0) continue;
        const int angle = (part.position & pair) != 0;
        uint64_t bits = f->digits[level][angle] << part.shift, mask = f->mask[level][angle] << part.shift;
        if (shape == SHAPE_PLANES) { /* plane j holds digit j + 1 of the ten */
            bits = (f->digits[0][0] >> (9 - index % 128 / 8) & 1) << part.shift;
            mask = part.mask;
        } else if (f->tails) {
            bits = tail_half(part.position) << part.shift;
            mask = part.mask;
        }
        mask &= part.mask;
        *word = (*word & ~mask) | (bits & mask);
    }
}

/* ---- records: which bits of which word belong to which call ---- */

enum { RECORDS_LOG = 18, RECORDS_SIZE = 1 << RECORDS_LOG };

typedef struct {
    uint64_t index, stream;
    uint32_t domain;
    uint32_t asked;               /* the domain before another layout was planted */
    uint64_t call;                /* the last one that had bits of it */
    uint64_t bits, before, twice; /* that call's, those of earlier ones, those of two of them */
} word_record;

static word_record *records;
static size_t records_count;
static uint64_t stream_number;

void witness_stream(void)
{
    if (records == NULL) records = calloc(RECORDS_SIZE, sizeof *records);
    assert_non_null(records);
    stream_number++;
    records_count = 0;
}

static word_record *record_of(uint32_t domain, uint64_t index)
{
    size_t i = mix(index ^ (uint64_t)domain << 32) >> (64 - RECORDS_LOG);
    while (records[i].stream == stream_number && (records[i].domain != domain || records[i].index != index))
        i = (i + 1) % RECORDS_SIZE;
    if (records[i].stream != stream_number) {
        records[i] = (word_record){.index = index, .stream = stream_number, .domain = domain};
        assert_true(++records_count < RECORDS_SIZE * 3 / 4);
    }
    return &records[i];
}

/* Whether every one of these bits, which an earlier call has too, is of a pair of which this call has one element. (The
 * positions of calls do not overlap, so the earlier call has the other one.) */
static bool is_pair(const word_record *r, uint64_t bits, uint64_t first, uint64_t end)
{
    const int shape = shape_of(use_of(r->domain), r->domain);
    const uint64_t pair = pair_of(shape);
    word_part part;
    if (pair == 0 || (bits & r->twice) != 0) return false;
    for (unsigned k = 0; part_of(shape, r->index, k, &part); k++) {
        const bool one = lies_in(part.position, first, end), other = lies_in(part.position ^ pair, first, end);
        if ((bits & part.mask) != 0 && one == other) return false;
    }
    return true;
}

static void record(uint32_t domain, uint64_t index, uint32_t asked, uint64_t mask)
{
    const uint64_t call = now.call * PARTS + now.part;
    word_record *r = record_of(domain, index);
    const bool same_use = r->bits == 0 || r->asked == asked;
    if (r->call != call) {
        r->twice |= r->before & r->bits;
        r->before |= r->bits;
        r->bits = 0;
        r->call = call;
        r->asked = asked;
    }
    const uint64_t added = mask & ~r->bits, again = added & r->before;
    counts.bits += (uint64_t)__builtin_popcountll(added);
    r->bits |= mask;
    if (again == 0) return;
    if (same_use && is_pair(r, again, now.border[now.part], now.border[now.part + 1])) counts.pairs++;
    else counts.shared++;
}

/* ---- local streams ---- */

typedef struct {
    aes_key key;
    uint64_t call;
} used_key;

static used_key *used_keys;
static size_t used_count, used_room;

static aes_key key_of(const simdp_cipher *cipher) { return (aes_key){{cipher->round_keys[0], cipher->round_keys[1]}}; }

static bool is_listed(const aes_key *list, size_t n, aes_key key)
{
    for (size_t i = n; i-- > 0;) {
        if (memcmp(&list[i], &key, sizeof key) == 0) return true;
    }
    return false;
}

static void use_key(aes_key key)
{
    if (used_count == used_room) {
        used_room = 2 * used_room + 1024;
        used_keys = realloc(used_keys, used_room * sizeof *used_keys);
        assert_non_null(used_keys);
    }
    used_keys[used_count++] = (used_key){key, now.call};
}

static void see_local(const simdp_cipher *cipher)
{
    const aes_key key = key_of(cipher);
    if (now.locals > 0 && memcmp(&now.local[now.locals - 1], &key, sizeof key) == 0) return;
    if (is_listed(now.local, now.locals, key)) return;
    assert_true(now.locals < LOCAL_KEYS);
    now.local[now.locals++] = key;
    if (now.state == LEARNS) {
        use_key(key);
        counts.local_keys++;
    }
    if (!is_listed(now.good, now.goods, key)) counts.strange_keys++;
}

void witness_stream_key(const uint64_t words[2])
{
    assert_true(now.goods < LOCAL_KEYS);
    memcpy(now.good[now.goods++].word, words, 16);
}

void witness_key(const uint64_t words[4])
{
    char tag[9];
    uint64_t block[2] = {0, 0};
    aes_key key;
    snprintf(tag, sizeof tag, "simdp-v%d", SIMDP_STREAM_VERSION);
    memcpy(&block[1], tag, 8);
    simdp_kernels_witnessed.bits->cipher_block_aes256(key.word, block, (const uint8_t *)words);
    assert_true(now.goods < LOCAL_KEYS);
    now.good[now.goods++] = key;
}

static int compare_keys(const void *a, const void *b)
{
    const used_key *x = a, *y = b;
    const int by_key = memcmp(&x->key, &y->key, sizeof x->key);
    return by_key != 0 ? by_key : (x->call > y->call) - (x->call < y->call);
}

uint64_t witness_keys_repeated(void)
{
    uint64_t repeated = 0;
    if (used_count > 0) qsort(used_keys, used_count, sizeof *used_keys, compare_keys);
    for (size_t i = 1; i < used_count; i++)
        repeated += memcmp(&used_keys[i].key, &used_keys[i - 1].key, sizeof(aes_key)) == 0;
    return repeated;
}

/* ---- the witness ---- */

static uint64_t disturbed(uint64_t word, uint64_t index)
{
    switch (now.pattern) {
    case WITNESS_COMPLEMENT: return ~word;
    case WITNESS_ZEROS: return 0;
    case WITNESS_ONES: return UINT64_MAX;
    default: return mix(word ^ index);
    }
}

/* The word that is really there, whatever the witness makes of it. */
static uint64_t word_at(const simdp_cipher *cipher, uint32_t domain, uint64_t index)
{
    const witness_doing state = now.state;
    const simdp_bits_at at = {.cipher = cipher, .position = index, .use = domain};
    uint64_t word;
    now.state = RESTS;
    simdp_kernels_witnessed.bits->cipher_words(&word, 1, &at);
    now.state = state;
    return word;
}

/* Which words of a local key the call has. */
static void see_local_key(uint64_t index, const uint64_t *words, size_t count, uint64_t first, uint64_t end)
{
    for (size_t i = 0; i + 4 <= count; i += 4) {
        if (lies_in((index + i) / 4, first, end)) witness_key(words + i);
    }
}

void simdp_witness(const simdp_cipher *cipher, uint32_t domain, uint64_t index, uint64_t *words, size_t count)
{
    if (now.state == RESTS) return;
    uint64_t first = now.border[now.part], end = now.state == LEARNS ? UINT64_MAX : now.border[now.part + 1];
    if (cipher != now.own) see_local(cipher);
    if (now.erases && now.state == DISTURBS) {
        if (first < now.window) first = now.window;
        if (end > now.window + SIMDP_RNG_ERASE_POSITIONS) end = now.window + SIMDP_RNG_ERASE_POSITIONS;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t there = domain;
        uint64_t at = index + i;
        bool known;
        if (now.plant != NULL && cipher == now.own) {
            now.plant(&there, &at, count);
            if (there != domain || at != index + i) words[i] = word_at(cipher, there, at);
        }
        force(there, at, &words[i]);
        if (cipher != now.own || now.state == LEARNS) continue;
        const uint64_t owned = witness_owned(there, at, first, end, &known);
        if (now.state == DISTURBS_OWN) {
            if (level_of(there) >= now.level) words[i] ^= owned;
            continue;
        }
        words[i] = (words[i] & owned) | (disturbed(words[i], at) & ~owned);
        counts.words++;
        counts.unknown += !known;
        if (owned != 0 && level_of(there) > 0) counts.further++;
        if (now.record && owned != 0 && use_of(there)->first != SHAPE_KEY) record(there, at, domain, owned);
    }
    if (cipher == now.own && domain == BITS_NEXT_KEY) {
        now.window += SIMDP_RNG_ERASE_POSITIONS;
        counts.erased += now.record;
    }
    if (cipher == now.own && domain == BITS_LOCAL_KEY) see_local_key(index, words, count, first, end);
}

static void find_window(uint64_t position) { now.window = position - position % SIMDP_RNG_ERASE_POSITIONS; }

void witness_call(const forced_bits *forced, witness_plant *plant)
{
    now.call++;
    now.state = RESTS;
    now.forced = forced;
    now.plant = plant;
}

void witness_learn(const simdp_rng *rng)
{
    now.own = (const simdp_cipher *)(const void *)rng->cipher;
    now.part = now.parts = 0;
    now.border[0] = simdp_rng_position(rng);
    now.locals = now.goods = 0;
    now.state = LEARNS;
}

void witness_disturb(const simdp_rng *rng, witness_pattern pattern, bool record_it)
{
    now.own = (const simdp_cipher *)(const void *)rng->cipher;
    now.erases = rng->kind == RNG_ENTROPY;
    find_window(simdp_rng_position(rng));
    now.pattern = pattern;
    now.record = record_it;
    now.part = 0;
    now.locals = now.goods = 0;
    now.state = DISTURBS;
}

void witness_disturb_own(const simdp_rng *rng, uint32_t level)
{
    witness_disturb(rng, WITNESS_COMPLEMENT, false);
    now.level = level;
    now.state = DISTURBS_OWN;
}

void witness_mark(const simdp_rng *rng)
{
    const uint64_t position = simdp_rng_position(rng);
    find_window(position); /* a selection may have gone past several */
    if (now.state == LEARNS && position != now.border[now.parts]) {
        assert_true(now.parts + 1 < PARTS);
        now.border[++now.parts] = position;
        now.part = now.parts;
    } else if (now.state >= DISTURBS && now.part + 1 < now.parts && position == now.border[now.part + 1]) {
        now.part++;
    }
}

void witness_rest(const simdp_rng *rng)
{
    if (now.state == LEARNS) now.border[++now.parts] = simdp_rng_position(rng);
    now.state = RESTS;
}
