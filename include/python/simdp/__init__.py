"""simdp: SIMD kernels for differential privacy.

>>> counts = numpy.array([1312.0, 87.0, 402.0])   # one person is in one of them at most
>>> noisy = simdp.release.laplace(counts, sensitivity=1, epsilon=0.5)   # together 0.5-private

release    noisy answers that are safe to publish       select    choosing one of many candidates
account    what several releases cost together          loss      privacy loss of outputs, privacy curves
audit      a mechanism against its promise              theory    filters, interactions, typical stability
noise      laws of the noise in closed form             Rng       streams of random bits, raw deviates
BitGenerator   the cipher for numpy.random.Generator

Names and meaning are those of the C library without its prefix; its headers have ranges, errors and time. Parameters out
of range raise ValueError, arrays of a wrong type or layout TypeError; data never raise. Randomness is the operating
system's entropy unless an Rng with a key is handed over, which repeats the bytes that C gives with that key."""
from . import account, audit, loss, noise, release, select, theory
from ._simdp import ArrowArray, BitGenerator, Rng, isa_name, isa_select, isa_variant, version

__version__ = version()
__all__ = ["ArrowArray", "BitGenerator", "Rng", "account", "audit", "isa_name", "isa_select", "isa_variant", "loss",
           "noise", "release", "select", "theory", "version"]
