#!/usr/bin/env python3
"""Accountants side by side on this machine: simdp through its shared library, and what of dp_accounting,
prv_accountant and autodp is installed (pip install dp-accounting prv-accountant autodp, in a venv). A peer that is
missing is named and left out; the exit status is 0 all the same.

    python3 bench/peers/peers_account.py [--library build/bench/libsimdp.so] [--output FILE.json] [--seconds S]

Errors are against exact answers: the closed form for Gaussians; for Laplace noise the middle of simdp's bracket at a
ten times finer grid, which is narrower than the digits shown. Times are the best of several tries."""
import argparse
import ctypes
import importlib
import json
import math
import os
import platform
import sys
import time
import warnings
from importlib import metadata

DOTS, BINS, NONE = 3, 4, 0   # simdp_pld_rounding
DELTA, TIMES, GRID = 1e-5, 1000, 1e-4


class Law(ctypes.Structure):
    """simdp_law"""
    _fields_ = [("mechanism", ctypes.c_int), ("parameter", ctypes.c_double), ("leak", ctypes.c_double),
                ("sensitivity", ctypes.c_int64)]


GAUSSIAN = 2  # SIMDP_MECHANISM_GAUSSIAN


class Simdp:
    """The few functions of libsimdp that are measured."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        real, count, pointer = ctypes.c_double, ctypes.c_uint64, ctypes.c_void_p
        arguments = {
            "simdp_pld_create": [pointer, real], "simdp_pld_add_gaussian": [pointer, real, count],
            "simdp_pld_add_laplace": [pointer, real, count],
            "simdp_pld_compose": [pointer, real, real, ctypes.c_int, ctypes.c_int, pointer, pointer],
            "simdp_pld_epsilon": [pointer, pointer, pointer, pointer, ctypes.c_size_t],
            "simdp_pld_delta": [pointer, pointer, pointer, pointer, ctypes.c_size_t],
            "simdp_account_epsilon_each": [pointer, pointer, pointer, ctypes.c_size_t, Law],
            "simdp_account_noise": [pointer, pointer, pointer, ctypes.c_size_t, Law],
        }
        for name, types in arguments.items():
            if hasattr(self.lib, name):
                getattr(self.lib, name).argtypes = types
        self.lib.simdp_pld_destroy.argtypes = [pointer]
        self.lib.simdp_pld_destroy.restype = None
        self.lib.simdp_version.restype = ctypes.c_char_p
        self.lib.simdp_status_text.restype = ctypes.c_char_p

    def version(self):
        return self.lib.simdp_version().decode()

    def call(self, name, *arguments):
        status = getattr(self.lib, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: {self.lib.simdp_status_text(status).decode()}")

    def composed(self, law, parameter, times, grid, least, most, lower):
        pld = ctypes.c_void_p()
        self.call("simdp_pld_create", ctypes.byref(pld), grid)
        self.call(f"simdp_pld_add_{law}", pld, parameter, times)
        self.call("simdp_pld_compose", pld, least, most, DOTS, lower, None, None)
        return pld

    def epsilon(self, law, parameter, times, grid, delta, lower=NONE):
        pld = self.composed(law, parameter, times, grid, delta, delta, lower)
        at, low, high = ctypes.c_double(delta), ctypes.c_double(), ctypes.c_double()
        self.call("simdp_pld_epsilon", pld, ctypes.byref(low), ctypes.byref(high), ctypes.byref(at), 1)
        self.lib.simdp_pld_destroy(pld)
        return (low.value, high.value) if lower else high.value

    def array(self, name, n, *inputs, law):
        out = (ctypes.c_double * n)()
        self.call(name, out, *inputs, n, law)
        return out


def exact_gaussian(sigma, delta):
    """Smallest epsilon of one Gaussian mechanism, by bisection on the closed form."""
    def log_delta(epsilon):
        a, b = (epsilon * sigma - 0.5 / sigma) / math.sqrt(2), (epsilon * sigma + 0.5 / sigma) / math.sqrt(2)
        if a > 5:   # asymptotic series of erfc: relative 1e-12 at 5, the difference of both terms 1e-10
            def scaled(x):
                term, total = 1.0, 1.0
                for n in range(1, int(x * x)):
                    term *= -(2 * n - 1) / (2 * x * x)
                    if abs(term) < 1e-17:
                        break
                    total += term
                return total / (x * math.sqrt(math.pi))
            return -a * a + math.log((scaled(a) - scaled(b)) / 2)
        return math.log((math.erfc(a) - math.exp(epsilon) * math.erfc(b)) / 2)

    low, high = 0.0, 1.0
    while log_delta(high) > math.log(delta):
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if log_delta(middle) > math.log(delta) else (low, middle)
    return high


def best_time(function, seconds):
    """Shortest of several tries, and the answer."""
    best, begin, tries = math.inf, time.perf_counter(), 0
    while tries < 3 or (time.perf_counter() - begin < seconds and tries < 1000):
        start = time.perf_counter()
        answer = function()
        best, tries = min(best, time.perf_counter() - start), tries + 1
    return best, answer


def peers():
    """Installed peers by name, and the names of the others."""
    found, missing = {}, []
    for module in ("dp_accounting", "prv_accountant", "autodp"):
        try:
            found[module] = (importlib.import_module(module), metadata.version(module.replace("_", "-")))
        except ImportError:
            missing.append(module)
    return found, missing


class Table:
    def __init__(self, seconds):
        self.seconds, self.rows = seconds, []

    def measure(self, task, who, function, exact=None, items=1):
        """function returns an epsilon (or None); its error is taken from exact."""
        print(f"\r\033[K{task}: {who}", end="", file=sys.stderr, flush=True) if sys.stderr.isatty() else None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                seconds, answer = best_time(function, self.seconds)
        except Exception as error:   # whatever a peer may raise is its answer
            self.rows.append({"task": task, "who": who, "failed": f"{type(error).__name__}: {error}"[:100]})
            return
        row = {"task": task, "who": who, "seconds": seconds / items}
        if answer is not None and math.isfinite(answer):
            row["answer"], row["error"] = float(answer), float(answer) - exact
        elif answer is not None:
            row["failed"] = f"epsilon = {answer}, exact {exact:.8f}"
        self.rows.append(row)

    def text(self):
        lines = []
        for row in self.rows:
            ours = next(r for r in self.rows if r["task"] == row["task"] and r["who"] == "simdp")
            if "failed" in row:
                lines.append(f"{row['task']:45} {row['who']:22} {row['failed']}")
                continue
            ratio = "" if row["who"].startswith("simdp") else f"{row['seconds'] / ours['seconds']:9.1f} x"
            answer = f"{row['answer']:14.8f} {row['error']:+10.2e}" if "answer" in row else " " * 25
            lines.append(f"{row['task']:45} {row['who']:22} {row['seconds'] * 1e3:12.5f} ms {answer} {ratio}")
        head = f"{'task':45} {'who':22} {'time':>15} {'epsilon':>14} {'error':>10} {'simdp is':>11}"
        return "\n".join([head] + lines)


def measure_pld(table, ours, found, law, parameter, exact):
    """1000 steps at grid 1e-4: build, compose, one epsilon."""
    task = f"{TIMES} x {law}({parameter:g}), grid {GRID:g}, one epsilon"
    table.measure(task, "simdp", lambda: ours.epsilon(law, parameter, TIMES, GRID, DELTA), exact)
    table.measure(task, "simdp, bracket", lambda: ours.epsilon(law, parameter, TIMES, GRID, DELTA, BINS)[1], exact)
    noise = parameter if law == "gaussian" else 1 / parameter
    if "dp_accounting" in found:
        pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
        build = getattr(pld, f"from_{law}_mechanism")
        table.measure(task, "dp_accounting", lambda: build(noise, value_discretization_interval=GRID)
                      .self_compose(TIMES).get_epsilon_for_delta(DELTA), exact)
    if "prv_accountant" in found:
        prv = importlib.import_module("prv_accountant")
        mechanism = prv.GaussianMechanism(noise) if law == "gaussian" else prv.LaplaceMechanism(parameter)
        table.measure(task, "prv_accountant (0.01)", lambda: prv.PRVAccountant(
            prvs=[mechanism], max_self_compositions=[TIMES], eps_error=0.01, delta_error=1e-3 * DELTA)
            .compute_epsilon(DELTA, [TIMES])[2], exact)
    if "autodp" in found:
        zoo, composition = (importlib.import_module(f"autodp.{part}_zoo") for part in ("mechanism", "transformer"))
        kind = zoo.ExactGaussianMechanism if law == "gaussian" else zoo.LaplaceMechanism
        table.measure(task, "autodp (Renyi)",
                      lambda: composition.Composition()([kind(noise)], [TIMES]).get_approxDP(DELTA), exact)


def measure_tiny_delta(table, ours, found):
    task, exact = "1000 x gaussian(50), delta 1e-20", exact_gaussian(50 / math.sqrt(TIMES), 1e-20)
    table.measure(task, "simdp", lambda: ours.epsilon("gaussian", 50.0, TIMES, GRID, 1e-20), exact)
    if "dp_accounting" in found:
        pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
        table.measure(task, "dp_accounting", lambda: pld.from_gaussian_mechanism(
            50.0, value_discretization_interval=GRID).self_compose(TIMES).get_epsilon_for_delta(1e-20), exact)


def measure_many_deltas(table, ours, found):
    """delta for 1000 epsilons on a composed PLD, grid 1e-5."""
    task, n = "delta for 1000 epsilons, grid 1e-5", 1000
    epsilon = [3.0 * i / n for i in range(n)]
    composed = ours.composed("gaussian", 50.0, TIMES, 1e-5, 1e-9, 1.0, NONE)
    at, upper = (ctypes.c_double * n)(*epsilon), (ctypes.c_double * n)()
    table.measure(task, "simdp", lambda: ours.call("simdp_pld_delta", composed, None, upper, at, n))
    ours.lib.simdp_pld_destroy(composed)
    if "dp_accounting" in found:
        pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
        theirs = pld.from_gaussian_mechanism(50.0, value_discretization_interval=1e-5).self_compose(TIMES)
        table.measure(task, "dp_accounting", lambda: theirs.get_delta_for_epsilon(epsilon) is None or None)


def measure_analytic(table, ours, found):
    """Analytic Gaussian mechanism, arrays; time per element."""
    n = 1000
    sigma = [0.5 + 9.5 * i / n for i in range(n)]
    epsilon = [0.1 + 5.0 * i / n for i in range(n)]
    delta = [10 ** (-3 - 9.0 * i / n) for i in range(n)]
    c_sigma, c_epsilon, c_delta = ((ctypes.c_double * n)(*x) for x in (sigma, epsilon, delta))
    tasks = (("analytic Gaussian epsilon, each", "simdp_account_epsilon_each", (c_delta, c_sigma), Law(GAUSSIAN),
              "get_epsilon_gaussian", list(zip(sigma, delta))),
             ("analytic Gaussian sigma, each", "simdp_account_noise", (c_epsilon, c_delta), Law(GAUSSIAN),
              "get_sigma_gaussian", list(zip(epsilon, delta))))
    for task, name, inputs, law, theirs, pairs in tasks:
        if not hasattr(ours.lib, name):
            continue
        table.measure(task, "simdp", lambda: ours.array(name, n, *inputs, law=law) and None, items=n)
        if "dp_accounting" in found:
            function = getattr(found["dp_accounting"][0], theirs)
            few = pairs[::20]
            table.measure(task, "dp_accounting", lambda: [function(*pair) for pair in few] and None, items=len(few))


def library_path(given):
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    candidates = [given] if given else [os.path.join(here, "build", d, "libsimdp.so")
                                        for d in ("bench", "test-gcc", "dev")]
    for path in candidates:
        if os.path.exists(path):
            return path
    sys.exit("peers_account.py: build first, or --library PATH; there is no " + ", no ".join(candidates))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--library", help="libsimdp.so to measure")
    parser.add_argument("--output", help="write the table as JSON")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each line of the table (1)")
    options = parser.parse_args()
    ours = Simdp(library_path(options.library))
    found, missing = peers()
    for name in missing:
        print(f"{name} is not installed: its rows are left out", file=sys.stderr)
    table = Table(options.seconds)
    for sigma in (10.0, 50.0, 100.0):
        measure_pld(table, ours, found, "gaussian", sigma, exact_gaussian(sigma / math.sqrt(TIMES), DELTA))
    for t in (0.03, 0.1):
        bracket = ours.epsilon("laplace", t, TIMES, GRID / 10, DELTA, BINS)
        measure_pld(table, ours, found, "laplace", t, sum(bracket) / 2)
    measure_tiny_delta(table, ours, found)
    measure_many_deltas(table, ours, found)
    measure_analytic(table, ours, found)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(table.text())
    if options.output:
        context = {"simdp": ours.version(), "python": platform.python_version(), "machine": platform.processor() or
                   platform.machine(), "peers": {name: version for name, (_, version) in found.items()}}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump({"context": context, "rows": table.rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
