"""numpy.random.Generator on the cipher, in the hands of packages that take one: JAX-privacy draws its batches and its noise,
Flower adds its noise, dpsynth selects partitions. Keys are fixed: no false alarms."""
import unittest

import jax
import numpy
import scipy.stats
import simdp
from flwr.supercore import differential_privacy
from jax_privacy import batch_selection, sharding_utils

KEY = bytes(range(32))
N = 100_000


def generator(stream=0):
    return numpy.random.Generator(simdp.BitGenerator(key=KEY, stream=stream))


class Generators(unittest.TestCase):
    def assert_normal(self, sample, scale=1.0):
        self.assertGreater(scipy.stats.kstest(sample, scipy.stats.norm(scale=scale).cdf).pvalue, 1e-6)
        self.assertLess(scipy.stats.kstest(1.1 * sample, scipy.stats.norm(scale=scale).cdf).pvalue, 1e-9)   # the control

    def test_batches(self):
        strategies = (batch_selection.CyclicPoissonSampling(sampling_prob=0.1, iterations=20),
                      batch_selection.CyclicPoissonSampling(sampling_prob=0.5, iterations=20, cycle_length=4),
                      batch_selection.BallsInBinsSampling(cycle_length=10, iterations=20))
        for strategy in strategies:
            with self.subTest(strategy):
                one, same, other = (list(strategy.batch_iterator(10_000, rng=generator(stream))) for stream in (0, 0, 1))
                self.assertEqual(len(one), 20)
                self.assertTrue(all((a == b).all() for a, b in zip(one, same)))
                self.assertFalse(all(a.shape == b.shape and (a == b).all() for a, b in zip(one, other)))
                for batch in one:
                    self.assertEqual(len(set(batch.tolist())), len(batch))   # nobody is in a batch twice
                    self.assertLess(abs(len(batch) - 1100), 400)   # 1000, or an eighth of all

    def test_spawned_noise(self):
        leaf = jax.ShapeDtypeStruct((N,), numpy.float32)
        made = sharding_utils.parallel_sample_pytree(generator(), {"a": leaf, "b": leaf})
        a, b = numpy.asarray(made["a"]), numpy.asarray(made["b"])
        self.assert_normal(a.astype(float))
        self.assert_normal(b.astype(float))
        self.assertLess(abs(numpy.corrcoef(a, b)[0, 1]), 6.2 / N**0.5)
        self.assertGreater(numpy.corrcoef(a, a)[0, 1], 6.2 / N**0.5)   # the control

    def test_flower(self):
        before = numpy.random.get_bit_generator()
        self.addCleanup(numpy.random.set_bit_generator, before)

        def layer():
            numpy.random.set_bit_generator(simdp.BitGenerator(key=KEY))
            arrays = [numpy.zeros(N, "f")]
            differential_privacy.add_gaussian_noise_inplace(arrays, 3.0)
            return arrays[0]
        self.assert_normal(layer().astype(float), 3.0)
        self.assertTrue((layer() == layer()).all())

    def test_dpsynth(self):
        try:
            from dpsynth.local_mode import primitives
        except ImportError as error:
            self.skipTest(f"dpsynth, which no package index has and which wants Python 3.12: {error}")
        data = numpy.repeat(numpy.arange(1, 500), 1000)
        one, same, other = (primitives.select_partitions_gaussian_thresholding(generator(stream), data, 0.01, 1e-6)
                            for stream in (0, 0, 1))
        self.assertEqual(one[0].tolist(), list(range(1, 500)))
        self.assertTrue((one[1] == same[1]).all())
        self.assertFalse((one[1] == other[1]).all())
        self.assertGreater(scipy.stats.kstest(one[1] - 1000, scipy.stats.norm(scale=10.0).cdf).pvalue, 1e-6)
        self.assertLess(scipy.stats.kstest(one[1] - 1010, scipy.stats.norm(scale=10.0).cdf).pvalue, 1e-9)   # the control


if __name__ == "__main__":
    unittest.main()
