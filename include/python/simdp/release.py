"""Noisy answers that are safe to publish. Each returns the multiple of a public grid that is nearest to the real-number
result, so that the proof of the mechanism holds for the bytes that leave the machine.

answers + noise for a promise          laplace(sensitivity=, epsilon=), gaussian(sensitivity=, epsilon=, delta=)
the same with noise of your own        laplace(scale=), gaussian(sigma=), with grid= for floats
integers                               the same two, for integer arrays; discrete_laplace, discrete_gaussian
integers that have bounds              discrete_laplace_bounded; discrete_gaussian_truncated, for noise that has one
yes or no, from each person            randomized_response, randomized_response_packed
a value among k, from each person      k_response; unary, for bits of which one is 1
a sum whose sensitivity is its bound   clamped_sum, then one of the above"""
import operator

import numpy

from . import _simdp
from ._convert import clipped
from ._forms import Numbers, TYPES, aligned, doubles, each, known, real, single
from ._simdp import release_discrete_gaussian as discrete_gaussian
from ._simdp import release_discrete_laplace as discrete_laplace
from ._simdp import release_gaussian as gaussian
from ._simdp import release_k_response as k_response
from ._simdp import release_laplace as laplace
from ._simdp import release_randomized_response as randomized_response
from ._simdp import release_randomized_response_packed as randomized_response_packed
from ._simdp import release_unary as unary

__all__ = ["laplace", "gaussian", "discrete_laplace", "discrete_gaussian", "randomized_response",
           "randomized_response_packed", "k_response", "unary", "discrete_laplace_bounded",
           "discrete_gaussian_truncated", "laplace_threshold", "gaussian_threshold",
           "threshold_laplace", "threshold_gaussian", "clamped_sum", "grid", "ids"]


def grid(scale: float) -> float:
    """The default grid of a scale: a power of two, scale / grid from 2^22 up to 2^23.

    >>> simdp.release.grid(1.0) == 2.0**-22
    True
    """
    made = single(_simdp.release_grid, scale)
    if made != made:
        raise ValueError("scale: outside the range of releases")
    return made


def _integers(call, answers, rest, rng):
    array = known(answers)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError("answers: integers are wanted")
    array = aligned(clipped(array))
    made = numpy.empty(array.shape, "int64")
    call(rng, made, array, *rest)
    return made


def discrete_laplace_bounded(answers: Numbers, *, scale: float, lower: int, upper: int, rng=None) -> numpy.ndarray:
    """Integers clamped to [lower, upper], with discrete Laplace noise, clamped again: as private as the noise alone.

    >>> noisy = simdp.release.discrete_laplace_bounded([0, 3, 99], scale=2.0, lower=0, upper=10)
    >>> bool(noisy.min() >= 0 and noisy.max() <= 10)
    True
    """
    return _integers(_simdp.release_discrete_laplace_bounded_i64, answers, (scale, lower, upper), rng)


def discrete_gaussian_truncated(answers: Numbers, *, sigma: float, bound: int, rng=None) -> numpy.ndarray:
    """Integers with discrete Gaussian noise under the condition that |noise| <= bound. The cut costs a delta, which C's
    header gives.

    >>> noisy = simdp.release.discrete_gaussian_truncated([100, 200], sigma=2.0, bound=5)
    >>> bool((abs(noisy - [100, 200]) <= 5).all())
    True
    """
    return _integers(_simdp.release_discrete_gaussian_truncated_i64, answers, (sigma, bound), rng)


def _threshold(law, counts, scale, threshold, grid_of, rng):
    array = known(counts)
    if array.dtype.kind in "iu":
        array, end, rest = aligned(clipped(array)), "_i64", (scale, threshold)
    else:
        array = aligned(real(array))
        end, rest = "", (scale, grid(scale) if grid_of is None else grid_of, threshold)
    made, keep = numpy.empty(array.shape, array.dtype), numpy.empty(array.shape, bool)
    getattr(_simdp, f"release_{law}_threshold{end}")(rng, made, keep, array, *rest)
    return made, keep


