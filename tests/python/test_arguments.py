"""Arguments that are wrong give exceptions, data never do, and nothing crashes."""
import array
import copy
import math
import os
import pickle
import unittest

import numpy
import simdp
from hypothesis import given, settings, strategies as st
from simdp import _simdp

MANY = settings(max_examples=2000 if os.environ.get("SIMDP_TEST_FULL") else 150, deadline=None, derandomize=True,
                database=None)


class Wrong(unittest.TestCase):
    def test_types_and_layouts(self):
        laplace = simdp.release.laplace
        for bad in (numpy.zeros(3, "e"), numpy.zeros(3, "i4"), numpy.zeros(3, "u8"), numpy.zeros(3, "c16"),
                    numpy.zeros((4, 4))[:, 1], numpy.zeros(6)[::2], numpy.zeros(3, ">f8"), numpy.array(["a"]),
                    numpy.array([None]), "text", None, object(), {1: 2}, b"bytes", True):
            with self.assertRaises(TypeError, msg=repr(bad)):
                laplace(bad, scale=1.0)
        for good in (numpy.zeros(3, "e"), numpy.zeros(3, "i4"), numpy.full(3, 2**64 - 1, "u8"), numpy.zeros((4, 4))[:, 1],
                     numpy.zeros(3, ">f8")):
            self.assertEqual(laplace(good, scale=1.0, copy=True).size, good.size)
        with self.assertRaisesRegex(TypeError, "C-contiguous.*copy=True"):
            laplace(numpy.zeros(6)[::2], scale=1.0)

    def test_outputs(self):
        x = numpy.zeros(8)
        frozen = numpy.zeros(8)
        frozen.flags.writeable = False
        for out, error in ((numpy.zeros(7), ValueError), (numpy.zeros(8, "f"), TypeError), (frozen, TypeError),
                           ([0.0] * 8, TypeError), (numpy.zeros(16)[::2], TypeError), (b"x" * 64, TypeError)):
            with self.assertRaises(error):
                simdp.release.laplace(x, scale=1.0, out=out)
        both = numpy.zeros(9)
        with self.assertRaises(ValueError):
            simdp.release.laplace(both[:-1], scale=1.0, out=both[1:])
        self.assertIs(simdp.release.laplace(x, scale=1.0, out=x), x)

    def test_a_failed_release_leaves_no_answer(self):
        for n in (5, 10**6):
            x = numpy.full(n, 7.0)
            with self.assertRaises(ValueError):
                simdp.release.laplace(x, scale=-1.0, out=x)
            self.assertTrue(numpy.isnan(x).all())
        x = numpy.full(5, 7)
        with self.assertRaises(ValueError):
            simdp.release.laplace(x, scale=math.nan, out=x)
        self.assertTrue((x == -2**63).all())
        for bad in ({"k": 0, "epsilon": 1}, {"k": 2**32, "epsilon": 1}, {"k": 2**32 + 2, "epsilon": 1},
                    {"k": 4, "epsilon": -1}):
            x = numpy.full(5, 3, "u4")
            with self.assertRaises(ValueError):
                simdp.release.k_response(x, out=x, **bad)
            self.assertTrue((x == 2**32 - 1).all())
        x = numpy.full(5, 7, "B")
        with self.assertRaises(ValueError):
            simdp.release.unary(x, log_odds_one=math.inf, log_odds_zero=0, out=x)
        self.assertTrue((x == 255).all())

    def test_parameters(self):
        release = simdp.release
        for call, error in (
                (lambda: release.laplace(1.0), TypeError), (lambda: release.laplace(1.0, epsilon=1), TypeError),
                (lambda: release.laplace(1.0, sensitivity=1, epsilon=1, scale=1), TypeError),
                (lambda: release.laplace(1.0, scale=1, colour=2), TypeError), (lambda: release.laplace(), TypeError),
                (lambda: release.laplace(1.0, 2.0, 3.0), TypeError), (lambda: release.laplace(1.0, scale="x"), TypeError),
                (lambda: release.laplace(1, scale=1, grid=1), TypeError),
                (lambda: release.laplace(1.0, scale=1, grid=3), ValueError),
                (lambda: release.laplace(1.0, sensitivity=1, epsilon=0), ValueError),
                (lambda: release.laplace(1, sensitivity=1, epsilon=0), ValueError),
                (lambda: release.laplace(numpy.float32([1]), sensitivity=1, epsilon=math.inf), ValueError),
                (lambda: release.gaussian(1.0, sensitivity=1, epsilon=1), TypeError),
                (lambda: release.gaussian(1, sensitivity=1, epsilon=1, delta=0), ValueError),
                (lambda: release.randomized_response(True), TypeError),
                (lambda: release.randomized_response(True, epsilon=-1), ValueError),
                (lambda: release.randomized_response_packed(b"abc", epsilon=1, count=25), ValueError),
                (lambda: release.randomized_response_packed(b"abc", epsilon=1, count=16), ValueError),
                (lambda: release.unary(b"abc", log_odds_one=1), TypeError),
                (lambda: release.unary(b"abc", log_odds_one=1, log_odds_zero=0, count=25), ValueError),
                (lambda: release.k_response([1], epsilon=1), TypeError), (lambda: release.k_response([1], k=4), TypeError),
                (lambda: release.k_response([1], k=2.5, epsilon=1), TypeError),
                (lambda: release.k_response([1.5], k=4, epsilon=1), TypeError),
                (lambda: release.k_response(numpy.arange(3), k=4, epsilon=1), TypeError),
                (lambda: release.k_response([1], k=-1, epsilon=1), ValueError),
                (lambda: simdp.loss.count_k_response([11], 10, 4, 1.0, 0.1), ValueError),
                (lambda: simdp.loss.count_k_response([-1], 10, 4, 1.0, 0.1), ValueError),
                (lambda: simdp.loss.count_k_response([1], 10, 2**32 + 4, 1.0, 0.1), ValueError),
                (lambda: simdp.loss.count_unary([1.5], 10, 1.0, 0.0, 0.1), TypeError),
                (lambda: simdp.loss.k_response_probabilities(1.0, 2**32 + 1), ValueError),
                (lambda: release.laplace(1.0, scale=1, rng=7), TypeError),
                (lambda: release.laplace(1.0, scale=1, threads=-1), ValueError),
                (lambda: simdp.loss.delta([1.0, -1.0], "laplace", 1.0), ValueError),
                (lambda: simdp.loss.delta(1.0, "unheard of", 1.0), ValueError),
                (lambda: simdp.account.Pld(0.0), ValueError), (lambda: simdp.account.Pld(1e-3).epsilon(0.1), ValueError),
                (lambda: simdp.select.gumbel([], 1.0), ValueError),
                (lambda: simdp.select.gumbel_top_k([1.0], 2, 1.0), ValueError),
                (lambda: simdp.select.Prepared([], 1.0), ValueError),
                (lambda: simdp.isa_select("unheard of"), RuntimeError)):
            with self.assertRaises(error):
                call()

    def test_numbers_of_closed_forms(self):
        """Types whose numbers NumPy would change without a word."""
        for bad in (numpy.ones(2, "c16"), 1j, numpy.array(["1.0"]), "1.0", numpy.zeros(2, "M8[s]")):
            for call in (lambda: simdp.loss.delta(bad, "laplace", 1.0), lambda: simdp.select.gumbel(bad, 1.0),
                         lambda: simdp.account.renyi_add(bad, 1.0), lambda: simdp.loss.laplace(bad, 0.0, 1.0, 1.0),
                         lambda: simdp.select.partitions(bad, 1.0, 1e-5), lambda: simdp.loss.sum(bad)):
                with self.assertRaises(TypeError, msg=repr(bad)):
                    call()
        with self.assertRaises(TypeError):
            simdp.select.partitions([1.5], 1.0, 1e-5)
        self.assertEqual(simdp.loss.delta(numpy.ones(2, "i4"), "laplace", 1.0).tolist(),
                         simdp.loss.delta([1.0, 1.0], "laplace", 1.0).tolist())

    def test_keys_and_streams(self):
        for key, error in ((b"", ValueError), (bytes(31), ValueError), (bytes(33), ValueError), ("x" * 32, TypeError),
                           (7, TypeError), (numpy.zeros(4, "Q")[::2], Exception)):
            for kind in (simdp.Rng, simdp.BitGenerator):
                with self.assertRaises(error):
                    kind(key=key)
        for stream, error in ((-1, ValueError), (2**64, ValueError), (1.5, TypeError), ("1", TypeError)):
            with self.assertRaises(error):
                simdp.Rng(key=bytes(32), stream=stream)
        with self.assertRaises(ValueError):
            simdp.Rng(stream=1)
        with self.assertRaises(ValueError):
            simdp.Rng().seek(1)
        self.assertEqual(simdp.Rng(key=array.array("Q", [0] * 4)).words(), simdp.Rng(key=bytes(32)).words())

    def test_closed(self):
        with simdp.Rng() as rng:
            rng.laplace(3)
        for call in (lambda: rng.laplace(3), lambda: rng.words(), lambda: rng.seek(0),
                     lambda: simdp.release.laplace(1.0, scale=1.0, rng=rng),
                     lambda: simdp.release.laplace(numpy.zeros(10**6), scale=1.0, rng=rng, threads=2),
                     lambda: simdp.select.gumbel([1.0], 1.0, rng=rng)):
            with self.assertRaises(ValueError):
                call()

    def test_huge(self):
        rng = simdp.Rng(key=bytes(32))
        for size in (2**62, 2**63, -1, (2**40, 2**40)):
            with self.assertRaises((ValueError, MemoryError, OverflowError)):
                rng.laplace(size)
        rng.seek(2**64 - 10)
        with self.assertRaises(ValueError):
            rng.laplace(10**6, threads=2)
        with self.assertRaises((ValueError, MemoryError, OverflowError)):
            simdp.select.gumbel_many([1.0], 2**62, 1.0)
        with self.assertRaises((ValueError, MemoryError)):
            simdp.theory.interact(lambda steps: None, 0, capacity=2**60)

    def test_subclasses(self):
        class Quiet(simdp.Rng):
            def __init__(self, **_):
                pass

        class Array(numpy.ndarray):
            def __len__(self):
                return 10**9

            def __array__(self, *_, **__):
                raise RuntimeError("never")
        self.assertEqual(Quiet(key=bytes(32)).laplace(3).size, 3)
        with self.assertRaises(TypeError):
            object.__new__(simdp.Rng)
        with self.assertRaises(TypeError):
            type("Sub", (simdp.BitGenerator,), {})
        odd = numpy.zeros(3).view(Array)
        self.assertEqual(simdp.release.laplace(odd, scale=1.0).size, 3)

        class Liar:
            def __array__(self, dtype=None, copy=None):
                return numpy.zeros(3)
        with self.assertRaises(TypeError):
            simdp.release.laplace(numpy.zeros(3), scale=1.0, out=Liar())

        class Thief:
            def __float__(self):
                rng.close()
                return 1.0
        rng = simdp.Rng(key=bytes(32))
        with self.assertRaises(ValueError):
            simdp.release.laplace(numpy.zeros(3), scale=Thief(), rng=rng)

    def test_copies_are_refused(self):
        for thing in (simdp.Rng(), simdp.BitGenerator()):
            for how in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    how(thing)

    def test_numbers(self):
        release, rng = simdp.release, simdp.Rng(key=bytes(32))
        self.assertIs(type(release.laplace(1.0, scale=1.0, rng=rng)), float)
        self.assertIs(type(release.laplace(1, scale=1.0, rng=rng)), int)
        self.assertIs(type(release.laplace(numpy.float64(1), scale=1.0, rng=rng)), float)
        self.assertIs(type(release.laplace(numpy.int64(1), scale=1.0, rng=rng)), int)
        self.assertIs(type(release.randomized_response(True, epsilon=1.0, rng=rng)), bool)
        self.assertEqual(release.laplace(10**30, scale=0), 2**63 - 1)
        self.assertEqual(release.laplace(-10**30, scale=0), -2**63)
        self.assertEqual(release.laplace(math.nan, scale=0), 0.0)
        self.assertEqual(release.laplace([], scale=1.0).size, 0)

    def test_values_that_are_none_count_as_0(self):
        sure = {"k": 4, "epsilon": 2.0**20}
        self.assertEqual([simdp.release.k_response(x, **sure) for x in (3, 4, -1, 2**32 + 1, 10**30)], [3, 0, 0, 0, 0])
        self.assertIs(type(simdp.release.k_response(3, **sure)), int)
        for x in ([3, 4, -1, 2**32 + 1], numpy.array([3, 4, 2**64 - 1, 2**32 + 1], "u8")):
            self.assertEqual(simdp.release.k_response(x, copy=True, **sure).tolist(), [3, 0, 0, 0])


ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.binary(max_size=40),
                     st.lists(st.floats(), max_size=5), st.lists(st.integers(-2**70, 2**70), max_size=3),
                     st.sampled_from([numpy.zeros(3), numpy.zeros((2, 2), "f"), numpy.arange(4), numpy.zeros(5, "B"),
                                      numpy.zeros(3, "Q"), numpy.zeros(8)[::3], numpy.zeros(0), numpy.zeros(2, "d,d"),
                                      numpy.array(1.0), simdp.Rng(key=bytes(32)), _simdp.Memory("simdp_pld"),
                                      _simdp.Memory("simdp_loss_audit"), _simdp.Memory("simdp_theory_filter"),
                                      _simdp.Memory("simdp_loss_statistics"), array.array("d", [1.0, 2.0])]))
