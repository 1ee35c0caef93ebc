/* layout.c: structs and enumerations of the library as Python needs to know them. Python makes NumPy's types of structs
 * from the offsets here, so that nobody writes a layout down twice. */
#include "module.h"

typedef struct {
    const char *of, *member, *type;
    size_t offset, size;
} member;

/* The type of a member as NumPy writes it. Enumerations and int have 4 bytes. */
#define TYPE(T, m) \
    _Generic(((T *)0)->m, double : "f8", int64_t : "i8", uint64_t : "u8", int : "i4", unsigned : "u4",          \
             simdp_loss_estimate : "loss_estimate", simdp_law : "law", double * : "f8[]", uint64_t * : "u8[]",  \
             simdp_loss_estimate * : "loss_estimate[]")
#define MEMBER(T, m) {#T, #m, TYPE(simdp_##T, m), offsetof(simdp_##T, m), sizeof(((simdp_##T *)0)->m)},
#define WHOLE(T)     {#T, NULL, NULL, 0, sizeof(simdp_##T)},

#define M1(T, a)                   MEMBER(T, a)
#define M2(T, a, b)                MEMBER(T, a) MEMBER(T, b)
#define M3(T, a, b, c)             M2(T, a, b) MEMBER(T, c)
#define M4(T, a, b, c, d)          M3(T, a, b, c) MEMBER(T, d)
#define M5(T, a, b, c, d, e)       M4(T, a, b, c, d) MEMBER(T, e)
#define M6(T, a, b, c, d, e, f)    M5(T, a, b, c, d, e) MEMBER(T, f)
#define M7(T, a, b, c, d, e, f, g) M6(T, a, b, c, d, e, f) MEMBER(T, g)

/* A struct that stands in another comes before it. */
/* clang-format off */
static const member members[] = {
    WHOLE(id) M2(id, low, high)
    WHOLE(privacy) M2(privacy, epsilon, delta)
    WHOLE(law) M4(law, mechanism, parameter, leak, sensitivity)
    WHOLE(loss_step) M4(loss_step, mechanism, x0, x1, scale)
    WHOLE(loss_estimate) M3(loss_estimate, value, low, high)
    WHOLE(loss_summary) M7(loss_summary, finite, plus_infinite, minus_infinite, undefined, mean, variance, least)
    M2(loss_summary, most, beyond)
    WHOLE(loss_audit_row) M6(loss_audit_row, epsilon, outputs, above, tail, delta, hockey)
    M3(loss_audit_row, exact_tail, exact_delta, agrees)
    WHOLE(loss_count) M4(loss_count, count, deviation, low, high)
    WHOLE(loss_moments) M5(loss_moments, mean, variance, kl, max_divergence, total_variation)
    WHOLE(loss_divergences) M5(loss_divergences, kl, kl_reverse, max, max_reverse, total_variation)
    WHOLE(account_steps) M4(account_steps, epsilon, delta, k, slack)
    WHOLE(account_composed) M3(account_composed, epsilon, delta, delta_sharp)
    WHOLE(account_bound_table) M3(account_bound_table, epsilon, smallest, smallest_formula)
    WHOLE(account_target) M3(account_target, epsilon, delta, sensitivity)
    WHOLE(account_given) M3(account_given, standard_deviation, sensitivity, delta)
    WHOLE(account_planned) M4(account_planned, scale, standard_deviation, epsilon, delta)
    WHOLE(account_renyi_optimum) M2(account_renyi_optimum, epsilon, order)
    WHOLE(account_renyi_step) M2(account_renyi_step, law, count)
    WHOLE(account_zcdp_bound) M3(account_zcdp_bound, epsilon, epsilon_simple, order)
    WHOLE(theory_tail) M3(theory_tail, log_tail, tail, tail_two_sided)
    WHOLE(theory_azuma_bound) M3(theory_azuma_bound, threshold, log_tail, tail)
    WHOLE(theory_polya_bound) M4(theory_polya_bound, mean, standard_deviation, threshold_printed, threshold_tight)
    WHOLE(theory_exponential_tail_bound)
    M6(theory_exponential_tail_bound, x, tail, log_tail, tail_mid, tail_simple, log_hoeffding)
    WHOLE(theory_stability) M3(theory_stability, eta, tau, nu)
    WHOLE(theory_stability_steps) M5(theory_stability_steps, eta, tau, nu, k, slack)
    WHOLE(theory_stability_composed) M6(theory_stability_composed, eta, tau, nu, log_tau, tau_hat, psi)
    WHOLE(theory_concentration) M4(theory_concentration, kind, parameter, b, n)
    WHOLE(theory_exponent) M3(theory_exponent, gamma, gamma_simple, gamma_printed)
    WHOLE(theory_typical_plan) M4(theory_typical_plan, alpha, laplace_scale, gaussian_sigma, gaussian_sigma_analytic)
    WHOLE(theory_typical_errors) M3(theory_typical_errors, laplace, gaussian, gaussian_exact)
    WHOLE(theory_independence)
    M4(theory_independence, joint, joint_sharp, generalization, generalization_sharp)
    WHOLE(theory_adaptive_setup) M7(theory_adaptive_setup, sigma, k, eta, nu, slack, beta, alpha1)
    WHOLE(theory_accuracy) M5(theory_accuracy, alpha0, error, eta, log_tau, failure)
    WHOLE(theory_mechanism) M6(theory_mechanism, kind, sensitivity, scale, epsilon, delta, nu)
    WHOLE(theory_cost) M5(theory_cost, epsilon, delta, rho, zcdp_delta, nu)
};

