"""The theorems and systems behind the library: concentration, typical stability, responses, simulation maps, filters and
adaptive interactions. The C header simdp_theory.h states each of them, with its source."""
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy

from . import _simdp
from ._forms import Numbers, Result, TYPES, choice, doubles, each, name_of, real, record, shape_like, single, struct, structs, truths
from ._simdp import Rng

__all__ = ["hoeffding", "hoeffding_deviation", "hoeffding_lemma", "azuma", "azuma_threshold", "polya", "exponential_tail",
           "expected_maximum", "expected_column_maximum", "compose", "concentration", "concentration_exponent",
           "typical_noise", "typical_error", "release_laplace", "release_gaussian", "near_independence",
           "adaptive_accuracy", "leaky_response", "name_and_shame", "laplace_map_law", "laplace_map", "discrete_map",
           "discrete_map_draw", "mechanism", "mechanism_cost", "Filter", "Request", "interact", "transcript_map",
           "polya_urn", "select_column"]


# ---- concentration ----

class Tail(NamedTuple):
    """A bound on a tail."""
    log_tail: float
    tail: float
    tail_two_sided: float


def hoeffding(deviation: float, n: int, low: float, high: float) -> Tail:
    """P[S - E S >= deviation] of n independent terms in [low, high].

    >>> simdp.theory.hoeffding(0.0, 10, 0.0, 1.0).tail
    1.0
    """
    return record(Tail, single(_simdp.theory_hoeffding, deviation, n, low, high, kind="theory_tail"))


def hoeffding_deviation(delta: float, n: int, low: float, high: float) -> Tuple[float, float]:
    """The deviations at which the one-sided, and the two-sided, bound is delta.

    >>> simdp.theory.hoeffding_deviation(1.0, 10, 0.0, 1.0)[0]
    0.0
    """
    one, two = numpy.empty(1), numpy.empty(1)
    _simdp.theory_hoeffding_deviation(one, two, delta, n, low, high)
    return one.item(), two.item()


def hoeffding_lemma(lambda_: float, low: float, high: float, mean: float) -> float:
    """A bound on ln E e^(lambda X), X in [low, high].

    >>> simdp.theory.hoeffding_lemma(0.0, -1.0, 1.0, 0.0)
    0.0
    """
    return single(_simdp.theory_hoeffding_lemma, lambda_, low, high, mean)


class AzumaBound(NamedTuple):
    """A threshold and the probability to pass it."""
    threshold: float
    log_tail: float
    tail: float


def azuma(z: float, k: int, mean: float, bound: float) -> AzumaBound:
    """k increments of size at most bound, conditional means at most mean.

    >>> simdp.theory.azuma(0.0, 4, 0.5, 1.0).threshold
    2.0
    """
    return record(AzumaBound, single(_simdp.theory_azuma, z, k, mean, bound, kind="theory_azuma_bound"))


def azuma_threshold(delta: float, k: int, mean: float, bound: float) -> float:
    """The threshold at which the tail is delta.

    >>> simdp.theory.azuma_threshold(1.0, 4, 0.5, 1.0)
    2.0
    """
    return single(_simdp.theory_azuma_threshold, delta, k, mean, bound)


class PolyaBound(NamedTuple):
    """Red draws of Polya's urn."""
    mean: float
    standard_deviation: float
    threshold_printed: float
    threshold_tight: float


def polya(red: int, blue: int, k: int, z: float) -> PolyaBound:
    """k draws of an urn with red and blue balls, each returned with one more of its colour.

    >>> simdp.theory.polya(1, 1, 10, 1.0).mean
    5.0
    """
    return record(PolyaBound, single(_simdp.theory_polya, red, blue, k, z, kind="theory_polya_bound"))


class ExponentialTail(NamedTuple):
    """Concentration from the exponential mechanism."""
    x: float
    tail: float
    log_tail: float
    tail_mid: float
    tail_simple: float
    log_hoeffding: float


def exponential_tail(epsilon: float, n: int) -> ExponentialTail:
    """P[Y >= epsilon n] of the centred sum of n independent terms in [0, 1].

    >>> simdp.theory.exponential_tail(0.0, 100).tail
    1.0
    """
    return record(ExponentialTail, single(_simdp.theory_exponential_tail, epsilon, n,
                                          kind="theory_exponential_tail_bound"))


