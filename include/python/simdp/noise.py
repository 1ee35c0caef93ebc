"""Laws of the noise in closed form: of X with the law 'laplace', 'gaussian', 'gumbel', 'exponential',
'discrete_laplace' or 'discrete_gaussian' and a scale. Deviates are drawn by Rng."""
from . import _simdp
from ._forms import Numbers, Result, choice, each

__all__ = ["cdf", "sf", "log_density", "probability", "quantile"]


def _law(function, x, law, scale):
    return each(function, x, rest=(choice("MECHANISM_", law), scale))


def cdf(x: Numbers, law: str, scale: float) -> Result:
    """P[X <= x].

    >>> simdp.noise.cdf(0.0, "laplace", scale=2.0)
    0.5
    """
    return _law(_simdp.noise_cdf, x, law, scale)


def sf(x: Numbers, law: str, scale: float) -> Result:
    """P[X > x].

    >>> simdp.noise.sf([0.0, 1.0], "exponential", scale=1.0).round(4)
    array([1.    , 0.3679])
    """
    return _law(_simdp.noise_sf, x, law, scale)


def log_density(x: Numbers, law: str, scale: float) -> Result:
    """The logarithm of the density, or of the probability for a discrete law.

    >>> round(simdp.noise.log_density(0.0, "gaussian", scale=1.0), 6)
    -0.918939
    """
    return _law(_simdp.noise_log_density, x, law, scale)


def probability(x: Numbers, law: str, scale: float) -> Result:
    """P[X = x] of a discrete law.

    >>> round(simdp.noise.probability(0.0, "discrete_laplace", scale=1.0), 6)
    0.462117
    """
    return _law(_simdp.noise_probability, x, law, scale)


def quantile(p: Numbers, law: str, scale: float) -> Result:
    """The x with P[X <= x] = p; for a discrete law the smallest integer with P[X <= x] >= p.

    >>> simdp.noise.quantile(0.5, "discrete_gaussian", scale=3.0)
    0.0
    """
    return _law(_simdp.noise_quantile, p, law, scale)
