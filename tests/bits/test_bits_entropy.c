/* test_bits_entropy: streams from the operating system: no word is ever shared, keys are erased, failure is an
 * error. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bits/bits_kernels.h"
#include "bits/rng.h"
#include "support/test_support.h"
#include "vec/byte_order.h"

/* Stands in for libc's getrandom, so that a failing system can be had. */
static volatile int getrandom_fails;

ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    if (getrandom_fails) {
        errno = ENOSYS;
        return -1;
    }
    return syscall(SYS_getrandom, out, n, flags);
}

/* The same for madvise, by which a process marks the page that tells it from its forked children. */
static volatile int madvise_fails, madvise_calls;

int madvise(void *address, size_t n, int advice)
{
    madvise_calls += advice == MADV_WIPEONFORK;
    if (advice == MADV_WIPEONFORK && madvise_fails) {
        errno = EINVAL; /* as before Linux 4.14 */
        return -1;
    }
    return (int)syscall(SYS_madvise, address, n, advice);
}

#define CHILDREN 1000
#define THREADS  16
#define WORDS    64

static int by_value(const void *a, const void *b) { return memcmp(a, b, 16); }

static void assert_no_repeated_block(uint64_t *words, size_t n)
{
    qsort(words, n / 2, 16, by_value);
    for (size_t i = 2; i < n; i += 2) assert_memory_not_equal(words + i - 2, words + i, 16);
}