def expected_maximum(n: int, m: int) -> float:
    """A bound on E max(0, Y^1 .. Y^m).

    >>> simdp.theory.expected_maximum(0, 5)
    0.0
    """
    return single(_simdp.theory_expected_maximum, n, m)


def expected_column_maximum(mean: float, m: int, eta: float) -> float:
    """A bound on the expected maximum of m column sums.

    >>> simdp.theory.expected_column_maximum(2.0, 1, 0.0) >= 2.0
    True
    """
    return single(_simdp.theory_expected_column_maximum, mean, m, eta)


# ---- typical stability ----

class Stability(NamedTuple):
    """Of a composition; tau, nu at most 1: no guarantee."""
    eta: Result
    tau: Result
    nu: Result
    log_tau: Result
    tau_hat: Result
    psi: Result


def compose(eta: Numbers, tau: Numbers, nu: Numbers, k: Numbers, theorem: str, slack: Numbers = 0.0) -> Stability:
    """k steps of (eta, tau, nu)-typically stable algorithms, by 'nonadaptive', 'pure' or 'approximate'.

    >>> simdp.theory.compose(0.5, 0.0, 0.0, 2, "nonadaptive").eta
    1.0
    """
    steps, shape = structs("theory_stability_steps", eta=eta, tau=tau, nu=nu, k=k, slack=slack)
    made = numpy.empty(steps.size, TYPES["theory_stability_composed"])
    _simdp.theory_compose(made, steps, choice("THEORY_", theorem))
    return record(Stability, made[0] if shape == () else made.reshape(shape))


def concentration(kind: str, parameter: float, b: float = 1.0, n: int = 1) -> numpy.ndarray:
    """How a query concentrates: 'sensitive' (on n records), 'subgaussian', or 'subexponential' (with b).

    >>> query = simdp.theory.concentration("subgaussian", 1.0)
    >>> simdp.theory.concentration_exponent(0.0, query).gamma
    0.0
    """
    return struct("theory_concentration", kind=choice("THEORY_", kind), parameter=parameter, b=b, n=n)


def _stability(eta, tau, nu):
    return struct("theory_stability", eta=eta, tau=tau, nu=nu)


class Exponent(NamedTuple):
    """Exponents of concentration."""
    gamma: float
    gamma_simple: float
    gamma_printed: float


def concentration_exponent(alpha: float, query: numpy.ndarray) -> Exponent:
    """P[|q - E q| > alpha] <= e^-gamma.

    >>> simdp.theory.concentration_exponent(4.0, simdp.theory.concentration("subgaussian", 1.0)).gamma > 7
    True
    """
    return record(Exponent, single(_simdp.theory_concentration_exponent, alpha, query, kind="theory_exponent"))


class TypicalPlan(NamedTuple):
    """Noise of the typically stable mechanisms."""
    alpha: float
    laplace_scale: float
    gaussian_sigma: float
    gaussian_sigma_analytic: float


def typical_noise(query: numpy.ndarray, eta: float, tau: float, nu: float) -> TypicalPlan:
    """Noise for a query and a target.

    >>> query = simdp.theory.concentration("subgaussian", 1.0)
    >>> plan = simdp.theory.typical_noise(query, eta=0.5, tau=0.01, nu=0.01)
    >>> plan.laplace_scale >= plan.alpha / 0.5
    True
    """
    return record(TypicalPlan, single(_simdp.theory_typical_noise, query, _stability(eta, tau, nu),
                                      kind="theory_typical_plan"))


class TypicalErrors(NamedTuple):
    """Noise that is exceeded with probability beta at most."""
    laplace: float
    gaussian: float
    gaussian_exact: float


def typical_error(alpha: float, eta: float, tau: float, beta: float) -> TypicalErrors:
    """Of the typically stable mechanisms.

    >>> errors = simdp.theory.typical_error(1.0, 0.5, 0.01, 0.05)
    >>> errors.gaussian_exact < errors.gaussian
    True
    """
    return record(TypicalErrors, single(_simdp.theory_typical_error, alpha, _stability(eta, tau, 0.0), beta,
                                        kind="theory_typical_errors"))


