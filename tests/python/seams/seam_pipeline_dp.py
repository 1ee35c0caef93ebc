"""simdp.seams.pipeline_dp against PipelineDP itself: the same laws of noise, the same probabilities of partitions and
choices, and a pipeline that runs on them."""
import unittest

import numpy
import pipeline_dp
import scipy.stats
from pipeline_dp import dp_computations, partition_selection
from simdp.seams import pipeline_dp as seam

N = 20_000
GEOMETRIC = pipeline_dp.PartitionSelectionStrategy.TRUNCATED_GEOMETRIC


class Scores(dp_computations.ExponentialMechanism.ScoringFunction):
    def __init__(self, monotonic):
        self._monotonic = monotonic

    def score(self, k):
        return float(k)

    @property
    def global_sensitivity(self):
        return 2.0

    @property
    def is_monotonic(self):
        return self._monotonic


class Laws(unittest.TestCase):
    def test_noise(self):
        mechanisms = (dp_computations.LaplaceMechanism.create_from_epsilon(0.5, 2.0),
                      dp_computations.LaplaceMechanism.create_from_std_deviation(3.0, 2.0),
                      dp_computations.GaussianMechanism.create_from_epsilon_delta(0.5, 1e-5, 2.0),
                      dp_computations.GaussianMechanism.create_from_std_deviation(3.0, 2.0))
        limit = 3.3 * (2 / N) ** 0.5   # of Kolmogorov and Smirnov; exceeded with a probability of 2 exp(-2 3.3^2)
        for mechanism in mechanisms:
            with self.subTest(mechanism.describe()):
                theirs, ours = mechanism.add_noise(numpy.zeros(N)), seam.add_noise(mechanism, numpy.zeros(N))
                self.assertLess(scipy.stats.ks_2samp(ours, theirs).statistic, limit)
                self.assertGreater(scipy.stats.ks_2samp(1.3 * ours, theirs).statistic, limit)   # the control
                self.assertEqual(seam.add_noise(mechanism, numpy.zeros((2, 3))).shape, (2, 3))
                self.assertIsInstance(seam.add_noise(mechanism, 7), float)

    def test_partitions(self):
        people = numpy.arange(200)
        for groups in (1, 3):
            for before in (None, 1, 5):
                with self.subTest(groups=groups, pre_threshold=before):
                    theirs = partition_selection.create_partition_selection_strategy(GEOMETRIC, 1.0, 1e-3, groups, before)
                    ours = seam.create_partition_selection_strategy(GEOMETRIC, 1.0, 1e-3, groups, before)
                    wanted = [theirs.probability_of_keep(int(n)) for n in people]
                    numpy.testing.assert_allclose(ours.probability_of_keep(people), wanted, rtol=1e-12, atol=0)
        ours = seam.PartitionSelection(1.0, 1e-3, 1)
        kept = ours.should_keep(numpy.full(10 * N, 6)).mean()
        wanted = ours.probability_of_keep(6)
        spread = 6.2 * (wanted * (1 - wanted) / (10 * N)) ** 0.5   # exceeded with a probability below 1e-9
        self.assertLess(abs(kept - wanted), spread)
        self.assertGreater(abs(kept - ours.probability_of_keep(7)), spread)   # the control
        self.assertIs(ours.should_keep(0), False)

    def test_thresholds_stay(self):
        laplace = pipeline_dp.PartitionSelectionStrategy.LAPLACE_THRESHOLDING
        self.assertGreater(seam.create_partition_selection_strategy(laplace, 1.0, 1e-5, 3).threshold, 30)

    def test_exponential(self):
        inputs = [0, 1, 2, 5]
        for monotonic in (False, True):
            mechanism = dp_computations.ExponentialMechanism(Scores(monotonic))
            chosen = numpy.bincount([seam.apply(mechanism, 1.5, inputs) for _ in range(N)], minlength=6)[inputs]
            wanted = N * mechanism._calculate_probabilities(1.5, inputs)
            other = N * dp_computations.ExponentialMechanism(Scores(not monotonic))._calculate_probabilities(1.5, inputs)
            self.assertLess(((chosen - wanted) ** 2 / wanted).sum(), 46)   # chi^2, 3 degrees: exceeded below 1e-9
            self.assertGreater(((chosen - other) ** 2 / other).sum(), 46)   # the control


class Pipeline(unittest.TestCase):
    def test_counts(self):
        rows = [(person, city) for city, people in enumerate((3000, 2000, 1)) for person in range(people)]
        with seam.use():
            accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=2.0, total_delta=1e-6)
            engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
            params = pipeline_dp.AggregateParams(metrics=[pipeline_dp.Metrics.COUNT], max_partitions_contributed=3,
                                                 max_contributions_per_partition=1)
            extractors = pipeline_dp.DataExtractors(privacy_id_extractor=lambda row: row[0],
                                                    partition_extractor=lambda row: row[1], value_extractor=lambda row: 0)
            made = engine.aggregate(rows, params, extractors)
            accountant.compute_budgets()
            counts = {city: metrics.count for city, metrics in made}
        self.assertEqual(set(counts) - {2}, {0, 1})   # the city of one person is shown once in a million times
        self.assertLess(max(abs(counts[0] - 3000), abs(counts[1] - 2000)), 100)
        self.assertNotEqual(counts[0], 3000)

    def test_all_is_as_before(self):
        def places():
            return (dp_computations.AdditiveMechanism.add_noise, dp_computations.ExponentialMechanism.apply,
                    partition_selection.create_partition_selection_strategy)
        before = places()
        with self.assertRaises(KeyError), seam.use():
            self.assertEqual(places(), (seam.add_noise, seam.apply, seam.create_partition_selection_strategy))
            raise KeyError
        self.assertEqual(places(), before)


if __name__ == "__main__":
    unittest.main()
