/* audit_outcomes.h: mechanisms with few outcomes, or whose outputs are sorted into few: the probability of each. */
#ifndef SIMDP_AUDIT_OUTCOMES_H
#define SIMDP_AUDIT_OUTCOMES_H

#include "audit_pieces.h"

/* Logarithms of probabilities of outcomes, for either input, as scores to be chosen from with scale 1. Each returns how
 * many outcomes there are, 0 for parameters out of range. */
typedef double outcome_scores[2][AUDIT_OUTCOMES_MOST];

size_t outcomes_of_reports(const audited *what, outcome_scores scores);
size_t outcomes_of_groups(const audited *what, outcome_scores scores);
size_t outcomes_of_unary(const audited *what, outcome_scores scores);
/* also sets the threshold and the grid */
size_t outcomes_of_counts(audited *what, outcome_scores scores);
size_t outcomes_of_integers(const audited *what, outcome_scores scores);
size_t outcomes_of_queries(const audited *what, outcome_scores scores);

#endif
