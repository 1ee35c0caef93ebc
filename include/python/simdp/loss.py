"""Privacy loss of outputs and its statistics, and privacy curves in closed form. Laws are 'laplace' (parameter:
sensitivity / scale), 'gaussian' (sigma / sensitivity), 'randomized_response' (epsilon, and leak), 'discrete_laplace'
and 'discrete_gaussian' (scale, and a whole sensitivity), 'zcdp' (rho). Losses in nats."""
from typing import Any, NamedTuple, Optional, Sequence

import numpy

from . import _simdp
from ._forms import (Estimate, Numbers, Result, aligned, choice, doubles, each, indices, join, known, law as _law_of, real, record,
                     shape_like, single, struct, structs, truths)

__all__ = ["laplace", "gaussian", "laplace_each", "gaussian_each", "randomized_response", "leaky_response", "selection",
           "sum", "sum_outputs", "transcripts", "step", "interval_proportion", "interval_mean", "Statistics",
           "k_response_probabilities", "unary_epsilon", "unary_bit_epsilon", "unary_joined", "unary_report_epsilon",
           "count_k_response", "count_unary", "delta",
           "delta_each", "delta_laplace", "delta_gaussian", "delta_laplace_sampled",
           "delta_gaussian_sampled", "log_delta_laplace_sampled", "log_delta_gaussian_sampled", "renyi_gaussian_sampled",
           "log_delta", "cdf", "sf", "log_cdf", "log_sf", "law_moments",
           "response_probabilities", "renyi", "delta_finite", "renyi_finite", "divergences_finite"]


def _outputs(name, y, *rest):
    array = known(y)
    if array.dtype != "f":
        array = real(array)
    made = numpy.empty(array.size)
    getattr(_simdp, f"loss_{name}_{'f32' if array.dtype == 'f' else 'f64'}")(made, aligned(array).ravel(), *rest)
    return shape_like(made, array.shape)


def laplace(y: Numbers, x0: float, x1: float, scale: float) -> Result:
    """ln P[y | x0] / P[y | x1] of outputs y with Laplace noise.

    >>> simdp.loss.laplace([0.0, 1.0], x0=0.0, x1=1.0, scale=2.0)
    array([ 0.5, -0.5])
    """
    return _outputs("laplace", y, x0, x1, scale)


def gaussian(y: Numbers, x0: float, x1: float, sigma: float) -> Result:
    """The same with Gaussian noise.

    >>> simdp.loss.gaussian(0.0, x0=0.0, x1=1.0, sigma=1.0)
    0.5
    """
    return _outputs("gaussian", y, x0, x1, sigma)


def _each(function, y, x0, x1, scale):
    common = numpy.ndim(scale) == 0   # one scale of all, or an array of them
    arrays = numpy.broadcast_arrays(*[real(x) for x in ((y, x0, x1) if common else (y, x0, x1, scale))])
    made = numpy.empty(arrays[0].size)
    scales = (None, scale) if common else (doubles(arrays[3]), 0.0)
    function(made, *[doubles(array) for array in arrays[:3]], *scales)
    return shape_like(made, arrays[0].shape)


def laplace_each(y: Numbers, x0: Numbers, x1: Numbers, scale: Numbers) -> Result:
    """laplace with inputs and scales of their own for every output.

    >>> simdp.loss.laplace_each([0.0, 0.0], 0.0, [1.0, 2.0], 2.0)
    array([0.5, 1. ])
    """
    return _each(_simdp.loss_laplace_f64_each, y, x0, x1, scale)


def gaussian_each(y: Numbers, x0: Numbers, x1: Numbers, sigma: Numbers) -> Result:
    """gaussian with inputs and sigmas of their own for every output.

    >>> simdp.loss.gaussian_each(0.0, 0.0, [1.0, 2.0], 1.0)
    array([0.5, 2. ])
    """
    return _each(_simdp.loss_gaussian_f64_each, y, x0, x1, sigma)


def _bits(function, out, *rest):
    array = known(out)
    made = numpy.empty(array.size)
    function(made, truths(array), *rest)
    return shape_like(made, array.shape)


