"""What several releases cost together, and the noise for a target. Bounds are rounded to the safe side. Laws and their
parameters are those of simdp.loss. Numbers give numbers, arrays give arrays."""
from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple

import numpy

from . import _simdp
from ._forms import (Numbers, Result, TYPES, choice, doubles, each, join, law as _law_of, real, record, shape_like, single, struct,
                     structs, whole)

__all__ = ["compose", "bounded_range_mean", "compose_inverse", "compose_heterogeneous", "exact_delta", "exact_log_delta",
           "exact_epsilon", "exact_heterogeneous_delta", "exact_heterogeneous_log_delta", "exact_heterogeneous_epsilon",
           "bounds", "delta", "epsilon", "epsilon_each", "noise", "miss_rate", "compose_gaussian", "gdp_mu", "tree_gaussian",
           "subset_delta", "subset_epsilon", "plan", "guarantee", "renyi_subset", "zcdp_offset_epsilon",
           "renyi_convert", "renyi_add", "renyi_best", "renyi_step", "renyi_compose", "renyi_compose_epsilon",
           "renyi_repeat", "zcdp_epsilon", "sgd_epsilon", "sgd_noise", "pld_grid", "Pld"]


class Composed(NamedTuple):
    """The transcript is (epsilon, delta)-private, and (epsilon, delta_sharp)-private."""
    epsilon: Result
    delta: Result
    delta_sharp: Result


def _of_structs(cls, kind, function, given, shape, *rest):
    made = numpy.empty(given.size, TYPES[kind])
    function(made, given, *rest)
    return record(cls, made[0] if shape == () else made.reshape(shape))


def compose(epsilon: Numbers, delta: Numbers, k: Numbers, bound: str, slack: Numbers = 0.0) -> Composed:
    """k adaptive steps, each (epsilon, delta)-private, by a bound: 'basic', 'azuma', 'azuma_approximate', 'advanced',
    'strong' or 'bounded_range'.

    >>> round(simdp.account.compose(0.1, 0.0, 100, "strong", slack=1e-6).epsilon, 3)
    5.756
    """
    steps, shape = structs("account_steps", epsilon=epsilon, delta=delta, k=k, slack=slack)
    return _of_structs(Composed, "account_composed", _simdp.account_compose, steps, shape,
                       choice("ACCOUNT_BOUND_", bound))


def bounded_range_mean(epsilon: Numbers) -> Result:
    """The largest mean loss of a step whose losses span epsilon at most.

    >>> simdp.account.bounded_range_mean(0.0)
    0.0
    """
    return each(_simdp.account_bounded_range_mean, epsilon)


def compose_inverse(epsilon: Numbers, k: Numbers, slack: Numbers = 0.0) -> Result:
    """The largest epsilon of a step such that k of them stay within `epsilon`, rounded down.

    >>> round(simdp.account.compose_inverse(1.0, 10), 6)
    0.1
    """
    steps, shape = structs("account_steps", epsilon=epsilon, delta=0.0, k=k, slack=slack)
    made = numpy.empty(steps.size)
    _simdp.account_compose_inverse(made, steps)
    return shape_like(made, shape)


def _steps(steps):
    """Pairs (epsilon, delta) as structs."""
    pairs = real(steps).reshape(-1, 2)
    return structs("privacy", epsilon=pairs[:, 0], delta=pairs[:, 1])[0]


def compose_heterogeneous(steps: Sequence[Tuple[float, float]], slack: float) -> Tuple[Composed, Composed]:
    """Steps (epsilon, delta) that differ: by the basic and by the strong bound.

    >>> basic, strong = simdp.account.compose_heterogeneous([(0.1, 0.0), (0.2, 1e-6)], slack=1e-6)
    >>> round(basic.epsilon, 6)
    0.3
    """
    basic, strong = numpy.empty(1, TYPES["account_composed"]), numpy.empty(1, TYPES["account_composed"])
    _simdp.account_compose_heterogeneous(basic, strong, _steps(steps), slack)
    return record(Composed, basic[0]), record(Composed, strong[0])


def _exact(function, x, law, parameter, leak, k):
    return each(function, x, rest=(_law_of(law, parameter, leak), k))


