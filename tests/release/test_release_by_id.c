/* test_release_by_id: releases by identity are what MPFR makes of the bits that kernels/bits/STREAM.md gives an id: on
 * every instruction set, for every scale / grid, whatever arithmetic decides; and simdp_release_randomized_response_by_id
 * what the digits of 1 / (1 + e^epsilon) decide. */
#include "bits/rng.h"
#include "support/by_id_support.h"

#include <mpfr.h>

#define COUNT 4200 /* more than a block, and no multiple of one */
enum { SEED = 91, STREAM = 6 };

static simdp_id ids[COUNT];

static void open_stream(simdp_rng *rng) { test_stream(rng, SEED, STREAM, 12345); }

/* ---- doubles and integers ---- */

static void check_f64(int law, double scale, double grid, size_t referred)
{
    static double answers[COUNT], first[COUNT], out[COUNT];
    const uint64_t parameters[2] = {test_number(scale), test_number(grid)};
    const simdp_kernels *t, *before = NULL;
    simdp_rng rng, unmoved;
    reference_ids reference;
    odd_answers(answers, COUNT, grid, (uint64_t)(scale / grid));
    test_ids(ids, COUNT, 8);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        open_stream(&rng);
        unmoved = rng;
        must(release_by_id(law, &rng, out, answers, ids, COUNT, scale, grid));
        assert_memory_equal(&rng, &unmoved, sizeof rng);
        if (before != NULL) assert_memory_equal(out, first, sizeof out);
        else memcpy(first, out, sizeof out);
        before = t;
    }
    reference_ids_begin(&reference, ids, SEED, STREAM, law == RELEASE_LAPLACE ? 66 : 67, parameters, 2, law);
    for (size_t k = 0; k < referred; k++) {
        const size_t i = k % 2 ? COUNT - 1 - k : k;
        const double want = release_reference(law, answers[i], scale, grid, 16 * i, reference_ids_words, &reference);
        if (memcmp(&want, &out[i], 8) != 0)
            fail_msg("%s by id, scale %a, grid %a, element %zu, answer %a: %a instead of %a", law_names[law], scale,
                     grid, i, answers[i], out[i], want);
    }
    must(simdp_isa_select(NULL));
}

static void test_doubles(void **state)
{
    (void)state;
    const size_t referred = is_full() ? COUNT : 60;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int e = -30; e <= 44; e += is_full() ? 1 : 7) check_f64(law, e == 44 ? 1.0 : 1.37, ldexp(1, -e), referred);
        check_f64(law, 1.0, ldexp(1, -44), referred);
        check_f64(law, 0.0, 0.25, referred);
        check_f64(law, -0.0, 0.25, referred);
        check_f64(law, 0x1p-900, 0x1p-944, 20); /* the ends of scales and grids */
        check_f64(law, 0x1p+900, 0x1p+930, 20);
        check_f64(law, 3.0, simdp_release_grid(3.0), referred);
    }
}

static void check_i64(int law, double scale, size_t referred)
{
    static int64_t answers[COUNT], first[COUNT], out[COUNT];
    const uint64_t parameters[1] = {test_number(scale)};
    const simdp_kernels *t, *before = NULL;
    simdp_rng rng;
    reference_ids reference;
    uint64_t seed = (uint64_t)(scale * 1000);
    for (size_t i = 0; i < COUNT; i++) {
        answers[i] = (int64_t)test_random(&seed) >> test_random(&seed) % 64;
        if (i % 8 == 0) answers[i] = i % 16 ? INT64_MAX - (int64_t)(i % 5) : INT64_MIN + (int64_t)(i % 5);
    }
    test_ids(ids, COUNT, 9);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        open_stream(&rng);
        must(release_by_id_i64(law, &rng, out, answers, ids, COUNT, scale));
        if (before != NULL) assert_memory_equal(out, first, sizeof out);
        else memcpy(first, out, sizeof out);
        before = t;
    }
    reference_ids_begin(&reference, ids, SEED, STREAM, law == RELEASE_LAPLACE ? 68 : 69, parameters, 1, law);
    for (size_t k = 0; k < referred; k++) {
        const size_t i = k % 2 ? COUNT - 1 - k : k;
        const int64_t want =
            release_reference_whole_i64(law, answers[i], scale, 16 * i, reference_ids_words, &reference);
        if (want != out[i])
            fail_msg("%s by id, scale %a, element %zu: %lld instead of %lld", law_names[law], scale, i,
                     (long long)out[i], (long long)want);
    }
    must(simdp_isa_select(NULL));
}