def randomized_response(out: Numbers, bit0: int, bit1: int, epsilon: float) -> Result:
    """The loss of answers of randomized response on bit0, compared with bit1.

    >>> simdp.loss.randomized_response([0, 1], bit0=0, bit1=1, epsilon=0.5)
    array([ 0.5, -0.5])
    """
    return _bits(_simdp.loss_randomized_response, out, bit0, bit1, epsilon)


def leaky_response(out: Numbers, bit0: int, bit1: int, epsilon: float, leak: float) -> Result:
    """The same with answers 2 and 3, which name the bit, with probability leak.

    >>> simdp.loss.leaky_response([0, 2], bit0=0, bit1=1, epsilon=0.5, leak=0.01)
    array([0.5, inf])
    """
    return _bits(_simdp.loss_leaky_response, out, bit0, bit1, epsilon, leak)


def selection(chosen: Numbers, scores0: Numbers, scores1: Numbers, scale: float) -> Result:
    """The loss of indices chosen by the exponential mechanism on scores0, compared with scores1.

    >>> simdp.loss.selection(0, [1.0, 0.0], [0.0, 0.0], scale=1.0)  # doctest: +ELLIPSIS
    0.37...
    """
    array = known(chosen)
    made = numpy.empty(array.size)
    _simdp.loss_selection(made, indices(array), doubles(scores0), doubles(scores1), scale)
    return shape_like(made, array.shape)


def step(mechanism: str, x0: float, x1: float, scale: float) -> numpy.ndarray:
    """One step of a transcript: 'laplace', 'gaussian' or 'randomized_response' (scale: its epsilon) on two inputs.

    >>> simdp.loss.sum_outputs([0.0, 0.0], simdp.loss.step("laplace", 0.0, 1.0, 2.0))
    1.0
    """
    return struct("loss_step", mechanism=choice("MECHANISM_", mechanism), x0=x0, x1=x1, scale=scale)


def sum(loss: Numbers) -> Result:
    """The sums of losses along the last axis, compensated, in one order on every machine.

    >>> simdp.loss.sum([[0.5, 0.25], [1.0, -1.0]])
    array([0.75, 0.  ])
    """
    array = numpy.ascontiguousarray(real(loss))
    made = numpy.empty(array.shape[:-1])
    _simdp.loss_sum(numpy.atleast_1d(made), array)
    return made if made.shape else made.item()


def sum_outputs(y: Numbers, step: numpy.ndarray) -> float:
    """The sum of the losses of outputs of one step, in one pass.

    >>> simdp.loss.sum_outputs([], simdp.loss.step("gaussian", 0.0, 1.0, 2.0))
    0.0
    """
    return single(_simdp.loss_sum_outputs, doubles(y), step)


def transcripts(y: Numbers, steps: Sequence[numpy.ndarray]) -> numpy.ndarray:
    """The losses of transcripts: row r of y has one output of each step.

    >>> steps = [simdp.loss.step("laplace", 0, 1, 1), simdp.loss.step("gaussian", 0, 1, 1)]
    >>> simdp.loss.transcripts([[0.0, 0.0], [1.0, 0.5]], steps)
    array([ 1.5, -1. ])
    """
    array = numpy.ascontiguousarray(real(y))
    made = numpy.empty(len(array))
    _simdp.loss_transcripts(made, array, join("loss_step", steps))
    return made


def interval_proportion(count: int, trials: int, error: float) -> Estimate:
    """Clopper and Pearson's interval for a proportion, which misses with probability `error` at most.

    >>> simdp.loss.interval_proportion(5, 10, 0.05).value
    0.5
    """
    return record(Estimate, single(_simdp.loss_interval_proportion, count, trials, error, kind="loss_estimate"))


def interval_mean(mean: float, n: int, bound: float, error: float) -> Estimate:
    """An interval for the mean of n values in [0, bound], for every law.

    >>> simdp.loss.interval_mean(0.5, 100, 1.0, 0.05).low > 0.3
    True
    """
    return record(Estimate, single(_simdp.loss_interval_mean, mean, n, bound, error, kind="loss_estimate"))


