/* test_release_audit: releases of neighbouring answers, many events, Clopper and Pearson's bounds: no event proves more
 * than the stated epsilon (Gaussian: than its delta at several epsilons), and slightly broken releases are found out.
 * Risk of a false alarm: below 1e-9 in all. SIMDP_TEST_FULL: 1e9 outputs a side, and breaks ten times smaller. */
#include "support/attacks.h"
#include "support/release_support.h"

#define SCALE 1.0 /* epsilon = 1, sigma = 1 */
#define SHIFT 0.7310585786300049
#define RISK  1e-11 /* of one audit */
enum { CHUNK = 1 << 14 };

typedef void mechanism(simdp_rng *rng, double *out, double answer);

static void repeat(double *out, double answer)
{
    for (size_t i = 0; i < CHUNK; i++) out[i] = answer;
}

/* ---- what is audited ---- */

static void laplace(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer);
    must(simdp_release_laplace(rng, out, out, CHUNK, SCALE, 0.25));
}

static void laplace_fine(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer - SHIFT); /* 1 - SHIFT is exact; no cell's middle */
    must(simdp_release_laplace(rng, out, out, CHUNK, SCALE, simdp_release_grid(SCALE)));
}

static void gaussian(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer);
    must(simdp_release_gaussian(rng, out, out, CHUNK, SCALE, 0.25));
}

static void gaussian_fine(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer - SHIFT);
    must(simdp_release_gaussian(rng, out, out, CHUNK, SCALE, simdp_release_grid(SCALE)));
}

typedef simdp_status release_integers(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double scale);

static void integers(release_integers *release, simdp_rng *rng, double *out, double answer)
{
    static int64_t x[CHUNK];
    for (size_t i = 0; i < CHUNK; i++) x[i] = (int64_t)answer;
    must(release(rng, x, x, CHUNK, SCALE));
    for (size_t i = 0; i < CHUNK; i++) out[i] = (double)x[i];
}

static void laplace_integers(simdp_rng *rng, double *out, double answer)
{
    integers(simdp_release_laplace_i64, rng, out, answer);
}

static void gaussian_integers(simdp_rng *rng, double *out, double answer)
{
    integers(simdp_release_gaussian_i64, rng, out, answer);
}

static void discrete(simdp_rng *rng, double *out, double answer)
{
    integers(simdp_release_discrete_laplace_i64, rng, out, answer);
}

static void response(simdp_rng *rng, double *out, double answer)
{
    static uint8_t bits[CHUNK];
    memset(bits, (int)answer, sizeof bits);
    must(simdp_release_randomized_response(rng, bits, bits, CHUNK, 1 / SCALE));
    for (size_t i = 0; i < CHUNK; i++) out[i] = bits[i];
}

/* ---- broken ones ---- */

static double too_little; /* part of the scale that is missing */

static void small_laplace(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer);
    must(simdp_release_laplace(rng, out, out, CHUNK, SCALE * (1 - too_little), 0.25));
}

static void small_gaussian(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer); /* on cells of sigma / 4 none ends at 1/2, where the best test has its border */
    must(simdp_release_gaussian(rng, out, out, CHUNK, SCALE * (1 - too_little), simdp_release_grid(SCALE)));
}

/* the grid depends on data: that of the answer 1 is finer */
static void grid_of_data(simdp_rng *rng, double *out, double answer)
{
    repeat(out, answer);
    must(simdp_release_laplace(rng, out, out, CHUNK, SCALE, answer == 0 ? 0x1p-22 : 0x1p-23));
}

static void naive(simdp_rng *rng, double *out, double answer)
{
    must(simdp_noise_laplace_f64(rng, out, CHUNK, SCALE));
    for (size_t i = 0; i < CHUNK; i++) out[i] = answer + out[i];
}

static void naive_gaussian(simdp_rng *rng, double *out, double answer)
{
    must(simdp_noise_gaussian_f64(rng, out, CHUNK, SCALE));
    for (size_t i = 0; i < CHUNK; i++) out[i] = answer + out[i];
}

/* answer + noise rounded by rint: 0 + noise gives -0.0 */
static void signed_zero(simdp_rng *rng, double *out, double answer)
{
    naive(rng, out, 0.0);
    for (size_t i = 0; i < CHUNK; i++) out[i] = answer == 0 ? rint(4 * out[i]) / 4 : answer + rint(4 * out[i]) / 4;
}

static void cut_tail(simdp_rng *rng, double *out, double answer)
{
    laplace(rng, out, answer);
    for (size_t i = 0; i < CHUNK; i++) out[i] = fmin(out[i], answer + 6);
}

/* ---- events ---- */

enum { CELLS = 128, PLACES = 64, EVENTS = 2 * CELLS + PLACES + 2 };

typedef struct {
    uint64_t cell[CELLS];   /* quarters, all beyond +-16 in the last ones */
    uint64_t place[PLACES]; /* of the last digit: finer than 2^-62 in the first */
    uint64_t zero[2];       /* 0.0 and -0.0 */
} counts;

