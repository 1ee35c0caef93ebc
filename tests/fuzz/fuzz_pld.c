/* fuzz_pld: privacy-loss distributions made of any laws, pairs and histograms. Brackets are in order, deltas lie in
 * [0, 1] and fall with epsilon, epsilons fall with delta, and an epsilon asked for at a delta has no larger delta. */
#include "fuzz.h"

#include <math.h>

#include "simdp/simdp.h"

enum { LAWS = 4, CELLS = 12, ASKED = 5 };

/* Mostly a mass function; the bytes may also say any numbers. */
static size_t masses(script *s, double *p, size_t most)
{
    const size_t n = 1 + script_below(s, most);
    const bool any = script_below(s, 8) == 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += p[i] = any ? script_double(s) : (double)script_number(s, 1) + (i == 0);
    for (size_t i = 0; !any && i < n; i++) p[i] /= sum;
    return n;
}

static simdp_status append(simdp_pld *pld, script *s)
{
    double p[CELLS], q[CELLS];
    const uint64_t times = script_below(s, 16) == 0 ? script_number(s, 2) : script_below(s, 6);
    const double x = script_below(s, 3) == 0 ? script_double(s) : 0.25 + (double)script_number(s, 1) / 16;
    const double y = script_below(s, 3) == 0 ? script_double(s) : (double)script_number(s, 1) / 256;
    switch (script_below(s, 7)) {
    case 0: return simdp_pld_add_laplace(pld, x, times);
    case 1: return simdp_pld_add_gaussian(pld, x, times);
    case 2: return simdp_pld_add_randomized_response(pld, x, y * 0x1p-10, times);
    case 3: {
        const size_t n = masses(s, p, CELLS), m = masses(s, q, n);
        for (size_t i = m; i < n; i++) q[i] = 0;
        return simdp_pld_add_pair(pld, p, q, n, times);
    }
    case 4: {
        const size_t n = masses(s, p, CELLS);
        return simdp_pld_add_histogram(pld, p, n, (int64_t)(int8_t)script_number(s, 1), y, times);
    }
    case 5: return simdp_pld_add_gaussian_sampled(pld, x, y, times);
    default: return simdp_pld_add_bounded_range(pld, x, times);
    }
}

/* An upper bound may rise by its own rounding where the curve is flat; a lower one where it is less sharp. */
static bool falls(double after, double before) { return after <= before * (1 + 1e-12); }

static void check(const simdp_pld *pld)
{
    static const double epsilons[ASKED] = {0, 0.1, 1, 5, 50}, deltas[ASKED] = {1e-12, 1e-6, 1e-3, 0.5, 1};
    double lower[ASKED], upper[ASKED], at[ASKED], back, ignored;
    if (simdp_pld_delta(pld, lower, upper, epsilons, ASKED) != SIMDP_OK) abort();
    for (int i = 0; i < ASKED; i++) {
        MUST(lower[i] >= 0 && lower[i] <= upper[i] && upper[i] <= 1, "delta(%g): %a to %a", epsilons[i], lower[i],
             upper[i]);
        if (i > 0)
            MUST(falls(upper[i], upper[i - 1]), "delta rises at %g: %a after %a", epsilons[i], upper[i], upper[i - 1]);
    }
    if (simdp_pld_epsilon(pld, lower, at, deltas, ASKED) != SIMDP_OK) abort();
    for (int i = 0; i < ASKED; i++) {
        MUST(lower[i] >= 0 && lower[i] <= at[i], "epsilon(%g): %a to %a", deltas[i], lower[i], at[i]);
        if (i > 0) MUST(falls(at[i], at[i - 1]), "epsilon rises at %g: %a after %a", deltas[i], at[i], at[i - 1]);
        if (isinf(at[i])) continue;
        if (simdp_pld_delta(pld, &ignored, &back, &at[i], 1) != SIMDP_OK) abort();
        MUST(back <= deltas[i] * (1 + 1e-12), "delta(epsilon(%g)) = %a", deltas[i], back);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const simdp_pld_rounding uppers[] = {SIMDP_PLD_UP, SIMDP_PLD_DOTS},
                                    lowers[] = {SIMDP_PLD_DOWN, SIMDP_PLD_BINS, SIMDP_PLD_NONE};
    script s = {bytes, bytes + size};
    simdp_pld *pld;
    if (simdp_pld_create(&pld, ldexp(1, -(int)script_below(&s, 6))) != SIMDP_OK) abort();
    const simdp_pld_rounding upper = uppers[script_below(&s, 2)], lower = lowers[script_below(&s, 3)];
    for (int i = 0; i < LAWS && !script_ended(&s); i++) (void)!append(pld, &s);
    if (simdp_pld_compose(pld, 1e-9, 1, upper, lower, NULL, NULL) == SIMDP_OK) check(pld);
    simdp_pld_destroy(pld);
    return 0;
}
