"""Choosing one of many candidates: the exponential mechanism. Candidate i wins with a probability proportional to
exp(score[i] / scale), exactly. scale(epsilon, sensitivity) gives the scale for a promise. float64 and float32 scores."""
from typing import Any, Optional, Tuple

import numpy

from . import _simdp
from ._forms import Numbers, aligned, doubles, known, real, single, whole
from ._simdp import Rng

__all__ = ["gumbel", "gumbel_many", "gumbel_rows", "gumbel_top_k", "permute_flip", "Prepared", "partitions",
           "partition_probability", "above_threshold", "Threshold", "quantile", "quantile_scores", "threshold_scales", "scale", "gap_mean",
           "gap_tail", "probabilities", "log_probabilities", "expected_score"]


def _scores(scores):
    """The scores and the end of their functions' names."""
    array = known(scores)
    if array.dtype != "f":
        array = real(array)
    return aligned(array), "_f32" if array.dtype == "f" else ""


def _function(name, vartime, end):
    return getattr(_simdp, f"select_{name}{'_vartime' if vartime else ''}{end}")


def _winners(function, count, *arguments, rng):
    index = numpy.empty(count, "Q")
    function(rng, index, *arguments)
    return index.view("int64")


def gumbel(scores: Numbers, scale: float, *, rng: Optional[Rng] = None, vartime: bool = False) -> int:
    """The index of the winner. vartime: sooner, in a time that tells of the scores.

    >>> simdp.select.gumbel([1.0, 5.0, 2.0], scale=0.0)
    1
    """
    array, end = _scores(scores)
    return int(_winners(_function("gumbel", vartime, end), 1, array, scale, rng=rng)[0])


def gumbel_many(scores: Numbers, draws: int, scale: float, *, rng: Optional[Rng] = None,
                vartime: bool = False) -> numpy.ndarray:
    """The winners of `draws` selections from the same scores.

    >>> simdp.select.gumbel_many([0.0, 0.0], 5, scale=1.0).shape
    (5,)
    """
    array, end = _scores(scores)
    return _winners(_function("gumbel_many", vartime, end), draws, array, scale, rng=rng)


def gumbel_rows(scores: Numbers, scale: float, *, rng: Optional[Rng] = None,
                ids: Optional[numpy.ndarray] = None) -> numpy.ndarray:
    """One winner of each row of a matrix of scores. ids: of the rows, as simdp.release.ids makes them; their bits then
    belong to the ids instead of positions (float64 scores, and an Rng with a key).

    >>> simdp.select.gumbel_rows([[1.0, 2.0], [4.0, 3.0]], scale=0.0)
    array([1, 0])
    """
    array, end = _scores(scores)
    if array.ndim != 2:
        raise TypeError("scores: a matrix is wanted")
    if ids is not None:
        return _winners(_simdp.select_gumbel_rows_by_id, len(array), ids, array, scale, rng=rng)
    return _winners(_function("gumbel_rows", False, end), len(array), array, scale, rng=rng)


def quantile_scores(records: Numbers, candidates: Numbers, numerator: int, denominator: int) -> numpy.ndarray:
    """How far each candidate is from splitting the records as numerator / denominator: 0, or below. Records that are NaN do
    not count. Scores are secret; a record moves them by max(numerator, denominator - numerator) at most.

    >>> simdp.select.quantile_scores([1, 2, 3, 4, 5], [0, 3, 4], 1, 2)
    array([-5.,  0., -2.])
    """
    wanted = doubles(candidates)
    made = numpy.empty(wanted.shape)
    _simdp.select_quantile_scores(made, wanted, doubles(records), numerator, denominator)
    return made


def quantile(records: Numbers, candidates: Numbers, *, epsilon: float, numerator: int = 1, denominator: int = 2,
             rng: Optional[Rng] = None) -> float:
    """An epsilon-private quantile, by default the median: one of the candidates, which must not come from the records.

    >>> simdp.select.quantile(range(1000), range(0, 1000, 100), epsilon=1e6)
    500.0
    """
    wanted = doubles(candidates)
    sensitivity = max(numerator, denominator - numerator)
    scores = quantile_scores(records, wanted, numerator, denominator)
    return float(wanted[gumbel(scores, scale(epsilon, sensitivity), rng=rng)])


def gumbel_top_k(scores: Numbers, k: int, scale: float, *, rng: Optional[Rng] = None) -> numpy.ndarray:
    """The k best of one race, best first.

    >>> simdp.select.gumbel_top_k([3.0, 1.0, 2.0], 2, scale=0.0)
    array([0, 2])
    """
    array, end = _scores(scores)
    return _winners(_function("gumbel_top_k", False, end), k, array, scale, rng=rng)


def permute_flip(scores: Numbers, scale: float, *, rng: Optional[Rng] = None) -> int:
    """The winner by permute and flip: epsilon-private at the same scales, and never a lower expected score.

    >>> simdp.select.permute_flip([3.0, 1.0, 2.0], scale=0.0)
    0
    """
    array, end = _scores(scores)
    return int(_winners(_function("permute_flip", False, end), 1, array, scale, rng=rng)[0])


class Prepared:
    """Scores that many selections share, prepared once; they are copied.

    >>> ready = simdp.select.Prepared([1.0, 2.0, 3.0], scale=0.0)
    >>> ready.draw(3)
    array([2, 2, 2])
    """

    def __init__(self, scores: Numbers, scale: float):
        array, _ = _scores(scores)
        kept = numpy.array(array).ravel()
        kept.flags.writeable = False
        self._workspace = _simdp.select_prepare(kept, scale)

    def draw(self, draws: int, *, rng: Optional[Rng] = None, vartime: bool = False) -> numpy.ndarray:
        """The winners of `draws` selections: those of gumbel_many."""
        return _winners(_function("prepared", vartime, ""), draws, self._workspace, rng=rng)