static void count_outputs(counts *c, const double *out)
{
    const double half = (double)(CELLS / 2);
    for (size_t i = 0; i < CHUNK; i++) {
        const double cell = fmin(fmax(4 * out[i], -half), half - 1) + half; /* >= 0: cut below */
        uint64_t bits;
        memcpy(&bits, &out[i], sizeof bits);
        const int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
        const int place = exponent + __builtin_ctzll(bits | (uint64_t)1 << 52) + PLACES - 1;
        c->cell[(int)cell]++;
        c->place[place < 0 ? 0 : place >= PLACES ? PLACES - 1 : place]++;
        if (bits << 1 == 0) c->zero[bits >> 63]++;
    }
}

static void events_of(uint64_t event[EVENTS], const counts *c)
{
    uint64_t below = 0;
    for (int i = 0; i < CELLS; i++) {
        event[i] = c->cell[i];
        event[CELLS + i] = below += c->cell[i];
    }
    memcpy(event + 2 * CELLS, c->place, sizeof c->place);
    memcpy(event + 2 * CELLS + PLACES, c->zero, sizeof c->zero);
}

/* Most that an event proves beyond what is stated (below 0: nothing does). Laplace: epsilon. Gaussian: delta at
 * epsilon. */
typedef struct {
    bool gaussian;
    double epsilon, delta;
} stated;

static double audit(mechanism *m, uint64_t n, uint64_t seed, const stated *claims, size_t claim_count)
{
    static double out[CHUNK];
    uint64_t event[2][EVENTS];
    double most = -1;
    const uint64_t chunks = (n + CHUNK - 1) / CHUNK;
    for (int answer = 0; answer < 2; answer++) {
        counts c = {{0}, {0}, {0}};
        simdp_rng rng;
        test_stream(&rng, seed, (uint64_t)answer, 0);
        for (uint64_t i = 0; i < chunks; i++) {
            m(&rng, out, answer);
            count_outputs(&c, out);
        }
        events_of(event[answer], &c);
    }
    for (size_t k = 0; k < claim_count; k++) {
        const stated *s = &claims[k];
        for (int e = 0; e < EVENTS; e++) {
            const uint64_t count[2] = {event[0][e], event[1][e]};
            const double risk = RISK / ((double)claim_count * (double)EVENTS);
            const double beyond = s->gaussian ? attack_delta(count, chunks * CHUNK, s->epsilon, risk) - s->delta
                                              : attack_epsilon(count, chunks * CHUNK, risk) - s->epsilon;
            most = fmax(most, beyond);
        }
    }
    return most;
}

typedef struct {
    const char *name;
    mechanism *run;
    bool gaussian, finds_all; /* finds_all: an event has exactly what is stated */
} audited;

static double audit_row(const audited *a, uint64_t n, uint64_t seed)
{
    static const double epsilons[] = {0.0, 0.5, 1.5};
    stated claims[3] = {{false, 1 / SCALE, 0}};
    for (int k = 0; k < 3 && a->gaussian; k++) {
        claims[k] = (stated){true, epsilons[k], 0};
        must(simdp_delta_gaussian(&claims[k].delta, &epsilons[k], 1, SCALE));
    }
    const double beyond = audit(a->run, n, seed, claims, a->gaussian ? 3 : 1);
    print_message("%-40s %.0e outputs a side prove a%s %.5f %s than stated\n", a->name, (double)n,
                  a->gaussian ? " delta" : "n epsilon", fabs(beyond), beyond > 0 ? "larger" : "smaller");
    return beyond;
}

static void test_releases(void **state)
{
    (void)state;
    static const audited rows[] = {
        {"Laplace, cells of scale / 4", laplace, false, true},
        {"Laplace, default grid, between cells", laplace_fine, false, true},
        {"Laplace, integers", laplace_integers, false, true},
        {"discrete Laplace", discrete, false, true},
        {"randomized response", response, false, true},
        {"Gaussian, cells of sigma / 4", gaussian, true, true},
        {"Gaussian, default grid, between cells", gaussian_fine, true, true},
        {"Gaussian, integers", gaussian_integers, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double beyond = audit_row(&rows[i], is_full() ? 1000000000 : 10000000, i);
        assert_true(beyond <= 0);
        if (rows[i].finds_all) assert_true(beyond > -0.02); /* the audit sees what there is */
    }
}

static void test_broken(void **state)
{
    (void)state;
    static const audited rows[] = {
        {"broken: Laplace, too small a scale", small_laplace, false, false},
        {"broken: Gaussian, too small a sigma", small_gaussian, true, false},
        {"broken: a grid that depends on data", grid_of_data, false, false},
        {"broken: answer + Laplace noise", naive, false, false},
        {"broken: answer + Gaussian noise", naive_gaussian, true, false},
        {"broken: signed zeros", signed_zero, false, false},
        {"broken: cut tail", cut_tail, false, false},
    };
    too_little = is_full() ? 0.002 : 0.02;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool slightly = rows[i].run == small_laplace || rows[i].run == small_gaussian;
        const double beyond = audit_row(&rows[i], !slightly ? 1000000 : is_full() ? 1000000000 : 10000000, 100 + i);
        assert_true(beyond > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_releases), cmocka_unit_test(test_broken)};
    return cmocka_run_group_tests_name("release_audit", tests, NULL, NULL);
}
