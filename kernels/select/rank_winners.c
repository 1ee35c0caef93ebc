/* rank_winners.c: several winners of one selection, in order. The keys of one race, sorted, follow the law of draws one
 * after the other without replacement. A pass over the scores finds eight winners; the next one leaves those out, which
 * tells nothing new, since they are output. */
#include <math.h>

#include "select/select_call.h"
#include "vec/rarely.h"

/* Appends to index the candidates whose score is +inf (`infinite`), or those whose score is NaN or -inf, in order, as
 * long as there is room for them. */
static size_t append(size_t *index, size_t done, size_t k, const select_job *job, bool infinite)
{
    for (size_t i = 0; i < job->n && done < k; i++) {
        const double s = race_score(&job->scores, i);
        if (rarely(infinite ? s == INFINITY : (!select_is_number(s)) & (s != INFINITY))) index[done++] = i;
    }
    return done;
}

void simdp_select_ranking(select_job *job, uint64_t position, size_t *index, size_t k)
{
    size_t finite = 0, done = append(index, 0, k, job, true);
    for (size_t i = 0; i < job->n; i++) {
        if (!rarely(!select_is_number(race_score(&job->scores, i)))) finite++;
    }
    while (done < k && finite > 0) { /* bound: k turns, as each adds a winner or more */
        size_t now = k - done < 8 ? k - done : 8;
        if (now > finite) now = finite;
        job->excluded = index;
        job->excluded_count = done;
        simdp_select_constant(job, position, 0, index + done, 1, now, NULL);
        published(index + done, now * sizeof *index);
        done += now;
        finite -= now;
    }
    done = append(index, done, k, job, false);
    job->excluded_count = 0; /* simdp_select_rest sees them in `index` */
    simdp_select_rest(job, index, done, k);
}

/* Sorts +inf before finite scores, and NaN with -inf behind them. */
static double rank_of(double score) { return score == score ? score : -INFINITY; }

/* k passes over n scores. */
void simdp_select_largest(const race_scores *scores, size_t n, size_t *index, size_t k)
{
    double last = INFINITY;
    size_t last_index = 0;
    for (size_t done = 0; done < k; done++) {
        double best = -INFINITY;
        size_t found = n;
        for (size_t i = 0; i < n; i++) {
            const double s = rank_of(race_score(scores, i));
            if (done > 0 && (s > last || (s == last && i <= last_index))) continue; /* chosen before */
            if (found == n || s > best) best = s, found = i;
        }
        if (found == n) found = 0; /* happens only if scores change during the call */
        index[done] = last_index = found;
        last = best;
    }
}