static void test_integers(void **state)
{
    (void)state;
    static const double scales[] = {0.0, 0x1p-30, 0.7, 20.0, 100.0, 512.0, 512.00001, 1e6, 0x1p44};
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
            check_i64(law, scales[s], is_full() ? COUNT : scales[s] > 1 && scales[s] < 1000 ? 300 : 60);
    }
}

/* ---- the arithmetics ---- */

/* Kernels that begin with a later arithmetic give the same bytes, at sizes around the ends of blocks; what the counts
 * say shows that rare paths ran: on a grid of scale 2^-28 some elements of a block are open, on 2^-34 all are; and with
 * radii that are too large by a factor (shrink) blocks are crowded. */
static void check_precisions(int law, double scale, double grid, size_t n, double shrink, simdp_release_counts *counts)
{
    static double answers[COUNT], want[COUNT], got[COUNT];
    const uint64_t parameters[2] = {identity_number(scale), identity_number(grid)};
    simdp_identity identity;
    simdp_rng rng;
    odd_answers(answers, n, grid, n);
    open_stream(&rng);
    const uint32_t use = law == RELEASE_LAPLACE ? BITS_LAPLACE_F64_BY_ID : BITS_GAUSSIAN_F64_BY_ID;
    must(rng_identity(&identity, &rng, use, 2, parameters, 2));
    must(release_by_id(law, &rng, want, answers, ids, n, scale, grid));
    const unsigned mode = fp_mode_enter_flushing();
    for (int least = PRECISION_F64; least <= PRECISION_WIDE; least++) {
        const size_t count = least == PRECISION_WIDE && n > 50 ? 50 : n;
        simdp_release_plan plan = simdp_release_plan_forced(law, scale, grid, shrink, least, &release_scratch);
        if (least == PRECISION_F64) plan.counts = counts;
        memset(got, 0, sizeof got);
        simdp_kernels_active()->release->f64_by_id[law](got, answers, ids, count, &identity, &plan);
        assert_memory_equal(got, want, count * sizeof *got);
    }
    fp_mode_leave_flushing(mode);
}

static void check_precisions_i64(int law, double scale, size_t n, double shrink, simdp_release_counts *counts)
{
    static int64_t answers[COUNT], want[COUNT], got[COUNT];
    const uint64_t parameters[1] = {identity_number(scale)};
    simdp_identity identity;
    simdp_rng rng;
    open_stream(&rng);
    const uint32_t use = law == RELEASE_LAPLACE ? BITS_LAPLACE_I64_BY_ID : BITS_GAUSSIAN_I64_BY_ID;
    must(rng_identity(&identity, &rng, use, 2, parameters, 1));
    must(release_by_id_i64(law, &rng, want, answers, ids, n, scale));
    const unsigned mode = fp_mode_enter_flushing();
    for (int least = PRECISION_F64; least <= PRECISION_WIDE; least++) {
        const size_t count = least == PRECISION_WIDE && n > 50 ? 50 : n;
        simdp_release_plan plan = simdp_release_plan_forced(law, scale, 1.0, shrink, least, &release_scratch);
        if (least == PRECISION_F64) plan.counts = counts;
        memset(got, 0, sizeof got);
        simdp_kernels_active()->release->i64_by_id[law](got, answers, ids, count, &identity, &plan);
        assert_memory_equal(got, want, count * sizeof *got);
    }
    fp_mode_leave_flushing(mode);
}

static void test_precisions(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1100, 2048, 4097, COUNT};
    const simdp_kernels *t;
    test_ids(ids, COUNT, 10);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        simdp_release_counts open = {0}, halves = {0};
        must(simdp_isa_select(t->variant));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (int law = 0; law < RELEASE_LAWS; law++) {
                check_precisions(law, 1.0, 0x1p-22, sizes[s], 1.0, &open);
                check_precisions(law, 1.0, 0x1p-28, sizes[s], 1.0, &open);
                check_precisions(law, 1.0, 0x1p-28, sizes[s], 3000.0, &open);
                check_precisions(law, 1.0, 0x1p-34, sizes[s] < 600 ? sizes[s] : 600, 1.0, &open);
                check_precisions_i64(law, 20.0, sizes[s], 1.0, &halves);
                check_precisions_i64(law, 500.0, sizes[s], 1.0, &halves);
                check_precisions_i64(law, 500.0, sizes[s], 100.0, &halves);
                check_precisions_i64(law, 600.0, sizes[s], 1.0, &halves);
            }
        }
        print_message("%s: open %zu, crowded %zu; of integers %zu, %zu\n", t->variant, (size_t)open.open,
                      (size_t)open.crowded, (size_t)halves.open, (size_t)halves.crowded);
        assert_true(open.open > 100 && halves.open > 20 && open.crowded > 20 && halves.crowded > 20);
    }
    must(simdp_isa_select(NULL));
}

