/* test_curves_choice: what `simdp tune` recommends, on recorded curves and on noisy measurements of them: a machine that
 * is now and then busy, and now and then faster than usual, is simulated, and five runs on it must choose within one power
 * of two of each other. */
#include <glob.h>
#include <math.h>

#include "../bench/command/tune_curve.h"
#include "support/test_support.h"

enum { CURVES_MOST = 32, RUNS = 5 };

typedef struct {
    char name[200];
    tune_curve curve;
} recorded;

static recorded all[CURVES_MOST];
static size_t count;

static void read_curve(recorded *r, const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    snprintf(r->name, sizeof r->name, "%s", strrchr(path, '/') + 1);
    r->curve.count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        double batch, rate;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%lf %lf", &batch, &rate), 2);
        r->curve.point[r->curve.count] = (tune_point){.batch = batch};
        tune_add(&r->curve, r->curve.count++, rate);
    }
    fclose(file);
}

static int read_curves(void **state)
{
    glob_t found;
    (void)state;
    assert_int_equal(glob(CURVES "/*.txt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc && count < CURVES_MOST; i++) read_curve(&all[count++], found.gl_pathv[i]);
    globfree(&found);
    return count >= 5 ? 0 : -1;
}

/* ---- a machine ---- */

typedef struct {
    const tune_curve *truth;
    uint64_t state;
    double noise;    /* of every sample, relative; it only slows down */
    double spell;    /* the probability that a busy spell begins with a sample */
    int busy;        /* samples that the spell still lasts */
    double slowdown; /* of the spell */
    double luck;     /* the share of samples that have the core to themselves, and are a fifth faster */
    double drift;    /* how far its speed wanders, up to this factor, over some hundred samples */
    double speed, aim;
    size_t samples;
} machine;

static double uniform(machine *m)
{
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->state >> 11) * 0x1p-53;
}

static tune_sample measure(void *context, size_t batch, double seconds)
{
    machine *m = context;
    if (m->busy == 0 && uniform(m) < m->spell) {
        m->busy = 1 + (int)(12 * uniform(m));
        m->slowdown = 0.5 + 0.45 * uniform(m);
    }
    if (m->aim == 0 || uniform(m) < 0.01) m->aim = pow(1 + m->drift, 2 * uniform(m) - 1);
    m->speed = m->speed == 0 ? m->aim : 0.98 * m->speed + 0.02 * m->aim;
    const double noise = m->noise * -log(1 - uniform(m)), factor = m->busy > 0 ? m->slowdown : 1.0;
    const double luck = uniform(m) < m->luck ? 1.2 : 1.0;
    const double rate = tune_rate_at(m->truth, (double)batch) * factor * luck * m->speed / (1 + noise);
    m->busy -= m->busy > 0;
    m->samples++;
    return (tune_sample){rate, seconds, (double)batch / rate};
}

/* The batch that a whole run chooses. */
static double run(machine *m, int passes)
{
    tune_curve curve = {0};
    const size_t most = (size_t)m->truth->point[m->truth->count - 1].batch;
    for (int pass = 0; pass < passes; pass++) {
        tune_pass(&curve, measure, m, most, 0.07);
        m->busy = 0; /* other kernels have their turn in between */
    }
    return tune_choose(&curve).batch;
}

/* In how many of `groups` groups of five runs are two choices more than one power of two apart? */
static int groups_apart(const recorded *r, int groups, double luck, double drift, int passes)
{
    int apart = 0;
    for (int g = 0; g < groups; g++) {
        double least = INFINITY, most = 0;
        for (int i = 0; i < RUNS; i++) {
            machine m = {.truth = &r->curve,
                         .state = (uint64_t)(1000 * g + i),
                         .noise = 0.01,
                         .spell = 0.01,
                         .luck = luck,
                         .drift = drift};
            const double chosen = run(&m, passes);
            least = fmin(least, chosen);
            most = fmax(most, chosen);
        }
        apart += most > 2 * least;
    }
    return apart;
}

/* ---- tests ---- */

static void recorded_curves(void **state)
{
    static const struct {
        const char *name;
        double batch, memory_batch;
    } known[] = {{"flat.txt", 16, 0}, {"noisy.txt", 512, 0}, {"two_knees.txt", 8192, 262144}};
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        bool is_found = false;
        for (size_t i = 0; i < count; i++) {
            if (strcmp(all[i].name, known[k].name) != 0) continue;
            const tune_choice c = tune_choose(&all[i].curve);
            is_found = true;
            if (c.batch != known[k].batch || c.memory_batch != known[k].memory_batch)
                fail_msg("%s: %g and %g", all[i].name, c.batch, c.memory_batch);
        }
        assert_true(is_found);
    }
}

static void a_quiet_machine_gives_the_curve(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) {
        machine m = {.truth = &all[i].curve};
        const double chosen = run(&m, TUNE_PASSES), wanted = tune_choose(&all[i].curve).batch;
        if (chosen != wanted) fail_msg("%s: %g, not %g", all[i].name, chosen, wanted);
        assert_in_range(m.samples, 3 * 20, 3 * 500);
    }
}

static void five_runs_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].name, "noisy.txt") == 0) continue; /* what was measured once, and no truth to measure again */
        for (int way = 0; way < 6; way++) {
            const double luck = 0.15 * (way % 3), drift = way < 3 ? 0.0 : 0.4;
            const int apart = groups_apart(&all[i], 200, luck, drift, TUNE_PASSES);
            if (apart > 0)
                fail_msg("%s, luck %g, drift %g: %d of 200 groups of five runs disagree", all[i].name, luck, drift,
                         apart);
        }
    }
}

/* The same machine without repetitions must be told apart, or the test above could not fail. */
static void one_sample_does_not(void **state)
{
    int apart = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        for (int g = 0; g < 100; g++) {
            double least = INFINITY, most = 0;
            for (int j = 0; j < RUNS; j++) {
                machine m = {.truth = &all[i].curve, .state = (uint64_t)(1000 * g + j), .noise = 0.01, .spell = 0.01};
                tune_curve curve = {.count = all[i].curve.count};
                for (size_t p = 0; p < curve.count; p++) {
                    curve.point[p].batch = all[i].curve.point[p].batch;
                    tune_add(&curve, p, measure(&m, (size_t)curve.point[p].batch, 1).rate);
                }
                const double chosen = tune_choose(&curve).batch;
                least = fmin(least, chosen);
                most = fmax(most, chosen);
            }
            apart += most > 2 * least;
        }
    }
    assert_true(apart > 100);
}

static void rates_between_points(void **state)
{
    tune_curve c = {.count = 2};
    (void)state;
    c.point[0].batch = 16;
    c.point[1].batch = 64;
    tune_add(&c, 0, 100);
    tune_add(&c, 1, 300);
    assert_true(fabs(tune_rate_at(&c, 32) - 200) < 1e-9);
    assert_true(tune_rate_at(&c, 8) == 50 && tune_rate_at(&c, 16) == 100 && tune_rate_at(&c, 1000) == 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_curves),      cmocka_unit_test(a_quiet_machine_gives_the_curve),
        cmocka_unit_test(five_runs_agree),      cmocka_unit_test(one_sample_does_not),
        cmocka_unit_test(rates_between_points),
    };
    return cmocka_run_group_tests(tests, read_curves, NULL);
}
