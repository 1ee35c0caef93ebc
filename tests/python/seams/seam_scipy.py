"""Noise and generators of this library under SciPy's tests of goodness of fit. Keys are fixed: no false alarms."""
import os
import unittest

import numpy
import scipy.stats
import simdp

N = 10**7 if os.environ.get("SIMDP_TEST_FULL") else 10**6


class Fit(unittest.TestCase):
    def assert_fits(self, sample, law):
        self.assertGreater(scipy.stats.kstest(sample, law.cdf).pvalue, 1e-6)
        self.assertLess(scipy.stats.kstest(sample * 1.05 + 0.02, law.cdf).pvalue, 1e-9)   # the control

    def test_noise(self):
        rng = simdp.Rng(key=bytes(range(32)))
        self.assert_fits(rng.laplace(N, 2.0), scipy.stats.laplace(scale=2.0))
        self.assert_fits(rng.gaussian(N, 2.0), scipy.stats.norm(scale=2.0))
        self.assert_fits(rng.gumbel(N), scipy.stats.gumbel_r())
        self.assert_fits(rng.exponential(N), scipy.stats.expon())
        self.assert_fits(simdp.release.laplace(numpy.zeros(N), scale=2.0, rng=rng), scipy.stats.laplace(scale=2.0))
        self.assert_fits(simdp.release.gaussian(numpy.zeros(N), sigma=2.0, rng=rng), scipy.stats.norm(scale=2.0))

    def test_generator(self):
        generator = numpy.random.Generator(simdp.BitGenerator(key=bytes(range(32))))
        self.assert_fits(generator.normal(size=N), scipy.stats.norm())
        self.assert_fits(scipy.stats.t(5).rvs(size=N // 10, random_state=generator), scipy.stats.t(5))


if __name__ == "__main__":
    unittest.main()
