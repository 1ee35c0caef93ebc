"""simdp.seams.opacus against Opacus itself: an epoch trains, the noise has its law, lies where the gradients were and is
that of the key; the accountant agrees with Opacus's own."""
import unittest

import numpy
import opacus
import scipy.stats
import simdp
import torch
from opacus.accountants import PRVAccountant, create_accountant
from opacus.accountants.utils import get_noise_multiplier
from opacus.optimizers import DPOptimizer, DPOptimizerFastGradientClipping
from simdp.seams import opacus as seam

N = 200_000
KEY = bytes(range(32))


def stepped(dtype=torch.float32, turned=False, value=0.0, **options):
    """A parameter after one step on two records with gradients of 0 (value: of their sum), noise 2 at norm 1.5."""
    shape = (N // 100, 100)
    weight = torch.nn.Parameter(torch.zeros(shape, dtype=dtype))
    optimizer = seam.use(DPOptimizer(torch.optim.SGD([weight], lr=1.0), noise_multiplier=2.0, max_grad_norm=1.5,
                                     expected_batch_size=2, loss_reduction="sum"), **options)
    weight.summed_grad = torch.full(shape[::-1] if turned else shape, value, dtype=dtype)
    if turned:
        weight.summed_grad = weight.summed_grad.t()
    optimizer.add_noise()
    return weight


class Noise(unittest.TestCase):
    def assert_law(self, sample):
        self.assertGreater(scipy.stats.kstest(sample, scipy.stats.norm(scale=3.0).cdf).pvalue, 1e-6)
        self.assertLess(scipy.stats.kstest(sample, scipy.stats.norm(scale=3.1).cdf).pvalue, 1e-9)   # the control

    def test_law(self):
        for exact in (False, True):
            for dtype in (torch.float32, torch.float64):
                for turned in (False, True):
                    with self.subTest(exact=exact, dtype=dtype, turned=turned):
                        made = stepped(dtype, turned, rng=simdp.Rng(key=KEY), exact=exact).grad
                        self.assertEqual(made.dtype, dtype)
                        self.assert_law(made.double().numpy().ravel())
        self.assertEqual(stepped(torch.bfloat16).grad.dtype, torch.bfloat16)

    def test_bytes_and_place(self):
        weight = stepped(value=0.25, rng=simdp.Rng(key=KEY))
        wanted = simdp.Rng(key=KEY).add_gaussian(numpy.full((N // 100, 100), 0.25, "f"), 3.0)
        self.assertEqual(weight.grad.numpy().tobytes(), wanted.tobytes())
        self.assertEqual(weight.grad.data_ptr(), weight.summed_grad.data_ptr())
        grid = numpy.float64(simdp.release.grid(3.0))
        on_grid = stepped(torch.float64, value=0.1, exact=True).grad.numpy() / grid
        self.assertTrue((on_grid == numpy.rint(on_grid)).all())
        off_grid = stepped(torch.float64, value=0.1).grad.numpy() / grid
        self.assertFalse((off_grid == numpy.rint(off_grid)).all())
        self.assertFalse((stepped().grad == stepped().grad).all())   # without a key, noise is new each time

    def test_gradients_serve_once(self):
        weight = torch.nn.Parameter(torch.zeros(3))
        optimizer = seam.use(DPOptimizer(torch.optim.SGD([weight], lr=1.0), noise_multiplier=1.0, max_grad_norm=1.0,
                                         expected_batch_size=2))
        weight.summed_grad = torch.zeros(3)
        optimizer.add_noise()
        with self.assertRaises(ValueError):
            optimizer.add_noise()

    def test_refused(self):
        weight = torch.nn.Parameter(torch.zeros(3))
        options = dict(noise_multiplier=1.0, max_grad_norm=1.0, expected_batch_size=2)
        with self.assertRaises(TypeError):
            seam.use(DPOptimizerFastGradientClipping(torch.optim.SGD([weight], lr=1.0), **options))
        with self.assertRaises(ValueError):
            seam.use(DPOptimizer(torch.optim.SGD([weight], lr=1.0), secure_mode=True, **options))


class Training(unittest.TestCase):
    def test_an_epoch(self):
        torch.manual_seed(1)
        points = torch.randn(2000, 8)
        labels = (points.sum(1) > 0).long()
        for exact in (False, True):
            model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
            engine = opacus.PrivacyEngine(accountant="simdp")
            loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(points, labels), batch_size=50)
            model, optimizer, loader = engine.make_private(module=model, data_loader=loader, noise_multiplier=1.0,
                                                           max_grad_norm=1.0,
                                                           optimizer=torch.optim.SGD(model.parameters(), lr=1.0))
            seam.use(optimizer, exact=exact)
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
            right = (model(points).argmax(1) == labels).float().mean().item()
            self.assertGreater(right, 0.8)
            lower, upper = engine.accountant.bracket(1e-5)
            self.assertEqual(engine.get_epsilon(1e-5), upper)
            self.assertEqual(sum(steps for _, _, steps in engine.accountant.history), len(loader))
            self.assertLess(lower, upper)


class Accounting(unittest.TestCase):
    def test_same_epsilons(self):
        for history in ([(1.0, 0.01, 1000)], [(0.6, 0.02, 500)], [(1.0, 0.01, 300), (2.0, 0.5, 4)]):
            with self.subTest(history):
                ours, theirs = create_accountant("simdp"), PRVAccountant()
                ours.history = theirs.history = history
                lower, upper = ours.bracket(1e-5)
                epsilon = theirs.get_epsilon(1e-5)   # an upper bound, at most 0.02 too high
                self.assertLessEqual(lower, epsilon)
                self.assertLess(upper, epsilon + 1e-3)
                self.assertLess(epsilon - 0.02, upper)

    def test_steps_and_state(self):
        ours = seam.Accountant()
        self.assertEqual(ours.get_epsilon(1e-5), 0.0)
        for noise in (1.0, 1.0, 2.0):
            ours.step(noise_multiplier=noise, sample_rate=0.1)
        self.assertEqual(ours.history, [(1.0, 0.1, 2), (2.0, 0.1, 1)])
        other = seam.Accountant()
        other.load_state_dict(ours.state_dict())
        self.assertEqual(other.get_epsilon(1e-5), ours.get_epsilon(1e-5))
        ours.step(noise_multiplier=0.0, sample_rate=0.1)
        self.assertEqual(ours.get_epsilon(1e-5), float("inf"))

    def test_calibration(self):
        asked = dict(target_epsilon=2.0, target_delta=1e-5, sample_rate=0.01, steps=1000)
        ours, theirs = (get_noise_multiplier(accountant=name, **asked) for name in ("simdp", "prv"))
        self.assertAlmostEqual(ours / theirs, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
