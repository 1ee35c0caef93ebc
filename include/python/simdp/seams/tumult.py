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


def _root_up(square):
    """A double at or above the root of an exact number."""
    return math.nextafter(math.sqrt(square.to_float(round_up=True)), math.inf)


def _whole(values):
    return numpy.ascontiguousarray(values, dtype="int64")


def _real(values):
    return numpy.ascontiguousarray(values, dtype="float64")


class AddNoiseToSeries(Stock):
    """The measurement of the same name, with the same privacy function. Scales are rounded up, as there. Noise of scale 0
    or infinity is left to it."""

    def __call__(self, values):
        noise = self.noise_measurement
        scale = getattr(noise, "scale", None) or getattr(noise, "alpha", None) or getattr(noise, "sigma_squared", None)
        if noise.adds_no_noise or not scale.is_finite:
            return super().__call__(values)
        if isinstance(noise, AddLaplaceNoise):
            made = release.laplace(_real(values), scale=scale.to_float(round_up=True))
        elif isinstance(noise, AddGeometricNoise):
            made = release.discrete_laplace(_whole(values), scale=scale.to_float(round_up=True))
        elif isinstance(noise, AddDiscreteGaussianNoise):
            made = release.discrete_gaussian(_whole(values), sigma=_root_up(scale))
        elif isinstance(noise, AddGaussianNoise):
            made = release.gaussian(_real(values), sigma=_root_up(scale))
        else:
            return super().__call__(values)
        return pandas.Series(made, index=values.index)


def use(on=True):
    """Measurements on Spark's tables that are built from now on draw from this library; use(False): from Tumult's."""
    aggregations.AddNoiseToSeries = AddNoiseToSeries if on else Stock
