"""What a user of NumPy expects: messages that name the argument and say what to do, help and signatures, shapes, masks,
integers of all widths."""
import inspect
import os
import pickle
import pydoc
import unittest

import numpy
import simdp

KEY = bytes(range(32))
laplace, gaussian = simdp.release.laplace, simdp.release.gaussian


class Messages(unittest.TestCase):
    def says(self, error, words, call):
        with self.assertRaises(error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return str(caught.exception)

    def test_arrays(self):
        x = numpy.zeros(3)
        for dtype, name in (("i4", "int32"), ("f2", "float16"), (">f8", "big-endian float64"), ("?", "bool"), ("g", "longdouble")):
            self.says(TypeError, ["answers", "float64", f"not of {name};", "copy=True"],
                      lambda: laplace(numpy.zeros(3, dtype), scale=1))
        self.assertNotIn("copy=True", self.says(TypeError, ["object"], lambda: laplace(numpy.array([None]), scale=1)))
        self.assertNotIn("copy=True", self.says(TypeError, ["int64", "not of float64"],
                                                lambda: simdp.release.discrete_laplace(x, scale=1)))
        self.says(ValueError, ["out", "3, not 4"], lambda: laplace(x, scale=1, out=numpy.zeros(4)))

    def test_parameters_are_named_and_shown(self):
        x = numpy.zeros(3)
        self.says(ValueError, ["laplace", "documented range", "scale=-1"], lambda: laplace(x, scale=-1))
        self.says(ValueError, ["gaussian", "sigma=-1"], lambda: gaussian(x, sigma=-1))
        self.says(TypeError, ["sigma"], lambda: gaussian(x, sigma="a"))
        self.says(ValueError, ["sensitivity=1", "epsilon=-0.5"], lambda: laplace(x, sensitivity=1, epsilon=-0.5))
        self.says(ValueError, ["k_response", "k=0"], lambda: simdp.release.k_response([1], k=0, epsilon=1))
        self.says(TypeError, ["threads", "float"], lambda: laplace(x, scale=1, threads=1.5))
        self.says(ValueError, ["gumbel"], lambda: simdp.select.gumbel([], 1.0))
        self.says(ValueError, ["laplace"], lambda: simdp.Rng().laplace(3, -1.0))

        class Shown:
            def __float__(self):
                return -1.0

            def __repr__(self):
                raise KeyError("no text")
        with self.assertRaises(KeyError):
            laplace(x, scale=Shown(), out=x)
        self.assertTrue(numpy.isnan(x).all())

    def test_streams(self):
        x, rng = numpy.zeros(3), simdp.Rng(key=KEY)
        self.says(ValueError, ["ids", "key"], lambda: laplace(x, scale=1, ids=simdp.release.ids([1, 2, 3])))
        self.says(ValueError, ["only streams with a key"], lambda: simdp.Rng().seek(3))
        self.says(ValueError, ["only generators with a key"], lambda: simdp.BitGenerator().seek(3))
        rng.close()
        for call in (lambda: laplace(x, scale=1, rng=rng), lambda: rng.laplace(3), lambda: rng.seek(1),
                     lambda: simdp.select.gumbel([1.0], 1.0, rng=rng)):
            self.says(ValueError, ["closed"], call)

    def test_none_is_not_given(self):
        """The signature says None: so None is as good as nothing."""
        x = numpy.zeros(3)
        made = laplace(x, sensitivity=None, epsilon=None, scale=1.0, grid=None, rng=simdp.Rng(key=KEY), out=None, threads=None,
                       ids=None)
        self.assertEqual(made.tobytes(), laplace(x, scale=1.0, rng=simdp.Rng(key=KEY)).tobytes())
        self.says(TypeError, ["sensitivity= and epsilon=, or scale="], lambda: laplace(x, scale=None))
        self.says(TypeError, ["epsilon="], lambda: simdp.release.randomized_response(True, epsilon=None))


class Shapes(unittest.TestCase):
    def test_out_has_the_shape_of_the_answers(self):
        for shape, other in (((3,), (3, 1)), ((2, 3), (3, 2)), ((2, 3), (6,)), ((6,), (2, 3))):
            out = numpy.zeros(other)
            with self.assertRaisesRegex(ValueError, "shape"):
                laplace(numpy.zeros(shape), scale=1.0, out=out)
            self.assertTrue((out == 0).all())
        out = numpy.zeros((2, 3), order="C")
        self.assertIs(laplace(numpy.zeros((2, 3)), scale=1.0, out=out), out)
        one = numpy.zeros(1)
        self.assertIs(laplace(3.0, scale=1.0, out=one), one)
        self.assertIs(laplace([1.0, 2.0, 3.0], scale=1.0, out=out[0]).base, out)

    def test_masks_are_refused(self):
        """What is under a mask would be an answer like the others."""
        masked = numpy.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 1, 0])
        whole = numpy.ma.masked_array([1, 2, 3], mask=[0, 1, 0])
        for call in (lambda: laplace(masked, scale=1.0), lambda: laplace(masked, scale=1.0, copy=True),
                     lambda: simdp.release.discrete_laplace(whole, scale=1.0), lambda: simdp.select.gumbel(masked, 1.0),
                     lambda: simdp.select.partitions(whole, 1.0, 1e-5), lambda: simdp.release.clamped_sum(masked, 0, 1),
                     lambda: simdp.release.laplace_threshold(masked, scale=1.0, threshold=1.0),
                     lambda: simdp.release.discrete_laplace_bounded(whole, scale=1.0, lower=0, upper=5),
                     lambda: simdp.loss.laplace(masked, 0.0, 1.0, 1.0)):
            with self.assertRaisesRegex(TypeError, "mask"):
                call()
        self.assertEqual(laplace(masked.compressed(), scale=1.0).size, 2)
        self.assertEqual(laplace(numpy.matrix([1.0, 2.0]), scale=1.0).shape, (1, 2))

    def test_integers_beyond_64_bits_are_cut(self):
        """They do not come round from the other end."""
        top = numpy.array([2**64 - 1, 2**63, 7], "u8")
        sure = {"scale": 0.0}
        self.assertEqual(laplace(top, copy=True, **sure).tolist(), [2**63 - 1, 2**63 - 1, 7])
        bounded = simdp.release.discrete_laplace_bounded(top, scale=2.0**-10, lower=0, upper=500)
        self.assertEqual(bounded.tolist(), [500, 500, 7])
        self.assertTrue((simdp.release.discrete_gaussian_truncated(top, sigma=1.0, bound=3)[:2] > 2**62).all())
        self.assertEqual(simdp.release.laplace_threshold(top, scale=2.0**-10, threshold=100)[1].tolist(), [True, True, False])
        self.assertTrue(simdp.select.partitions(top, 1.0, 1e-5)[:2].all())
        self.assertEqual(simdp.release.clamped_sum(top, 0, 10), 27)
        for kind in "bhilqBHILQ":
            self.assertIs(type(simdp.release.clamped_sum(numpy.array([1, 2, 3], kind), 0, 2)), int)
        for bad in (numpy.zeros(2, "c16"), numpy.array(["1.5"])):
            with self.assertRaises(TypeError):
                simdp.release.laplace_threshold(bad, scale=1.0, threshold=1.0)


