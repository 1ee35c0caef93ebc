"""The bytes that C gives, for every row of the list of closed forms: `kernel_bytes forms` prints them with the arguments of
the row, and here the same calls go through the package. A row without a call here fails. Arguments that a row has swapped,
or that the package swaps, show: the good values of a row differ."""
import os
import subprocess
import unittest

import numpy
import simdp

account, loss, theory, select = simdp.account, simdp.loss, simdp.theory, simdp.select
RESPONSE = "randomized_response"
HALF = [0.5, 0.5]


def _noise():
    calls, discrete = {}, ("discrete_laplace", "discrete_gaussian")
    for law in ("laplace", "gaussian", "gumbel", "exponential", *discrete):
        for what in ("cdf", "sf", "quantile", "log_density", *(("probability",) if law in discrete else ())):
            calls[f"{what}_{law}"] = lambda x, s, law=law, what=what: getattr(simdp.noise, what)(x, law, s)
    return calls


def _curves():
    calls = {"delta_laplace": loss.delta_laplace, "delta_gaussian": loss.delta_gaussian}
    for what in ("delta", "log_delta"):
        for law in ("laplace", "gaussian", "discrete_laplace", "discrete_gaussian"):
            name = f"{what}_of_{law}" if what == "delta" and "discrete" not in law else f"{what}_{law}"
            calls[name] = lambda e, p, k=1, law=law, what=what: getattr(loss, what)(e, law, p, sensitivity=int(k))
        calls[f"{what}_response"] = lambda e, p, what=what: getattr(loss, what)(e, RESPONSE, p)
        calls[f"{what}_leaky_response"] = lambda e, p, leak, what=what: getattr(loss, what)(e, RESPONSE, p, leak)
    for law in ("laplace", "gaussian", "discrete_laplace", "discrete_gaussian"):
        calls[f"delta_{law}_each"] = lambda e, p, k=1, law=law: loss.delta_each(e, law, p, sensitivity=int(k))
    calls["delta_leaky_response_each"] = lambda e, p, leak: loss.delta_each(e, RESPONSE, p, leak)
    for what in ("cdf", "sf", "log_cdf", "log_sf"):
        for law, end in (("laplace", "laplace"), ("gaussian", "gaussian"), (RESPONSE, "response"),
                         (RESPONSE, "leaky_response")):
            calls[f"loss_{what}_{end}"] = lambda x, p, leak=0.0, law=law, what=what: getattr(loss, what)(x, law, p, leak)
    for law, end in (("laplace", "laplace"), ("gaussian", "gaussian"), (RESPONSE, "response"), (RESPONSE, "leaky_response")):
        calls[f"loss_moments_{end}"] = lambda p, leak=0.0, law=law: loss.law_moments(law, p, leak)
        if end != "leaky_response":
            calls[f"renyi_{end}"] = lambda order, p, law=law: loss.renyi(order, law, p)
    return calls


def _quantiles(p, error):
    statistics = loss.Statistics(bins=100, low=0.0, high=10.0)
    statistics.update([0.01 * i for i in range(1, 1001)])
    return statistics.quantiles(p, error)


def _loss():
    return {
        "response_probabilities": loss.response_probabilities,
        "k_response_probabilities": lambda e, k: loss.k_response_probabilities(e, int(k)),
        "loss_unary_epsilon": loss.unary_epsilon, "loss_unary_bit_epsilon": loss.unary_bit_epsilon,
        "loss_unary_joined": loss.unary_joined, "loss_unary_report_epsilon": loss.unary_report_epsilon,
        "delta_laplace_sampled": loss.delta_laplace_sampled, "delta_gaussian_sampled": loss.delta_gaussian_sampled,
        "log_delta_laplace_sampled": loss.log_delta_laplace_sampled,
        "log_delta_gaussian_sampled": loss.log_delta_gaussian_sampled,
        "delta_finite": lambda e, p, q: loss.delta_finite(e, [p, q], HALF),
        "renyi_finite": lambda order, p, q: loss.renyi_finite(order, [p, q], HALF),
        "divergences_finite": lambda p, q: loss.divergences_finite(HALF, [p, q]),
        "loss_laplace_f64": loss.laplace, "loss_gaussian_f64": loss.gaussian,
        "laplace_centres": loss.laplace_each, "gaussian_centres": loss.gaussian_each,
        "laplace_arrays": loss.laplace_each, "gaussian_arrays": loss.gaussian_each,
        "loss_statistics_quantiles": _quantiles,
        "select_probabilities": lambda s, scale: select.probabilities(_rows(s), scale),
        "select_log_probabilities": lambda s, scale: select.log_probabilities(_rows(s), scale),
        "select_expected_score": lambda s, scale: select.expected_score(_rows(s), scale),
        "select_partition_probability":
            lambda n, e, groups: select.partition_probability(n.astype(int), e, 1e-3, int(groups)),
        "release_threshold_laplace": lambda d, s, groups: simdp.release.threshold_laplace(d, s, 2.0**-10, int(groups)),
        "release_threshold_gaussian": lambda d, s, groups: simdp.release.threshold_gaussian(d, s, 2.0**-10, int(groups)),
    }


