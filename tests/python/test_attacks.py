"""Callers who mean harm, or do not know better: memory that changes while it is read, streams closed or forked while they
draw, interpreters that end, capsules that others empty. Each gets an exception or the right answer, never a crash."""
import array
import ctypes
import math
import os
import signal
import subprocess
import sys
import threading
import unittest

import numpy
import simdp
from simdp import _simdp

KEY = bytes(range(32))
LONG = 300_000   # elements of a call that lets go of the GIL for a while


def run(program, *words):
    """A program in a process of its own: (status, what it wrote, its errors)."""
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", program, *words], capture_output=True, text=True,
                          timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


class Memory(unittest.TestCase):
    def test_layouts(self):
        x = numpy.arange(12.0)
        views = (x[::-1], x[::2], x.reshape(3, 4).T, x.reshape(3, 4)[:, ::-1], numpy.broadcast_to(x[:1], (5,)),
                 x.astype(">f8"), numpy.asfortranarray(x.reshape(3, 4)))
        for view in views:
            with self.assertRaises(TypeError):
                simdp.release.laplace(view, scale=1.0)
            with self.assertRaises(TypeError):
                simdp.Rng().gaussian(out=view)
            made = simdp.release.laplace(view, scale=0.0, grid=1.0, copy=True)
            numpy.testing.assert_array_equal(made, view)
        for bad in (numpy.zeros(3, "d,d"), numpy.zeros(3, [("x", "d")]), numpy.zeros(3, "S8"), numpy.zeros(3, "M8[s]"),
                    numpy.zeros(3, "V8"), numpy.zeros(3, ">i8"), numpy.zeros(3, "g"), numpy.zeros(3, object)):
            for call in (lambda: simdp.release.laplace(bad, scale=1.0), lambda: simdp.Rng().laplace(out=bad),
                         lambda: simdp.Rng().add_gumbel(bad), lambda: simdp.release.laplace([0.0] * 3, scale=1.0, out=bad)):
                with self.assertRaises(TypeError, msg=bad.dtype):
                    call()

    def test_arrays_without_dimensions(self):
        one, out = numpy.array(5.0), numpy.array(0.0)
        self.assertEqual(simdp.release.laplace(one, scale=0.0, grid=1.0), 5.0)
        self.assertIs(simdp.release.laplace(one, scale=0.0, grid=1.0, out=out), out)
        self.assertEqual(out, 5.0)
        self.assertTrue(math.isfinite(simdp.Rng().laplace(out=out)))
        self.assertEqual(simdp.release.laplace(ctypes.c_double(5.0), scale=0.0, grid=1.0), 5.0)
        self.assertEqual(simdp.release.laplace((ctypes.c_double * 2)(5.0, 6.0), scale=0.0, grid=1.0).tolist(), [5.0, 6.0])
        self.assertEqual(simdp.Rng().laplace(0).shape, (0,))
        self.assertEqual(simdp.Rng().laplace((3, 0, 2)).shape, (3, 0, 2))

    def test_memory_in_use_stays(self):
        """Who shrinks an array while a call reads or writes it is told that it is held."""
        data, stop, refused, bad = bytearray(8 * LONG), threading.Event(), [], []

        def shrink():
            while not stop.is_set():
                try:
                    data.append(0)
                    data.pop()
                except BufferError:
                    refused.append(True)
        thread = threading.Thread(target=shrink)
        thread.start()
        try:
            for i in range(2000):
                try:
                    simdp.release.randomized_response(data, epsilon=1.0, out=data)
                except ValueError as error:   # it had another length when the output was opened
                    bad.append(error)
                if len(refused) > 3:
                    break
        finally:
            stop.set()
            thread.join()
        self.assertTrue(refused)
        self.assertLess(len(bad), i + 1)

    def test_values_that_change_meanwhile(self):
        x, stop = numpy.zeros(LONG), threading.Event()

        def change():
            while not stop.is_set():
                x.fill(math.nan)
                x.fill(1e300)
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(20):
                self.assertTrue(numpy.isfinite(simdp.release.laplace(x, scale=1.0)).all())
                self.assertIn(simdp.select.gumbel(x, 1.0), range(LONG))
        finally:
            stop.set()
            thread.join()

    def test_whatever_fails_leaves_no_answer(self):
        for bad, error in (({"scale": "x"}, TypeError), ({"scale": 1.0, "rng": 7}, TypeError), ({}, TypeError),
                           ({"scale": 1.0, "threads": -1}, ValueError), ({"scale": 10**400}, ValueError),
                           ({"scale": math.nan}, ValueError), ({"scale": 1.0, "grid": math.nan}, ValueError),
                           ({"scale": 1.0, "ids": numpy.zeros(3, "Q"), "rng": simdp.Rng(key=KEY)}, ValueError),
                           ({"scale": 1.0, "ids": [1], "rng": simdp.Rng(key=KEY)}, TypeError),
                           ({"sensitivity": math.nan, "epsilon": 1.0}, ValueError),
                           ({"sensitivity": 1.0, "epsilon": math.nan}, ValueError)):
            for x, gone in ((numpy.full(3, 7.0), numpy.isnan), (numpy.full(3, 7.0, "f"), numpy.isnan),
                            (numpy.full(3, 7), lambda x: x == -2**63)):
                with self.assertRaises((error, TypeError)):
                    simdp.release.laplace(x, out=x, **bad)
                self.assertTrue(gone(x).all(), (bad, x))
        for call in (lambda x: simdp.release.k_response(x, k=4, epsilon="x", out=x),
                     lambda x: simdp.release.k_response(x, k="4", epsilon=1, out=x)):
            x = numpy.full(3, 3, "I")
            with self.assertRaises(TypeError):
                call(x)
            self.assertTrue((x == 2**32 - 1).all())
        kept = numpy.full(3, 7.0)   # an array that is refused is not touched
        with self.assertRaises(ValueError):
            simdp.release.laplace(numpy.zeros(4), scale=1.0, out=kept)
        self.assertEqual(kept.tolist(), [7.0] * 3)

    def test_ids(self):
        rng, words = simdp.Rng(key=KEY), numpy.arange(12, dtype="Q")
        with self.assertRaises(ValueError):
            simdp.release.laplace(numpy.zeros(6), scale=1.0, rng=rng, ids=words, out=words[:6].view("d"))
        with self.assertRaises(ValueError):
            simdp.release.laplace(numpy.zeros(6), scale=1.0, rng=rng, ids=words, out=words[6:].view("d"))
        odd = numpy.frombuffer(bytearray(8) + words.tobytes(), "B")[8:].view("Q")
        numpy.testing.assert_array_equal(simdp.release.laplace(numpy.zeros(6), scale=1.0, rng=rng, ids=words),
                                         simdp.release.laplace(numpy.zeros(6), scale=1.0, rng=rng, ids=odd))
        with self.assertRaises(TypeError):   # 1.2 and 1.7 would be one id, and share their noise
            simdp.release.ids([1.2, 1.7])
        for bad in (-1, 2**128):
            with self.assertRaises(ValueError):
                simdp.release.ids([bad])
        self.assertEqual(simdp.release.ids([2**128 - 1])["high"][0], 2**64 - 1)
        with self.assertRaises(ValueError):   # starts that go back
            _simdp.rng_ids(rng, numpy.zeros(2, simdp.release.ids([1]).dtype), numpy.zeros(8, "B"),
                           numpy.array([0, 7, 3], "Q"))


