/* pld_finite.c: appending laws of single outcomes. */
#include <stdlib.h>
#include <string.h>

#include "account/pld.h"
#include "call/fp_mode.h"
#include "math/outward.h"
#include "math/plain_math.h"

bool simdp_pld_atoms_alloc(pld_law *law, size_t n)
{
    *law = (pld_law){.kind = PLD_ATOMS, .n = n};
    law->loss = malloc((n + 1) * sizeof *law->loss);
    law->log_mass = malloc((n + 1) * sizeof *law->log_mass);
    if (law->loss != NULL && law->log_mass != NULL) return true;
    simdp_pld_law_clear(law);
    return false;
}

static void atoms_moments(pld_law *law)
{
    double mass = 0, mean = 0, square = 0;
    law->least = INFINITY, law->most = -INFINITY;
    for (size_t j = 0; j < law->n; j++) {
        const double p = plain_exp(law->log_mass[j]), l = law->loss[j];
        mass += p, mean += p * l, square += p * l * l;
        law->least = fmin(law->least, l), law->most = fmax(law->most, l);
    }
    if (law->n == 0) law->least = law->most = 0;
    mean /= mass + 0x1p-1000;
    law->variance = fmax(0, square / (mass + 0x1p-1000) - mean * mean);
}

typedef struct {
    double loss, log_mass;
} atom;

static int by_falling_loss(const void *x, const void *y)
{
    const double a = ((const atom *)x)->loss, b = ((const atom *)y)->loss;
    return (a < b) - (a > b);
}

static bool sort_atoms(pld_law *law)
{
    atom *list = malloc((law->n + 1) * sizeof *list);
    if (list == NULL) return false;
    for (size_t j = 0; j < law->n; j++) list[j] = (atom){law->loss[j], law->log_mass[j]};
    qsort(list, law->n, sizeof *list, by_falling_loss);
    for (size_t j = 0; j < law->n; j++) law->loss[j] = list[j].loss, law->log_mass[j] = list[j].log_mass;
    free(list);
    return true;
}

bool simdp_pld_atoms_finish(pld_law *law)
{
    if (!sort_atoms(law)) return false;
    atoms_moments(law);
    return true;
}

static simdp_status append_atoms(simdp_pld *pld, pld_law *law, uint64_t times)
{
    if (!simdp_pld_atoms_finish(law)) {
        simdp_pld_law_clear(law);
        return SIMDP_ENOMEMORY;
    }
    law->times = times;
    return simdp_pld_append(pld, *law);
}

simdp_status simdp_pld_add_randomized_response(simdp_pld *pld, double epsilon, double leak, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(leak);
    if (!(epsilon >= 0 && epsilon <= 1e6 && leak >= 0 && leak <= 1)) return SIMDP_EPARAM;
    pld_law law;
    simdp_status status = SIMDP_ENOMEMORY;
    if (simdp_pld_atoms_alloc(&law, leak < 1 ? 2 : 0)) {
        if (leak < 1) {
            const double other = plain_log1p(plain_exp(-epsilon)) - plain_log1p(-leak);
            law.loss[0] = epsilon, law.log_mass[0] = -other;
            law.loss[1] = -epsilon, law.log_mass[1] = -epsilon - other;
        }
        law.infinite = law.infinite_up = leak;
        status = append_atoms(pld, &law, times);
    }
    return status;
}

/* Outcomes 0 and below share the loss D/t, D and above -D/t, the ones between have (D - 2x)/t. */
simdp_status simdp_pld_add_discrete_laplace(simdp_pld *pld, double scale, uint64_t sensitivity, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(scale);
    const double d = (double)sensitivity;
    if (!(scale >= 1e-6 && scale <= 1e12 && sensitivity <= PLD_SENSITIVITY_MOST && d <= 1e6 * scale))
        return SIMDP_EPARAM;
    pld_law law;
    simdp_status status = SIMDP_ENOMEMORY;
    if (simdp_pld_atoms_alloc(&law, sensitivity == 0 ? 1 : (size_t)sensitivity + 1)) {
        const double tail = -plain_log1p(plain_exp(-1 / scale)), point = plain_log(plain_tanh(0.5 / scale));
        for (size_t x = 0; x <= sensitivity; x++) {
            law.loss[x] = (d - 2 * (double)x) / scale;
            law.log_mass[x] = point - (double)x / scale;
        }
        law.log_mass[0] = sensitivity == 0 ? 0 : tail;
        if (sensitivity > 0) law.log_mass[sensitivity] = tail - d / scale;
        status = append_atoms(pld, &law, times);
    }
    return status;
}

/* A sum of numbers in [0, 1] in three doubles, each the error of the one before, so that it is exact unless entries are
 * of very different sizes; `lost` bounds what even so is not there. */
typedef struct {
    double part[3], lost;
} exact_sum;

static void exact_add(exact_sum *s, double x)
{
    for (int i = 0; i < 3 && x != 0; i++) {
        const double total = s->part[i] + x;
        x = sum_error(s->part[i], x, total);
        s->part[i] = total;
    }
    if (x != 0) s->lost = add_up(s->lost, fabs(x));
}

