"""Every function of the package with arguments of all kinds: exceptions, never a crash. test_arguments.py has the cases that
have a name; SIMDP_TEST_FULL makes more of these, and SIMDP_TEST_FUZZ that many."""
import array
import inspect
import os
import unittest

import numpy
import simdp
from hypothesis import given, settings, strategies as st
from simdp import _simdp

MANY = settings(max_examples=int(os.environ.get("SIMDP_TEST_FUZZ", 5000 if os.environ.get("SIMDP_TEST_FULL") else 150)),
                deadline=None, derandomize=True, database=None)
RAISED = (TypeError, ValueError, OverflowError, MemoryError, RuntimeError, OSError, BufferError, KeyError, IndexError,
          AttributeError, ZeroDivisionError, NotImplementedError)
MODULES = [simdp.account, simdp.audit, simdp.loss, simdp.noise, simdp.release, simdp.select, simdp.theory]


def functions():
    """{name: what is called}: all that the package has, but the command, which may end the process."""
    found = {f"{module.__name__}.{name}": getattr(module, name) for module in MODULES for name in module.__all__}
    found |= {f"_simdp.{name}": thing for name, thing in vars(_simdp).items() if callable(thing) and name != "command"}
    for kind in (_simdp.Rng, _simdp.BitGenerator, _simdp.ArrowArray):
        found |= {f"{kind.__name__}.{name}": thing for name, thing in vars(kind).items()
                  if callable(thing) and not name.startswith("__")}
    return found


FUNCTIONS = functions()


class Liar(numpy.ndarray):
    """Says nothing true about itself."""
    def __len__(self):
        return 10**9

    shape = property(lambda self: (10**9,))
    dtype = property(lambda self: numpy.dtype("f4"))

    def __array__(self, *_, **__):
        raise RuntimeError("never")


class Shrinks:
    """A number; who asks for it takes memory away from the arrays that are in use."""
    def __init__(self, buffers, rng):
        self.buffers, self.rng = buffers, rng

    def __float__(self):
        self.rng.close()
        for buffer in self.buffers:
            try:
                del buffer[:]
            except BufferError:   # it is held, as it should be
                pass
        return 1.0

    def __index__(self):
        return int(float(self))


class NoArrow:
    def __arrow_c_array__(self, *_):
        return ("no capsule", 7)

    def __arrow_c_stream__(self, *_):
        return object()


class NoChunks:
    def __arrow_c_stream__(self, *_):
        return _simdp.BitGenerator().capsule


def frozen(x):
    x.flags.writeable = False
    return x


def closed():
    rng = simdp.Rng()
    rng.close()
    return rng


def objects(buffers, rng):
    """Objects of all kinds, made anew for each example, since calls may spoil them."""
    long, whole = numpy.zeros(4096), numpy.zeros(9)
    return [
        numpy.zeros(3), numpy.zeros((2, 2), "f"), numpy.arange(4), numpy.zeros(5, "B"), numpy.zeros(3, "Q"), numpy.zeros(3, "I"),
        numpy.zeros(3, "?"), numpy.zeros(8)[::3], numpy.zeros((3, 3)).T, numpy.zeros(0), numpy.zeros((0, 5)), numpy.zeros(2, "d,d"),
        numpy.zeros(3, "c16"), numpy.zeros(3, ">f8"), numpy.zeros(3, "e"), numpy.array(1.0), numpy.array(["a"]),
        numpy.array([None]), numpy.broadcast_to(numpy.zeros(1), (1000,)), frozen(numpy.zeros(3)), long, long[1:], whole[:-1],
        whole[1:], numpy.zeros(4).view(Liar), numpy.frombuffer(bytearray(33), "B")[1:].view("d"), memoryview(b"12345678"),
        memoryview(numpy.zeros((2, 3)))[::1], array.array("d", [1.0, 2.0]), array.array("u", "ab"), *buffers, b"x" * 32,
        rng, closed(), simdp.Rng(key=bytes(32)), simdp.BitGenerator(), simdp.release.ids([1, 2, 3]), NoArrow(), NoChunks(),
        Shrinks(buffers, rng), *(_simdp.Memory(f"simdp_{kind}") for kind in (
            "pld", "loss_audit", "theory_filter", "loss_statistics", "select_threshold")), simdp.select.Prepared([1.0, 2.0], 1.0),
        simdp.theory.Filter("basic", epsilon=1.0), lambda *_: None, lambda *_: 1 / 0, simdp.loss.step("laplace", 0.0, 1.0, 0.7),
    ]


