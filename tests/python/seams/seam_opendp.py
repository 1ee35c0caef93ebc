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

    def test_arrays(self):
        """Arrays pass as objects, chained with a transformation of the user's: sums of columns, clamped to [0, 1]."""
        rows = numpy.arange(12.0).reshape(4, 3)
        for make, distance in ((seam.make_laplace, dp.l1_distance), (seam.make_gaussian, dp.l2_distance)):
            sums = dp.t.make_user_transformation(
                seam.arrays(), dp.symmetric_distance(), seam.arrays(), distance(T=float),
                function=lambda x: x.clip(0, 1).sum(axis=0), stability_map=lambda d_in: 3.0 * d_in)
            ours, chain = make(2.0**-20, by_arrays=True), sums >> make(2.0**-20, by_arrays=True)
            made = chain(rows)
            self.assertIsInstance(made, numpy.ndarray)
            self.assertLess(abs(made - [3, 4, 4]).max(), 1e-3)
            self.assertEqual(chain.map(1), ours.map(3.0))
            self.assertEqual(ours.map(3.0), make(2.0**-20).map(3.0))
            self.assertEqual(ours(rows[:, 1:]).shape, (4, 2))   # also what is not contiguous
        domain = seam.arrays()
        self.assertEqual([domain.member(x) for x in (rows, rows.astype("f"), rows * numpy.nan)], [True, False, False])

    def test_same_law(self):
        n = 20000
        theirs = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), scale=2.0)
        ours, other = numpy.sort(seam.make_laplace(2.0)([0.0] * n)), numpy.sort(theirs([0.0] * n))
        wrong = numpy.sort(seam.make_laplace(3.0)([0.0] * n))

        def distance(a, b):   # of Kolmogorov and Smirnov
            both = numpy.concatenate([a, b])
            return abs(numpy.searchsorted(a, both, "right") - numpy.searchsorted(b, both, "right")).max() / n
        limit = 3.3 * (2 / n) ** 0.5   # exceeded with a probability of 2 exp(-2 3.3^2), below 1e-9
        fast = numpy.sort(seam.make_laplace(2.0, by_arrays=True)(numpy.zeros(n)))
        self.assertLess(distance(ours, other), limit)
        self.assertLess(distance(fast, other), limit)
        self.assertGreater(distance(wrong, other), limit)


if __name__ == "__main__":
    unittest.main()
