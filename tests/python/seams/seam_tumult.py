"""simdp.seams.tumult against Tumult Core and Analytics: the same laws and privacy functions; a query of Analytics on Spark
draws from this library."""
import os
import sys
import unittest

import numpy
import pandas
import scipy.stats
from pyspark.sql import SparkSession
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session
from tmlt.core.domains.numpy_domains import NumpyFloatDomain, NumpyIntegerDomain
from tmlt.core.measurements import aggregations
from tmlt.core.measurements.noise_mechanisms import (AddDiscreteGaussianNoise, AddGaussianNoise, AddGeometricNoise,
                                                     AddLaplaceNoise)
from simdp.seams import tumult as seam

N, THEIRS = 200_000, 10_000
os.environ["PYSPARK_PYTHON"] = sys.executable


def statistic(ours, theirs):
    return scipy.stats.ks_2samp(ours, theirs).statistic


class Laws(unittest.TestCase):
    def test_noise(self):
        limit = 3.3 * (1 / N + 1 / THEIRS) ** 0.5   # of Kolmogorov and Smirnov; exceeded with a probability below 1e-9
        for noise in (AddLaplaceNoise(NumpyFloatDomain(), 3), AddLaplaceNoise(NumpyIntegerDomain(), 3),
                      AddGeometricNoise(3), AddGaussianNoise(NumpyFloatDomain(), 9), AddDiscreteGaussianNoise(9)):
            with self.subTest(noise):
                kind = "q" if isinstance(noise.input_domain, NumpyIntegerDomain) else "d"
                stock, measurement = seam.Stock(noise), seam.AddNoiseToSeries(noise)
                theirs = stock(pandas.Series(numpy.zeros(THEIRS, kind)))
                made = measurement(pandas.Series(numpy.zeros(N, kind), index=numpy.arange(N) + 7))
                self.assertEqual(made.dtype, theirs.dtype)
                self.assertEqual(made.index[0], 7)
                self.assertLess(statistic(made, theirs), limit)
                self.assertGreater(statistic(1.3 * made, theirs), limit)   # the control
                self.assertEqual(measurement.privacy_function(2), stock.privacy_function(2))

    def test_no_noise_and_all_noise(self):
        zeros = pandas.Series(numpy.zeros(5, "q"))
        self.assertEqual(seam.AddNoiseToSeries(AddGeometricNoise(0))(zeros).tolist(), [0] * 5)
        endless = seam.AddNoiseToSeries(AddLaplaceNoise(NumpyIntegerDomain(), float("inf")))
        self.assertTrue(numpy.isinf(endless(zeros)).all())


class OnSpark(unittest.TestCase):
    def test_query(self):
        spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(
            "spark.sql.shuffle.partitions", "1").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        rows = pandas.DataFrame({"city": [str(i % 50) for i in range(5000)]})
        keys = KeySet.from_dict({"city": [str(i) for i in range(50)]})
        seam.use()
        try:
            session = Session.from_dataframe(PureDPBudget(1), "people", spark.createDataFrame(rows), AddOneRow())
            measured = []
            stock = seam.AddNoiseToSeries.__init__

            def noted(self, *arguments):
                measured.append(self)
                stock(self, *arguments)
            seam.AddNoiseToSeries.__init__ = noted
            try:
                answer = session.evaluate(QueryBuilder("people").groupby(keys).count(), PureDPBudget(1)).toPandas()
            finally:
                seam.AddNoiseToSeries.__init__ = stock
            self.assertTrue(measured)
        finally:
            seam.use(False)
            spark.stop()
        self.assertIs(aggregations.AddNoiseToSeries, seam.Stock)
        self.assertEqual(len(answer), 50)
        noise = answer["count"] - 100
        self.assertLess(abs(noise).max(), 40)   # epsilon 1: beyond with a probability of 50 exp(-40)
        self.assertTrue((noise != 0).any())


if __name__ == "__main__":
    unittest.main(warnings="ignore")