def _rows(scores):
    return numpy.stack([scores, numpy.full(scores.shape, 0.25)], axis=1)


def _composition():
    calls = {}
    for bound in ("basic", "azuma", "azuma_approximate", "advanced", "strong", "bounded_range"):
        calls[f"compose_{bound}"] = lambda e, d, k, slack=0.0, bound=bound: account.compose(e, d, k, bound, slack)
    for what in ("delta", "log_delta", "epsilon"):
        exact, mixed = getattr(account, f"exact_{what}"), getattr(account, f"exact_heterogeneous_{what}")
        calls[f"compose_optimal_{what}"] = lambda x, p, leak, k, exact=exact: exact(x, RESPONSE, p, int(k), leak)
        calls[f"compose_laplace_{what}"] = lambda x, p, k, exact=exact: exact(x, "laplace", p, int(k))
        calls[f"compose_optimal_heterogeneous_{what}"] = lambda x, e, d, mixed=mixed: mixed(x, [(e, d), (0.3, 0.01)])
    for theorem in ("nonadaptive", "pure", "approximate"):
        calls[f"compose_typical_{theorem}"] = (
            lambda eta, tau, nu, k, slack=0.0, theorem=theorem: theory.compose(eta, tau, nu, k, theorem, slack))
    return calls | {
        "compose_strong_inverse": lambda e, _, k, slack: account.compose_inverse(e, k, slack),
        "bounded_range_mean": account.bounded_range_mean,
        "compose_heterogeneous": lambda e, d, slack: sum(
            (tuple(made) for made in account.compose_heterogeneous([(e, d), (0.3, 0.01)], slack)), ()),
        "compose_gaussian": lambda s, k: account.compose_gaussian([s, 2.0], [int(k), 3]),
        "bounds": lambda e, d, k, total: tuple(account.bounds(e, d, int(k), total).epsilon.values()),
    }


def _account():
    calls = {}
    for law in ("laplace", "gaussian", "discrete_laplace", "discrete_gaussian"):
        calls[f"delta_upper_{law}"] = lambda e, p, k=1, law=law: account.delta(e, law, p, sensitivity=int(k))
        calls[f"epsilon_{law}"] = lambda d, p, k=1, law=law: account.epsilon(d, law, p, sensitivity=int(k))
        calls[("sigma_" if "gaussian" in law else "scale_") + law] = (
            lambda e, d, k=1, law=law: account.noise(e, d, law, sensitivity=int(k)))
    for law in ("laplace", "gaussian"):
        calls[f"epsilon_{law}_each"] = lambda d, p, law=law: account.epsilon_each(d, law, p)
        calls[f"miss_{law}"] = lambda a, p, law=law: account.miss_rate(a, law, p)
        calls[f"plan_{law}"] = lambda e, d, s, law=law: account.plan(e, d, s, law)
        calls[f"guarantee_{law}"] = lambda sd, s, d, law=law: account.guarantee(sd, s, d, law)
    for name, what in (("epsilon", "epsilon"), ("epsilon_classic", "epsilon_classic"), ("delta", "delta"),
                       ("log_delta", "log_delta")):
        calls[f"renyi_{name}"] = lambda order, e, x, what=what: account.renyi_convert(order, e, x, what)
    return calls | {
        "delta_upper_randomized_response": lambda e, p, leak: account.delta(e, RESPONSE, p, leak),
        "epsilon_randomized_response": lambda d, p, leak: account.epsilon(d, RESPONSE, p, leak),
        "epsilon0_randomized_response": lambda e, d, leak: account.noise(e, d, RESPONSE, leak),
        "miss_response": lambda a, p, leak: account.miss_rate(a, RESPONSE, p, leak),
        "gdp_mu": account.gdp_mu, "tree_gaussian": lambda s, k: account.tree_gaussian(s, int(k)),
        "subset_delta": lambda e, p, rate: account.subset_delta(e, "gaussian", p, rate),
        "subset_epsilon": lambda d, p, rate: account.subset_epsilon(d, "gaussian", p, rate),
        "renyi_subset": lambda e, rate, most: account.renyi_subset([e], rate, most),
        "renyi_add": lambda e, total, k: account.renyi_add(total, e, int(k)),
        "renyi_best": lambda order, e, d: account.renyi_best([order, 3.0], [e, 1.0], d),
        "renyi_repeat": lambda order, e, eta, gamma: account.renyi_repeat([order], [e], eta, gamma),
        "renyi_compose": lambda order, p, k: account.renyi_compose(order, [account.renyi_step("laplace", p, int(k))]),
        "renyi_compose_epsilon":
            lambda d, p, k: account.renyi_compose_epsilon(d, [account.renyi_step("zcdp", p, int(k))]),
        "zcdp_epsilon": account.zcdp_epsilon, "zcdp_offset_epsilon": account.zcdp_offset_epsilon,
        "pld_delta": lambda e: _pld().delta(e), "pld_log_delta": lambda e: _pld().log_delta(e),
        "pld_epsilon": lambda d: _pld().epsilon(d),
    }