RAISED = (TypeError, ValueError, OverflowError, MemoryError, RuntimeError, OSError)
# the command writes on standard output and ends the process when its words are wrong: it is not for data
LOW = sorted(name for name, thing in vars(_simdp).items() if callable(thing) and name not in ("command", "Memory"))


class Fuzz(unittest.TestCase):
    @MANY
    @given(st.sampled_from(LOW), st.lists(ANYTHING, max_size=9))
    def test_the_c_module(self, name, arguments):
        try:
            getattr(_simdp, name)(*arguments)
        except RAISED:
            pass

    @MANY
    @given(st.sampled_from(["laplace", "gaussian", "discrete_laplace", "randomized_response",
                            "randomized_response_packed", "unary", "k_response"]), ANYTHING,
           st.dictionaries(st.sampled_from(["sensitivity", "epsilon", "delta", "scale", "sigma", "grid", "rng", "out", "copy",
                                            "threads", "count", "k", "log_odds_one", "log_odds_zero"]), ANYTHING, max_size=5))
    def test_releases(self, name, answers, named):
        try:
            getattr(simdp.release, name)(answers, **named)
        except RAISED:
            pass

    @MANY
    @given(st.lists(st.floats(), min_size=1, max_size=300), st.sampled_from(["d", "f"]))
    def test_data_never_raise(self, data, kind):
        with numpy.errstate(all="ignore"):
            x = numpy.array(data).astype(kind)
        rng = simdp.Rng(key=bytes(32))
        self.assertTrue(numpy.isfinite(simdp.release.laplace(x, scale=1.0, rng=rng)).all())
        self.assertTrue(numpy.isfinite(simdp.release.gaussian(x, sigma=1.0, rng=rng)).all())
        self.assertIn(simdp.select.gumbel(x, 1.0, rng=rng), range(len(data)))
        simdp.loss.laplace(x, 0.0, 1.0, 1.0)
        simdp.release.clamped_sum(x, -1.0, 1.0, 2.0**-10)

    @MANY
    @given(st.lists(st.integers(0, 6000), max_size=8), st.integers(0, 2**40), st.integers(1, 4))
    def test_cuts_and_threads_give_the_same_bytes(self, sizes, start, threads):
        whole, pieces = simdp.Rng(key=bytes(range(32))), simdp.Rng(key=bytes(range(32)))
        whole.seek(start)
        pieces.seek(start)
        parts = [pieces.gaussian(n, threads=1) for n in sizes]
        wanted = whole.gaussian(sum(sizes), threads=threads)
        self.assertEqual(b"".join(p.tobytes() for p in parts), wanted.tobytes())
        self.assertEqual(whole.position, pieces.position)


if __name__ == "__main__":
    unittest.main()