#define CHOICE(of, name) {of, #name, SIMDP_##name}
static const struct {
    const char *of, *name;
    int value;
} choices[] = {
    CHOICE("MECHANISM_", MECHANISM_NONE), CHOICE("MECHANISM_", MECHANISM_LAPLACE),
    CHOICE("MECHANISM_", MECHANISM_GAUSSIAN), CHOICE("MECHANISM_", MECHANISM_GUMBEL),
    CHOICE("MECHANISM_", MECHANISM_EXPONENTIAL), CHOICE("MECHANISM_", MECHANISM_DISCRETE_LAPLACE),
    CHOICE("MECHANISM_", MECHANISM_DISCRETE_GAUSSIAN), CHOICE("MECHANISM_", MECHANISM_RANDOMIZED_RESPONSE),
    CHOICE("MECHANISM_", MECHANISM_LEAKY_RESPONSE), CHOICE("MECHANISM_", MECHANISM_SELECTION),
    CHOICE("MECHANISM_", MECHANISM_SELECTION_MONOTONE), CHOICE("MECHANISM_", MECHANISM_TYPICAL_LAPLACE),
    CHOICE("MECHANISM_", MECHANISM_TYPICAL_GAUSSIAN), CHOICE("MECHANISM_", MECHANISM_ZCDP),
    CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_BASIC), CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_AZUMA),
    CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_AZUMA_APPROXIMATE), CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_ADVANCED),
    CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_STRONG), CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_STRONG_SHARP),
    CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_ZCDP), CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_RENYI),
    CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_OPTIMAL), CHOICE("ACCOUNT_BOUND_", ACCOUNT_BOUND_BOUNDED_RANGE),
    CHOICE("ACCOUNT_", ACCOUNT_EPSILON), CHOICE("ACCOUNT_", ACCOUNT_EPSILON_CLASSIC),
    CHOICE("ACCOUNT_", ACCOUNT_DELTA), CHOICE("ACCOUNT_", ACCOUNT_LOG_DELTA),
    CHOICE("LOSS_", LOSS_TAILS), CHOICE("LOSS_", LOSS_DELTAS), CHOICE("LOSS_", LOSS_RENYI),
    CHOICE("LOSS_", LOSS_REMOVE), CHOICE("LOSS_", LOSS_ADD), CHOICE("LOSS_", LOSS_LARGER),
    CHOICE("PLD_", PLD_NONE), CHOICE("PLD_", PLD_UP), CHOICE("PLD_", PLD_DOWN), CHOICE("PLD_", PLD_DOTS),
    CHOICE("PLD_", PLD_BINS),
    CHOICE("THEORY_", THEORY_NONADAPTIVE), CHOICE("THEORY_", THEORY_PURE), CHOICE("THEORY_", THEORY_APPROXIMATE),
    CHOICE("THEORY_", THEORY_SENSITIVE), CHOICE("THEORY_", THEORY_SUBGAUSSIAN),
    CHOICE("THEORY_", THEORY_SUBEXPONENTIAL), CHOICE("THEORY_", THEORY_DENSITY), CHOICE("THEORY_", THEORY_CDF),
    CHOICE("THEORY_", THEORY_QUANTILE),
    CHOICE("THEORY_FILTER_", THEORY_FILTER_BASIC), CHOICE("THEORY_FILTER_", THEORY_FILTER_STRONG),
    CHOICE("THEORY_FILTER_", THEORY_FILTER_ZCDP), CHOICE("THEORY_FILTER_", THEORY_FILTER_RENYI),
    CHOICE("THEORY_FILTER_", THEORY_FILTER_TYPICAL),
    CHOICE("THEORY_STOP_", THEORY_STOP_ERROR), CHOICE("THEORY_STOP_", THEORY_STOP_ANALYST),
    CHOICE("THEORY_STOP_", THEORY_STOP_CAPACITY), CHOICE("THEORY_STOP_", THEORY_STOP_BUDGET),
};
/* clang-format on */

/* _simdp.structs: (struct, member or None, type, offset, size); _simdp.choices: (prefix, name, value). */
bool layout_add(PyObject *module)
{
    PyObject *structs = PyList_New(0), *named = PyList_New(0);
    bool good = structs != NULL && named != NULL;
    for (size_t i = 0; good && i < sizeof members / sizeof *members; i++) {
        const member *m = &members[i];
        PyObject *row = Py_BuildValue("(szznn)", m->of, m->member, m->type, (Py_ssize_t)m->offset, (Py_ssize_t)m->size);
        good = row != NULL && PyList_Append(structs, row) == 0;
        Py_XDECREF(row);
    }
    for (size_t i = 0; good && i < sizeof choices / sizeof *choices; i++) {
        PyObject *row = Py_BuildValue("(ssi)", choices[i].of, choices[i].name, choices[i].value);
        good = row != NULL && PyList_Append(named, row) == 0;
        Py_XDECREF(row);
    }
    good = good && PyModule_AddObjectRef(module, "structs", structs) == 0 &&
           PyModule_AddObjectRef(module, "choices", named) == 0;
    Py_XDECREF(structs);
    Py_XDECREF(named);
    return good;
}
