"""Noise of this library in Tumult Core, and so in Tumult Analytics: whole columns at once in place of one number at a time.
use() before a session is opened; workers of Spark import this module, so it must be installed where they run."""
import math

import numpy
import pandas
from tmlt.core.measurements import aggregations
from tmlt.core.measurements.noise_mechanisms import (AddDiscreteGaussianNoise, AddGaussianNoise, AddGeometricNoise,
                                                     AddLaplaceNoise)
from tmlt.core.measurements.pandas_measurements.series import AddNoiseToSeries as Stock

from .. import release

__all__ = ["AddNoiseToSeries", "use"]


def _sigma(noise):
    """A double at or above the standard deviation."""
    return math.nextafter(math.sqrt(noise.sigma_squared.to_float(round_up=True)), math.inf)


# which type of numbers a mechanism takes, the name of its parameter, and its release
_RELEASES = {
    AddLaplaceNoise: ("d", "scale", lambda x, noise: release.laplace(x, scale=noise.scale.to_float(round_up=True))),
    AddGeometricNoise: ("q", "alpha", lambda x, noise: release.discrete_laplace(x, scale=noise.alpha.to_float(round_up=True))),
    AddGaussianNoise: ("d", "sigma_squared", lambda x, noise: release.gaussian(x, sigma=_sigma(noise))),
    AddDiscreteGaussianNoise: ("q", "sigma_squared", lambda x, noise: release.discrete_gaussian(x, sigma=_sigma(noise))),
}


class AddNoiseToSeries(Stock):
    """The measurement of the same name, with the same privacy function. Scales are rounded up, as there; noise of scale 0
    or infinity is left to it."""

    def __call__(self, values):
        noise = self.noise_measurement
        kind, name, released = _RELEASES[type(noise)]
        if noise.adds_no_noise or not getattr(noise, name).is_finite:
            return super().__call__(values)
        return pandas.Series(released(numpy.ascontiguousarray(values, dtype=kind), noise), index=values.index)


def use(on=True):
    """Measurements on Spark's tables that are built from now on draw from this library; use(False): from Tumult's."""
    aggregations.AddNoiseToSeries = AddNoiseToSeries if on else Stock