# Sizes are either small or such that no memory holds them: those between would be had, and be slow.
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-3, 9), st.sampled_from([2**62, 2**63, 2**64 - 1, 2**64, 2**70, -2**63]),
                  st.floats(), st.sampled_from([0.0, 1.0, 0.5, 1e-6, 2.0**-22, 1e300]), st.text(max_size=3),
                  st.sampled_from(["laplace", "gaussian", "basic", "selection", "d", "f4"]), st.binary(max_size=40),
                  st.lists(st.floats(), max_size=5), st.lists(st.integers(-2**70, 2**70), max_size=3))
PLACE = st.integers(0, 200)   # among objects()
ARGUMENT = st.one_of(PLAIN.map(lambda x: ("plain", x)), PLACE.map(lambda x: ("object", x)))


def names_of(function):
    try:
        return [p.name for p in inspect.signature(function).parameters.values() if p.kind != p.VAR_POSITIONAL]
    except (TypeError, ValueError):
        return []


class Fuzz(unittest.TestCase):
    def call(self, name, positional, named):
        buffers, rng = [bytearray(64), array.array("d", [0.0] * 5000)], simdp.Rng(key=bytes(32))
        made = objects(buffers, rng)

        def value(argument):
            kind, what = argument
            return made[what % len(made)] if kind == "object" else what
        function = FUNCTIONS[name]
        known = names_of(function)
        arguments = [value(a) for a in positional]
        words = {known[place % len(known)]: value(a) for place, a in named} if known else {}
        with numpy.errstate(all="ignore"):
            try:
                function(*arguments, **words)
            except RAISED:
                pass
        self.assertEqual(numpy.zeros(3).tolist(), [0.0] * 3)   # the process is alive and NumPy is well

    def test_the_list_is_whole(self):
        self.assertGreater(len(FUNCTIONS), 300)
        for name in ("_simdp.select_gumbel", "simdp.release.laplace", "Rng.add_laplace", "BitGenerator.seek", "_simdp.Memory"):
            self.assertIn(name, FUNCTIONS)

    def test_each_function_once_with_nothing_and_with_each_object(self):
        for name in FUNCTIONS:
            self.call(name, [], [])
            for place in range(0, 60, 1 if MANY.max_examples > 1000 else 13):
                self.call(name, [("object", place)] * 3, [])

    @MANY
    @given(st.sampled_from(sorted(FUNCTIONS)), st.lists(ARGUMENT, max_size=9), st.lists(st.tuples(PLACE, ARGUMENT), max_size=5))
    def test_any_call(self, name, positional, named):
        self.call(name, positional, named)

    @MANY
    @given(st.sampled_from(["laplace", "gaussian", "discrete_laplace", "discrete_gaussian", "randomized_response", "unary",
                            "randomized_response_packed", "k_response"]), PLACE, st.one_of(st.none(), PLACE),
           st.sampled_from([1.0, 0.0, -1.0, 2.0**-30, float("nan"), "shrinks"]), st.integers(0, 3), st.booleans())
    def test_releases_into_all_kinds_of_memory(self, name, place, out, parameter, threads, copy):
        buffers, rng = [bytearray(64), array.array("d", [0.0] * 5000)], simdp.Rng(key=bytes(32))
        made = objects(buffers, rng)
        number = Shrinks(buffers, rng) if parameter == "shrinks" else parameter
        words = {known: number for known in ("scale", "sigma", "epsilon", "log_odds_one", "log_odds_zero")
                 if known in names_of(FUNCTIONS[f"_simdp.release_{name}"])}
        if "scale" in words:
            del words["epsilon"]
        elif "sigma" in words:
            words = {"sigma": number}
        if name == "k_response":
            words["k"] = 4
        if out is not None:
            words["out"] = made[out % len(made)]
        try:
            getattr(simdp.release, name)(made[place % len(made)], copy=copy, threads=threads, rng=rng, **words)
        except RAISED:
            pass
        buffers[0] += b"x"   # nobody holds the memory any longer
        buffers[1].append(1.0)

    @MANY
    @given(st.sampled_from(["laplace", "gaussian", "gumbel", "exponential", "uniform", "words", "discrete_laplace",
                            "discrete_gaussian", "add_laplace", "add_gaussian", "add_gumbel"]),
           st.dictionaries(st.sampled_from(["size", "scale", "out", "dtype", "threads", "array"]), ARGUMENT, max_size=4))
    def test_noise(self, name, named):
        buffers, rng = [bytearray(64), array.array("d", [0.0] * 5000)], simdp.Rng(key=bytes(32))
        made = objects(buffers, rng)
        try:
            getattr(rng, name)(**{k: made[w % len(made)] if kind == "object" else w for k, (kind, w) in named.items()})
        except RAISED:
            pass
        buffers[0] += b"x"
        buffers[1].append(1.0)


if __name__ == "__main__":
    unittest.main()