/* What follows the last element of a block is never open, so that it takes no slot: a call of one element counts one
 * open element at most, however small the scale or large. */
static void test_rest_is_never_open(void **state)
{
    (void)state;
    for (int e = -30; e <= 30; e++) {
        for (int law = 0; law < RELEASE_LAWS; law++) {
            simdp_release_counts counts = {0};
            check_precisions(law, 1.0, ldexp(1, -e), 1, 1.0, &counts);
            if (e <= 9) check_precisions_i64(law, ldexp(1, e), 1, 1.0, &counts);
            assert_true(counts.open <= 2 && counts.crowded == 0);
        }
    }
}

/* ---- randomized response ---- */

/* Whether the first 384 digits of an id's uniform number lie below 1 / (1 + e^epsilon). */
static bool is_below(const reference_ids *r, size_t i, double epsilon)
{
    mpfr_t u, p;
    mpfr_inits2(600, u, p, (mpfr_ptr)0);
    mpfr_set_ui(u, 0, MPFR_RNDN);
    for (unsigned j = 0; j < 6; j++) {
        mpfr_mul_2ui(u, u, 64, MPFR_RNDN);
        mpfr_add_ui(u, u, reference_ids_words(r, 16 * i, j), MPFR_RNDN);
    }
    mpfr_div_2ui(u, u, 384, MPFR_RNDN);
    mpfr_set_d(p, epsilon, MPFR_RNDN);
    mpfr_exp(p, p, MPFR_RNDN);
    mpfr_add_ui(p, p, 1, MPFR_RNDN);
    mpfr_ui_div(p, 1, p, MPFR_RNDN);
    const bool below = mpfr_less_p(u, p);
    mpfr_clears(u, p, (mpfr_ptr)0);
    return below;
}

static void test_responses(void **state)
{
    (void)state;
    static const double epsilons[] = {0.0, 1e-9, 0.5, 1.0, 3.0, 8.0, 40.0, 60.0, 1e300};
    static uint8_t bits[COUNT], first[COUNT], out[COUNT];
    const simdp_kernels *t;
    simdp_rng rng;
    test_ids(ids, COUNT, 11);
    for (size_t i = 0; i < COUNT; i++) bits[i] = (uint8_t)(i % 3 == 0 ? 0 : i);
    for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++) {
        const uint64_t parameters[1] = {test_number(epsilons[e])};
        reference_ids reference;
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            must(simdp_isa_select(t->variant));
            open_stream(&rng);
            must(simdp_release_randomized_response_by_id(&rng, out, bits, ids, COUNT, epsilons[e]));
            if (t != next_usable(&(size_t){0})) assert_memory_equal(out, first, sizeof out);
            memcpy(first, out, sizeof out);
        }
        reference_ids_begin(&reference, ids, SEED, STREAM, 70, parameters, 1, false);
        for (size_t i = 0; i < 300; i++)
            assert_int_equal(out[i], (bits[i] != 0) ^ is_below(&reference, i, epsilons[e]));
    }
    must(simdp_isa_select(NULL));
}

/* Where the digits of p are those of an id for 64, 128 and 192 digits, further ones decide: p is made for the id. */
static void test_response_digits(void **state)
{
    (void)state;
    const simdp_kernels *t;
    const uint64_t parameters[1] = {0};
    const uint8_t zeros[64] = {0};
    test_ids(ids, 64, 12);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (int equal = 0; equal < 4; equal++) {
            for (int side = 0; side < 2; side++) {
                simdp_rng rng;
                simdp_identity identity;
                simdp_bernoulli law;
                uint64_t words[4];
                uint8_t out[64];
                open_stream(&rng);
                must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, parameters, 1));
                for (uint32_t level = 0; level < 2; level++)
                    t->bits->identity_blocks(words + 2 * level, &ids[17], 1, &identity, level);
                words[0] >>= equal == 0; /* a first word that differs, too */
                words[equal] += side == 0 ? 1 : -1ull;
                simdp_bernoulli_wide(&law, simdp_wide_from_words(words, 4));
                t->release->response_by_id(out, zeros, ids, 64, &identity, &law);
                if (equal > 0) assert_int_equal(out[17], side == 0);
                for (size_t k = 0; k < 64; k++)
                    assert_int_equal(out[k], simdp_bernoulli_of_id(&ids[k], &identity, t->bits->identity_blocks, &law));
            }
        }
    }
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles),    cmocka_unit_test(test_integers),
        cmocka_unit_test(test_precisions), cmocka_unit_test(test_rest_is_never_open),
        cmocka_unit_test(test_responses),  cmocka_unit_test(test_response_digits),
    };
    return cmocka_run_group_tests_name("release_by_id", tests, NULL, NULL);
}
