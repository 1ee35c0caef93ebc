/* private_selection: the most frequent of a few answers, chosen by the exponential mechanism, and how close the winner
 * must be. */
#include <simdp/simdp.h>
#include <stdio.h>

enum { CANDIDATES = 6, DRAWS = 1000 };

int main(void)
{
    static const char *const names[CANDIDATES] = {"red", "green", "blue", "yellow", "white", "black"};
    static const double votes[CANDIDATES] = {310, 295, 420, 110, 75, 402};
    /* a voter who comes or goes moves one count up or down: the monotone case, scale = sensitivity / epsilon */
    const double epsilon = 0.1, sensitivity = 1, scale = sensitivity / epsilon;
    const uint8_t key[32] = {7};
    simdp_rng rng;
    size_t winner, many[DRAWS], seen[CANDIDATES] = {0};
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) return 1;
    if (simdp_select_gumbel(&rng, &winner, votes, CANDIDATES, scale) != SIMDP_OK) return 1;
    printf("chosen with epsilon %g: %s\n", epsilon, names[winner]);

    /* what a thousand such choices would look like, and the promise: within (ln n + v) scale of the best, but for e^-v
     */
    if (simdp_select_gumbel_many(&rng, many, DRAWS, votes, CANDIDATES, scale) != SIMDP_OK) return 1;
    for (int i = 0; i < DRAWS; i++) seen[many[i]]++;
    for (int i = 0; i < CANDIDATES; i++)
        printf("%-7s %4g votes, chosen %4zu times of %d\n", names[i], votes[i], seen[i], DRAWS);
    return seen[2] > seen[5] && seen[4] == 0 ? 0 : 1;
}
