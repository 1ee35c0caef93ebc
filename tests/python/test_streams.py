"""Streams, threads, forks, generators of NumPy, arrays of other libraries."""
import array
import multiprocessing
import os
import sys
import threading
import unittest

import numpy
import simdp

KEY = bytes(range(32))


class Threads(unittest.TestCase):
    def test_same_bytes_on_any_number_of_threads(self):
        n = 1_000_003
        x = numpy.linspace(-5, 5, n)
        bits = (numpy.arange(n) % 3 == 0)
        packed = numpy.packbits(bits, bitorder="little")
        values = (numpy.arange(n) % 9).astype("u4")
        calls = {
            "laplace": lambda r, t: r.laplace(n, threads=t), "floats": lambda r, t: r.gaussian(n, dtype="f", threads=t),
            "words": lambda r, t: r.words(n, threads=t), "integers": lambda r, t: r.discrete_gaussian(n, threads=t),
            "added": lambda r, t: r.add_gumbel(numpy.zeros(n), threads=t),
            "release": lambda r, t: simdp.release.laplace(x, scale=1.0, rng=r, threads=t),
            "gaussian": lambda r, t: simdp.release.gaussian(x.astype("f"), sigma=1.0, rng=r, threads=t),
            "response": lambda r, t: simdp.release.randomized_response(bits, epsilon=1.0, rng=r, threads=t),
            "packed": lambda r, t: simdp.release.randomized_response_packed(packed, epsilon=1.0, count=n, rng=r, threads=t),
            "unary": lambda r, t: simdp.release.unary(packed, log_odds_one=0.5, log_odds_zero=-1.0, count=n, rng=r, threads=t),
            "values": lambda r, t: simdp.release.k_response(values, k=9, epsilon=1.0, rng=r, threads=t),
        }
        for name, call in calls.items():
            made, positions = [], []
            for threads in (1, 2, 3, 7, 64):
                rng = simdp.Rng(key=KEY)
                rng.seek(5)
                made.append(call(rng, threads).tobytes())
                positions.append(rng.position)
            self.assertEqual(len(set(made)), 1, name)
            self.assertEqual(set(positions), {5 + n}, name)

    @unittest.skipUnless(getattr(sys, "_is_gil_enabled", lambda: True)(), "there is no GIL")
    def test_from_2000_elements_on_others_run(self):
        """Python hands the GIL over by time only after an hour: others run while a call lets go of it, or not at all."""
        def others_run(draw, calls):
            begun, ended, seen = threading.Event(), [], []

            def drawing():
                begun.set()
                for _ in range(calls):
                    draw()
                    if seen:
                        break
                ended.append(True)
            thread = threading.Thread(target=drawing)
            thread.start()
            begun.wait()
            if not ended:
                seen.append(True)
            thread.join()
            return bool(seen)
        before = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, before)
        sys.setswitchinterval(3600)
        rng = simdp.Rng(key=KEY)
        for n, wanted, calls in ((1999, False, 2000), (2000, True, 10**7)):
            x = numpy.zeros(n)
            for name, draw in (("noise", lambda: rng.gaussian(out=x)),
                               ("release", lambda: simdp.release.laplace(x, scale=1.0, out=x, rng=rng))):
                with self.subTest(name, n=n):
                    self.assertEqual(others_run(draw, calls), wanted)

    def test_streams_of_entropy_do_not_repeat_bits(self):
        words = simdp.Rng().words(1_000_000, threads=4)
        self.assertEqual(len(numpy.unique(words)), len(words))

    def test_one_stream_in_several_threads(self):
        rng, made = simdp.Rng(key=KEY), []

        def draw():
            for _ in range(20):
                made.append(rng.words(5000))
        threads = [threading.Thread(target=draw) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        whole = simdp.Rng(key=KEY).words(400_000)
        self.assertEqual(sorted(w[0] for w in made), sorted(whole[::5000]))

    def test_threads_have_streams_of_their_own(self):
        made = []
        threads = [threading.Thread(target=lambda: made.append(simdp.release.laplace(0.0, scale=1.0))) for _ in range(8)]
        for thread in threads:
            thread.start()
            thread.join()
        self.assertEqual(len(set(made)), 8)

    def test_forked_children_share_nothing(self):
        bits, rng = simdp.BitGenerator(), simdp.Rng()
        bits.random_raw()
        rng.words(10)
        simdp.release.laplace(0.0, scale=1.0)

        def child(pipe):
            pipe.send((bits.random_raw(), int(rng.words()), simdp.release.laplace(0.0, scale=1.0)))
        context, made = multiprocessing.get_context("fork"), []
        for _ in range(3):
            here, there = context.Pipe()
            process = context.Process(target=child, args=(there,))
            process.start()
            made.append(here.recv())
            process.join()
        made.append((bits.random_raw(), int(rng.words()), simdp.release.laplace(0.0, scale=1.0)))
        for column in zip(*made):
            self.assertEqual(len(set(column)), 4)

    def test_forked_children_of_generators(self):
        def drawn(bits):
            generator = numpy.random.Generator(bits)
            return (int(generator.integers(2**32, dtype="u4")), bits.random_raw(), float(generator.random()))

        def child(bits, pipe):
            pipe.send(drawn(bits))
        context = multiprocessing.get_context("fork")
        for key in (None, KEY):
            bits = simdp.BitGenerator(key=key)
            numpy.random.Generator(bits).integers(2**32, dtype="u4")   # leaves the other half of a word
            here, there = context.Pipe()
            process = context.Process(target=child, args=(bits, there))
            process.start()
            theirs, ours = here.recv(), drawn(bits)
            process.join()
            if key is None:
                self.assertFalse(set(theirs) & set(ours))
            else:
                self.assertEqual(theirs, ours, "the words of a key are those of the parent")


class Generators(unittest.TestCase):
    def test_words_are_those_of_the_stream(self):
        bits = simdp.BitGenerator(key=KEY, stream=3)
        words = simdp.Rng(key=KEY, stream=3).words(3000)
        self.assertEqual([bits.random_raw() for _ in range(3000)], words.tolist())
        self.assertEqual(bits.position, 3000)
        bits.seek(7)
        self.assertEqual(bits.random_raw(), words[7])
        generator = numpy.random.Generator(bits)
        bits.seek(0)
        numpy.testing.assert_array_equal(generator.random(100), (words[:100] >> 11) * 2.0**-53)
        bits.seek(0)
        halves = generator.integers(2**32, dtype="u4", size=4)
        self.assertEqual(halves.tolist(), [int(w) >> s & 0xffffffff for w in words[:2] for s in (0, 32)])

    def test_distributions_of_numpy(self):
        generator = numpy.random.Generator(simdp.BitGenerator(key=KEY))
        self.assertLess(abs(generator.normal(size=100_000).mean()), 0.03)
        self.assertLess(abs(generator.poisson(4.0, size=100_000).mean() - 4), 0.06)
        self.assertEqual(sorted(generator.permutation(100)), list(range(100)))
        self.assertEqual(generator.choice(5, size=3).shape, (3,))

    def test_spawn(self):
        generator = numpy.random.Generator(simdp.BitGenerator(key=KEY))
        again = numpy.random.Generator(simdp.BitGenerator(key=KEY))
        children, same = generator.spawn(3), again.spawn(2) + again.spawn(1)
        draws = [child.random(1000).tobytes() for child in (*children, generator)]
        self.assertEqual(len(set(draws)), 4)
        self.assertEqual(draws[:3], [child.random(1000).tobytes() for child in same])
        self.assertEqual(len(numpy.random.Generator(simdp.BitGenerator()).spawn(2)), 2)

    def test_the_capsule_outlives_the_object(self):
        capsule = simdp.BitGenerator().capsule

        class Only:
            lock = threading.Lock()
        Only.capsule = capsule
        self.assertEqual(numpy.random.Generator(Only()).random(5000).shape, (5000,))


class Arrays(unittest.TestCase):
    def release(self, x, **more):
        return simdp.release.laplace(x, scale=1.0, rng=simdp.Rng(key=KEY), **more)

    def test_buffers(self):
        wanted = self.release(numpy.array([1.0, 2.0, 3.0])).tobytes()
        for same in (array.array("d", [1.0, 2.0, 3.0]), memoryview(numpy.array([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0],
                     (1.0, 2.0, 3.0), numpy.array([[1.0], [2.0], [3.0]])):
            self.assertEqual(self.release(same).tobytes(), wanted)
        out = array.array("d", [0.0] * 3)
        self.assertIs(self.release([1.0, 2.0, 3.0], out=out), out)
        self.assertEqual(out.tobytes(), wanted)

    def test_arrow(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        for kind, numbers in ((pyarrow.float64(), [1.0, None, 3.0, 4.5, None]), (pyarrow.int64(), [1, 2, None, 4, 5]),
                              (pyarrow.float32(), [1.0, 2.0, 3.0, 4.0, 5.0])):
            whole = pyarrow.array(numbers * 7, type=kind)
            for part in (whole, whole[3:20], whole[:0]):
                made = pyarrow.array(self.release(part))
                self.assertEqual(made.type, kind)
                self.assertEqual(made.is_null().to_pylist(), part.is_null().to_pylist())
                made.validate(full=True)
                plain = self.release(numpy.frombuffer(simdp.ArrowArray(part), made.type.to_pandas_dtype()))
                self.assertEqual([x for x in made.to_pylist() if x is not None],
                                 [x for x, none in zip(plain.tolist(), part.is_null().to_pylist()) if not none])
        values = pyarrow.array(simdp.release.k_response(pyarrow.array([1, None, 3], type=pyarrow.uint32()), k=4, epsilon=1e6))
        self.assertEqual((values.type, values.to_pylist()), (pyarrow.uint32(), [1, None, 3]))
        with self.assertRaises(TypeError):
            self.release(pyarrow.array(["a"]))

    def test_arrow_in_chunks(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        numbers = [float(i) if i % 3 else None for i in range(200)]
        whole = pyarrow.array(numbers)
        plain = pyarrow.array([float(i) for i in range(70)])   # without a bitmap
        empty = whole[:0]
        for chunks in ([whole], [whole[5:77], whole[77:78], plain], [empty, whole[3:20], empty, plain[9:], whole[1:2]],
                       [plain, plain[3:4]], [empty], [], [plain[:1], whole[7:]] * 20):
            column = pyarrow.chunked_array(chunks, type=pyarrow.float64())
            for given in (column, pyarrow.table({"x": column})["x"]):
                made = pyarrow.array(self.release(given))
                made.validate(full=True)
                one = column.combine_chunks()
                self.assertEqual(made.is_null().to_pylist(), one.is_null().to_pylist())
                self.assertEqual(made.null_count, one.null_count)
                wanted = self.release(numpy.array([x or 0.0 for x in one.to_pylist()])).tolist()
                self.assertEqual([x for x in made.to_pylist() if x is not None],
                                 [x for x, y in zip(wanted, one.to_pylist()) if y is not None])
                sure = pyarrow.array(simdp.release.laplace(given, scale=0, grid=1.0))
                self.assertEqual(sure.to_pylist(), one.to_pylist())
        integers = pyarrow.chunked_array([[1, None], [3]], type=pyarrow.int64())
        self.assertEqual(pyarrow.array(simdp.release.laplace(integers, scale=0)).to_pylist(), [1, None, 3])
        for other in (pyarrow.chunked_array([["a"], ["b"]]), pyarrow.table({"x": [1.0]}),
                      pyarrow.chunked_array([pyarrow.array([1, 2]).dictionary_encode()])):
            with self.assertRaises(TypeError):
                self.release(other)

        def fails():
            yield pyarrow.record_batch({"x": [1.0]})
            raise ValueError("in the middle")
        reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("x", pyarrow.float64())]), fails())
        with self.assertRaises((TypeError, OSError)):
            self.release(reader)

    def test_tensors(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        for dtype in (torch.float64, torch.float32, torch.int64):
            x = torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=dtype)
            wanted = self.release(x.numpy())
            self.assertEqual(self.release(x).tobytes(), wanted.tobytes())
            self.assertIs(self.release(x, out=x), x)
            self.assertEqual(x.numpy().tobytes(), wanted.tobytes())
        bits = torch.tensor([True, False] * 9)
        self.assertEqual(simdp.release.randomized_response(bits, epsilon=100.0).tolist(), bits.tolist())
        weight, noise = torch.zeros(5), simdp.Rng(key=KEY).gaussian(5, dtype="f")
        self.assertIs(simdp.Rng(key=KEY).add_gaussian(weight), weight)
        self.assertEqual(weight.tolist(), noise.tolist())
        self.assertEqual(simdp.Rng(key=KEY).gaussian(out=weight.view(5, 1)).numpy().tobytes(), noise.tobytes())
        gradient = torch.zeros(5, requires_grad=True)
        self.assertEqual(self.release(gradient).shape, (5,))
        turned = torch.zeros(4, 3).t()
        for bad in (turned, torch.zeros(8)[::2], torch.zeros(3, dtype=torch.int32), torch.zeros(3, dtype=torch.float16)):
            with self.assertRaises(TypeError):
                self.release(bad)
            self.assertEqual(self.release(bad, copy=True).shape, tuple(bad.shape))
        for bad in (turned, gradient, torch.zeros(3, dtype=torch.bfloat16), torch.zeros(3, device="meta")):
            with self.assertRaises((TypeError, RuntimeError)):
                simdp.Rng().add_gaussian(bad)
        with self.assertRaises((TypeError, NotImplementedError)):
            self.release(torch.zeros(3, device="meta"))


class Progress(unittest.TestCase):
    def pld(self):
        pld = simdp.account.Pld(1e-3)
        pld.add_gaussian(1.0, times=1000)
        return pld

    def test_progress(self):
        pld, seen = self.pld(), []
        pld.compose(1e-10, 1e-5, progress=lambda done: seen.append(done))
        self.assertTrue(seen and all(0 <= done <= 1 for done in seen))
        lower, upper = pld.epsilon(numpy.array([1e-6, 1e-8]))
        self.assertTrue((lower <= upper).all() and pld.points > 0)

    def test_stopping_and_errors(self):
        pld = self.pld()
        with self.assertRaises(RuntimeError):
            pld.compose(1e-10, 1e-5, progress=lambda done: True)

        def fails(done):
            raise KeyError("from the callback")
        with self.assertRaises(KeyError):
            pld.compose(1e-10, 1e-5, progress=fails)
        asked = []

        def asks(done):
            try:
                pld.epsilon(1e-6)
            except ValueError as error:
                asked.append(error)
        pld.compose(1e-10, 1e-5, progress=asks)
        self.assertTrue(asked)
        self.assertEqual(len(pld.epsilon(1e-6)), 2)

    def test_an_interaction_holds_its_stream_and_budget(self):
        rng, budget, seen = simdp.Rng(key=KEY), simdp.theory.Filter("basic", epsilon=1.0), []
        half = simdp.theory.mechanism("laplace", sensitivity=1, scale=2)

        def analyst(steps):
            for use in (lambda: rng.words(), lambda: budget.admit(half)):
                with self.assertRaises(ValueError):
                    use()
            seen.append(len(steps))
            return simdp.theory.Request(half, lambda data: data)
        run = simdp.theory.interact(analyst, 3.0, filter=budget, rng=rng)
        self.assertEqual((run.stop, len(run.steps), seen), ("budget", 2, [0, 1, 2]))
        self.assertEqual(rng.position, 2)
        self.assertFalse(budget.admit(half))
        with self.assertRaises(ZeroDivisionError):
            simdp.theory.interact(lambda steps: simdp.theory.Request(half, lambda data: 1 / 0), 0.0)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    unittest.main()