def _people(counts):
    return whole(counts)


def partitions(counts: Numbers, epsilon: float, delta: float, groups_per_person: int = 1, *,
               ids: Optional[numpy.ndarray] = None, rng: Optional[Rng] = None) -> numpy.ndarray:
    """Which groups, of so many people each, may be shown.

    >>> simdp.select.partitions([0, 10**6], epsilon=1.0, delta=1e-6)
    array([False,  True])
    """
    array = _people(counts)
    keep = numpy.empty(array.shape, bool)
    if ids is None:
        _simdp.select_partitions(rng, keep, array, epsilon, delta, groups_per_person)
    else:
        _simdp.select_partitions_by_id(rng, keep, array, ids, epsilon, delta, groups_per_person)
    return keep


def partition_probability(counts: Numbers, epsilon: float, delta: float,
                          groups_per_person: int = 1) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """The probability that a group is shown, and that it is not.

    >>> simdp.select.partition_probability([0, 1], 1.0, 0.25)[0]
    array([0.  , 0.25])
    """
    array = _people(counts)
    p, complement = numpy.empty(array.shape), numpy.empty(array.shape)
    _simdp.select_partition_probability(p, complement, array, epsilon, delta, groups_per_person)
    return p, complement


def above_threshold(queries: Numbers, threshold: float, scale_threshold: float, scale_query: float, *,
                    rng: Optional[Rng] = None) -> Optional[int]:
    """The first query above a threshold, both with noise; None if there is none.

    >>> simdp.select.above_threshold([0.0, 0.0, 1e6, 0.0], 1000.0, 1.0, 2.0)
    2
    """
    index, found = numpy.empty(1, "uint64"), numpy.empty(1, "uint8")
    _simdp.select_above_threshold(rng, index, found, doubles(queries), threshold, scale_threshold, scale_query)
    return int(index[0]) if found[0] else None


class Threshold:
    """The same, one query at a time, for `reports` reports; then it is closed.

    >>> limit = simdp.select.Threshold(1000.0, 1.0, 2.0)
    >>> [limit.ask(0.0), limit.ask(1e6)]
    [False, True]
    """

    def __init__(self, threshold: float, scale_threshold: float, scale_query: float, reports: int = 1, *,
                 rng: Optional[Rng] = None):
        self._memory: Any = _simdp.Memory("simdp_select_threshold")
        self._rng = rng
        _simdp.select_threshold_open(rng, self._memory, threshold, scale_threshold, scale_query, reports)

    def ask(self, query: float) -> bool:
        """Whether the query is above; True is a report. ValueError when no report is left."""
        above = numpy.zeros(1, "uint8")
        _simdp.select_threshold_ask(self._rng, self._memory, above, query)
        return bool(above[0])


def threshold_scales(epsilon: float, sensitivity: float, reports: int = 1,
                     monotonic: bool = False) -> Tuple[float, float]:
    """(scale_threshold, scale_query) for which the reports together are epsilon-private.

    >>> threshold, query = simdp.select.threshold_scales(1.0, 1.0)
    >>> round(1 / threshold + 2 / query, 6)
    1.0
    """
    threshold, query = numpy.empty(1), numpy.empty(1)
    _simdp.select_threshold_scales(threshold, query, epsilon, sensitivity, reports, bool(monotonic))
    return threshold.item(), query.item()


def scale(epsilon: float, sensitivity: float, monotonic: bool = False) -> float:
    """The scale for epsilon: 2 sensitivity / epsilon, or half of that if one record moves all scores in the same
    direction.

    >>> round(simdp.select.scale(0.5, 1.0), 9)
    4.0
    """
    return single(_simdp.select_scale, epsilon, sensitivity, bool(monotonic))


def gap_mean(n: float, scale: float) -> float:
    """A bound on the mean distance of the winner's score from the best of n.

    >>> round(simdp.select.gap_mean(100, 2.0), 3)
    9.21
    """
    return single(_simdp.select_gap_mean, n, scale)


def gap_tail(n: float, scale: float, beta: float) -> float:
    """The distance that is exceeded with probability beta at most.

    >>> round(simdp.select.gap_tail(100, 2.0, 0.01), 3)
    18.421
    """
    return single(_simdp.select_gap_tail, n, scale, beta)


def _law(function, scores, scale):
    array = numpy.ascontiguousarray(real(scores))
    made = numpy.empty(array.shape)
    function(made, array, array.shape[-1] if array.ndim else 1, scale)
    return made


def probabilities(scores: Numbers, scale: float) -> numpy.ndarray:
    """The probability of each candidate, along the last axis.

    >>> simdp.select.probabilities([0.0, 0.0, 0.0, 0.0], scale=1.0)
    array([0.25, 0.25, 0.25, 0.25])
    """
    return _law(_simdp.select_probabilities, scores, scale)


def log_probabilities(scores: Numbers, scale: float) -> numpy.ndarray:
    """Their natural logarithms.

    >>> simdp.select.log_probabilities([[0.0, 1.0]], scale=1.0).round(4)
    array([[-1.3133, -0.3133]])
    """
    return _law(_simdp.select_log_probabilities, scores, scale)


def expected_score(scores: Numbers, scale: float):
    """The mean of the winner's score, along the last axis.

    >>> simdp.select.expected_score([[1.0, 3.0], [5.0, 5.0]], scale=float("inf"))
    array([2., 5.])
    """
    array = numpy.ascontiguousarray(real(scores))
    made = numpy.empty(array.shape[:-1])
    _simdp.select_expected_score(numpy.atleast_1d(made), array, scale)
    return made if made.shape else made.item()
