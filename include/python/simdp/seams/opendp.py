"""Laplace and Gaussian noise of this library as measurements of OpenDP, to be chained with its transformations."""
import math

import numpy
import opendp.prelude as dp

from .. import release

__all__ = ["arrays", "make_laplace", "make_gaussian"]


def arrays():
    """The domain of NumPy's arrays of float64, of any shape. OpenDP hands their objects on, and so copies no numbers."""
    def is_member(x):
        return isinstance(x, numpy.ndarray) and x.dtype == numpy.float64 and not numpy.isnan(x).any()
    return dp.user_domain("arrays of float64 without NaN", is_member)


def _make(law, distance, measure, privacy_map, by_arrays):
    """by_arrays: arrays in and out; else vectors, which come as lists."""
    domain = arrays() if by_arrays else dp.vector_domain(dp.atom_domain(T=float, nan=False))
    return dp.m.make_user_measurement(domain, distance(T=float), measure(), privacy_map=privacy_map,
                                      function=lambda x: law(numpy.ascontiguousarray(x, dtype=float)),
                                      TO="ExtrinsicObject" if by_arrays else "Vec<f64>")


def make_laplace(scale, *, by_arrays=False):
    """A measurement on vectors of floats with the L1 distance: d_in / scale of max divergence, rounded up. by_arrays: on
    arrays() instead, which is hundreds of times as fast."""
    return _make(lambda x: release.laplace(x, scale=scale), dp.l1_distance, dp.max_divergence,
                 lambda d_in: math.nextafter(d_in / scale, math.inf), by_arrays)


def make_gaussian(sigma, *, by_arrays=False):
    """The same with the L2 distance: (d_in / sigma)^2 / 2 of zero-concentrated divergence, rounded up."""
    def rho(d_in):
        ratio = math.nextafter(d_in / sigma, math.inf)
        return math.nextafter(math.nextafter(ratio * ratio, math.inf) / 2, math.inf)
    return _make(lambda x: release.gaussian(x, sigma=sigma), dp.l2_distance, dp.zero_concentrated_divergence, rho, by_arrays)
