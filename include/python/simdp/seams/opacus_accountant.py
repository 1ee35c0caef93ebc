"""Privacy-loss distributions of this library as an accountant of Opacus, known there as "simdp" once this is imported."""
import math

from opacus.accountants import IAccountant, register_accountant

from ..account import Pld

__all__ = ["Accountant"]


class Accountant(IAccountant):
    """Upper bounds of epsilon from privacy-loss distributions; bracket(delta) gives both ends."""

    def __init__(self):
        self.history = []

    def step(self, *, noise_multiplier, sample_rate):
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            steps = self.history.pop()[2] + 1
        else:
            steps = 1
        self.history.append((noise_multiplier, sample_rate, steps))

    def bracket(self, delta, grid=2e-4):
        """(lower, upper) bounds of epsilon. grid: of the losses of a step, in nats."""
        if any(noise == 0 for noise, _, _ in self.history):
            return math.inf, math.inf
        if not self.history:
            return 0.0, 0.0
        pld = Pld(grid)
        for noise, rate, steps in self.history:
            if rate >= 1:
                pld.add_gaussian(noise, steps)
            else:
                pld.add_gaussian_sampled(noise, rate, steps)
        pld.compose(delta / 100, min(1.0, 100 * delta))
        return pld.epsilon(delta)

    def get_epsilon(self, delta, **options):
        return self.bracket(delta, **options)[1]

    def __len__(self):
        return len(self.history)

    @classmethod
    def mechanism(cls):
        return "simdp"


register_accountant("simdp", Accountant, force=True)
