/* local_reports: which of eight pages people have open, from reports in two stages (RAPPOR).
 *
 * Each person turns the page into eight bits, of which one is 1, makes a permanent answer of them once, and keeps it.
 * Every report is drawn anew from that answer.
 *
 * Guarantee: however many reports of a person are seen, any outcome is at most e^2 times as likely for one page as for
 * another; for one report alone the program prints less. Nobody has to be trusted with the pages themselves.
 *
 * Assumptions: the permanent answer is made once, and kept; the device's key and memory stay secret. */
#include <math.h>
#include <simdp/simdp.h>
#include <stdio.h>

enum { PEOPLE = 100000, PAGES = 8 };

static int failed(simdp_status status)
{
    if (status != SIMDP_OK) fprintf(stderr, "%s\n", simdp_status_text(status));
    return status != SIMDP_OK;
}

int main(void)
{
    static uint8_t answers[PEOPLE], reports[PEOPLE]; /* eight bits a person */
    const double forever = 2.0, one = forever / 2, zero = -forever / 2, report_one = 1.0, report_zero = -1.0;
    uint64_t truth[PAGES] = {0}, counts[PAGES] = {0};
    for (int i = 0; i < PEOPLE; i++) {
        const int page = i % 10 < 5 ? 0 : i % 10 < 8 ? 3 : i % 7;
        answers[i] = (uint8_t)(1u << page);
        truth[page]++;
    }

    simdp_rng rng;
    if (failed(simdp_rng_init(&rng))) return 1;
    const int bad = failed(simdp_release_unary(&rng, answers, answers, 8 * (size_t)PEOPLE, one, zero)) ||
                    failed(simdp_release_unary(&rng, reports, answers, 8 * (size_t)PEOPLE, report_one, report_zero));
    simdp_rng_wipe(&rng);
    if (bad) return 1;

    /* the collector's side: how often each bit was 1, and what that says of people */
    for (int i = 0; i < PEOPLE; i++)
        for (int page = 0; page < PAGES; page++) counts[page] += reports[i] >> page & 1;
    double both_one, both_zero, epsilon;
    simdp_loss_count people[PAGES];
    if (failed(simdp_loss_unary_joined(&both_one, &both_zero, &one, &zero, 1, report_one, report_zero)) ||
        failed(simdp_loss_unary_report_epsilon(&epsilon, &one, &zero, 1, report_one, report_zero)) ||
        failed(simdp_loss_count_unary(people, counts, PAGES, PEOPLE, both_one, both_zero, 1e-9 / PAGES)))
        return 1;
    printf("one report: %.3f-private; all reports of a person: %.3f-private\n", epsilon, forever);
    int missed = 0;
    for (int page = 0; page < PAGES; page++) {
        printf("page %d: %8.0f +- %.0f people, between %.0f and %.0f\n", page, people[page].count,
               people[page].deviation, people[page].low, people[page].high);
        missed += (double)truth[page] < people[page].low || (double)truth[page] > people[page].high;
    }
    return missed > 0; /* one in 1e9 */
}