def _pld():
    pld = account.Pld(2.0**-10)
    pld.add_laplace(1.0, 2)
    pld.compose(1e-9, 1.0, "dots", "bins")
    return pld


def _theory():
    def query(parameter, b):
        return theory.concentration("subexponential", parameter, b, 1)
    return {
        "gamma": lambda p, b, alpha: theory.concentration_exponent(alpha, query(p, b)),
        "gamma_inverse": lambda p, b, nu: theory.typical_noise(query(p, b), 1.0, 0.5, nu).alpha,
        "typical_noise": lambda p, b, eta, tau, nu: theory.typical_noise(query(p, b), eta, tau, nu),
        "typical_error": theory.typical_error, "near_independence": theory.near_independence,
        "adaptive_accuracy": lambda sigma, k, *rest: theory.adaptive_accuracy(sigma, int(k), *rest),
        "hoeffding": lambda x, n, low: theory.hoeffding(x, int(n), low, 7.0),
        "hoeffding_deviation": lambda d, n, low: theory.hoeffding_deviation(d, int(n), low, 7.0),
        "hoeffding_lemma": lambda x, low, mean: theory.hoeffding_lemma(x, low, 7.0, mean),
        "azuma": lambda z, k, mean, bound: theory.azuma(z, int(k), mean, bound),
        "azuma_threshold": lambda d, k, mean, bound: theory.azuma_threshold(d, int(k), mean, bound),
        "polya": lambda red, blue, k, z: theory.polya(int(red), int(blue), int(k), z),
        "exponential_tail": lambda e, n: theory.exponential_tail(e, int(n)),
        "expected_maximum": lambda n, m: theory.expected_maximum(int(n), int(m)),
        "expected_column_maximum": lambda mean, m, eta: theory.expected_column_maximum(mean, int(m), eta),
        "laplace_map_density": lambda x, bit, e: theory.laplace_map_law(x, "density", int(bit), e),
        "laplace_map_cdf": lambda x, bit, e: theory.laplace_map_law(x, "cdf", int(bit), e),
        "laplace_map_quantile": lambda x, bit, e: theory.laplace_map_law(x, "quantile", int(bit), e),
    }


def recorded():
    """{row: (side by side, outputs, arguments, bytes)} of the C program."""
    text = subprocess.run([os.environ["KERNEL_BYTES"], "forms"], check=True, capture_output=True).stdout
    rows = {}
    while text:
        head, text = text.split(b"\n", 1)
        name, status, outputs, side_by_side, size, domains, *good = head.decode().split()
        if int(status) != 0:
            raise AssertionError(f"{name} failed in C")
        arrays = any(letter.isupper() for letter in domains)
        arguments = [numpy.full(3, float(x)) if letter.isupper() or arrays and letter in "0-" else float(x)
                     for letter, x in zip(domains, good)]
        rows[name] = (int(side_by_side), int(outputs), arguments, text[:int(size)])
        text = text[int(size):]
    return rows


def flat(made, side_by_side, outputs):
    """The bytes of a result as C lays it out: numbers of an element together, or apart."""
    if isinstance(made, tuple):
        columns = [numpy.atleast_1d(numpy.asarray(x, "d")).ravel() for x in made]
        made = numpy.concatenate(columns) if side_by_side else numpy.stack(columns, axis=1)
    return numpy.asarray(made, "d").ravel().tobytes()


class Forms(unittest.TestCase):
    def test_every_row_gives_the_bytes_of_c(self):
        calls = {**_noise(), **_curves(), **_loss(), **_composition(), **_account(), **_theory()}
        rows = recorded()
        self.assertGreater(len(rows), 150)
        self.assertEqual(sorted(set(rows) - set(calls)), [], "rows of the list that have no call here")
        self.assertEqual(sorted(set(calls) - set(rows)), [], "calls whose row is gone")
        for name, (side_by_side, outputs, arguments, wanted) in rows.items():
            with self.subTest(name):
                self.assertEqual(flat(calls[name](*arguments), side_by_side, outputs), wanted)

    def test_control(self):
        rows = recorded()
        self.assertNotEqual(rows["cdf_laplace"][3], rows["cdf_gaussian"][3])
        self.assertNotEqual(flat(loss.delta(0.5, "gaussian", 2.0), False, 1), rows["delta_gaussian"][3][:8])


if __name__ == "__main__":
    unittest.main()