/* One stream is opened before the forks and used on both sides of each; every child also opens one of its own. */
static void test_fork(void **state)
{
    (void)state;
    static uint64_t words[3 * WORDS * CHILDREN];
    simdp_rng inherited;
    int ends[2];
    size_t have = 0;
    must(simdp_rng_init(&inherited));
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < CHILDREN; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            uint64_t mine[2 * WORDS];
            simdp_rng own;
            const bool good = simdp_rng_words(&inherited, mine, WORDS) == SIMDP_OK &&
                              simdp_rng_init(&own) == SIMDP_OK &&
                              simdp_rng_words(&own, mine + WORDS, WORDS) == SIMDP_OK;
            _exit(good && write(ends[1], mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(read(ends[0], words + have, 2 * WORDS * 8), 2 * WORDS * 8);
        have += 2 * WORDS;
        must(simdp_rng_words(&inherited, words + have, WORDS));
        have += WORDS;
    }
    close(ends[0]);
    close(ends[1]);
    assert_no_repeated_block(words, have);
}

static void *draw_in_thread(void *out)
{
    simdp_rng rng;
    simdp_status status = simdp_rng_init(&rng);
    for (int i = 0; i < 100 && status == SIMDP_OK; i++) status = simdp_rng_words(&rng, (uint64_t *)out + i * 400, 400);
    return status == SIMDP_OK ? out : NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static uint64_t words[THREADS][40000];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, draw_in_thread, words[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_non_null(result);
    }
    assert_no_repeated_block(words[0], sizeof words / 8);
}

/* Control: two streams with the same key do repeat blocks, and the check above sees it. */
static void test_repeats_are_seen(void **state)
{
    (void)state;
    uint64_t words[2 * WORDS];
    simdp_rng rng;
    bool repeated = false;
    for (int i = 0; i < 2; i++) {
        test_stream(&rng, 1, 0, 0);
        must(simdp_rng_words(&rng, words + i * WORDS, WORDS));
    }
    qsort(words, WORDS, 16, by_value);
    for (size_t i = 2; i < 2 * WORDS; i += 2) repeated |= memcmp(words + i - 2, words + i, 16) == 0;
    assert_true(repeated);
}

/* After the last word of a key the struct no longer holds it; before, it does. */
static void test_key_erased(void **state)
{
    (void)state;
    static uint64_t words[SIMDP_RNG_ERASE_POSITIONS];
    simdp_rng rng;
    uint64_t key[2], first;
    must(simdp_rng_init(&rng));
    memcpy(key, rng.cipher, sizeof key);
    must(simdp_rng_words(&rng, &first, 1));
    must(simdp_rng_words(&rng, words, SIMDP_RNG_ERASE_POSITIONS - 2));
    assert_non_null(memmem(&rng, sizeof rng, key, sizeof key));
    must(simdp_rng_words(&rng, words, 1));
    assert_null(memmem(&rng, sizeof rng, key, sizeof key));
    must(simdp_rng_words(&rng, words, 1));
    assert_true(words[0] != first);
    assert_true(simdp_rng_position(&rng) == SIMDP_RNG_ERASE_POSITIONS + 1);
}

/* A large draw passes through many keys and its noise is that of the pieces. */
static void test_noise_across_keys(void **state)
{
    (void)state;
    static double whole[3 * SIMDP_RNG_ERASE_POSITIONS], pieces[3 * SIMDP_RNG_ERASE_POSITIONS];
    simdp_rng rng, copy;
    must(simdp_rng_init(&rng));
    must(simdp_noise_laplace_f64(&rng, whole, 101, 1.0));
    copy = rng;
    must(simdp_noise_laplace_f64(&rng, whole, 3 * SIMDP_RNG_ERASE_POSITIONS, 1.0));
    for (size_t done = 0; done < 3 * SIMDP_RNG_ERASE_POSITIONS; done += 1024)
        must(simdp_noise_laplace_f64(&copy, pieces + done, 1024, 1.0));
    assert_memory_equal(whole, pieces, sizeof whole);
}

static bool holds_ff(const void *out, size_t n)
{
    const unsigned char *bytes = out;
    while (n > 0 && bytes[n - 1] == 0xff) n--;
    return n == 0;
}

/* Functions that draw in blocks, without entropy from the first block on. */
static bool simulations_fail(simdp_rng *rng)
{
    static const uint8_t symbols[10];
    static const double map[8] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    uint8_t red[10] = {0};
    double x[10] = {0};
    size_t at[10] = {0};
    return simdp_theory_polya_urn(rng, red, 10, 1, 1) == SIMDP_EENTROPY && holds_ff(red, sizeof red) &&
           simdp_theory_laplace_map(rng, x, symbols, 10, 0.0, 1.0, 1.0) == SIMDP_EENTROPY && holds_ff(x, sizeof x) &&
           simdp_theory_discrete_map_draw(rng, at, symbols, 10, map, 2) == SIMDP_EENTROPY && holds_ff(at, sizeof at);
}

static void test_no_entropy(void **state)
{
    (void)state;
    simdp_rng rng;
    uint64_t word = 77;
    getrandom_fails = 1;
    const simdp_status opened = simdp_rng_init(&rng);
    getrandom_fails = 0;
    assert_int_equal(opened, SIMDP_EENTROPY);
    assert_int_equal(simdp_rng_words(&rng, &word, 1), SIMDP_EPARAM);

    /* a forked child that can get none must not go on with its parent's key */
    must(simdp_rng_init(&rng));
    const pid_t child = fork();
    if (child == 0) {
        getrandom_fails = 1;
        const bool words_fail = simdp_rng_words(&rng, &word, 1) == SIMDP_EENTROPY && word == UINT64_MAX;
        _exit(words_fail && simulations_fail(&rng) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static bool opens(void)
{
    simdp_rng rng;
    const simdp_status status = simdp_rng_init(&rng);
    if (status != SIMDP_OK && status != SIMDP_EENTROPY) _exit(2);
    return status == SIMDP_OK;
}

/* Where the kernel cannot tell a child from its parent there are no entropy streams: process ids would not do, since
 * both can be 1. Runs first, in children that are the first users of streams. */
static void test_no_fork_detection(void **state)
{
    (void)state;
    assert_int_equal(madvise_calls, 0);
    for (int fails = 0; fails < 2; fails++) {
        int status;
        const pid_t child = fork();
        if (child == 0) {
            madvise_fails = fails;
            const bool first = opens(), second = opens();
            _exit(madvise_calls > 0 && first == !fails && second == !fails ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

/* ---- a fork inside a call ---- */

enum { PIECES = 12, LONG = PIECES * SIMDP_RNG_ERASE_POSITIONS, PAGE = 4096 };

static unsigned char *long_out; /* what a long call writes; one page of it is a trap */
static size_t trap_at;          /* byte */
static volatile pid_t forked;   /* -1: not yet */
static volatile int child_has_no_entropy;

/* The call's first touch of the page: fork here, in a signal handler, and go on with the call on both sides. */
static void fork_in_handler(int signal, siginfo_t *info, void *context)
{
    const unsigned char *at = info->si_addr, *trap = long_out + trap_at;
    (void)context;
    if (forked != -1 || at < trap || at >= trap + PAGE) _exit(100 + signal);
    mprotect(long_out + trap_at, PAGE, PROT_READ | PROT_WRITE);
    forked = fork();
    if (forked == 0 && child_has_no_entropy) getrandom_fails = 1;
}

static simdp_status long_words(simdp_rng *rng) { return simdp_rng_words(rng, (uint64_t *)(void *)long_out, LONG); }

static simdp_status long_noise(simdp_rng *rng)
{
    return simdp_noise_laplace_f64(rng, (double *)(void *)long_out, LONG, 1.0);
}

static simdp_status long_release(simdp_rng *rng)
{
    double *out = (double *)(void *)long_out; /* zeros: mmap made them */
    return simdp_release_gaussian(rng, out, out, LONG, 0x1p44, 1.0);
}

/* After the piece in which the fork came, no element of the child is that of the parent. Returns how many are. */
static size_t shared_after_fork(simdp_status (*call)(simdp_rng *rng), size_t piece, uint64_t *of_child)
{
    simdp_rng rng;
    size_t equal = 0;
    int status;
    long_out = mmap(NULL, 8 * LONG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(long_out != MAP_FAILED);
    trap_at = 8 * SIMDP_RNG_ERASE_POSITIONS * piece + 16 * PAGE;
    must(simdp_rng_init(&rng));
    assert_int_equal(mprotect(long_out + trap_at, PAGE, PROT_NONE), 0);
    forked = -1;
    const simdp_status made = call(&rng);
    if (forked == 0) {
        memcpy(of_child, long_out, 8 * LONG);
        _exit(made == SIMDP_OK ? 0 : 1);
    }
    must(made);
    assert_true(forked > 0);
    assert_int_equal(waitpid(forked, &status, 0), forked);
    assert_int_equal(status, 0);
    for (size_t i = (piece + 1) * SIMDP_RNG_ERASE_POSITIONS; i < LONG; i++)
        equal += memcmp(long_out + 8 * i, of_child + i, 8) == 0;
    /* control: what came before the fork both have, so the child's numbers did arrive */
    assert_memory_equal(long_out, of_child, trap_at);
    munmap(long_out, 8 * LONG);
    return equal;
}

static void test_fork_inside_call(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); /* the thread sanitizer ends a process that forks in a signal handler */
#endif
    static simdp_status (*const calls[])(simdp_rng *) = {long_words, long_noise, long_release};
    struct sigaction action = {.sa_sigaction = fork_in_handler, .sa_flags = SA_SIGINFO}, before;
    uint64_t *of_child = mmap(NULL, 8 * LONG, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(of_child != MAP_FAILED);
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0); /* in place of the test runner's own */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (size_t piece = 0; piece < PIECES - 1; piece += 5)
            assert_true(shared_after_fork(calls[i], piece, of_child) < 2); /* by chance: two in one run of 1e16 */
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
    munmap(of_child, 8 * LONG);
}

/* Selections run on a key that lives for the call: a child must not go on with its parent's. */
enum { SELECTIONS = 3 * PAGE / sizeof(size_t), CANDIDATES = 512, UNDER_WAY = 32 };

static double *row_scores; /* of all rows: zeros */
static unsigned char prepared[16 * CANDIDATES];

static simdp_status many(simdp_rng *rng, size_t *index)
{
    return simdp_select_gumbel_many(rng, index, SELECTIONS, row_scores, CANDIDATES, 1.0);
}
static simdp_status many_vartime(simdp_rng *rng, size_t *index)
{
    return simdp_select_gumbel_many_vartime(rng, index, SELECTIONS, row_scores, CANDIDATES, 1.0);
}
static simdp_status many_candidates(simdp_rng *rng, size_t *index)
{
    return simdp_select_gumbel_many_vartime(rng, index, SELECTIONS, row_scores, 40 * CANDIDATES, 1.0);
}
static simdp_status rows(simdp_rng *rng, size_t *index)
{
    return simdp_select_gumbel_rows(rng, index, row_scores, SELECTIONS, CANDIDATES, 1.0);
}
static simdp_status from_workspace(simdp_rng *rng, size_t *index)
{
    return simdp_select_prepared(rng, index, SELECTIONS, prepared);
}
static simdp_status from_workspace_vartime(simdp_rng *rng, size_t *index)
{
    return simdp_select_prepared_vartime(rng, index, SELECTIONS, prepared);
}

/* A fork before the second page of indices is written; of those behind it the chance of an equal one is 1/512. With
 * no_entropy the child can get no key. Returns how many are equal, or of the child's how many hold an index. */
static size_t shared_selections(simdp_status (*call)(simdp_rng *rng, size_t *index), size_t *of_child, bool no_entropy)
{
    simdp_rng rng;
    size_t found = 0;
    int status;
    long_out = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(long_out != MAP_FAILED);
    const size_t *index = (const size_t *)(const void *)long_out;
    trap_at = PAGE;
    must(simdp_rng_init(&rng));
    assert_int_equal(mprotect(long_out + trap_at, PAGE, PROT_NONE), 0);
    forked = -1;
    child_has_no_entropy = no_entropy;
    const simdp_status made = call(&rng, (size_t *)(void *)long_out);
    if (forked == 0) {
        memcpy(of_child, long_out, 3 * PAGE);
        _exit(made == (no_entropy ? SIMDP_EENTROPY : SIMDP_OK) ? 0 : 1);
    }
    must(made);
    child_has_no_entropy = 0;
    assert_true(forked > 0);
    assert_int_equal(waitpid(forked, &status, 0), forked);
    assert_int_equal(status, 0);
    if (!no_entropy) assert_memory_equal(long_out, of_child, PAGE);
    for (size_t i = no_entropy ? 0 : SELECTIONS / 3 + UNDER_WAY; i < SELECTIONS; i++)
        found += no_entropy ? of_child[i] != SIZE_MAX : index[i] == of_child[i];
    munmap(long_out, 3 * PAGE);
    return found;
}

static void test_fork_inside_selections(void **state)
{
    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); /* as above */
#endif
    static simdp_status (*const calls[])(simdp_rng *, size_t *) = {many, many_vartime,   many_candidates,
                                                                   rows, from_workspace, from_workspace_vartime};
    struct sigaction action = {.sa_sigaction = fork_in_handler, .sa_flags = SA_SIGINFO}, before;
    const size_t bytes = SELECTIONS * CANDIDATES * sizeof(double);
    size_t *of_child = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    row_scores = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(of_child != MAP_FAILED && row_scores != MAP_FAILED);
    assert_true(simdp_select_workspace(CANDIDATES) <= sizeof prepared);
    must(simdp_select_prepare(prepared, row_scores, CANDIDATES, 1.0));
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        assert_true(shared_selections(calls[i], of_child, false) < 30); /* 2 on average; all without a new key */
        assert_int_equal(shared_selections(calls[i], of_child, true), 0);
    }
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
    munmap(of_child, 3 * PAGE);
    munmap(row_scores, bytes);
}

/* The next key is made of words that nothing else reads: whoever sees the output of any other use never sees a key. */
static void test_next_key(void **state)
{
    (void)state;
    static uint64_t words[SIMDP_RNG_ERASE_POSITIONS];
    const simdp_kernels *const kernels = simdp_kernels_active();
    simdp_rng rng;
    must(simdp_rng_init(&rng));
    simdp_rng before = rng;
    must(simdp_rng_words(&rng, words, SIMDP_RNG_ERASE_POSITIONS));
    const simdp_bits_at at = {.cipher = rng_cipher(&before), .use = BITS_NEXT_KEY};
    uint64_t next[2];
    kernels->bits->cipher_words(next, 2, &at);
    for (int i = 0; i < 2; i++) next[i] = word_as_bytes(next[i]);
    assert_memory_not_equal(rng_cipher(&rng), rng_cipher(&before), sizeof(simdp_cipher));
    kernels->bits->cipher_setup((simdp_cipher *)(void *)before.cipher, (const uint8_t *)next);
    assert_memory_equal(rng_cipher(&rng), rng_cipher(&before), sizeof(simdp_cipher));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_fork_detection),
        cmocka_unit_test(test_no_entropy),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_fork_inside_call),
        cmocka_unit_test(test_fork_inside_selections),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_repeats_are_seen),
        cmocka_unit_test(test_key_erased),
        cmocka_unit_test(test_next_key),
        cmocka_unit_test(test_noise_across_keys),
    };
    return cmocka_run_group_tests_name("bits_entropy", tests, NULL, NULL);
}