def _release(function, answers, query, eta, tau, nu, rng):
    array = real(answers)
    made = numpy.empty(array.size)
    function(rng, made, doubles(array), query, _stability(eta, tau, nu))
    return shape_like(made, array.shape)


def release_laplace(answers: Numbers, query: numpy.ndarray, *, eta: float, nu: float, rng: Optional[Rng] = None) -> Result:
    """(eta, 0, nu)-typically stable releases.

    >>> query = simdp.theory.concentration("subgaussian", 1.0)
    >>> simdp.theory.release_laplace([1.0, 2.0], query, eta=0.5, nu=0.01).shape
    (2,)
    """
    return _release(_simdp.theory_release_laplace, answers, query, eta, 0.0, nu, rng)


def release_gaussian(answers: Numbers, query: numpy.ndarray, *, eta: float, tau: float, nu: float,
                     rng: Optional[Rng] = None) -> Result:
    """(eta, tau, nu)-typically stable releases.

    >>> query = simdp.theory.concentration("subgaussian", 1.0)
    >>> type(simdp.theory.release_gaussian(1.0, query, eta=0.5, tau=0.01, nu=0.01))
    <class 'float'>
    """
    return _release(_simdp.theory_release_gaussian, answers, query, eta, tau, nu, rng)


class Independence(NamedTuple):
    """Probabilities under near independence, and of a query that does not generalise."""
    joint: float
    joint_sharp: float
    generalization: float
    generalization_sharp: float


def near_independence(eta: float, tau: float, nu: float, p: float) -> Independence:
    """Of an event with probability p under independence.

    >>> simdp.theory.near_independence(0.0, 0.0, 0.0, 0.25).joint
    0.25
    """
    return record(Independence, single(_simdp.theory_near_independence, _stability(eta, tau, nu), p,
                                       kind="theory_independence"))


class Accuracy(NamedTuple):
    """All answers are within `error` but with probability `failure`."""
    alpha0: float
    error: float
    eta: float
    log_tau: float
    failure: float


def adaptive_accuracy(sigma: float, k: int, eta: float, nu: float, slack: float, beta: float, alpha1: float) -> Accuracy:
    """k adaptively chosen queries answered by the typically stable Laplace mechanism.

    >>> simdp.theory.adaptive_accuracy(1.0, 5, 0.1, 1e-30, 1e-30, 0.01, 30.0).failure < 1
    True
    """
    setup = struct("theory_adaptive_setup", sigma=sigma, k=k, eta=eta, nu=nu, slack=slack, beta=beta, alpha1=alpha1)
    return record(Accuracy, single(_simdp.theory_adaptive_accuracy, setup, kind="theory_accuracy"))


# ---- responses and simulation maps ----

