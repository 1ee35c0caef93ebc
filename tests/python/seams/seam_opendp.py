"""simdp.seams.opendp against OpenDP itself: chained with a transformation, the same map, the same law."""
import unittest

import numpy
import opendp.prelude as dp
from simdp.seams import opendp as seam

dp.enable_features("contrib", "honest-but-curious")


class OpenDP(unittest.TestCase):
    def test_chained(self):
        domain, metric = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
        theirs = dp.m.make_laplace(domain, metric, scale=2.0)
        ours = seam.make_laplace(2.0)
        self.assertEqual(ours.map(1.0), numpy.nextafter(0.5, 1))
        self.assertAlmostEqual(ours.map(1.0), theirs.map(1.0))
        identity = dp.t.make_identity(domain, metric)
        self.assertEqual(len((identity >> ours)([1.0, 2.0, 3.0])), 3)
        self.assertGreaterEqual(seam.make_gaussian(2.0).map(1.0), 1 / 8)

    def test_same_law(self):
        n = 20000
        theirs = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), scale=2.0)
        ours, other = numpy.sort(seam.make_laplace(2.0)([0.0] * n)), numpy.sort(theirs([0.0] * n))
        wrong = numpy.sort(seam.make_laplace(3.0)([0.0] * n))

        def distance(a, b):   # of Kolmogorov and Smirnov
            both = numpy.concatenate([a, b])
            return abs(numpy.searchsorted(a, both, "right") - numpy.searchsorted(b, both, "right")).max() / n
        limit = 3.3 * (2 / n) ** 0.5   # exceeded with a probability of 2 exp(-2 3.3^2), below 1e-9
        self.assertLess(distance(ours, other), limit)
        self.assertGreater(distance(wrong, other), limit)


if __name__ == "__main__":
    unittest.main()
