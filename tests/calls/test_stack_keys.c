/* test_stack_keys: opening an entropy stream leaves neither the operating system's bytes nor the stream's key on the
 * stack. (A deterministic stream's key is its caller's, who has it anyway.) */
#define _GNU_SOURCE
#include <sys/random.h>

#include "reference/aes_reference.h"
#include "support/painted_stack.h"

enum { KEY_BYTES = 32, STREAM_KEY_BYTES = 16 };
static const uint8_t key[KEY_BYTES] = "no eight bytes of it occur twice"; /* without the 0 at its end */
static uint8_t entropy[KEY_BYTES];                                        /* what the operating system gave last */

ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    (void)flags;
    for (size_t i = 0; i < n; i++) ((uint8_t *)out)[i] = (uint8_t)(151 * i + n + 77);
    if (n == sizeof entropy) memcpy(entropy, out, n);
    return (ssize_t)n;
}

static simdp_rng opened; /* not on the painted stack */

static void open_entropy(void *given)
{
    (void)given;
    must(simdp_rng_init(&opened));
}

static void open_and_keep(void *given) /* the control */
{
    volatile uint8_t left[STREAM_KEY_BYTES];
    for (size_t i = 0; i < sizeof left; i++) left[i] = ((const uint8_t *)given)[i];
    must(simdp_rng_init_deterministic(&opened, key, 7));
    left[0] = left[0]; /* its place is not given up before */
}

/* How often eight bytes of a secret, from any multiple of eight on, are found on the stack. */
static size_t copies_of(const uint8_t *secret, size_t n)
{
    size_t copies = 0;
    for (size_t i = 0; i + 8 <= STACK; i++) {
        for (size_t j = 0; j < n; j += 8) copies += memcmp(stack + i, secret + j, 8) == 0;
    }
    return copies;
}

static void stream_key_of(uint8_t stream_key[STREAM_KEY_BYTES], const uint8_t from[KEY_BYTES], uint64_t stream)
{
    uint8_t block[16];
    for (int i = 0; i < 8; i++) block[i] = (uint8_t)(stream >> 8 * i);
    memcpy(block + 8, "simdp-v2", 8);
    aes_reference(stream_key, block, from, KEY_BYTES);
}

static void test_nothing_left(void **state)
{
    (void)state;
    const simdp_kernels *t;
    uint8_t stream_key[STREAM_KEY_BYTES];
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        stream_key_of(stream_key, key, 7);
        painted_stack_run(open_and_keep, stream_key);
        assert_true(copies_of(stream_key, sizeof stream_key) >= 2);
        painted_stack_run(open_entropy, NULL);
        assert_true(painted_stack_depth() > 1000); /* it ran there */
        stream_key_of(stream_key, entropy, 0);
        assert_int_equal(copies_of(stream_key, sizeof stream_key), 0);
        assert_int_equal(copies_of(entropy, sizeof entropy), 0);
    }
    must(simdp_isa_select(NULL));
}

static int set_up(void **state)
{
    (void)state;
    return painted_stack_made() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_left)};
    return cmocka_run_group_tests_name("stack_keys", tests, set_up, NULL);
}