class Summary(NamedTuple):
    """What losses were; intervals of mean and variance are asymptotic."""
    finite: int
    plus_infinite: int
    minus_infinite: int
    undefined: int
    mean: Estimate
    variance: Estimate
    least: float
    most: float
    beyond: float


class Statistics:
    """Statistics of losses that arrive in any pieces.

    epsilon: tails P[L > epsilon]; deltas: also the hockey-stick estimate there; bound: of the losses, if known;
    order: Renyi divergences; bins, low, high: a histogram.

    >>> statistics = simdp.loss.Statistics(epsilon=[0.5], bins=4, low=-1.0, high=1.0)
    >>> statistics.update([0.25, 0.75, 0.75, -0.5])
    >>> statistics.summary(error=1e-6).mean.value
    0.3125
    >>> statistics.tails(error=1e-6).value
    array([0.5])
    >>> statistics.counts
    array([0, 1, 0, 1, 2, 0], dtype=uint64)
    """

    def __init__(self, *, epsilon: Optional[Numbers] = None, deltas: bool = False, bound: float = 0.0,
                 order: Optional[Numbers] = None, bins: int = 0, low: float = 0.0, high: float = 0.0):
        self._memory = _simdp.Memory("simdp_loss_statistics")
        epsilons = None if epsilon is None else doubles(epsilon)
        orders = None if order is None else doubles(order)
        self.counts = numpy.zeros(bins + 2, "Q") if bins else None
        self._sizes = (0 if epsilons is None else epsilons.size, 0 if orders is None else orders.size)
        _simdp.loss_statistics_init(self._memory, epsilons, bool(deltas), bound, orders, self.counts, low, high)

    def update(self, loss: Numbers) -> None:
        """Takes more losses."""
        _simdp.loss_statistics_update(self._memory, doubles(loss))

    def outputs(self, y: Numbers, step: numpy.ndarray) -> None:
        """Takes the losses of more outputs of one step."""
        _simdp.loss_statistics_outputs(self._memory, doubles(y), step)

    def summary(self, error: float) -> Summary:
        """Counts, mean, variance, extremes; error: the probability that an interval misses."""
        return record(Summary, single(_simdp.loss_statistics_summary, error, kind="loss_summary",
                                      leading=(self._memory,)))

    def _estimates(self, what, size, error):
        made = numpy.empty(size, structs("loss_estimate", value=0.0)[0].dtype)
        _simdp.loss_statistics_estimates(self._memory, made, choice("LOSS_", what), error)
        return record(Estimate, made)

    def tails(self, error: float) -> Estimate:
        """P[L > epsilon] at each epsilon."""
        return self._estimates("tails", self._sizes[0], error)

    def deltas(self, error: float) -> Estimate:
        """The hockey-stick estimate at each epsilon."""
        return self._estimates("deltas", self._sizes[0], error)

    def renyi(self, error: float) -> Estimate:
        """The Renyi divergence of each order."""
        return self._estimates("renyi", self._sizes[1], error)

    def quantiles(self, p: Numbers, error: float) -> Estimate:
        """Quantiles from the histogram."""
        probabilities = doubles(p)
        made = numpy.empty(probabilities.size, structs("loss_estimate", value=0.0)[0].dtype)
        _simdp.loss_statistics_quantiles(self._memory, made, probabilities, error)
        return record(Estimate, made)


# ---- local reports ----

def k_response_probabilities(epsilon: Numbers, k: int) -> Any:
    """(keep, other): the probabilities that simdp.release.k_response keeps a value, and reports any one of the others.

    >>> simdp.loss.k_response_probabilities(0.0, k=4)
    (0.25, 0.25)
    """
    return each(_simdp.loss_k_response_probabilities, epsilon, rest=(k,), outputs=2)


