/* one_release: the mean age of a group, from records to a published number, with what it guarantees and assumes.
 *
 * Guarantee: for any two groups that differ by one person, any outcome of (count, sum) is at most e^epsilon times as
 * likely for one as for the other, epsilon = 0.5 + 0.5. The mean is made of the two and costs nothing more.
 *
 * Assumptions: a person is in one record; the bounds 0 and 120 were chosen without looking at the records; nothing
 * else is published from them, or it is added to the account; key and memory of this process stay secret. */
#include <math.h>
#include <simdp/simdp.h>
#include <stdio.h>

enum { PEOPLE = 2000 };

static int failed(simdp_status status)
{
    if (status != SIMDP_OK) fprintf(stderr, "%s\n", simdp_status_text(status));
    return status != SIMDP_OK;
}

int main(void)
{
    static double age[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) age[i] = 18 + i * 37 % 60;
    age[7] = 1e9; /* a wrong record: clamped to 120 like any other */

    /* A sum of doubles depends on the order of its additions by more than one record; this one is exact. */
    const double lower = 0, upper = 120, epsilon = 0.5;
    double sum;
    if (failed(simdp_release_clamped_sum(&sum, age, PEOPLE, lower, upper, simdp_release_grid(upper / epsilon))))
        return 1;

    /* A person who comes or goes moves the count by 1 and the sum by at most 120. */
    simdp_rng rng;
    double count = PEOPLE;
    if (failed(simdp_rng_init(&rng))) return 1;
    const int bad = failed(simdp_release_laplace_private(&rng, &count, &count, 1, 1.0, epsilon)) ||
                    failed(simdp_release_laplace_private(&rng, &sum, &sum, 1, upper, epsilon));
    simdp_rng_wipe(&rng);
    if (bad) return 1;

    const double mean = sum / fmax(count, 1.0);
    printf("count %.1f, sum %.1f, mean %.2f: together 1-private\n", count, sum, mean);
    return fabs(mean - 47.5) < 10.0 ? 0 : 1; /* further off with probability below e^-80 */
}
