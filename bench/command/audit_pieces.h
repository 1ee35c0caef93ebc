/* audit_pieces.h: an audit cut into pieces, which threads take. */
#ifndef SIMDP_AUDIT_PIECES_H
#define SIMDP_AUDIT_PIECES_H

#include "options.h"
#include "progress.h"

enum { AUDIT_BLOCK = 4096 };

/* Draws n outputs, at most AUDIT_BLOCK, on the first input (side 0) or the second, and hands them to the audit. */
typedef struct audited audited;
typedef simdp_status audited_draw(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side);

/* What is audited, and what is drawn: the two differ only where noise is to be broken. A mechanism with few outcomes is
 * audited as a selection among them whose scores are the logarithms of their probabilities. */
struct audited {
    audited_draw *draw;
    simdp_mechanism mechanism; /* Laplace, Gaussian, selection or randomized response */
    double x0, x1;
    const double *scores[2];
    size_t candidates;
    double scale, scale_used; /* of randomized response, epsilon0 */
    double cut;               /* noise ends at so many scales; infinite: nowhere */
    bool by_id;               /* noise of identities: the outputs have numbers, which are their ids */
    double delta;             /* of groups that may be shown */
    int64_t people;           /* in the group, with a person more and without */
    uint32_t values;          /* of k-ary response */
    bool is_gaussian;         /* noise of integers, and of counts from a threshold on */
    bool is_discrete;         /* of integers: a discrete law, no real noise that is rounded */
    double grid, width;       /* of such counts, and of the outcomes that they are sorted into */
    double threshold;         /* of counts, or of queries */
    const double *query[2];   /* above threshold: the queries on either input */
    size_t queries;
    double scale_query;
};

/* Outcomes of a mechanism that has few; of counts: hidden, or from one border (the threshold is the first) up to the next
 * one; of integers: their distance from the first input, where all from AUDIT_REACH on are one. */
enum { AUDIT_OUTCOMES_MOST = 1024, AUDIT_BORDERS = 8, AUDIT_REACH = 500 };
double audit_border(const audited *what, size_t j);

audited_draw audit_releases, audit_choices, audit_answers, audit_reports, audit_groups, audit_unary, audit_counts,
    audit_queries, audit_integers;

simdp_status audit_begin(simdp_loss_audit *audit, const audited *what, const simdp_loss_audit_plan *plan);

/* Draws `samples` outputs of each input and adds them to the audit, which has none yet. With a deterministic stream the
 * counts depend on key, stream and position, not on the number of threads; with entropy each thread has a stream of its
 * own. */
simdp_status audit_draw_pieces(simdp_loss_audit *audit, const audited *what, simdp_rng *rng, bool deterministic,
                               uint64_t samples, unsigned threads, progress_bar *bar);

#endif
