"""simdp.seams.dp_accounting against dp_accounting itself: its epsilons lie at or above the lower end of our bracket, and
close to it."""
import unittest

import dp_accounting
from dp_accounting.pld import pld_privacy_accountant
from simdp.seams.dp_accounting import PldAccountant

EVENTS = {
    "gaussian": dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(5.0), 100),
    "laplace": dp_accounting.SelfComposedDpEvent(dp_accounting.LaplaceDpEvent(10.0), 30),
    "sgd": dp_accounting.SelfComposedDpEvent(
        dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(1.0)), 200),
    "mixed": dp_accounting.ComposedDpEvent([dp_accounting.GaussianDpEvent(3.0), dp_accounting.LaplaceDpEvent(2.0),
                                            dp_accounting.NoOpDpEvent()]),
}


class Accounting(unittest.TestCase):
    def test_same_epsilons(self):
        for name, event in EVENTS.items():
            with self.subTest(name):
                theirs = pld_privacy_accountant.PLDAccountant(value_discretization_interval=1e-4)
                epsilon = theirs.compose(event).get_epsilon(1e-6)
                lower, upper = PldAccountant().compose(event).bracket(1e-6)
                self.assertLessEqual(lower, epsilon * (1 + 1e-9))
                self.assertAlmostEqual(upper / epsilon, 1, delta=0.01)
                self.assertAlmostEqual(PldAccountant().compose(event).get_delta(upper) / 1e-6, 1, delta=0.01)

    def test_what_is_not_known(self):
        accountant = PldAccountant()
        self.assertFalse(accountant.supports(dp_accounting.UnsupportedDpEvent()))
        with self.assertRaises(dp_accounting.UnsupportedEventError):
            accountant.compose(dp_accounting.NonPrivateDpEvent())
        with self.assertRaises(dp_accounting.UnsupportedEventError):   # what comes before the event is not charged
            accountant.compose(dp_accounting.ComposedDpEvent([dp_accounting.GaussianDpEvent(1.0),
                                                              dp_accounting.NonPrivateDpEvent()]))
        self.assertEqual(accountant.compose(dp_accounting.GaussianDpEvent(5.0)).bracket(1e-6),
                         PldAccountant().compose(dp_accounting.GaussianDpEvent(5.0)).bracket(1e-6))
        self.assertFalse(accountant.supports(dp_accounting.LaplaceDpEvent(0.0)))


if __name__ == "__main__":
    unittest.main()
