"""Mechanisms of this library behind those of PipelineDP: additive noise, partition selection, the exponential mechanism.
use() puts them in place for a whole pipeline; the classes also serve alone, and take arrays."""
import contextlib
import math

import numpy
from pipeline_dp import PartitionSelectionStrategy, dp_computations, partition_selection

from .. import release, select

__all__ = ["PartitionSelection", "add_noise", "apply", "create_partition_selection_strategy", "use"]

Additive, Exponential = dp_computations.AdditiveMechanism, dp_computations.ExponentialMechanism
_stock = partition_selection.create_partition_selection_strategy


def add_noise(mechanism, value):
    """In place of AdditiveMechanism.add_noise: the value, or each of an array, with the mechanism's noise, released on a
    grid. A draw of one number gives a float."""
    answers = numpy.ascontiguousarray(value, dtype=float)
    if isinstance(mechanism, dp_computations.LaplaceMechanism):
        made = release.laplace(answers, scale=mechanism.noise_parameter)
    else:
        made = release.gaussian(answers, sigma=mechanism.std)
    return made.reshape(numpy.shape(value)) if isinstance(value, numpy.ndarray) else made.item()


class PartitionSelection:
    """Which partitions may be shown, by the truncated geometric mechanism, which keeps as many as any can for the promise.
    should_keep takes a count, or an array of them."""

    def __init__(self, epsilon, delta, max_partitions_contributed, pre_threshold=None):
        self.epsilon, self.delta, self.max_partitions_contributed = epsilon, delta, max_partitions_contributed
        self.pre_threshold = pre_threshold

    def _counted(self, count):
        """A pre-threshold of m hides partitions of fewer than m people, and counts on from there."""
        people = numpy.atleast_1d(numpy.asarray(count, dtype="int64"))
        return people if self.pre_threshold is None else numpy.maximum(people - (math.ceil(self.pre_threshold) - 1), 0)

    def should_keep(self, count):
        kept = select.partitions(self._counted(count), self.epsilon, self.delta, self.max_partitions_contributed)
        return kept if isinstance(count, numpy.ndarray) else bool(kept[0])

    def probability_of_keep(self, count):
        kept = select.partition_probability(self._counted(count), self.epsilon, self.delta,
                                            self.max_partitions_contributed)[0]
        return kept if isinstance(count, numpy.ndarray) else kept.item()


def create_partition_selection_strategy(strategy, epsilon, delta, max_partitions_contributed, pre_threshold=None):
    """The truncated geometric strategy by this library; thresholds on noisy counts stay PipelineDP's."""
    if strategy != PartitionSelectionStrategy.TRUNCATED_GEOMETRIC:
        return _stock(strategy, epsilon, delta, max_partitions_contributed, pre_threshold)
    return PartitionSelection(epsilon, delta, max_partitions_contributed, pre_threshold)


def apply(mechanism, eps, inputs_to_score_col):
    """In place of ExponentialMechanism.apply: one of the inputs, with the exact probabilities."""
    scoring = mechanism._scoring_function
    scores = [scoring.score(k) for k in inputs_to_score_col]
    scale = select.scale(eps, scoring.global_sensitivity, scoring.is_monotonic)
    return inputs_to_score_col[select.gumbel(scores, scale)]


@contextlib.contextmanager
def use():
    """While it is open, pipelines of PipelineDP in this process draw from this library."""
    before = Additive.add_noise, Exponential.apply
    Additive.add_noise, Exponential.apply = add_noise, apply
    partition_selection.create_partition_selection_strategy = create_partition_selection_strategy
    try:
        yield
    finally:
        Additive.add_noise, Exponential.apply = before
        partition_selection.create_partition_selection_strategy = _stock
