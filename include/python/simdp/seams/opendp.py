"""Laplace and Gaussian noise of this library as measurements of OpenDP, to be chained with its transformations."""
import math

import numpy
import opendp.prelude as dp

from .. import release

__all__ = ["make_laplace", "make_gaussian"]


def _vectors():
    return dp.vector_domain(dp.atom_domain(T=float, nan=False))


def _released(function, scale):
    """Lists in and out, as OpenDP hands vectors over."""
    def run(answers):
        return function(numpy.array(answers, dtype=float), scale).tolist()
    return run


def make_laplace(scale):
    """A measurement on vectors of floats with the L1 distance: d_in / scale of max divergence, rounded up."""
    return dp.m.make_user_measurement(
        _vectors(), dp.l1_distance(T=float), dp.max_divergence(),
        function=_released(lambda x, b: release.laplace(x, scale=b), scale),
        privacy_map=lambda d_in: math.nextafter(d_in / scale, math.inf), TO="Vec<f64>")


def make_gaussian(sigma):
    """A measurement on vectors of floats with the L2 distance: (d_in / sigma)^2 / 2 of zero-concentrated divergence,
    rounded up."""
    def rho(d_in):
        ratio = math.nextafter(d_in / sigma, math.inf)
        return math.nextafter(math.nextafter(ratio * ratio, math.inf) / 2, math.inf)
    return dp.m.make_user_measurement(
        _vectors(), dp.l2_distance(T=float), dp.zero_concentrated_divergence(),
        function=_released(lambda x, s: release.gaussian(x, sigma=s), sigma), privacy_map=rho, TO="Vec<f64>")
