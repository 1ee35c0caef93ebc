/* fft_reference.c: see fft_reference.h. */
#include "reference/fft_reference.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 680, PASSES_MOST = 32 };

static void number_init(reference_number *z)
{
    mpfr_init2(z->re, BITS);
    mpfr_init2(z->im, BITS);
    mpfr_set_ui(z->re, 0, MPFR_RNDN);
    mpfr_set_ui(z->im, 0, MPFR_RNDN);
}

static void number_clear(reference_number *z) { mpfr_clears(z->re, z->im, (mpfr_ptr)NULL); }

static reference_number *numbers(size_t n)
{
    reference_number *z = malloc(n * sizeof *z);
    for (size_t i = 0; z != NULL && i < n; i++) number_init(&z[i]);
    return z;
}

/* out = a b, or a times the conjugate of b; out is neither of them */
static void multiply(reference_number *out, const reference_number *a, const reference_number *b, bool conjugate)
{
    if (conjugate) {
        mpfr_fmma(out->re, a->re, b->re, a->im, b->im, MPFR_RNDN);
        mpfr_fmms(out->im, a->im, b->re, a->re, b->im, MPFR_RNDN);
    } else {
        mpfr_fmms(out->re, a->re, b->re, a->im, b->im, MPFR_RNDN);
        mpfr_fmma(out->im, a->im, b->re, a->re, b->im, MPFR_RNDN);
    }
}

static void copy(reference_number *out, const reference_number *a)
{
    mpfr_set(out->re, a->re, MPFR_RNDN);
    mpfr_set(out->im, a->im, MPFR_RNDN);
}

fft_reference *fft_reference_create(size_t count)
{
    fft_reference *r = malloc(sizeof *r);
    if (r == NULL) return NULL;
    *r = (fft_reference){.count = count, .root = numbers(4 * count), .at = numbers(count)};
    if (r->root == NULL || r->at == NULL) abort();
    number_init(&r->product), number_init(&r->term);
    for (size_t i = 0; i < 5; i++) number_init(&r->part[i]);
    mpfr_set_ui(r->root[0].re, 1, MPFR_RNDN);
    mpfr_const_pi(r->term.re, MPFR_RNDN);
    mpfr_div_ui(r->term.re, r->term.re, 2 * count, MPFR_RNDN);
    mpfr_sin_cos(r->root[1].im, r->root[1].re, r->term.re, MPFR_RNDN);
    for (size_t m = 2; m < 4 * count; m++) multiply(&r->root[m], &r->root[m / 2], &r->root[m - m / 2], false);
    return r;
}

void fft_reference_destroy(fft_reference *r)
{
    for (size_t i = 0; i < 4 * r->count; i++) number_clear(&r->root[i]);
    for (size_t i = 0; i < r->count; i++) number_clear(&r->at[i]);
    for (size_t i = 0; i < 5; i++) number_clear(&r->part[i]);
    number_clear(&r->product), number_clear(&r->term);
    free(r->root), free(r->at), free(r);
}

/* One column: forward child c is the sum over j of part j times exp(2 pi i j angle[c] step / (4 count)); backward the
 * other way around, with conjugate factors. */
static void column(fft_reference *r, reference_number *first, size_t step, size_t radix, const size_t *angle,
                   bool backward)
{
    for (size_t j = 0; j < radix; j++) copy(&r->part[j], &first[j * step]);
    for (size_t to = 0; to < radix; to++) {
        for (size_t from = 0; from < radix; from++) {
            const size_t j = backward ? to : from, c = backward ? from : to;
            const reference_number *w = &r->root[j * (angle[c] * step % (4 * r->count)) % (4 * r->count)];
            multiply(&r->product, &r->part[from], w, backward);
            if (from == 0) copy(&first[to * step], &r->product);
            else {
                mpfr_add(first[to * step].re, first[to * step].re, r->product.re, MPFR_RNDN);
                mpfr_add(first[to * step].im, first[to * step].im, r->product.im, MPFR_RNDN);
            }
        }
    }
}

static size_t smallest_factor(size_t n)
{
    size_t factor = 2;
    while (n % factor != 0) factor++;
    return factor;
}

/* block: polynomials modulo t^block - exp(2 pi i angle / (4 count / block)) */
static void split(fft_reference *r, reference_number *data, size_t block, size_t angle, bool backward)
{
    if (block == 1) return;
    const size_t radix = smallest_factor(block), step = block / radix;
    size_t child[5];
    for (size_t c = 0; c < radix; c++) child[c] = angle + 4 * (r->count / block) * c;
    for (size_t c = 0; c < radix && backward; c++) split(r, data + c * step, step, child[c], true);
    for (size_t i = 0; i < step; i++) column(r, data + i, step, radix, child, backward);
    for (size_t c = 0; c < radix && !backward; c++) split(r, data + c * step, step, child[c], false);
}

/* The place where split leaves the value at root k, digit by digit. */
static size_t place_of(const fft_reference *r, size_t k)
{
    size_t place = 0;
    for (size_t block = r->count, count = 1; block > 1;) {
        const size_t radix = smallest_factor(block);
        place += k % (count * radix) / count * (block / radix);
        count *= radix, block /= radix;
    }
    return place;
}

static void reorder(fft_reference *r, bool backward)
{
    reference_number *sorted = malloc(r->count * sizeof *sorted);
    if (sorted == NULL) abort();
    for (size_t k = 0; k < r->count; k++) {
        const size_t place = place_of(r, k);
        sorted[backward ? place : k] = r->at[backward ? k : place];
    }
    memcpy(r->at, sorted, r->count * sizeof *sorted);
    free(sorted);
}

void fft_reference_transform(fft_reference *r, bool backward)
{
    if (backward) reorder(r, true);
    split(r, r->at, r->count, 1, backward);
    if (!backward) reorder(r, false);
}

double fft_reference_distance(fft_reference *r, size_t i, double re, double im)
{
    mpfr_sub_d(r->term.re, r->at[i].re, re, MPFR_RNDN);
    mpfr_sub_d(r->term.im, r->at[i].im, im, MPFR_RNDN);
    mpfr_hypot(r->term.re, r->term.re, r->term.im, MPFR_RNDN);
    return mpfr_get_d(r->term.re, MPFR_RNDU);
}