static double exact_up(const exact_sum *s)
{
    return add_up(s->part[0], add_up(s->part[1], add_up(s->part[2], s->lost)));
}
static double exact_down(const exact_sum *s)
{
    return fmax(0, add_down(s->part[0], add_down(s->part[1], add_down(s->part[2], -s->lost))));
}

/* If entries that add up to 1 within 1e-9 are a law: what the sum lacks may have any loss and counts as infinite in the
 * upper bound, what it has above 1 is taken off all of them in the lower one. */
static bool close_law(pld_law *law, const exact_sum *all, const exact_sum *infinite)
{
    exact_sum over = *all; /* all - 1 */
    exact_add(&over, -1);
    const double least = add_down(over.part[0], add_down(over.part[1], add_down(over.part[2], -over.lost))),
                 most = exact_up(&over);
    if (!(least >= -1e-9 && most <= 1e-9)) return false;
    law->infinite = fmin(1, exact_down(infinite));
    law->infinite_up = fmin(1, add_up(exact_up(infinite), fmax(0, -least)));
    law->log_excess = fmax(0, most); /* ln(1 + x) <= x */
    return true;
}

static bool is_entry(double mass) { return mass >= 0 && mass <= 1; }

/* ln(p / q) to 5 u: near 1 from the difference, which is exact; the quotient is rounded once unless it overflows, and
 * then the loss is large against the errors of two logarithms. */
static double loss_of(double p, double q)
{
    if (fabs(p - q) <= p / 2) return -plain_log1p((q - p) / p);
    const double ratio = p / q;
    return ratio > 0x1p-1000 && ratio < 0x1p1000 ? plain_log(ratio) : plain_log(p) - plain_log(q);
}

/* The outcomes of a pair as atoms; false if they are no law. */
static bool fill_pair(pld_law *law, const double *p, const double *q, size_t n)
{
    exact_sum all = {{0, 0, 0}, 0}, infinite = {{0, 0, 0}, 0};
    law->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_entry(p[i]) || !is_entry(q[i])) return false;
        exact_add(&all, p[i]);
        if (q[i] == 0) exact_add(&infinite, p[i]);
        if (p[i] == 0 || q[i] == 0) continue;
        law->log_mass[law->n] = plain_log(p[i]);
        law->loss[law->n++] = loss_of(p[i], q[i]);
    }
    return close_law(law, &all, &infinite);
}

simdp_status simdp_pld_add_pair(simdp_pld *pld, const double *p, const double *q, size_t n, uint64_t times)
{
    if (pld == NULL || (n > 0 && (p == NULL || q == NULL))) return SIMDP_ENULL;
    if (n > PLD_ENTRIES_MOST) return SIMDP_EPARAM;
    const unsigned saved = fp_mode_enter();
    simdp_status status = SIMDP_ENOMEMORY;
    pld_law law;
    if (simdp_pld_atoms_alloc(&law, n)) {
        status = SIMDP_EPARAM;
        if (fill_pair(&law, p, q, n)) status = append_atoms(pld, &law, times);
        else simdp_pld_law_clear(&law);
    }
    fp_mode_leave(saved);
    return status;
}

static bool close_histogram(pld_law *law, const double *mass, size_t n, double infinite)
{
    exact_sum all = {{0, 0, 0}, 0}, beyond = {{0, 0, 0}, 0};
    exact_add(&all, infinite);
    exact_add(&beyond, infinite);
    for (size_t i = 0; i < n; i++) {
        if (!is_entry(mass[i])) return false;
        exact_add(&all, mass[i]);
    }
    return close_law(law, &all, &beyond);
}

void simdp_pld_histogram_moments(pld_law *law, double grid)
{
    double sum = 0, mean = 0, square = 0;
    for (size_t i = 0; i < law->n; i++)
        sum += law->mass[i], mean += law->mass[i] * (double)i, square += law->mass[i] * (double)i * (double)i;
    mean /= sum + 0x1p-1000;
    law->variance = fmax(0, square / (sum + 0x1p-1000) - mean * mean) * grid * grid;
    law->least = (double)law->first * grid;
    law->most = law->n == 0 ? law->least : (double)(law->first + (int64_t)law->n - 1) * grid;
}

simdp_status simdp_pld_add_histogram(simdp_pld *pld, const double *mass, size_t n, int64_t first, double infinite,
                                     uint64_t times)
{
    if (pld == NULL || (n > 0 && mass == NULL)) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(infinite);
    pld_law law = {.kind = PLD_HISTOGRAM, .times = times};
    if (n > PLD_ENTRIES_MOST || first > (int64_t)PLD_INDEX_MAX || first < -(int64_t)PLD_INDEX_MAX ||
        !is_entry(infinite) || !close_histogram(&law, mass, n, infinite))
        return SIMDP_EPARAM;
    while (n > 0 && mass[n - 1] == 0) n--; /* outer zeros would only widen the law */
    for (; n > 0 && mass[0] == 0; n--) mass++, first++;
    law.n = n, law.first = first;
    law.mass = malloc((n + 1) * sizeof *law.mass);
    if (law.mass == NULL) return SIMDP_ENOMEMORY;
    if (n > 0) memcpy(law.mass, mass, n * sizeof *mass);
    simdp_pld_histogram_moments(&law, pld->grid);
    return simdp_pld_append(pld, law);
}
