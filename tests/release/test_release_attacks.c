/* test_release_attacks: attacks on low-order bits break answer + noise, the control, and gain nothing from releases
 * that real-number noise would not give them. Sums of all risks: below 1e-9. */
#include "support/attacks.h"
#include "support/release_support.h"

static size_t observations(int attack, int law)
{
    const size_t n = attack != ATTACK_REACHABLE ? 200000 : law == ATTACK_LAPLACE ? 50000 : 10000;
    return is_full() ? 20 * n : n;
}

static attack_result told(int attack, const attack_target *target)
{
    const attack_result r = attack_run(attack, target, observations(attack, target->law), 1);
    const simdp_loss_estimate a = r.advantage;
    const double n = (double)r.n / 100;
    print_message("%-8s %-7s %-16s gains %.3f (%.3f to %.3f), limit %.3f; sure of %5.2f %%, %5.2f %%; epsilon %.2f\n",
                  law_names[target->law], target->release ? "release" : "naive", attack_names[attack], a.value, a.low,
                  a.high, attack_limit(target), (double)r.sure[0] / n, (double)r.sure[1] / n, r.epsilon);
    return r;
}

/* Must succeed. */
static void break_naive(const attack_target *target)
{
    for (int attack = ATTACK_PRECISION; attack < ATTACKS; attack++) {
        const attack_result r = told(attack, target);
        assert_true(r.advantage.low > attack_limit(target));
        assert_int_equal(r.wrong[0] + r.wrong[1], 0);
        if (attack == ATTACK_PRECISION) assert_true((double)r.sure[0] > 0.05 * (double)r.n); /* without any doubt */
        if (attack == ATTACK_REACHABLE) { /* a quarter, four fifths of all outputs, and many of either */
            const double share = target->law == ATTACK_LAPLACE ? 0.25 : 0.8;
            assert_true((double)(r.sure[0] + r.sure[1]) > share * 2 * (double)r.n);
            assert_true((double)r.sure[1] > 0.15 * (double)r.n);
        }
        if (attack != ATTACK_LEARNED && target->law == ATTACK_LAPLACE) assert_true(r.epsilon > 4 / target->scale);
    }
}

/* Must fail: no output is impossible, no advantage beyond that of size alone. */
static void try_release(const attack_target *target)
{
    const double limit = attack_limit(target), epsilon = 1 / target->scale;
    for (int attack = 0; attack < ATTACKS; attack++) {
        const attack_result r = told(attack, target);
        assert_true(r.advantage.low <= limit);
        assert_int_equal(r.sure[0] + r.sure[1] + r.wrong[0] + r.wrong[1], 0);
        if (attack == ATTACK_SIZE) assert_true(r.advantage.high >= limit); /* it has that: the measurement sees */
        if (target->law == ATTACK_GAUSSIAN) continue;
        assert_true(r.epsilon <= epsilon);
        /* the whole interval lies below what epsilon-DP permits, if that leaves room above the limit */
        if (epsilon >= 1) assert_true(r.advantage.high < tanh(epsilon / 2));
    }
}

static void test_attacks(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 4.0};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        for (int law = 0; law < ATTACK_LAWS; law++) {
            const attack_target naive = {law, false, scales[s]}, release = {law, true, scales[s]};
            break_naive(&naive);
            try_release(&release);
        }
    }
}

/* A scale whose digits fill a double, as calibrations make them. */
static void test_odd_scale(void **state)
{
    (void)state;
    for (int law = 0; law < ATTACK_LAWS; law++) {
        const attack_target naive = {law, false, 2.7182818284590451}, release = {law, true, 2.7182818284590451};
        const attack_result broken = told(ATTACK_REACHABLE, &naive), whole = told(ATTACK_REACHABLE, &release);
        assert_true(broken.advantage.low > attack_limit(&naive));
        assert_int_equal(broken.wrong[0] + broken.wrong[1], 0);
        assert_true(whole.advantage.low <= attack_limit(&release));
        assert_int_equal(whole.sure[0] + whole.sure[1], 0);
    }
}

/* Every cell of a small release comes from either answer, also one that lies between cells; of naive noise, hardly any
 * output does. */
static void test_same_outputs(void **state)
{
    (void)state;
    enum { N = 1 << 16, REACH = 8 };
    static double answers[N], out[N];
    for (int law = 0; law < RELEASE_LAWS; law++) {
        bool seen[2][2 * REACH + 1] = {{false}};
        for (int answer = 0; answer < 2; answer++) {
            simdp_rng rng;
            test_stream(&rng, 3, (uint64_t)answer, 0);
            for (size_t i = 0; i < N; i++) answers[i] = answer ? 0.7310585786300049 : 0.0;
            must(release_by_law(law, &rng, out, answers, N, 2.0, 0.25));
            for (size_t i = 0; i < N; i++) {
                const double cell = out[i] * 4;
                assert_true(cell == rint(cell) && !(cell == 0 && signbit(cell)));
                if (fabs(cell) <= (double)REACH) seen[answer][REACH + (int)cell] = true;
            }
        }
        for (int c = 0; c <= 2 * REACH; c++) assert_true(seen[0][c] && seen[1][c]);
    }
    int both = 0;
    const attack_target naive = {ATTACK_LAPLACE, false, 4.0};
    for (int i = 0; i < 1000; i++) {
        const attack_sight sight = {0.4 + i * 0x1p-54, 0};
        both += attack_can_be(&naive, &sight, 0.0) && attack_can_be(&naive, &sight, 1.0);
    }
    print_message("of 1000 doubles from 0.4 on, %d come from 0 + noise and from 1 + noise\n", both);
    assert_true(both < 100);
}

/* A false proof is caught: counts that fit e^epsilon prove no more, counts that do not prove it. */
static void test_proofs(void **state)
{
    (void)state;
    const uint64_t n = 1000000, fair[2] = {100000, 271828}, none[2] = {0, 0}, all[2] = {n, n}, sure[2] = {0, 400000};
    const double epsilon = attack_epsilon(fair, n, 1e-10), delta = attack_delta(fair, n, 0.5, 1e-10);
    assert_true(epsilon < 1 && epsilon > 0.95);
    assert_true(delta < 0.271828 - exp(0.5) * 0.1 && delta > 0.1);
    assert_true(attack_epsilon(none, n, 1e-10) == 0 && attack_epsilon(all, n, 1e-10) == 0);
    assert_true(attack_delta(none, n, 0, 1e-10) == 0 && attack_delta(all, n, 0, 1e-10) == 0);
    assert_true(attack_epsilon(sure, n, 1e-10) > log(0.39 / 3e-5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_odd_scale),
        cmocka_unit_test(test_same_outputs),
        cmocka_unit_test(test_proofs),
    };
    return cmocka_run_group_tests_name("release_attacks", tests, NULL, NULL);
}
