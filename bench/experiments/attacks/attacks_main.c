/* simdp-attacks: attacks on naive noise and on releases, as lines of JSON for figure.py.   simdp-attacks [OBSERVATIONS]
 *
 * Laplace noise of epsilon 1/4, and Gaussian noise that leaves the same advantage to an attacker who sees real numbers.
 * */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/attacks.h"

#define EPSILON 0.25
enum { COMB = 56 }; /* neighbouring outputs in the picture */

static const char *const law_names[ATTACK_LAWS] = {"Laplace", "Gaussian"};

/* sigma with the limit of Laplace noise, by bisection */
static double sigma_of_limit(double limit)
{
    double low = 1e-3, high = 1e6;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        const attack_target target = {ATTACK_GAUSSIAN, false, middle};
        if (attack_limit(&target) > limit) low = middle;
        else high = middle;
    }
    return high;
}

/* Which of the outputs next to each other at 0.4 can be made from the answer 0, from 1: doubles, or cells of the grid.
 * */
static void print_comb(const attack_target *target)
{
    const double grid = simdp_release_grid(target->scale);
    double output = target->release ? grid * floor(0.4 / grid) : 0.4;
    printf("{\"kind\": \"comb\", \"release\": %s, \"step\": \"%a\", \"can_be\": [", target->release ? "true" : "false",
           target->release ? grid : nextafter(output, 1.0) - output);
    for (int i = 0; i < COMB; i++) {
        const attack_sight seen = {output, 0};
        printf("%s[%d, %d]", i > 0 ? ", " : "", attack_can_be(target, &seen, 0.0), attack_can_be(target, &seen, 1.0));
        output = target->release ? output + grid : nextafter(output, 1.0);
    }
    printf("]}\n");
}

static void print_counts(const char *name, const uint64_t count[2])
{
    printf(", \"%s\": [%" PRIu64 ", %" PRIu64 "]", name, count[0], count[1]);
}

static void print_attack(int attack, const attack_target *target, size_t n)
{
    const attack_result r = attack_run(attack, target, n, 2012);
    printf("{\"kind\": \"attack\", \"attack\": \"%s\", \"law\": \"%s\", \"release\": %s", attack_names[attack],
           law_names[target->law], target->release ? "true" : "false");
    printf(", \"scale\": %.17g, \"limit\": %.17g, \"n\": %" PRIu64, target->scale, attack_limit(target), r.n);
    print_counts("ones", r.ones);
    print_counts("sure", r.sure);
    print_counts("wrong", r.wrong);
    printf(", \"advantage\": [%.17g, %.17g, %.17g]", r.advantage.value, r.advantage.low, r.advantage.high);
    printf(", \"epsilon\": %.17g, \"stated\": %.17g, \"risk\": %g}\n", r.epsilon, EPSILON, ATTACK_RISK);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const double n = argc > 1 ? atof(argv[1]) : 1e6;
    if (argc > 2 || !(n >= 1000 && n <= 1e8)) {
        fprintf(stderr, "usage: simdp-attacks [OBSERVATIONS, 1000 to 1e8 (1e6)]\n");
        return 2;
    }
    const attack_target laplace = {ATTACK_LAPLACE, false, 1 / EPSILON};
    const double scales[ATTACK_LAWS] = {laplace.scale, sigma_of_limit(attack_limit(&laplace))};
    for (int release = 0; release < 2; release++) {
        print_comb(&(attack_target){ATTACK_LAPLACE, release, laplace.scale});
        for (int law = 0; law < ATTACK_LAWS; law++) {
            const attack_target target = {law, release, scales[law]};
            for (int attack = 0; attack < ATTACKS; attack++) print_attack(attack, &target, (size_t)n);
        }
    }
    return 0;
}
