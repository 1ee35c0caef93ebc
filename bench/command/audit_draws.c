/* audit_draws.c: what the library releases, handed to the audit as a stranger's outputs. */
#include <math.h>
#include <string.h>

#include "audit_pieces.h"

/* The numbers of n outputs, as ids: the stream's position counts them, though noise by identity does not read it. */
static simdp_status number_outputs(simdp_rng *rng, simdp_id *ids, size_t n, int side)
{
    const uint64_t first = simdp_rng_position(rng);
    if (first > UINT64_MAX - n) return SIMDP_EPARAM;
    for (size_t i = 0; i < n; i++) ids[i] = (simdp_id){.low = first + i, .high = (uint64_t)side};
    return simdp_rng_seek(rng, first + n);
}

static double input_of(const audited *what, int side) { return side == 0 ? what->x0 : what->x1; }

/* Noise that ends somewhere is none of the library's: it is raw noise, cut. */
static simdp_status cut_noise(simdp_rng *rng, double *y, const audited *what, size_t n, int side)
{
    const double end = what->cut * what->scale_used;
    const simdp_status status = what->mechanism == SIMDP_MECHANISM_LAPLACE
                                    ? simdp_noise_laplace_f64(rng, y, n, what->scale_used)
                                    : simdp_noise_gaussian_f64(rng, y, n, what->scale_used);
    for (size_t i = 0; i < n; i++) y[i] = input_of(what, side) + fmin(fmax(y[i], -end), end);
    return status;
}

simdp_status audit_releases(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    double y[AUDIT_BLOCK];
    simdp_id ids[AUDIT_BLOCK];
    const double scale = what->scale_used, grid = simdp_release_grid(scale);
    const bool is_laplace = what->mechanism == SIMDP_MECHANISM_LAPLACE;
    simdp_status status = what->by_id ? number_outputs(rng, ids, n, side) : SIMDP_OK;
    for (size_t i = 0; i < n; i++) y[i] = input_of(what, side);
    if (!isinf(what->cut)) status = cut_noise(rng, y, what, n, side);
    else if (what->by_id && status == SIMDP_OK)
        status =
            (is_laplace ? simdp_release_laplace_by_id : simdp_release_gaussian_by_id)(rng, y, y, ids, n, scale, grid);
    else if (status == SIMDP_OK)
        status = (is_laplace ? simdp_release_laplace : simdp_release_gaussian)(rng, y, y, n, scale, grid);
    return status == SIMDP_OK ? simdp_loss_audit_outputs(audit, y, n, side) : status;
}

simdp_status audit_integers(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    typedef simdp_status release(simdp_rng *, int64_t *, const int64_t *, size_t, double);
    typedef simdp_status release_by_id(simdp_rng *, int64_t *, const int64_t *, const simdp_id *, size_t, double);
    static release *const plain[2][2] = {{simdp_release_laplace_i64, simdp_release_gaussian_i64},
                                         {simdp_release_discrete_laplace_i64, simdp_release_discrete_gaussian_i64}};
    static release_by_id *const by_id[2] = {simdp_release_laplace_i64_by_id, simdp_release_gaussian_i64_by_id};
    int64_t y[AUDIT_BLOCK];
    simdp_id ids[AUDIT_BLOCK];
    size_t outcome[AUDIT_BLOCK];
    const int64_t middle = (int64_t)what->x0;
    simdp_status status = what->by_id ? number_outputs(rng, ids, n, side) : SIMDP_OK;
    for (size_t i = 0; i < n; i++) y[i] = (int64_t)input_of(what, side);
    if (status == SIMDP_OK)
        status = what->by_id ? by_id[what->is_gaussian](rng, y, y, ids, n, what->scale_used)
                             : plain[what->is_discrete][what->is_gaussian](rng, y, y, n, what->scale_used);
    for (size_t i = 0; i < n; i++) {
        const int64_t within = y[i] < middle - AUDIT_REACH   ? -AUDIT_REACH
                               : y[i] > middle + AUDIT_REACH ? AUDIT_REACH
                                                             : y[i] - middle;
        outcome[i] = (size_t)(within + AUDIT_REACH);
    }
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}

/* Rows of the same scores, as many at a time as fit. */
static simdp_status choose_by_id(simdp_rng *rng, size_t *chosen, const audited *what, size_t n, int side)
{
    double rows[AUDIT_BLOCK];
    simdp_id ids[AUDIT_BLOCK];
    const size_t m = what->candidates, most = AUDIT_BLOCK / m;
    simdp_status status = number_outputs(rng, ids, n, side);
    for (size_t r = 0; r < most; r++) memcpy(rows + r * m, what->scores[side], m * sizeof *rows);
    for (size_t done = 0; status == SIMDP_OK && done < n; done += most)
        status = simdp_select_gumbel_rows_by_id(rng, chosen + done, rows, ids + done, n - done < most ? n - done : most,
                                                m, what->scale_used);
    return status;
}

