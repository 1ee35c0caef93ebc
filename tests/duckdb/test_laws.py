"""The laws of what comes out, from entropy. Bounds hold but for a chance of 1e-10 a test; a mechanism that is off by a
tenth must be seen by each of them."""
import ctypes
import math
import unittest

import numpy

from engine import GAUSSIAN, call, column, connect, plan

CHANCE = 1e-10


def distance(sample, cdf):
    """The largest distance between the sample's distribution and a law (Kolmogorov and Smirnov), in units of its bound."""
    n = len(sample)
    at = numpy.arange(n + 1) / n
    law = cdf(numpy.sort(sample))
    far = max(numpy.max(at[1:] - law), numpy.max(law - at[:-1]))
    return far / math.sqrt(math.log(2 / CHANCE) / (2 * n))   # Massart


def laplace_cdf(scale):
    return lambda x: numpy.where(x < 0, 0.5 * numpy.exp(-abs(x) / scale), 1 - 0.5 * numpy.exp(-abs(x) / scale))


def gaussian_cdf(sigma):
    return lambda x: 0.5 * (1 + numpy.vectorize(math.erf)(x / (sigma * math.sqrt(2))))


def share(values, p):
    """How far the share of true values is from p, in units of its bound (Hoeffding)."""
    return abs(numpy.mean(values) - p) / math.sqrt(math.log(2 / CHANCE) / (2 * len(values)))


class Laws(unittest.TestCase):
    ROWS = 200000

    @classmethod
    def setUpClass(cls):
        cls.connection = connect()

    def sample(self, expression):
        return self.connection.execute(f"SELECT {expression} AS x FROM range({self.ROWS})").fetchnumpy()["x"]

    def test_laplace(self):
        self.assertLess(distance(self.sample("dp_laplace(10, 0.5, 3) - 10"), laplace_cdf(6)), 1)
        self.assertGreater(distance(self.sample("dp_laplace(10, 0.55, 3) - 10"), laplace_cdf(6)), 1)
        self.assertGreater(distance(self.sample("dp_laplace(10.7, 0.5, 3) - 10"), laplace_cdf(6)), 1)

    def test_gaussian(self):
        sigma = plan(GAUSSIAN, 0.5, 1e-5, 3.0)
        self.assertLess(distance(self.sample("dp_gaussian(10, 0.5, 1e-5, 3) - 10"), gaussian_cdf(sigma)), 1)
        self.assertGreater(distance(self.sample("dp_gaussian(10, 0.5, 1e-5, 3.3) - 10"), gaussian_cdf(sigma)), 1)

    def test_randomized_response(self):
        for epsilon in (0.0, 1.0, 3.0):
            for truth in ("true", "false"):
                p = 1 / (1 + math.exp(-epsilon if truth == "true" else epsilon))
                self.assertLess(share(self.sample(f"dp_randomized_response({truth}, {epsilon})"), p), 1)
        self.assertGreater(share(self.sample("dp_randomized_response(true, 1.1)"), 1 / (1 + math.exp(-1))), 1)

    def test_keep_group(self):
        p, complement = ctypes.c_double(), ctypes.c_double()
        for query, count, groups in (("dp_keep_group({}, 1, 0.01)", 3, 1), ("dp_keep_group({}, 1, 0.01)", 5, 1),
                                     ("dp_keep_groups({}, 1, 0.01, 2)", 8, 2)):
            call("simdp_select_partition_probability", ctypes.byref(p), ctypes.byref(complement), numpy.array([count]), 1, 1.0,
                 0.01, groups)
            self.assertLess(share(self.sample(query.format(count)), p.value), 1)
            self.assertGreater(share(self.sample(query.format(count + 1)), p.value), 1)

    def winners(self, threads, epsilon):
        self.connection.execute(f"SET threads = {threads}")
        self.connection.execute("""CREATE OR REPLACE TABLE c AS SELECT i // 5 AS g, i % 5 AS c FROM range(300000) r(i)
            ORDER BY hash(i)""")   # the rows of a group lie in several parts of the table, which threads share
        return numpy.array(column(self.connection, f"SELECT dp_choose(c, c, {epsilon}, 0.5) FROM c GROUP BY g"))

    def test_choose_in_parallel(self):
        weights = numpy.exp(numpy.arange(5) * 1.2)
        law = weights / weights.sum()
        for threads in (1, 8):
            won = self.winners(threads, 1.2)
            self.assertEqual(len(won), 60000)
            self.assertLess(max(share(won == c, law[c]) for c in range(5)), 1)
        self.assertGreater(max(share(self.winners(8, 1.32) == c, law[c]) for c in range(5)), 1)