def exact_delta(epsilon: Numbers, law: str, parameter: float, k: int, leak: float = 0.0) -> Result:
    """The smallest total delta of k uses of 'randomized_response' (the worst case of all (parameter, leak)-private
    steps) or 'laplace', at a total epsilon.

    >>> round(simdp.account.exact_delta(0.5, "randomized_response", 0.1, k=10), 4)
    0.0099
    """
    return _exact(_simdp.account_exact_delta, epsilon, law, parameter, leak, k)


def exact_log_delta(epsilon: Numbers, law: str, parameter: float, k: int, leak: float = 0.0) -> Result:
    """Its logarithm.

    >>> simdp.account.exact_log_delta(0.0, "randomized_response", 0.1, k=10) < 0
    True
    """
    return _exact(_simdp.account_exact_log_delta, epsilon, law, parameter, leak, k)


def exact_epsilon(delta: Numbers, law: str, parameter: float, k: int, leak: float = 0.0) -> Result:
    """The smallest total epsilon at a total delta.

    >>> round(simdp.account.exact_epsilon(0.0, "laplace", 0.1, k=10), 6)
    1.0
    """
    return _exact(_simdp.account_exact_epsilon, delta, law, parameter, leak, k)


def exact_heterogeneous_delta(epsilon: Numbers, steps: Sequence[Tuple[float, float]]) -> Result:
    """The exact worst case of up to 24 steps (epsilon, delta) that differ.

    >>> round(simdp.account.exact_heterogeneous_delta(0.0, [(0.1, 0.0), (0.2, 0.0)]), 4)
    0.0997
    """
    return each(_simdp.account_exact_heterogeneous_delta, epsilon, rest=(_steps(steps),))


def exact_heterogeneous_log_delta(epsilon: Numbers, steps: Sequence[Tuple[float, float]]) -> Result:
    """Its logarithm.

    >>> simdp.account.exact_heterogeneous_log_delta(0.4, [(0.1, 0.0), (0.2, 0.0)])
    -inf
    """
    return each(_simdp.account_exact_heterogeneous_log_delta, epsilon, rest=(_steps(steps),))


def exact_heterogeneous_epsilon(delta: Numbers, steps: Sequence[Tuple[float, float]]) -> Result:
    """The smallest total epsilon at a total delta.

    >>> round(simdp.account.exact_heterogeneous_epsilon(0.0, [(0.1, 0.0), (0.2, 0.0)]), 6)
    0.3
    """
    return each(_simdp.account_exact_heterogeneous_epsilon, delta, rest=(_steps(steps),))


class Bounds(NamedTuple):
    """Total epsilon by every bound, and the names of the smallest ones."""
    epsilon: dict
    smallest: str
    smallest_formula: str


def bounds(epsilon: float, delta: float, k: int, total_delta: float) -> Bounds:
    """k (epsilon, delta)-private steps at a total delta, by every bound.

    >>> simdp.account.bounds(0.1, 0.0, 100, 1e-6).smallest
    'optimal'
    """
    table = single(_simdp.account_bounds, struct("privacy", epsilon=epsilon, delta=delta), k, total_delta,
                   kind="account_bound_table")
    names = [_simdp.account_bound_name(i) for i in range(len(table["epsilon"]))]
    return Bounds(dict(zip(names, table["epsilon"].tolist())), names[table["smallest"]],
                  names[table["smallest_formula"]])


# ---- calibration ----

