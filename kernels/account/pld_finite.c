/* pld_finite.c: appending laws of single outcomes. */
#include <stdlib.h>
#include <string.h>

#include "account/pld.h"
#include "noise/fp_mode.h"

/* Room for n single outcomes; false without memory. */
static bool atoms_alloc(pld_law *law, size_t n)
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
        const double p = exp(law->log_mass[j]), l = law->loss[j];
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

static simdp_status append_atoms(simdp_pld *pld, pld_law *law, uint64_t times)
{
    if (!sort_atoms(law)) {
        simdp_pld_law_clear(law);
        return SIMDP_ENOMEMORY;
    }
    atoms_moments(law);
    law->times = times;
    return simdp_pld_append(pld, *law);
}

simdp_status simdp_pld_add_randomized_response(simdp_pld *pld, double epsilon, double leak, uint64_t times)
{
    if (pld == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(epsilon); FP_PIN(leak);
    if (!(epsilon >= 0 && epsilon <= 1e6 && leak >= 0 && leak <= 1)) return SIMDP_EPARAM;
    pld_law law;
    simdp_status status = SIMDP_ENOMEMORY;
    if (atoms_alloc(&law, leak < 1 ? 2 : 0)) {
        if (leak < 1) {
            const double other = log1p(exp(-epsilon)) - log1p(-leak);
            law.loss[0] = epsilon, law.log_mass[0] = -other;
            law.loss[1] = -epsilon, law.log_mass[1] = -epsilon - other;
        }
        law.infinite = leak;
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
    if (atoms_alloc(&law, sensitivity == 0 ? 1 : (size_t)sensitivity + 1)) {
        const double tail = -log1p(exp(-1 / scale)), point = log(tanh(0.5 / scale));
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

/* Entries in [0, 1] that add up, with more, to 1 within 1e-9. */
static bool is_law(const double *mass, size_t n, double more)
{
    double sum = more;
    for (size_t i = 0; i < n; i++) {
        if (!(mass[i] >= 0 && mass[i] <= 1)) return false;
        sum += mass[i];
    }
    return fabs(sum - 1) <= 1e-9;
}

simdp_status simdp_pld_add_pair(simdp_pld *pld, const double *p, const double *q, size_t n, uint64_t times)
{
    if (pld == NULL || (n > 0 && (p == NULL || q == NULL))) return SIMDP_ENULL;
    if (n > PLD_ENTRIES_MOST) return SIMDP_EPARAM;
    const unsigned saved = fp_mode_enter();
    bool good = is_law(p, n, 0);
    for (size_t i = 0; good && i < n; i++) good = q[i] >= 0 && q[i] <= 1;
    simdp_status status = good ? SIMDP_ENOMEMORY : SIMDP_EPARAM;
    pld_law law;
    if (good && atoms_alloc(&law, n)) {
        double infinite = 0;
        law.n = 0;
        for (size_t i = 0; i < n; i++) {
            if (p[i] > 0 && q[i] == 0) infinite += p[i];
            if (p[i] == 0 || q[i] == 0) continue;
            law.log_mass[law.n] = log(p[i]);
            law.loss[law.n++] = fabs(p[i] - q[i]) <= p[i] / 2 ? -log1p((q[i] - p[i]) / p[i]) : log(p[i]) - log(q[i]);
        }
        law.infinite = fmin(1, infinite);
        status = append_atoms(pld, &law, times);
    }
    fp_mode_leave(saved);
    return status;
}

simdp_status simdp_pld_add_histogram(simdp_pld *pld, const double *mass, size_t n, int64_t first, double infinite,
                                     uint64_t times)
{
    if (pld == NULL || (n > 0 && mass == NULL)) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(infinite);
    if (n > PLD_ENTRIES_MOST || first > (int64_t)PLD_INDEX_MAX || first < -(int64_t)PLD_INDEX_MAX ||
        !(infinite >= 0 && infinite <= 1))
        return SIMDP_EPARAM;
    simdp_status status = SIMDP_EPARAM;
    if (is_law(mass, n, infinite)) {
        while (n > 0 && mass[n - 1] == 0) n--;   /* outer zeros would only widen the law */
        for (; n > 0 && mass[0] == 0; n--) mass++, first++;
        pld_law law = {.kind = PLD_HISTOGRAM, .n = n, .first = first, .times = times, .infinite = infinite};
        double sum = 0, mean = 0, square = 0;
        for (size_t i = 0; i < n; i++)
            sum += mass[i], mean += mass[i] * (double)i, square += mass[i] * (double)i * (double)i;
        mean /= sum + 0x1p-1000;
        law.variance = fmax(0, square / (sum + 0x1p-1000) - mean * mean) * pld->grid * pld->grid;
        law.least = (double)first * pld->grid;
        law.most = n == 0 ? law.least : (double)(first + (int64_t)n - 1) * pld->grid;
        law.mass = malloc((n + 1) * sizeof *law.mass);
        if (law.mass != NULL) {
            if (n > 0) memcpy(law.mass, mass, n * sizeof *mass);
            status = simdp_pld_append(pld, law);
        } else {
            status = SIMDP_ENOMEMORY;
        }
    }
    return status;
}
