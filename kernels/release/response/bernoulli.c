/* bernoulli.c: see bernoulli.h: digits of p, and the digits of uniforms beyond the 74th. */
#include "release/response/bernoulli.h"

#include "release/digits.h"
#include "release/fixed.h"

#define EPSILON_SURE 0x1p+20 /* from here on flips are rarer than 2^-1512775 */
#define EPSILON_NONE 53.0    /* from here on p < 2^-76: all 74 digits are 0 */

/* ---- 74 digits of p by 128-bit integers ----
 *
 * epsilon is cut by less than 2^-120, which p, whose derivative is at most 1/4, hardly sees; the function is within
 * 2^-96: digits are known unless p is that close to a multiple of 2^-74. */

#define REST_BITS 53 /* of p, in units of 2^-127, after 74 digits */

/* False if the digits cannot be told. 0 <= epsilon < 64 */
static bool quick_digits(simdp_bernoulli *b, double epsilon)
{
    const simdp_u128 p = simdp_fixed_logistic(simdp_fixed_from_double(epsilon));
    const uint64_t rest = (uint64_t)p & (((uint64_t)1 << REST_BITS) - 1), doubt = (uint64_t)1 << 32;
    b->first = (unsigned)(p >> (64 + REST_BITS));
    b->second = (uint64_t)(p >> REST_BITS);
    return rest >= doubt && rest <= ((uint64_t)1 << REST_BITS) - doubt;
}

static simdp_wide response_wide(double epsilon)
{
    if (epsilon == 0.0) return simdp_wide_from_double(0.5); /* a quotient would be cut to 0.0111... */
    const simdp_wide x = simdp_wide_exp(simdp_wide_from_double(epsilon < EPSILON_SURE ? -epsilon : -EPSILON_SURE));
    return simdp_wide_div(x, simdp_wide_add(x, simdp_wide_from_u64(1)));
}

static void digits_from_wide(simdp_bernoulli *b, simdp_wide p)
{
    b->first = (unsigned)(simdp_digits(&p, 0) >> (64 - BERNOULLI_DIGITS));
    b->second = simdp_digits(&p, BERNOULLI_DIGITS);
}

void simdp_bernoulli_response(simdp_bernoulli *b, double epsilon)
{
    b->epsilon = epsilon;
    b->later = false;
    b->first = epsilon == 0.0 ? 1u << (BERNOULLI_DIGITS - 1) : 0; /* p = 1/2 */
    b->second = 0;
    if (epsilon == 0.0) return;
    if (epsilon < EPSILON_NONE && !quick_digits(b, epsilon)) digits_from_wide(b, response_wide(epsilon));
}

void simdp_bernoulli_wide(simdp_bernoulli *b, simdp_wide p)
{
    b->epsilon = -1.0;
    b->later = false;
    b->exact = p;
    digits_from_wide(b, p);
}

/* ---- beyond 74 digits ---- */

/* Whether the uniform at a position is below p, given that its first ten digits are those of p. at.use: level 0.
 * turned: below 1 - p, given that its first ten digits are those of 1 - p. */
static bool is_below(simdp_bits_at at, void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at),
                     const simdp_wide *p, bool turned)
{
    const uint32_t use = at.use;
    /* the loop ends where p has no more digits: it has 512, after at most 2^21 zeros */
    for (uint32_t level = 1; !simdp_digits_end(p, BERNOULLI_DIGITS + 64 * (int64_t)(level - 1)); level++) {
        const uint64_t digits = simdp_digits(p, BERNOULLI_DIGITS + 64 * (int64_t)(level - 1));
        uint64_t word;
        at.use = bits_level(use, level);
        cipher_words(&word, 1, &at);
        if (turned) word = ~word; /* of 1 - U, which is then compared with p */
        if (word != digits) return (word < digits) != turned;
    }
    return turned;
}

static simdp_wide exact_of(const simdp_bernoulli *b) { return b->epsilon >= 0 ? response_wide(b->epsilon) : b->exact; }

void simdp_bernoulli_resolve(uint64_t *out, const uint64_t *undecided, size_t words, const simdp_bits_at *at,
                             void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at),
                             const simdp_bernoulli *b)
{
    const simdp_wide p = exact_of(b);
    for (size_t l = 0; l < words; l++) {
        for (uint64_t u = undecided[l]; u != 0; u &= u - 1) {
            simdp_bits_at here = {.cipher = at->cipher, .use = BITS_RESPONSE};
            here.position = at->position + 64 * l + (uint64_t)__builtin_ctzll(u);
            if (is_below(here, cipher_words, &p, false)) out[l] |= u & -u;
        }
    }
}

/* ---- two laws ---- */

#define FIRST_DIGITS ((1u << BERNOULLI_DIGITS) - 1)

void simdp_unary_of(simdp_unary *u, double log_odds_one, double log_odds_zero)
{
    const double log_odds[2] = {log_odds_zero, log_odds_one};
    for (int truth = 0; truth < 2; truth++) {
        simdp_bernoulli *const b = &u->law[truth];
        u->turned[truth] = log_odds[truth] > 0.0;
        if (truth == 1 && log_odds[1] == -log_odds[0] && log_odds[1] != 0.0) { /* the same p, turned */
            *b = u->law[0];
            b->first ^= FIRST_DIGITS;
            b->second = ~b->second;
            continue;
        }
        simdp_bernoulli_response(b, u->turned[truth] ? log_odds[truth] : -log_odds[truth]);
        if (!u->turned[truth]) continue;
        b->first ^= FIRST_DIGITS; /* the digits of 1 - p, which is no fraction of powers of two */
        b->second = ~b->second;
    }
}

void simdp_unary_resolve(uint64_t *out, const uint64_t *undecided, const uint64_t *truth, size_t words,
                         const simdp_bits_at *at,
                         void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at), const simdp_unary *u)
{
    const simdp_wide p[2] = {exact_of(&u->law[0]), exact_of(&u->law[1])};
    for (size_t l = 0; l < words; l++) {
        for (uint64_t open = undecided[l]; open != 0; open &= open - 1) {
            const int is_one = (truth[l] & open & -open) != 0;
            simdp_bits_at here = {.cipher = at->cipher, .use = BITS_UNARY};
            here.position = at->position + 64 * l + (uint64_t)__builtin_ctzll(open);
            if (is_below(here, cipher_words, &p[is_one], u->turned[is_one])) out[l] |= open & -open;
        }
    }
}

/* Level l holds the digits 128 l + 1 to 128 l + 128; p has 512 digits after at most 2^21 zeros. */
bool simdp_bernoulli_of_id(const simdp_id *id, const simdp_identity *identity, simdp_identity_blocks *blocks,
                           const simdp_bernoulli *b)
{
    const simdp_wide p = b->epsilon >= 0 ? response_wide(b->epsilon) : b->exact;
    for (int64_t first = 0; !simdp_digits_end(&p, first); first += 128) {
        uint64_t words[2];
        blocks(words, id, 1, identity, (uint32_t)(first / 128));
        for (int w = 0; w < 2; w++) {
            const uint64_t digits = simdp_digits(&p, first + 64 * w);
            if (words[w] != digits) return words[w] < digits;
        }
    }
    return false;
}
