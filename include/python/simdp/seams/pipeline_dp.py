"""Mechanisms of this library behind those of PipelineDP: additive noise, partition selection, the exponential mechanism.
use() puts them in place for a whole pipeline; the classes also serve alone, and take arrays."""
import contextlib

import numpy
from pipeline_dp import dp_computations, partition_selection

from .. import release, select
from .pipeline_partitions import PartitionSelection, create_partition_selection_strategy, stock

__all__ = ["PartitionSelection", "add_noise", "apply", "create_partition_selection_strategy", "use"]

Additive, Exponential = dp_computations.AdditiveMechanism, dp_computations.ExponentialMechanism


def add_noise(mechanism, value):
    """In place of AdditiveMechanism.add_noise: the value, or each of an array, with the mechanism's noise, released on a
    grid. A draw of one number gives a float."""
    answers = numpy.ascontiguousarray(value, dtype=float)
    if isinstance(mechanism, dp_computations.LaplaceMechanism):
        made = release.laplace(answers, scale=mechanism.noise_parameter)
    else:
        made = release.gaussian(answers, sigma=mechanism.std)
    return made.reshape(numpy.shape(value)) if isinstance(value, numpy.ndarray) else made.item()


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
        partition_selection.create_partition_selection_strategy = stock