def laplace_threshold(counts: Numbers, *, scale: float, threshold: float, grid=None, rng=None):
    """(counts with noise, which are shown): counts of groups that people make, shown where the noisy count is at least the
    threshold, else NaN (integers: -2^63). threshold_laplace has the threshold for a promise.

    >>> noisy, shown = simdp.release.laplace_threshold([0, 1000], scale=1.0, threshold=20)
    >>> shown
    array([False,  True])
    """
    return _threshold("laplace", counts, scale, threshold, grid, rng)


def gaussian_threshold(counts: Numbers, *, sigma: float, threshold: float, grid=None, rng=None):
    """The same with Gaussian noise.

    >>> simdp.release.gaussian_threshold([0.0, 1000.0], sigma=1.0, threshold=20.0)[1]
    array([False,  True])
    """
    return _threshold("gaussian", counts, sigma, threshold, grid, rng)


def threshold_laplace(delta: Numbers, scale: float, grid: float = 1.0, groups_per_person: int = 1):
    """The count from which on groups may be shown: those of one person with probability delta at most.

    >>> simdp.release.threshold_laplace(1e-6, 1.0)
    15.0
    """
    return each(_simdp.release_threshold_laplace, delta, rest=(scale, grid, groups_per_person))


def threshold_gaussian(delta: Numbers, sigma: float, grid: float = 1.0, groups_per_person: int = 1):
    """The same for Gaussian noise.

    >>> simdp.release.threshold_gaussian(1e-6, 1.0) < simdp.release.threshold_laplace(1e-6, 1.0)
    True
    """
    return each(_simdp.release_threshold_gaussian, delta, rest=(sigma, grid, groups_per_person))


def ids(names, rng=None) -> numpy.ndarray:
    """Ids for ids=, one for each of the names: texts and bytes are hashed under the key of rng, whole numbers are taken as
    they are. Noise by identity is a function of key, stream, id, law and parameters, in whatever order rows come; equal
    ids get equal noise, so an id names one answer, and never a data value.

    >>> rng = simdp.Rng(key=bytes(32))
    >>> names = simdp.release.ids(["north", "south"], rng)
    >>> noisy = simdp.release.laplace([10.0, 20.0], scale=1.0, rng=rng, ids=names)
    >>> turned = simdp.release.laplace([20.0, 10.0], scale=1.0, rng=rng, ids=names[::-1].copy())
    >>> bool((noisy == turned[::-1]).all())
    True
    """
    made = numpy.zeros(len(names), TYPES["id"])
    for i, name in enumerate(names):
        if isinstance(name, (str, bytes)):
            text = name.encode() if isinstance(name, str) else name
            _simdp.rng_id(rng, made[i:i + 1], numpy.frombuffer(text, "B"))
        else:   # rounded ones would be the same id, whose noise tells two answers apart
            whole = operator.index(name)
            if not 0 <= whole < 2**128:
                raise ValueError("names: whole numbers from 0 to 2^128 - 1")
            made[i] = (whole % 2**64, whole >> 64)
    return made


def clamped_sum(records: Numbers, lower: float, upper: float, grid: float = 1.0):
    """The sum of the records, each clamped to [lower, upper] and rounded to the grid, without rounding of the sum: its
    sensitivity is max(|lower|, |upper|) for adding a record. Integers give an int and take no grid.

    >>> simdp.release.clamped_sum([1.5, -7.0, 2.25], 0, 2, grid=0.25)
    3.5
    >>> simdp.release.clamped_sum(numpy.array([1, -7, 9]), 0, 5)
    6
    """
    array = known(records)
    if array.dtype.kind in "iu":
        return single(_simdp.release_clamped_sum_i64, aligned(clipped(array)).ravel(), lower, upper, kind="q")
    return single(_simdp.release_clamped_sum, doubles(array), lower, upper, grid)