class Streams(unittest.TestCase):
    def test_closing_while_it_draws(self):
        whole = simdp.Rng(key=KEY).laplace(LONG).tobytes()
        for _ in range(20):
            rng, made = simdp.Rng(key=KEY), []

            def draw():
                try:
                    made.append(rng.laplace(LONG).tobytes())
                except ValueError:
                    made.append(None)
            threads = [threading.Thread(target=draw), threading.Thread(target=rng.close)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertIn(made[0], (whole, None))
            with self.assertRaises(ValueError):
                rng.words()

    def test_forking_while_it_draws(self):
        """A child finds its parent's stream as it is between two calls, and does not wait for a thread that it has not."""
        rng, stop, started = simdp.Rng(key=KEY), threading.Event(), threading.Event()
        x = numpy.zeros(LONG)

        def draw():
            while not stop.is_set():
                rng.gaussian(out=x)
                started.set()
        thread = threading.Thread(target=draw)
        thread.start()
        started.wait()
        try:
            for _ in range(30):
                child = os.fork()
                if child == 0:
                    signal.alarm(120)
                    good = rng.laplace(5000).size == 5000 and math.isfinite(simdp.release.laplace(0.0, scale=1.0))
                    os._exit(0 if good else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            stop.set()
            thread.join()

    def test_ends_of_streams(self):
        bits = simdp.BitGenerator(key=KEY)
        for position in (2**63 + 1, 2**64 - 10, 2**64 - 1):
            with self.assertRaises(ValueError):
                bits.seek(position)
        bits.seek(2**63)
        self.assertEqual(numpy.random.Generator(bits).random(10_000).size, 10_000)
        rng = simdp.Rng(key=KEY)
        rng.seek(2**64 - 10)
        self.assertEqual(rng.laplace(9).size, 9)
        for n in (10, 5000, 10**6):
            with self.assertRaises(ValueError):
                rng.laplace(n, threads=2)
        with self.assertRaises(ValueError):
            bits.spawn(2**62)
        with self.assertRaises((ValueError, OverflowError)):
            numpy.random.Generator(bits).spawn(2**40)

    def test_huge(self):
        tiny = numpy.zeros(1)
        for size in (2**60, 2**61, 2**62, 2**63, 2**64, 2**70, (2**31, 2**31, 2**31), -1, 1.5, "3", (1, -1)):
            with self.assertRaises((ValueError, MemoryError, OverflowError, TypeError)):
                simdp.Rng().words(size)
        wide = numpy.lib.stride_tricks.as_strided(tiny, (2**40,), (0,))   # eight bytes that say they are many
        with self.assertRaises(TypeError):
            simdp.release.laplace(wide, scale=1.0)
        for call in (lambda: simdp.select.gumbel_many([1.0], 2**61, 1.0), lambda: simdp.theory.polya_urn(2**61, 1, 1),
                     lambda: simdp.select.gumbel_top_k([1.0], 2**61, 1.0), lambda: simdp.theory.name_and_shame(2**62, 0.1)):
            with self.assertRaises((ValueError, MemoryError, OverflowError)):
                call()

    def test_choices_are_not_cut(self):
        out = numpy.zeros(1)
        _simdp.noise_cdf(out, numpy.zeros(1), 1, 1.0)
        with self.assertRaises(ValueError):
            _simdp.noise_cdf(out, numpy.zeros(1), 2**32 + 1, 1.0)
        with self.assertRaises(ValueError):
            simdp.loss.randomized_response([0, 1], 2**32, 1, 1.0)


class Callbacks(unittest.TestCase):
    def test_a_filter_that_is_opened_again_under_way(self):
        budget = simdp.theory.Filter("renyi", epsilon=1.0, slack=1e-6, orders=numpy.arange(2.0, 5000.0))
        half = simdp.theory.mechanism("laplace", sensitivity=1, scale=20)
        asked = []

        def analyst(steps):
            asked.append(len(steps))
            orders = numpy.arange(2.0, 4.0 + len(steps))
            _simdp.theory_filter_open(budget._memory, 3, 9.0, 0.0, 0.1, 0.0, 0, orders, numpy.zeros(orders.size))
            _trash = [numpy.full(4998, 7.0) for _ in range(9)]   # takes memory that was let go
            return simdp.theory.Request(half, lambda data: data)
        made = simdp.theory.interact(analyst, 3.0, filter=budget, capacity=500)
        same = simdp.theory.Filter("renyi", epsilon=1.0, slack=1e-6, orders=numpy.arange(2.0, 5000.0))
        count = 0
        while same.admit(half):
            count += 1
        self.assertEqual(len(made.steps), min(count, 500))
        self.assertEqual(budget.spent(), same.spent())

    def test_a_stream_closed_under_way_stays_closed(self):
        rng, one = simdp.Rng(key=KEY), simdp.theory.mechanism("laplace", sensitivity=1, scale=2)

        def analyst(steps):
            rng.close()
            return None if len(steps) > 3 else simdp.theory.Request(one, lambda data: data)
        simdp.theory.interact(analyst, 3.0, rng=rng)
        with self.assertRaises(ValueError):
            rng.words()

    def test_objects_that_come_back_while_they_are_read(self):
        """An argument whose conversion uses the object of the call again: nobody waits for itself."""
        memory = _simdp.Memory("simdp_loss_statistics")
        plan = (False, 1.0, None, None, 0.0, 1.0)
        _simdp.loss_statistics_init(memory, numpy.array([1.0]), *plan)

        class Again:
            def __array__(self, *_, **__):
                _simdp.loss_statistics_update(memory, numpy.zeros(3))
                _simdp.loss_statistics_init(memory, numpy.array([2.0]), *plan)
                return numpy.array([0.5, 0.25])
        _simdp.loss_statistics_init(memory, Again(), *plan)
        with self.assertRaises(TypeError):
            _simdp.loss_statistics_init(memory, 1.0, *plan)
        audit, row = _simdp.Memory("simdp_loss_audit"), (1, 0.0, 1.0, 1.0, None, None)

        class Audits:
            def __array__(self, *_, **__):
                _simdp.loss_audit_init(audit, (*row, numpy.array([1.0]), False, 10, 0.1))
                return numpy.array([0.5])
        _simdp.loss_audit_init(audit, (*row, Audits(), False, 10, 0.1))


class Arrow(unittest.TestCase):
    def setUp(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        self.pyarrow = pyarrow

    def test_capsules_that_others_take(self):
        class Once:
            """Hands out the same capsules each time."""
            def __init__(self, what):
                self.pair = what.__arrow_c_array__()

            def __arrow_c_array__(self, *_):
                return self.pair
        once = Once(self.pyarrow.array(numpy.arange(1e5)))
        ours = simdp.ArrowArray(once)
        with self.assertRaises(Exception):
            self.pyarrow.array(once)   # they are empty
        with self.assertRaises(TypeError):
            simdp.ArrowArray(once)
        self.assertEqual(numpy.frombuffer(ours, "d").sum(), numpy.arange(1e5).sum())
        once = Once(self.pyarrow.array(numpy.arange(1e5)))
        self.pyarrow.array(once)
        with self.assertRaises(TypeError):
            simdp.ArrowArray(once)
        for pair in ((1, 2), (), (None,), "ab", None, self.pyarrow.array([1.0]).__arrow_c_array__()[::-1]):
            once.pair = pair
            with self.assertRaises((TypeError, ValueError)):
                simdp.ArrowArray(once)

    def test_parts_with_bitmaps(self):
        whole = self.pyarrow.array([float(i) if i % 3 else None for i in range(1000)])
        for first in (0, 1, 7, 8, 9, 63, 64, 65, 999, 1000):
            for length in (0, 1, 7, 8, 9, 64, 500):
                part = whole[first:first + length]
                made = self.pyarrow.array(simdp.release.laplace(part, scale=0.0, grid=1.0))
                made.validate(full=True)
                self.assertEqual(made.to_pylist(), part.to_pylist())
                again = self.pyarrow.array(simdp.ArrowArray(made[first % 5:]))
                self.assertEqual(again.to_pylist(), made.to_pylist()[first % 5:])
        for bad in ([True, False], ["a"], [[1.0]], [b"x"], [None]):
            with self.assertRaises(TypeError):
                simdp.release.laplace(self.pyarrow.array(bad), scale=1.0)
        with self.assertRaises(TypeError):   # values of Arrow are nobody's to write
            simdp.release.laplace(numpy.zeros(3), scale=1.0, out=self.pyarrow.array([1.0, 2.0, 3.0]))
        with self.assertRaises(TypeError):
            simdp.Rng().laplace(out=simdp.ArrowArray(self.pyarrow.array([1.0])))

    def test_arrays_outlive_who_made_them(self):
        made = self.pyarrow.array(simdp.release.laplace(self.pyarrow.array(numpy.arange(1e5)), scale=0.0, grid=1.0))
        _trash = [numpy.full(10**5, 7.0) for _ in range(5)]
        self.assertEqual(made[99_999].as_py(), 99_999.0)


class Interpreters(unittest.TestCase):
    def test_the_end(self):
        """Threads that draw when Python ends, and objects that draw or close when all modules are gone."""
        status, out, errors = run("""
import atexit, os, sys, threading, numpy, simdp
rng, x = simdp.Rng(key=bytes(32)), numpy.zeros(3_000_000)
class Last:
    def __del__(self, laplace=simdp.release.laplace, rng=rng, bits=simdp.BitGenerator(), zeros=numpy.zeros(5000), write=os.write):
        for call in (lambda: laplace(1.0, scale=1.0), lambda: laplace(zeros, scale=1.0, threads=4), rng.words,
                     lambda: rng.laplace(out=zeros), bits.random_raw, rng.close):
            try:
                call()
            except Exception:
                pass
        write(1, b" last ")
def draw():
    while True:
        rng.laplace(out=x)
for _ in range(3):
    threading.Thread(target=draw, daemon=True).start()
kept, sys.kept = Last(), Last()
generator = numpy.random.Generator(simdp.BitGenerator())
atexit.register(lambda: print(simdp.release.laplace(numpy.zeros(10_000), scale=1.0).size, flush=True))
rng.laplace(10)
""")
        self.assertEqual((status, out.split()[:2]), (0, ["10000", "last"]), errors)

    def test_others(self):
        """Another interpreter in the process: NumPy refuses to be there twice, and so nothing of ours is."""
        status, out, errors = run("""
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
first = sys.argv[1] == "first"
if first:
    import simdp
other = interpreters.create()
program = '''
try:
    import simdp, numpy
    rng = simdp.Rng(key=bytes(32))
    assert rng.laplace(5000).size == 5000
    assert simdp.release.laplace(numpy.zeros(3), scale=1.0).size == 3
    print("works")
except ImportError as error:
    print("refused")
'''
(getattr(interpreters, "run_string", None) or interpreters.exec)(other, program)
interpreters.destroy(other)
if first:
    assert simdp.release.laplace(0.0, scale=1.0) != 0.0
print("end")
""", "first")
        if "No module named" in errors:
            self.skipTest("this Python has no module of interpreters")
        self.assertEqual((status, out.split()[-1]), (0, "end"), errors)

    def test_modules_that_are_loaded_again(self):
        status, out, errors = run("""
import sys, importlib, simdp
old = simdp
for name in [name for name in sys.modules if name.startswith("simdp")]:
    del sys.modules[name]
import simdp
importlib.reload(simdp._simdp)
importlib.reload(simdp)
print(simdp.release.laplace([1.0, 2.0], scale=0, grid=1.0, rng=old.Rng(key=bytes(32))), simdp.Rng(key=bytes(32)).words())
""")
        self.assertEqual((status, out.split()), (0, ["[1.", "2.]", str(0x881be6c7a9b93553)]), errors)


class Subclasses(unittest.TestCase):
    def test_of_rng(self):
        class Odd(simdp.Rng):
            __slots__ = ("more",)

            def __new__(cls):
                made = super().__new__(cls, key=KEY)
                made.more = made   # a circle
                return made

            def laplace(self, *_, **__):
                raise RuntimeError("never")

            position = property(lambda self: 7)
        rng = Odd()
        self.assertEqual(simdp.release.laplace(0.0, scale=1.0, rng=rng),
                         simdp.release.laplace(0.0, scale=1.0, rng=simdp.Rng(key=KEY)))
        rng.__init__()
        rng.__init__(key=b"another")
        self.assertEqual(rng.words(), simdp.Rng(key=KEY).words(2)[1])
        with self.assertRaises(TypeError):
            simdp.Rng.words(object())
        with self.assertRaises(TypeError):
            rng.__class__ = dict
        with self.assertRaises(TypeError):
            simdp.Rng.words(7)
        with self.assertRaises((TypeError, AttributeError)):
            simdp.Rng(key=KEY).position = 3
        for kind in (simdp.BitGenerator, simdp.ArrowArray, _simdp.Memory):
            with self.assertRaises(TypeError):
                type("Sub", (kind,), {})
            with self.assertRaises(TypeError):
                object.__new__(kind)

    def test_numbers_that_are_none(self):
        class Number(float):
            def __float__(self):
                raise RuntimeError("never")

        class Whole(int):
            def __index__(self):
                raise RuntimeError("never")
        self.assertEqual(simdp.release.laplace(Number(3.0), scale=Number(0.0), grid=1.0), 3.0)
        self.assertEqual(simdp.release.laplace(Whole(3), scale=0.0), 3)
        self.assertEqual(simdp.Rng(key=KEY).words(Whole(3)).size, 3)
        for bad in (10**400, -10**400):
            with self.assertRaises(ValueError):
                simdp.release.laplace(1.0, scale=bad)
            with self.assertRaises((ValueError, OverflowError)):
                simdp.loss.delta(1.0, "laplace", bad)

    def test_keys(self):
        key = bytearray(KEY)
        rng = simdp.Rng(key=key)
        key[:] = bytes(32)   # the stream has a copy, and holds nobody's memory
        key.append(0)
        self.assertEqual(rng.words(), simdp.Rng(key=KEY).words())
        for bad in (numpy.zeros(32, "d"), numpy.zeros(64, "B")[::2], memoryview(bytes(33)), array.array("Q", [0] * 5),
                    [0] * 32, KEY.decode("latin1"), 0, object()):
            for kind in (simdp.Rng, simdp.BitGenerator):
                with self.assertRaises((TypeError, ValueError, BufferError)):
                    kind(key=bad)


if __name__ == "__main__":
    unittest.main()
