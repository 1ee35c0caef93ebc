"""A mechanism against its closed form, by experiment: outputs are drawn on two inputs, their losses are counted, and
intervals that hold for every mechanism are put around delta(epsilon)."""
from typing import Any, NamedTuple, Optional

import numpy

from . import _simdp
from ._forms import Estimate, Numbers, TYPES, choice, doubles, indices, record, truths
from ._simdp import Rng

__all__ = ["run", "Audit", "Rows"]


class Rows(NamedTuple):
    """What an audit says, an element for each epsilon. Columns 0 and 1 are of outputs on the first and second input."""
    epsilon: numpy.ndarray
    outputs: numpy.ndarray
    above: numpy.ndarray
    tail: Estimate
    delta: Estimate
    hockey: Estimate
    exact_tail: numpy.ndarray
    exact_delta: numpy.ndarray
    agrees: numpy.ndarray


def _plan(mechanism, epsilon, scale, x0, x1, scores0, scores1, hockey_stick, samples, error):
    return (choice("MECHANISM_", mechanism), x0, x1, scale, None if scores0 is None else doubles(scores0),
            None if scores1 is None else doubles(scores1), doubles(epsilon), bool(hockey_stick), samples, error)


def run(mechanism: str, epsilon: Numbers, samples: int, *, scale: float, x0: float = 0.0, x1: float = 1.0,
        scores0: Optional[Numbers] = None, scores1: Optional[Numbers] = None, hockey_stick: bool = False,
        error: float = 1e-6, rng: Optional[Rng] = None) -> Rows:
    """Audits this library's own 'laplace' or 'gaussian' noise, 'randomized_response' (scale: its epsilon) or 'selection'.

    >>> rows = simdp.audit.run("laplace", [0.0, 0.5], 100000, scale=1.0)
    >>> rows.agrees
    array([1, 1], dtype=int32)
    """
    plan = _plan(mechanism, epsilon, scale, x0, x1, scores0, scores1, hockey_stick, samples, error)
    made = numpy.zeros(plan[6].size, TYPES["loss_audit_row"])
    _simdp.loss_audit_run(rng, made, plan)
    return record(Rows, made)


class Audit:
    """The same in pieces, and for outputs of a mechanism of your own.

    >>> audit = simdp.audit.Audit("randomized_response", [0.5], scale=1.0)
    >>> for side in (0, 1):
    ...     answers = simdp.release.randomized_response(numpy.full(10000, side == 1), epsilon=1.0)
    ...     audit.bits(answers, side)
    >>> audit.rows().agrees
    array([1], dtype=int32)
    """

    def __init__(self, mechanism: str, epsilon: Numbers, *, scale: float, x0: float = 0.0, x1: float = 1.0,
                 scores0: Optional[Numbers] = None, scores1: Optional[Numbers] = None, hockey_stick: bool = False,
                 error: float = 1e-6):
        self._memory: Any = _simdp.Memory("simdp_loss_audit")
        plan = _plan(mechanism, epsilon, scale, x0, x1, scores0, scores1, hockey_stick, 0, error)
        self._size = plan[6].size
        self._scores = plan[4:6]
        _simdp.loss_audit_init(self._memory, plan)

    def draw(self, samples: int, *, rng: Optional[Rng] = None) -> None:
        """Takes this library's own outputs."""
        _simdp.loss_audit_draw(rng, self._memory, samples)

    def outputs(self, y: Numbers, side: int) -> None:
        """Takes outputs drawn on the first input (side 0) or the second (side 1)."""
        _simdp.loss_audit_outputs(self._memory, doubles(y), side)

    def choices(self, chosen: Numbers, side: int) -> None:
        """The same for indices of selections."""
        _simdp.loss_audit_choices(self._memory, indices(chosen), side)

    def bits(self, out: Numbers, side: int) -> None:
        """The same for answers of randomized response."""
        _simdp.loss_audit_bits(self._memory, truths(out), side)

    def add(self, other: "Audit") -> None:
        """Takes over what another audit, opened alike, has counted."""
        _simdp.loss_audit_add(self._memory, other._memory)

    def rows(self) -> Rows:
        """What there is so far."""
        made = numpy.zeros(self._size, TYPES["loss_audit_row"])
        _simdp.loss_audit_rows(self._memory, made)
        return record(Rows, made)