def delta(epsilon: Numbers, law: str, parameter: float, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """delta(epsilon) of one mechanism, as simdp.loss.delta but rounded upward. sensitivity: of discrete laws.

    >>> simdp.account.delta(1.0, "laplace", 1.0)
    0.0
    """
    return each(_simdp.account_delta, epsilon, rest=(_law_of(law, parameter, leak, sensitivity),))


def epsilon(delta: Numbers, law: str, parameter: float, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """The smallest epsilon of one mechanism with delta(epsilon) <= delta.

    >>> round(simdp.account.epsilon(1e-5, "gaussian", 4.0), 4)
    0.9263
    """
    return each(_simdp.account_epsilon, delta, rest=(_law_of(law, parameter, leak, sensitivity),))


def epsilon_each(delta: Numbers, law: str, parameter: Numbers, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """The same with a parameter for every delta.

    >>> simdp.account.epsilon_each(0.0, "laplace", [0.5, 1.0])
    array([0.5, 1. ])
    """
    return each(_simdp.account_epsilon_each, delta, parameter, rest=(_law_of(law, 0.0, leak, sensitivity),))


def noise(epsilon: Numbers, delta: Numbers, law: str, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """The least noise for (epsilon, delta): scale or sigma over sensitivity; of randomized response the largest epsilon.

    >>> round(simdp.account.noise(1.0, 1e-5, "gaussian"), 4)
    3.7306
    """
    return each(_simdp.account_noise, epsilon, delta, rest=(_law_of(law, 0.0, leak, sensitivity),))


def miss_rate(alarm: Numbers, law: str, parameter: float, leak: float = 0.0) -> Result:
    """The least rate of misses of any test that tells two neighbouring inputs apart with this rate of false alarms,
    rounded down: the trade-off curve of 'laplace', 'gaussian' or 'randomized_response', which is the worst case of all
    (parameter, leak)-private mechanisms.

    >>> round(simdp.account.miss_rate(0.05, "gaussian", 1.0), 4)
    0.7405
    """
    return each(_simdp.account_miss_rate, alarm, rest=(_law_of(law, parameter, leak),))


def compose_gaussian(steps: Numbers, counts: Optional[Numbers] = None) -> float:
    """Gaussian mechanisms (sigma over sensitivity, used `counts` times) as one.

    >>> simdp.account.compose_gaussian([2.0], counts=[4]) <= 1.0
    True
    """
    times = None if counts is None else whole(counts).ravel()
    return single(_simdp.account_compose_gaussian, doubles(steps), times)


def gdp_mu(epsilon: Numbers, delta: Numbers) -> Result:
    """The largest mu for which every mu-GDP mechanism is (epsilon, delta)-private, rounded down.

    >>> round(simdp.account.gdp_mu(1.0, 1e-5), 4)
    0.2681
    """
    return each(_simdp.account_gdp_mu, epsilon, delta)


def tree_gaussian(noise: Numbers, steps: int) -> Result:
    """Tree aggregation of `steps` sums with Gaussian noise in every node, as one mechanism: its sigma over sensitivity.

    >>> simdp.account.tree_gaussian(4.0, steps=8)
    2.0
    """
    return each(_simdp.account_tree_gaussian, noise, rest=(steps,))


def subset_delta(epsilon: Numbers, law: str, parameter: float, rate: float, leak: float = 0.0) -> Result:
    """delta of a mechanism on a random subset of a fixed size, a part `rate` of all records, of which one is replaced.

    >>> simdp.account.subset_delta(0.5, "gaussian", 1.0, rate=0.1) < simdp.account.delta(0.5, "gaussian", 1.0)
    True
    """
    return each(_simdp.account_subset_delta, epsilon, rest=(_law_of(law, parameter, leak), rate))


def subset_epsilon(delta: Numbers, law: str, parameter: float, rate: float, leak: float = 0.0) -> Result:
    """The smallest epsilon of the same.

    >>> simdp.account.subset_epsilon(1e-5, "gaussian", 1.0, rate=0.1) < simdp.account.epsilon(1e-5, "gaussian", 1.0)
    True
    """
    return each(_simdp.account_subset_epsilon, delta, rest=(_law_of(law, parameter, leak), rate))


class Planned(NamedTuple):
    """Noise in units of the answer, and what it keeps."""
    scale: Result
    standard_deviation: Result
    epsilon: Result
    delta: Result


def plan(epsilon: Numbers, delta: Numbers, sensitivity: Numbers, mechanism: str) -> Planned:
    """'laplace' or 'gaussian' noise for a target.

    >>> simdp.account.plan(0.5, 0.0, 1.0, "laplace").scale
    2.0
    """
    target, shape = structs("account_target", epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    return _of_structs(Planned, "account_planned", _simdp.account_plan, target, shape, choice("MECHANISM_", mechanism))


def guarantee(standard_deviation: Numbers, sensitivity: Numbers, delta: Numbers, mechanism: str) -> Planned:
    """What 'laplace' or 'gaussian' noise of a standard deviation keeps at delta.

    >>> round(simdp.account.guarantee(4.0, 1.0, 1e-5, "gaussian").epsilon, 4)
    0.9263
    """
    given, shape = structs("account_given", standard_deviation=standard_deviation, sensitivity=sensitivity, delta=delta)
    return _of_structs(Planned, "account_planned", _simdp.account_guarantee, given, shape,
                       choice("MECHANISM_", mechanism))


# ---- Renyi and zero-concentrated privacy ----

def renyi_convert(order: Numbers, divergence: Numbers, x: Numbers, what: str) -> Result:
    """From (order, divergence)-RDP: 'epsilon' or 'epsilon_classic' at the delta x, 'delta' or 'log_delta' at the epsilon
    x.

    >>> round(simdp.account.renyi_convert(10.0, 0.5, 1e-5, "epsilon"), 4)
    1.418
    """
    return each(_simdp.account_renyi_convert, order, divergence, x, rest=(choice("ACCOUNT_", what),))


def renyi_add(total: Numbers, divergence: Numbers, count: int = 1) -> Result:
    """total + count divergence, rounded up: curves over the same orders add up.

    >>> simdp.account.renyi_add([1.0, 2.0], [0.5, 0.5], count=2)
    array([2., 3.])
    """
    sums, more = numpy.broadcast_arrays(real(total), real(divergence))
    made = numpy.array(sums).ravel()
    _simdp.account_renyi_add(made, doubles(more), count)
    return shape_like(made, sums.shape)


class Optimum(NamedTuple):
    """The smallest epsilon, and the order that gives it."""
    epsilon: Result
    order: Result


def renyi_best(order: Numbers, divergence: Numbers, delta: float) -> Optimum:
    """The smallest epsilon over the given orders.

    >>> simdp.account.renyi_best([2.0, 10.0], [0.1, 0.5], 1e-5).order
    10.0
    """
    return record(Optimum, single(_simdp.account_renyi_best, doubles(order), doubles(divergence), delta,
                                  kind="account_renyi_optimum"))


def renyi_step(law: str, parameter: float, count: int = 1) -> numpy.ndarray:
    """`count` uses of 'laplace', 'gaussian', 'randomized_response' or 'zcdp' (parameter: rho).

    >>> steps = [simdp.account.renyi_step("gaussian", 4.0, count=10), simdp.account.renyi_step("laplace", 0.1)]
    >>> simdp.account.renyi_compose_epsilon(1e-5, steps).epsilon < 4
    True
    """
    return struct("account_renyi_step", law=_law_of(law, parameter), count=count)


def renyi_compose(order: Numbers, steps: Sequence[numpy.ndarray]) -> Result:
    """The summed Renyi curve of steps.

    >>> round(simdp.account.renyi_compose(2.0, [simdp.account.renyi_step("zcdp", 0.5)]), 6)
    1.0
    """
    return each(_simdp.account_renyi_compose, order, rest=(join("account_renyi_step", steps),))


def renyi_compose_epsilon(delta: Numbers, steps: Sequence[numpy.ndarray]) -> Optimum:
    """Their epsilon at delta, at the best order.

    >>> simdp.account.renyi_compose_epsilon(1e-5, [simdp.account.renyi_step("zcdp", 0.0)]).epsilon
    0.0
    """
    return record(Optimum, each(_simdp.account_renyi_compose_epsilon, delta, rest=(join("account_renyi_step", steps),),
                                kind="account_renyi_optimum"))


def renyi_repeat(order: Numbers, divergence: Numbers, eta: float, gamma: float) -> Result:
    """The Renyi curve of running a mechanism a random number of times and publishing the best outcome alone, at the same
    orders. eta = 1: a geometric number of runs, 1 / gamma in the mean; eta = 0: a logarithmic one.

    >>> once = numpy.array([0.5, 1.0, 2.0])
    >>> bool((simdp.account.renyi_repeat([2.0, 4.0, 8.0], once, eta=1.0, gamma=0.1) > once).all())
    True
    """
    return each(_simdp.account_renyi_repeat, order, divergence, rest=(eta, gamma))


def renyi_subset(divergence: Numbers, rate: float, most: float = float("inf")) -> Result:
    """The Renyi curve at orders 2, 3, ... of a mechanism with these divergences on a random subset of a fixed size, a part
    `rate` of all records. most: its max divergence.

    >>> once = numpy.array([1.0, 1.5, 2.0])
    >>> bool((simdp.account.renyi_subset(once, rate=0.01) < once / 10).all())
    True
    """
    return each(_simdp.account_renyi_subset, divergence, rest=(rate, most))


class Zcdp(NamedTuple):
    """Epsilon at the best order, the simple bound, and that order."""
    epsilon: Result
    epsilon_simple: Result
    order: Result


def zcdp_epsilon(rho: Numbers, delta: Numbers) -> Zcdp:
    """(epsilon, delta) of rho-zCDP.

    >>> bound = simdp.account.zcdp_epsilon(0.5, 1e-5)
    >>> bound.epsilon < bound.epsilon_simple
    True
    """
    return record(Zcdp, each(_simdp.account_zcdp_epsilon, rho, delta, kind="account_zcdp_bound"))


def zcdp_offset_epsilon(xi: Numbers, rho: Numbers, delta: Numbers) -> Zcdp:
    """(epsilon, delta) of (xi, rho)-zCDP, whose divergence of order alpha is at most xi + rho alpha.

    >>> simdp.account.zcdp_offset_epsilon(0.5, 0.5, 1e-5).epsilon > simdp.account.zcdp_epsilon(0.5, 1e-5).epsilon
    True
    """
    return record(Zcdp, each(_simdp.account_zcdp_offset_epsilon, xi, rho, delta, kind="account_zcdp_bound"))


# ---- DP-SGD ----

def sgd_epsilon(noise: float, rate: float, steps: int, delta: float, error: float = 1e-2,
                progress: Optional[Callable[[float], Any]] = None) -> Tuple[float, float]:
    """(lower, upper) bounds of epsilon of gradient descent: Gaussian noise of `noise` times the clipping norm, each record
    in a batch with probability `rate`.

    >>> lower, upper = simdp.account.sgd_epsilon(1.0, 0.01, 100, 1e-5, error=0.1)
    >>> 0 < lower <= upper < 2
    True
    """
    return _simdp.account_sgd_epsilon(noise, rate, steps, delta, error, progress)


def sgd_noise(epsilon: float, delta: float, rate: float, steps: int, error: float = 1e-2,
              progress: Optional[Callable[[float], Any]] = None) -> float:
    """The noise over the clipping norm that keeps (epsilon, delta).

    >>> 0.3 < simdp.account.sgd_noise(2.0, 1e-5, 0.01, 100, error=0.1) < 3
    True
    """
    return _simdp.account_sgd_noise(epsilon, delta, rate, steps, error, progress)


# ---- privacy-loss distributions ----

def pld_grid(most: float, loss: float) -> float:
    """The largest grid at or below `most` of which `loss` is a multiple.

    >>> simdp.account.pld_grid(0.03, 0.05)
    0.025
    """
    return single(_simdp.pld_grid, most, loss)


class Pld:
    """What a sequence of mechanisms costs, from the law of its privacy loss: bounds from both sides. `grid` in nats.

    >>> pld = simdp.account.Pld(simdp.account.pld_grid(1e-3, 0.05))
    >>> pld.add_laplace(0.05, times=120)
    >>> pld.add_gaussian(20.0, times=50)
    >>> pld.compose(1e-7, 1e-5)
    >>> lower, upper = pld.epsilon(1e-6)
    >>> 0 < lower <= upper < 1.01 * lower
    True
    """

    def __init__(self, grid: float):
        self._memory: Any = _simdp.Memory("simdp_pld")
        _simdp.pld_create(self._memory, grid)

    def add_laplace(self, t: float, times: int = 1) -> None:
        """t: sensitivity / scale."""
        _simdp.pld_add_laplace(self._memory, t, times)

    def add_gaussian(self, s: float, times: int = 1) -> None:
        """s: sigma / sensitivity."""
        _simdp.pld_add_gaussian(self._memory, s, times)

    def add_gaussian_sampled(self, s: float, q: float, times: int = 1) -> None:
        """Behind Poisson sampling with probability q."""
        _simdp.pld_add_gaussian_sampled(self._memory, s, q, times)

    def add_laplace_sampled(self, t: float, q: float, times: int = 1) -> None:
        """Behind Poisson sampling with probability q."""
        _simdp.pld_add_laplace_sampled(self._memory, t, q, times)

    def add_gaussian_mixture(self, sensitivity: Numbers, probability: Numbers, sigma: float, times: int = 1) -> None:
        """Gaussian noise on an answer that one record changes by sensitivity[i] with probability[i]."""
        _simdp.pld_add_gaussian_mixture(self._memory, doubles(sensitivity), doubles(probability), sigma, times)

    def add_bounded_range(self, epsilon: float, times: int = 1) -> None:
        """Steps whose losses span epsilon at most, such as exponential mechanisms."""
        _simdp.pld_add_bounded_range(self._memory, epsilon, times)

    def add_randomized_response(self, epsilon: float, leak: float = 0.0, times: int = 1) -> None:
        """The worst case of (epsilon, leak)-private steps."""
        _simdp.pld_add_randomized_response(self._memory, epsilon, leak, times)

    def add_discrete_laplace(self, scale: float, sensitivity: int = 1, times: int = 1) -> None:
        """On the integers."""
        _simdp.pld_add_discrete_laplace(self._memory, scale, sensitivity, times)

    def add_discrete_gaussian(self, sigma: float, sensitivity: int = 1, times: int = 1) -> None:
        """On the integers."""
        _simdp.pld_add_discrete_gaussian(self._memory, sigma, sensitivity, times)

    def add_pair(self, p: Numbers, q: Numbers, times: int = 1) -> None:
        """Any two laws on finitely many outputs."""
        _simdp.pld_add_pair(self._memory, doubles(p), doubles(q), times)

    def add_histogram(self, mass: Numbers, first: int, infinite: float = 0.0, times: int = 1) -> None:
        """mass[i] at the loss (first + i) grid, and `infinite` at an infinite loss."""
        _simdp.pld_add_histogram(self._memory, doubles(mass), first, infinite, times)

    def masses(self, n: int, first: int, mechanism: int = 0, rounding: str = "dots") -> numpy.ndarray:
        """The masses of one step, rounded 'up', 'down', to 'dots' or 'bins'."""
        made = numpy.empty(n)
        _simdp.pld_masses(self._memory, made, first, mechanism, choice("PLD_", rounding))
        return made

    def compose(self, delta_least: float, delta_most: float, upper: str = "dots", lower: str = "bins",
                progress: Optional[Callable[[float], Any]] = None) -> None:
        """Composes what was added; sharp where delta lies in the range. progress(done) is called now and then with the
        part that is done; a true answer stops, which is a RuntimeError."""
        _simdp.pld_compose(self._memory, delta_least, delta_most, choice("PLD_", upper), choice("PLD_", lower), progress)

    def composed_masses(self, n: int, first: int) -> numpy.ndarray:
        """What is composed as a law of one step: n - 1 masses at losses (first + i) grid, the last at an infinite loss."""
        made = numpy.empty(n)
        _simdp.pld_composed_masses(self._memory, made, first)
        return made

    @property
    def points(self) -> int:
        """Grid points of the composition; 0 if nothing is composed."""
        made = numpy.empty(1, "Q")
        _simdp.pld_points(made, self._memory)
        return int(made[0])

    def _bounds(self, function, x):
        return each(lambda *arrays: function(self._memory, *arrays), x, outputs=2)

    def delta(self, epsilon: Numbers) -> Tuple[Result, Result]:
        """(lower, upper) bounds of delta."""
        return self._bounds(_simdp.pld_delta, epsilon)

    def log_delta(self, epsilon: Numbers) -> Tuple[Result, Result]:
        """(lower, upper) bounds of its logarithm."""
        return self._bounds(_simdp.pld_log_delta, epsilon)

    def epsilon(self, delta: Numbers) -> Tuple[Result, Result]:
        """(lower, upper) bounds of the smallest epsilon."""
        return self._bounds(_simdp.pld_epsilon, delta)