def unary_epsilon(log_odds_one: Numbers, log_odds_zero: Numbers) -> Result:
    """What simdp.release.unary promises for a value that is sent as bits of which one is 1, rounded up.

    >>> simdp.loss.unary_epsilon(0.0, [-1.0, -2.0])
    array([1., 2.])
    """
    return each(_simdp.loss_unary_epsilon, log_odds_one, log_odds_zero)


def unary_bit_epsilon(log_odds_one: Numbers, log_odds_zero: Numbers) -> Result:
    """The same for bits that stand for themselves, one of which differs.

    >>> round(simdp.loss.unary_bit_epsilon(1.0, -1.0), 9)
    1.0
    """
    return each(_simdp.loss_unary_bit_epsilon, log_odds_one, log_odds_zero)


def unary_joined(log_odds_one: Numbers, log_odds_zero: Numbers, report_one: float, report_zero: float) -> Any:
    """(one, zero): the log-odds of a 1 in a report of two stages (RAPPOR): a permanent answer, made once and kept, and
    of that answer a fresh report every time, by simdp.release.unary with report_one and report_zero.

    >>> one, zero = simdp.loss.unary_joined(2.0, -2.0, report_one=1.0, report_zero=-1.0)
    >>> one < 1.0 and one == -zero
    True
    """
    return each(_simdp.loss_unary_joined, log_odds_one, log_odds_zero, rest=(report_one, report_zero), outputs=2)


def unary_report_epsilon(log_odds_one: Numbers, log_odds_zero: Numbers, report_one: float, report_zero: float) -> Result:
    """What one such report promises alone; however many of them promise unary_epsilon of the permanent answer.

    >>> alone = simdp.loss.unary_report_epsilon(2.0, -2.0, report_one=1.0, report_zero=-1.0)
    >>> alone < simdp.loss.unary_epsilon(2.0, -2.0)
    True
    """
    return each(_simdp.loss_unary_report_epsilon, log_odds_one, log_odds_zero, rest=(report_one, report_zero))


class Count(NamedTuple):
    """An unbiased count of people, its standard error, and an interval that misses the truth with probability `error`."""
    count: Result
    deviation: Result
    low: Result
    high: Result


def _counts(function, counts, *rest):
    array = known(counts)
    if array.size > 0 and array.dtype.kind not in "biu":
        raise TypeError("counts: whole numbers are wanted")
    made = numpy.empty(array.size, structs("loss_count", count=0.0)[0].dtype)
    function(made, indices(array), *rest)
    return record(Count, made[0] if array.shape == () else made.reshape(array.shape))


def count_k_response(counts: Numbers, reports: int, k: int, epsilon: float, error: float) -> Count:
    """How many people have a value, from how many of all reports of simdp.release.k_response name it.

    >>> made = simdp.loss.count_k_response([250, 400], reports=1000, k=4, epsilon=1.0, error=0.05)
    >>> round(float(made.count[0]), 6), bool(made.low[1] < made.count[1] < made.high[1])
    (250.0, True)
    """
    return _counts(_simdp.loss_count_k_response, counts, reports, k, epsilon, error)


def count_unary(counts: Numbers, reports: int, log_odds_one: float, log_odds_zero: float, error: float) -> Count:
    """How many people have a bit, from how many of all reports of simdp.release.unary have it. Reports of two stages:
    with the log-odds of unary_joined. Randomized response: with epsilon and -epsilon.

    >>> round(simdp.loss.count_unary(500, 1000, 1.0, -1.0, error=0.05).count, 6)
    500.0
    """
    return _counts(_simdp.loss_count_unary, counts, reports, log_odds_one, log_odds_zero, error)


# ---- closed forms ----

def _curve(function, x, law, parameter, leak, sensitivity):
    return each(function, x, rest=(_law_of(law, parameter, leak, sensitivity),))