class Help(unittest.TestCase):
    def test_help_and_signatures(self):
        text = pydoc.render_doc(laplace, renderer=pydoc.plaintext)
        self.assertIn("laplace in module simdp.release", text)
        words = "".join(text.split())   # newer versions give each argument a line
        self.assertIn("laplace(answers,*,sensitivity=None,epsilon=None", words)
        for word in ("--", "release_laplace", "(...)"):
            self.assertNotIn(word, text.replace("---", ""))
        for module in (simdp.release, simdp.select, simdp.account, simdp.loss, simdp.audit, simdp.theory, simdp.noise):
            for name in module.__all__:
                thing = getattr(module, name)
                if callable(thing) and not isinstance(thing, type):
                    self.assertIsNotNone(inspect.signature(thing), name)
                    self.assertEqual((thing.__name__, thing.__module__), (name, module.__name__))
        self.assertEqual(list(inspect.signature(gaussian).parameters)[:5], ["answers", "sensitivity", "epsilon", "delta", "sigma"])

    def test_functions_travel(self):
        """A function goes to another process by its name, a stream never."""
        self.assertIs(pickle.loads(pickle.dumps(laplace)), laplace)
        with self.assertRaises(TypeError):
            pickle.dumps(simdp.Rng())


class Forks(unittest.TestCase):
    def test_generators_of_a_child(self):
        """Of many generators, some gone: those without a key forget their words, those with one keep them."""
        def three(bits):
            return [bits.random_raw() for _ in range(3)]
        fresh, keyed = [simdp.BitGenerator() for _ in range(50)], [simdp.BitGenerator(key=KEY, stream=i) for i in range(3)]
        for bits in fresh + keyed:
            bits.random_raw()
        del fresh[::2], keyed[1]
        here, there = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(there, pickle.dumps([three(bits) for bits in fresh + keyed]))
            os._exit(0)
        with os.fdopen(here, "rb") as pipe:
            os.close(there)
            theirs = pickle.loads(pipe.read())
        os.waitpid(child, 0)
        ours = [three(bits) for bits in fresh + keyed]
        self.assertEqual(ours[-2:], theirs[-2:])
        words = sum(ours[:-2] + theirs[:-2], [])
        self.assertEqual(len(set(words)), len(words))


if __name__ == "__main__":
    unittest.main()