def leaky_response(who: Numbers, epsilon: float, delta: float, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """The worst case of all (epsilon, delta)-private mechanisms: symbols 0 and 1, and 2 and 3 that name the speaker.

    >>> simdp.theory.leaky_response([0, 1], epsilon=1.0, delta=1.0)
    array([2, 3], dtype=uint8)
    """
    speakers = truths(who)
    made = numpy.empty(speakers.size, "B")
    _simdp.theory_leaky_response(rng, made, speakers, epsilon, delta)
    return made.reshape(numpy.shape(who))


def name_and_shame(n: int, delta: float, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """Which of n records are published in the clear, each with probability delta.

    >>> simdp.theory.name_and_shame(3, 0.0)
    array([0, 0, 0], dtype=uint8)
    """
    made = numpy.empty(n, "B")
    _simdp.theory_name_and_shame(rng, made, delta)
    return made


def laplace_map_law(x: Numbers, form: str, bit: int, epsilon: float) -> Result:
    """'density', 'cdf' or 'quantile' of the map from randomized response to Laplace noise.

    >>> simdp.theory.laplace_map_law(float("inf"), "cdf", 0, 1.0)
    1.0
    """
    return each(_simdp.theory_laplace_map_law, x, rest=(choice("THEORY_", form), bit, epsilon))


def laplace_map(bits: Numbers, x0: float, x1: float, scale: float, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """The map itself: answers of randomized response become Laplace noise around x0 or x1.

    >>> simdp.theory.laplace_map([0, 1, 1], 0.0, 1.0, 1.0).shape
    (3,)
    """
    given = truths(bits)
    made = numpy.empty(given.size)
    _simdp.theory_laplace_map(rng, made, given, x0, x1, scale)
    return made.reshape(numpy.shape(bits))


def discrete_map(p: Numbers, q: Numbers, epsilon: float, delta: float) -> numpy.ndarray:
    """Four rows of probabilities that turn symbols of leaky randomized response into draws from p or q.

    >>> simdp.theory.discrete_map([0.5, 0.5], [0.5, 0.5], 1.0, 0.0).shape
    (4, 2)
    """
    first = doubles(p)
    made = numpy.empty((4, first.size))
    _simdp.theory_discrete_map(made, first, doubles(q), epsilon, delta)
    return made


def discrete_map_draw(symbols: Numbers, map: numpy.ndarray, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """A draw from the row of the map that each symbol names.

    >>> simdp.theory.discrete_map_draw([0, 1], numpy.eye(4)[:, :3] + [[0], [0], [0], [1/3]]).shape
    (2,)
    """
    given = truths(symbols)
    made = numpy.empty(given.size, "Q")
    _simdp.theory_discrete_map_draw(rng, made, given, numpy.ascontiguousarray(real(map)))
    return made.view("int64").reshape(numpy.shape(symbols))


# ---- mechanisms, filters, interactions ----

def mechanism(kind: str, *, sensitivity: float = 0.0, scale: float = 0.0, epsilon: float = 0.0, delta: float = 0.0,
              nu: float = 0.0) -> numpy.ndarray:
    """One question's mechanism: 'laplace', 'gaussian', 'selection', 'selection_monotone', 'randomized_response',
    'leaky_response', 'typical_laplace' or 'typical_gaussian'.

    >>> simdp.theory.mechanism_cost(simdp.theory.mechanism("laplace", sensitivity=1, scale=2)).epsilon
    0.5
    """
    return struct("theory_mechanism", kind=choice("MECHANISM_", kind), sensitivity=sensitivity, scale=scale,
                  epsilon=epsilon, delta=delta, nu=nu)


class Cost(NamedTuple):
    """Of one use of a mechanism."""
    epsilon: float
    delta: float
    rho: float
    zcdp_delta: float
    nu: float


def mechanism_cost(mechanism: numpy.ndarray) -> Cost:
    """What one use costs.

    >>> response = simdp.theory.mechanism("randomized_response", epsilon=1.0)
    >>> simdp.theory.mechanism_cost(response).delta
    0.0
    """
    return record(Cost, single(_simdp.theory_mechanism_cost, mechanism, kind="theory_cost"))


class Filter:
    """A budget for mechanisms chosen as one goes: 'basic', 'strong', 'zcdp', 'renyi' (with orders) or 'typical'.

    >>> budget = simdp.theory.Filter("basic", epsilon=1.0)
    >>> half = simdp.theory.mechanism("laplace", sensitivity=1, scale=2)
    >>> [budget.admit(half) for _ in range(3)]
    [True, True, False]
    >>> budget.spent()
    (1.0, 0.0)
    """

    def __init__(self, kind: str, *, epsilon: float, delta: float = 0.0, slack: float = 0.0, nu: float = 0.0,
                 limit: int = 0, orders: Optional[Numbers] = None):
        self._memory: Any = _simdp.Memory("simdp_theory_filter")
        given = None if orders is None else doubles(orders)
        spent = None if given is None else numpy.zeros(given.size)
        _simdp.theory_filter_open(self._memory, choice("THEORY_FILTER_", kind), epsilon, delta, slack, nu, limit, given,
                                  spent)

    def admit(self, mechanism: numpy.ndarray) -> bool:
        """Charges a mechanism and says True, or says False and charges nothing."""
        made = numpy.zeros(1, "q")
        _simdp.theory_filter_admit(self._memory, made, mechanism)
        return bool(made[0])

    def spent(self) -> Tuple[float, float]:
        """(epsilon, delta) up to now."""
        epsilon, delta = numpy.empty(1), numpy.empty(1)
        _simdp.theory_filter_spent(self._memory, epsilon, delta)
        return epsilon.item(), delta.item()


class Request(NamedTuple):
    """What an analyst asks next: a mechanism, a query (of the data; gives a number, or the candidates' scores), and a tag
    that is kept in the transcript."""
    mechanism: numpy.ndarray
    query: Callable[[Any], Any]
    candidates: int = 0
    tag: int = 0


class Step(NamedTuple):
    """What is public after a step: output is the noisy answer, the chosen index, the bit, or the symbol."""
    mechanism: str
    tag: int
    output: float


class Interaction(NamedTuple):
    """A transcript. losses and loss are secrets about the data, NaN without a neighbour."""
    stop: str
    steps: List[Step]
    losses: List[float]
    loss: float


def _steps(rows):
    return [Step(name_of("MECHANISM_", kind), tag, output) for kind, tag, output in rows]


def _asked(analyst):
    def ask(rows):
        request = analyst(_steps(rows))
        if request is None:
            return None
        m = request.mechanism[0]
        return (int(m["kind"]), m["sensitivity"].item(), m["scale"].item(), m["epsilon"].item(), m["delta"].item(),
                m["nu"].item(), request.query, request.candidates, request.tag)
    return ask


def _interaction(made):
    stop, rows, losses, loss = made
    return Interaction(name_of("THEORY_STOP_", stop), _steps(rows), losses, loss)


def interact(analyst: Callable[[List[Step]], Optional[Request]], data: Any, *, neighbour: Any = None,
             filter: Optional[Filter] = None, capacity: int = 1000, candidates: int = 0,
             rng: Optional[Rng] = None) -> Interaction:
    """Until something stops it, the analyst reads the transcript and picks a mechanism and a query, the filter admits it,
    it runs on data, and its output joins the transcript. candidates: the most of a selection.

    >>> def analyst(steps):
    ...     if len(steps) < 5:
    ...         half = simdp.theory.mechanism("laplace", sensitivity=1, scale=2)
    ...         return simdp.theory.Request(half, lambda data: sum(data))
    >>> run = simdp.theory.interact(analyst, [1, 0, 1], filter=simdp.theory.Filter("basic", epsilon=1.0))
    >>> run.stop, len(run.steps)
    ('budget', 2)
    """
    memory = None if filter is None else filter._memory
    return _interaction(_simdp.theory_interact(rng, _asked(analyst), data, neighbour, memory, capacity, 2 * candidates))


def transcript_map(symbols: Numbers, analyst: Callable[[List[Step]], Optional[Request]], data: Any, neighbour: Any, *,
                   epsilon: float, delta: float, candidates: int = 0, rng: Optional[Rng] = None) -> Interaction:
    """The transcript of an interaction made from symbols of leaky randomized response alone.

    >>> def analyst(steps):
    ...     return simdp.theory.Request(simdp.theory.mechanism("laplace", sensitivity=1, scale=2), float)
    >>> len(simdp.theory.transcript_map([0, 1, 0], analyst, 0.0, 1.0, epsilon=0.5, delta=0.0).steps)
    3
    """
    given = truths(symbols)
    return _interaction(_simdp.theory_transcript_map(rng, given, _asked(analyst), data, neighbour, epsilon, delta,
                                                     given.size, 8 * candidates))


# ---- urns and matrices ----

def polya_urn(draws: int, red: int, blue: int, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """Draws of Polya's urn: 1 for red.

    >>> simdp.theory.polya_urn(3, red=1, blue=0)
    array([1, 1, 1], dtype=uint8)
    """
    made = numpy.empty(draws, "B")
    _simdp.theory_polya_urn(rng, made, red, blue)
    return made


def select_column(matrix: Numbers, eta: float, *, rng: Optional[Rng] = None) -> int:
    """The column of a matrix with entries in [0, 1] chosen by the exponential mechanism with its sums as scores,
    eta-private for replacing a row.

    >>> simdp.theory.select_column([[0.0, 1.0], [0.0, 1.0]], eta=1e6)
    1
    """
    array = numpy.ascontiguousarray(real(matrix))
    if array.ndim != 2:
        raise TypeError("matrix: two dimensions are wanted")
    column = numpy.empty(1, "Q")
    _simdp.theory_select_column(rng, column, numpy.empty(array.shape[1]), array, eta)
    return int(column[0])