def delta(epsilon: Numbers, law: str, parameter: float, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """delta(epsilon): the smallest delta for which the mechanism is (epsilon, delta)-private.

    >>> simdp.loss.delta([0.0, 1.0], "laplace", 1.0).round(4)
    array([0.3935, 0.    ])
    """
    return _curve(_simdp.loss_delta, epsilon, law, parameter, leak, sensitivity)


def delta_each(epsilon: Numbers, law: str, parameter: Numbers, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """The same with a parameter for every epsilon.

    >>> simdp.loss.delta_each(0.0, "gaussian", [1.0, 2.0]).round(4)
    array([0.3829, 0.1974])
    """
    return each(_simdp.loss_delta_each, epsilon, parameter, rest=(_law_of(law, 0.0, leak, sensitivity),))


def delta_laplace(epsilon: Numbers, sensitivity_over_scale: float) -> Result:
    """delta(epsilon) of Laplace noise.

    >>> simdp.loss.delta_laplace(1.0, 1.0)
    0.0
    """
    return each(_simdp.delta_laplace, epsilon, rest=(sensitivity_over_scale,))


def delta_gaussian(epsilon: Numbers, sigma_over_sensitivity: float) -> Result:
    """delta(epsilon) of Gaussian noise.

    >>> round(simdp.loss.delta_gaussian(1.0, 1.0), 4)
    0.1269
    """
    return each(_simdp.delta_gaussian, epsilon, rest=(sigma_over_sensitivity,))


def _sampled(function, epsilon, parameter, rate, direction):
    return each(function, epsilon, rest=(parameter, rate, choice("LOSS_", direction)))


def delta_laplace_sampled(epsilon: Numbers, sensitivity_over_scale: float, rate: float, direction: str = "larger") -> Result:
    """delta(epsilon) of Laplace noise behind Poisson sampling, to 'remove' or 'add' a record, or the 'larger' of both.

    >>> simdp.loss.delta_laplace_sampled(1.0, 1.0, 1.0)
    0.0
    """
    return _sampled(_simdp.delta_laplace_sampled, epsilon, sensitivity_over_scale, rate, direction)


def delta_gaussian_sampled(epsilon: Numbers, sigma_over_sensitivity: float, rate: float, direction: str = "larger") -> Result:
    """delta(epsilon) of Gaussian noise behind Poisson sampling.

    >>> simdp.loss.delta_gaussian_sampled(1.0, 1.0, 0.01) < simdp.loss.delta_gaussian(1.0, 1.0)
    True
    """
    return _sampled(_simdp.delta_gaussian_sampled, epsilon, sigma_over_sensitivity, rate, direction)


def log_delta_laplace_sampled(epsilon: Numbers, sensitivity_over_scale: float, rate: float,
                              direction: str = "larger") -> Result:
    """Its logarithm.

    >>> simdp.loss.log_delta_laplace_sampled(0.0, 1.0, 0.5) < 0
    True
    """
    return _sampled(_simdp.loss_log_delta_laplace_sampled, epsilon, sensitivity_over_scale, rate, direction)


def log_delta_gaussian_sampled(epsilon: Numbers, sigma_over_sensitivity: float, rate: float,
                               direction: str = "larger") -> Result:
    """Its logarithm.

    >>> simdp.loss.log_delta_gaussian_sampled(10.0, 1.0, 0.01) < -10
    True
    """
    return _sampled(_simdp.loss_log_delta_gaussian_sampled, epsilon, sigma_over_sensitivity, rate, direction)


def renyi_gaussian_sampled(order: Numbers, sigma_over_sensitivity: float, rate: float) -> Result:
    """Renyi divergences of Gaussian noise behind Poisson sampling.

    >>> simdp.loss.renyi_gaussian_sampled(2.0, 1.0, 0.0)
    0.0
    """
    return each(_simdp.renyi_gaussian_sampled, order, rest=(sigma_over_sensitivity, rate))


def log_delta(epsilon: Numbers, law: str, parameter: float, leak: float = 0.0, sensitivity: int = 1) -> Result:
    """Its logarithm, which stays right where delta is below 2^-1074.

    >>> round(simdp.loss.log_delta(60.0, "gaussian", 1.0))
    -1779
    """
    return _curve(_simdp.loss_log_delta, epsilon, law, parameter, leak, sensitivity)


def cdf(loss: Numbers, law: str, parameter: float, leak: float = 0.0) -> Result:
    """P[L <= loss] of the privacy loss under the first input.

    >>> simdp.loss.cdf(0.5, "gaussian", 1.0)
    0.5
    """
    return _curve(_simdp.loss_cdf, loss, law, parameter, leak, 1)


def sf(loss: Numbers, law: str, parameter: float, leak: float = 0.0) -> Result:
    """P[L > loss].

    >>> simdp.loss.sf(0.5, "gaussian", 1.0)
    0.5
    """
    return _curve(_simdp.loss_sf, loss, law, parameter, leak, 1)


def log_cdf(loss: Numbers, law: str, parameter: float, leak: float = 0.0) -> Result:
    """ln P[L <= loss].

    >>> simdp.loss.log_cdf(2.0, "laplace", 1.0)
    0.0
    """
    return _curve(_simdp.loss_log_cdf, loss, law, parameter, leak, 1)


def log_sf(loss: Numbers, law: str, parameter: float, leak: float = 0.0) -> Result:
    """ln P[L > loss].

    >>> simdp.loss.log_sf(2.0, "laplace", 1.0)
    -inf
    """
    return _curve(_simdp.loss_log_sf, loss, law, parameter, leak, 1)


class Moments(NamedTuple):
    """Of the privacy loss of a mechanism."""
    mean: Result
    variance: Result
    kl: Result
    max_divergence: Result
    total_variation: Result


def law_moments(law: str, parameter: Numbers, leak: Numbers = 0.0) -> Moments:
    """Mean and variance of the loss, KL and max divergence, total variation.

    >>> simdp.loss.law_moments("gaussian", 2.0).mean
    0.125
    """
    laws, shape = structs("law", mechanism=choice("MECHANISM_", law), parameter=parameter, leak=leak)
    made = numpy.empty(laws.size, structs("loss_moments", mean=0.0)[0].dtype)
    _simdp.loss_law_moments(made, laws)
    return record(Moments, made[0] if shape == () else made.reshape(shape))


def response_probabilities(epsilon: Numbers, leak: float = 0.0) -> Any:
    """(keep, flip): the probabilities that randomized response keeps or turns the bit.

    >>> simdp.loss.response_probabilities(0.0)
    (0.5, 0.5)
    """
    return each(_simdp.loss_response_probabilities, epsilon, rest=(leak,), outputs=2)


def renyi(order: Numbers, law: str, parameter: float) -> Result:
    """Renyi divergences of Laplace or Gaussian noise, or randomized response.

    >>> simdp.loss.renyi([2.0, 4.0], "gaussian", 2.0)
    array([0.25, 0.5 ])
    """
    return _curve(_simdp.loss_renyi, order, law, parameter, 0.0, 1)


def _finite(function, x, p, q):
    return each(function, x, rest=(doubles(p), doubles(q)))


def delta_finite(epsilon: Numbers, p: Numbers, q: Numbers) -> Result:
    """delta(epsilon) of two laws on finitely many outputs.

    >>> simdp.loss.delta_finite(0.0, [0.75, 0.25], [0.5, 0.5])
    0.25
    """
    return _finite(_simdp.loss_delta_finite, epsilon, p, q)


def renyi_finite(order: Numbers, p: Numbers, q: Numbers) -> Result:
    """Renyi divergences of two laws on finitely many outputs.

    >>> simdp.loss.renyi_finite(2.0, [0.5, 0.5], [0.5, 0.5])
    0.0
    """
    return _finite(_simdp.loss_renyi_finite, order, p, q)


class Divergences(NamedTuple):
    """Of two laws on finitely many outputs."""
    kl: float
    kl_reverse: float
    max: float
    max_reverse: float
    total_variation: float


def divergences_finite(p: Numbers, q: Numbers) -> Divergences:
    """KL, max divergence, both ways, and total variation.

    >>> simdp.loss.divergences_finite([0.75, 0.25], [0.5, 0.5]).total_variation
    0.25
    """
    return record(Divergences, single(_simdp.loss_divergences_finite, doubles(p), doubles(q), kind="loss_divergences"))