simdp_status audit_choices(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    size_t chosen[AUDIT_BLOCK];
    const simdp_status status = what->by_id ? choose_by_id(rng, chosen, what, n, side)
                                            : simdp_select_gumbel_many_vartime(rng, chosen, n, what->scores[side],
                                                                               what->candidates, what->scale_used);
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, chosen, n, side) : status;
}

simdp_status audit_answers(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    uint8_t bits[AUDIT_BLOCK];
    simdp_id ids[AUDIT_BLOCK];
    simdp_status status = what->by_id ? number_outputs(rng, ids, n, side) : SIMDP_OK;
    memset(bits, side, sizeof bits);
    if (what->by_id && status == SIMDP_OK)
        status = simdp_release_randomized_response_by_id(rng, bits, bits, ids, n, what->scale_used);
    else if (status == SIMDP_OK) status = simdp_release_randomized_response(rng, bits, bits, n, what->scale_used);
    return status == SIMDP_OK ? simdp_loss_audit_bits(audit, bits, n, side) : status;
}

/* The inputs are the values 0 and 1; all other reports are one outcome, since they are equally likely under both. */
simdp_status audit_reports(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    uint32_t values[AUDIT_BLOCK];
    size_t outcome[AUDIT_BLOCK];
    for (size_t i = 0; i < AUDIT_BLOCK; i++) values[i] = (uint32_t)side;
    const simdp_status status = simdp_release_k_response(rng, values, values, n, what->values, what->scale_used);
    for (size_t i = 0; i < n; i++) outcome[i] = values[i] < 2 ? values[i] : 2;
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}

/* The second input is the group without one person. */
simdp_status audit_groups(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    int64_t counts[AUDIT_BLOCK];
    uint8_t keep[AUDIT_BLOCK];
    size_t outcome[AUDIT_BLOCK];
    simdp_id ids[AUDIT_BLOCK];
    simdp_status status = what->by_id ? number_outputs(rng, ids, n, side) : SIMDP_OK;
    for (size_t i = 0; i < AUDIT_BLOCK; i++) counts[i] = what->people - side;
    if (what->by_id && status == SIMDP_OK)
        status = simdp_select_partitions_by_id(rng, keep, counts, ids, n, what->scale_used, what->delta, 1);
    else if (status == SIMDP_OK)
        status = simdp_select_partitions(rng, keep, counts, n, what->scale_used, what->delta, 1);
    for (size_t i = 0; i < n; i++) outcome[i] = keep[i];
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}

/* Pairs of bits, four a byte: 1 0 on the first input, 0 1 on the second. The encoding is the optimised one. */
simdp_status audit_unary(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    uint8_t bits[AUDIT_BLOCK / 4];
    size_t outcome[AUDIT_BLOCK];
    memset(bits, side == 0 ? 0x55 : 0xaa, sizeof bits);
    const simdp_status status = simdp_release_unary(rng, bits, bits, 2 * n, 0.0, -what->scale_used);
    for (size_t i = 0; i < n; i++) outcome[i] = bits[i / 4] >> 2 * (i % 4) & 3;
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}

/* A hidden count is outcome 0, others are sorted by borders. One that is flagged as the opposite of what it is counts as
 * the rarest. */
simdp_status audit_counts(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    double counts[AUDIT_BLOCK];
    uint8_t keep[AUDIT_BLOCK] = {0};
    size_t outcome[AUDIT_BLOCK];
    for (size_t i = 0; i < AUDIT_BLOCK; i++) counts[i] = (double)(what->people - side);
    const simdp_status status =
        (what->is_gaussian ? simdp_release_gaussian_threshold : simdp_release_laplace_threshold)(
            rng, counts, keep, counts, n, what->scale_used, what->grid, what->threshold);
    for (size_t i = 0; status == SIMDP_OK && i < n; i++) {
        const double above = (counts[i] - what->threshold) / what->width; /* exact where it is near a border */
        if (isnan(counts[i]) && !keep[i]) outcome[i] = 0;
        else outcome[i] = above < AUDIT_BORDERS - 1 && keep[i] ? (size_t)above + 1 : AUDIT_BORDERS;
    }
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}

simdp_status audit_queries(simdp_rng *rng, simdp_loss_audit *audit, const audited *what, size_t n, int side)
{
    size_t outcome[AUDIT_BLOCK];
    simdp_status status = SIMDP_OK;
    for (size_t i = 0; status == SIMDP_OK && i < n; i++) {
        uint8_t found;
        status = simdp_select_above_threshold(rng, &outcome[i], &found, what->query[side], what->queries,
                                              what->threshold, what->scale_used, what->scale_query);
        if (!found) outcome[i] = what->queries;
    }
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, outcome, n, side) : status;
}
