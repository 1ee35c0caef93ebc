"""Partition selection of PipelineDP by this library: the truncated geometric strategy, for counts and for arrays of them."""
import math

import numpy
from pipeline_dp import PartitionSelectionStrategy, partition_selection

from .. import select

__all__ = ["PartitionSelection", "create_partition_selection_strategy", "stock"]

stock = partition_selection.create_partition_selection_strategy


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
        return stock(strategy, epsilon, delta, max_partitions_contributed, pre_threshold)
    return PartitionSelection(epsilon, delta, max_partitions_contributed, pre_threshold)
