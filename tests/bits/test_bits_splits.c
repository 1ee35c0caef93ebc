/* test_bits_splits: a job cut into calls of any lengths gives the bytes of one call, for every function that draws
 * elements, on every instruction set, on deterministic streams and on those that erase their keys. */
#include "support/drawing.h"
#include "support/test_support.h"

static _Alignas(16) unsigned char whole[DRAWING_BYTES], pieces[DRAWING_BYTES], first_set[DRAWING_BYTES];

/* One call, from a copy of rng; where it ends. */
static simdp_rng draw_whole(simdp_rng rng, const kernel_line *f, const drawing_call *c, unsigned char *out)
{
    memset(out, 0, DRAWING_BYTES);
    must(drawing_run(f, &rng, c, 0, c->n, out));
    return rng;
}

/* Calls of random lengths up to `most`. */
static simdp_rng draw_pieces(simdp_rng rng, const kernel_line *f, const drawing_call *c, size_t most, uint64_t *random)
{
    memset(pieces, 0, sizeof pieces);
    for (size_t done = 0, count; done < c->n; done += count) {
        count = f->cut * (test_random(random) % (most / f->cut + 1));
        if (count > c->n - done) count = c->n - done;
        must(drawing_run(f, &rng, c, done, count, pieces));
    }
    return rng;
}

static void check_splits(const simdp_rng *rng, const kernel_line *f, const drawing_call *c, uint64_t *random)
{
    const size_t most[] = {c->n > 2000 ? 2500 : 8, 40, 300};
    const simdp_rng end = draw_whole(*rng, f, c, whole);
    for (size_t i = 0; i < 3; i++) {
        const simdp_rng there = draw_pieces(*rng, f, c, most[i], random);
        if (memcmp(pieces, whole, sizeof whole) != 0) print_error("%s, %zu elements\n", f->name, c->n);
        assert_memory_equal(pieces, whole, sizeof whole);
        assert_memory_equal(&there, &end, sizeof end);
    }
}

static void test_every_split(void **state)
{
    (void)state;
    const simdp_kernels *table;
    const size_t rounds = is_full() ? 60 : is_short() ? 2 : 6;
    simdp_rng rng;
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        if (f->cut == 0) continue;
        for (size_t round = 0; round < rounds; round++) {
            uint64_t random = 1000 * i + round;
            /* the last time more than the blocks that kernels work in */
            const size_t n = round + 1 < rounds ? 100 + test_random(&random) % 1001 : DRAWING_MOST - 13;
            const drawing_call c = drawing_choose(f, n, false, &random);
            const uint64_t start = test_random(&random) % 2000;
            bool is_first = true;
            for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                if (is_left_out(table)) continue;
                must(simdp_isa_select(table->variant));
                test_stream(&rng, round, i, start);
                check_splits(&rng, f, &c, &random);
                if (is_first) memcpy(first_set, whole, sizeof whole);
                assert_memory_equal(whole, first_set, sizeof whole);
                is_first = false;
                if (f->local) continue; /* each call has a local stream of its own there */
                test_entropy_stream(&rng, round, 5 * SIMDP_RNG_ERASE_POSITIONS - start % 1000);
                check_splits(&rng, f, &c, &random);
            }
        }
    }
}

/* 37 + 63 of 100, at every place in a group of 32. */
static void test_odd_halves(void **state)
{
    (void)state;
    uint64_t random = 4;
    simdp_rng rng, end;
    must(simdp_isa_select(NULL));
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        const size_t cut = 37 / (f->cut + (f->cut == 0)) * f->cut;
        for (uint64_t start = 0; start < 32 && f->cut != 0; start++) {
            const drawing_call c = drawing_choose(f, 100, false, &random);
            if (c.n != 100) break; /* selections: fewer */
            test_stream(&rng, 3, 0, start);
            end = draw_whole(rng, f, &c, whole);
            memset(pieces, 0, sizeof pieces);
            must(drawing_run(f, &rng, &c, 0, cut, pieces));
            must(drawing_run(f, &rng, &c, cut, 100 - cut, pieces));
            assert_memory_equal(pieces, whole, sizeof whole);
            assert_memory_equal(&rng, &end, sizeof end);
            assert_true(simdp_rng_position(&rng) == start + 100);
        }
    }
}

/* The last positions of a stream: 37 + 63 elements that end with it, or a refusal for all of them. */
static void test_end_of_stream(void **state)
{
    (void)state;
    const simdp_kernels *table;
    int refused = 0, drawn = 0;
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        uint64_t random = i;
        const drawing_call c = drawing_choose(f, 100, false, &random);
        if (f->cut == 0 || c.n != 100) continue;
        const size_t cut = 37 / f->cut * f->cut;
        bool is_first = true;
        for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
            simdp_rng rng;
            must(simdp_isa_select(table->variant));
            test_stream(&rng, 3, 0, UINT64_MAX - 100);
            memset(whole, 0, sizeof whole);
            const simdp_status status = drawing_run(f, &rng, &c, 0, 100, whole);
            if (status != SIMDP_OK) {
                assert_int_equal(status, SIMDP_EPARAM);
                assert_true(simdp_rng_position(&rng) == UINT64_MAX - 100);
                refused++;
                continue;
            }
            assert_true(simdp_rng_position(&rng) == UINT64_MAX);
            must(simdp_rng_seek(&rng, UINT64_MAX - 100));
            memset(pieces, 0, sizeof pieces);
            must(drawing_run(f, &rng, &c, 0, cut, pieces));
            must(drawing_run(f, &rng, &c, cut, 100 - cut, pieces));
            assert_memory_equal(pieces, whole, sizeof whole);
            if (is_first) memcpy(first_set, whole, sizeof whole);
            assert_memory_equal(whole, first_set, sizeof whole);
            is_first = false;
            drawn++;
        }
    }
    assert_true(drawn > 4 * refused); /* only what has two words an element is refused */
}

/* The comparison would notice an element from another position: from the next one on, every function gives others. */
static void test_control_moved(void **state)
{
    (void)state;
    uint64_t random = 4;
    simdp_rng rng;
    must(simdp_isa_select(NULL));
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        int moved = 0;
        for (int round = 0; round < 20 && f->cut != 0; round++) {
            const drawing_call c = drawing_choose(f, 500, false, &random);
            test_stream(&rng, 3, 0, 128);
            draw_whole(rng, f, &c, whole);
            test_stream(&rng, 3, 0, 129);
            draw_whole(rng, f, &c, pieces);
            moved += memcmp(pieces, whole, sizeof whole) != 0;
        }
        assert_true(f->cut == 0 || moved >= 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_odd_halves),
        cmocka_unit_test(test_end_of_stream),
        cmocka_unit_test(test_control_moved),
    };
    return cmocka_run_group_tests_name("bits_splits", tests, NULL, NULL);
}
