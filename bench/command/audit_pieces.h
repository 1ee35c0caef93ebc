/* audit_pieces.h: an audit cut into pieces, which threads take. */
#ifndef SIMDP_AUDIT_PIECES_H
#define SIMDP_AUDIT_PIECES_H

#include "options.h"
#include "progress.h"

/* Draws n outputs on the first input (side 0) or the second, and hands them to the audit. */
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
    double delta;             /* of groups that may be shown */
    int64_t people;           /* in the group, with a person more and without */
    uint32_t values;          /* of k-ary response */
};

audited_draw audit_releases, audit_choices, audit_answers, audit_reports, audit_groups;

simdp_status audit_begin(simdp_loss_audit *audit, const audited *what, const simdp_loss_audit_plan *plan);

/* Draws `samples` outputs of each input and adds them to the audit, which has none yet. With a deterministic stream the
 * counts depend on key, stream and position, not on the number of threads; with entropy each thread has a stream of its
 * own. */
simdp_status audit_draw_pieces(simdp_loss_audit *audit, const audited *what, simdp_rng *rng, bool deterministic,
                               uint64_t samples, unsigned threads, progress_bar *bar);

#endif
