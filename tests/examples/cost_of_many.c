/* cost_of_many: what 200 releases and selections cost together, by the law of their privacy loss.
 *
 *   120 counts with Laplace noise, epsilon 0.05 each          t = sensitivity / scale = 0.05
 *    50 sums with Gaussian noise of sigma = 20 sensitivities
 *    30 selections by simdp_select_gumbel, epsilon 0.1 each   each costs at most what randomized response does
 *
 * The questions may depend on earlier answers; these numbers and their count may not. */
#include <simdp/simdp.h>
#include <stdio.h>

enum { COUNTS = 120, SUMS = 50, SELECTIONS = 30 };

int main(void)
{
    const double delta = 1e-6, count_epsilon = 0.05, select_epsilon = 0.1, sigma = 20.0;
    double least, most;
    simdp_pld *pld = NULL;
    simdp_status status = simdp_pld_create(&pld, simdp_pld_grid(1e-3, count_epsilon)); /* divides both epsilons */
    if (status == SIMDP_OK) status = simdp_pld_add_laplace(pld, count_epsilon, COUNTS);
    if (status == SIMDP_OK) status = simdp_pld_add_gaussian(pld, sigma, SUMS);
    if (status == SIMDP_OK) status = simdp_pld_add_randomized_response(pld, select_epsilon, 0.0, SELECTIONS);
    if (status == SIMDP_OK)
        status = simdp_pld_compose(pld, delta / 10, delta * 10, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL);
    if (status == SIMDP_OK) status = simdp_pld_epsilon(pld, &least, &most, &delta, 1);
    simdp_pld_destroy(pld);
    if (status != SIMDP_OK) return fprintf(stderr, "%s\n", simdp_status_text(status)), 1;

    const double added = COUNTS * count_epsilon + SELECTIONS * select_epsilon;
    printf("all 200 at delta %g: epsilon between %.5f and %.5f\n", delta, least, most);
    printf("the 150 pure ones, epsilons added: %.1f\n", added);
    return least <= most && most - least < 1e-3 && most < added / 2 ? 0 : 1;
}
