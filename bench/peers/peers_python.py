#!/usr/bin/env python3
"""The Python package against C and NumPy on this machine: what a call from Python costs, and rates of arrays. Wants the
package and NumPy installed, and for the rows of C a shared library of the same tree.

    python3 bench/peers/peers_python.py [--library build/bench/libsimdp.so] [--out FILE.md] [--seconds S]

Rates are those of calls that fill an array which is there, best of several tries that alternate, one thread; of one
number, nanoseconds a call, Python's share included. C's time for one number is that of a loop, which a compiler makes
here. Each generator runs in a process of its own, as in most programs: NumPy calls it once a number, and a processor
predicts such a call better where it goes to one place only."""
import argparse
import ctypes
import datetime
import os
import platform
import subprocess
import sys
import tempfile
import time

import numpy
import simdp

N = 1_000_000
KEY = bytes(range(32))


def best(call, seconds, inner=1):
    """Shortest time of a call, of at least five tries of `inner` calls each."""
    shortest, tries, end = float("inf"), 0, time.perf_counter() + seconds
    while tries < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        for _ in range(inner):
            call()
        shortest, tries = min(shortest, (time.perf_counter() - begin) / inner), tries + 1
    return shortest


def race(calls, seconds):
    """Shortest times of calls that alternate."""
    shortest, end, done = [float("inf")] * len(calls), time.perf_counter() + seconds, 0
    while done < 5 or time.perf_counter() < end:
        for i, call in enumerate(calls):
            shortest[i] = min(shortest[i], best(call, 0.0))
        done += 1
    return shortest


def library(path, x, out):
    """{name: call on an array of N doubles} of C."""
    lib = ctypes.CDLL(os.path.abspath(path))
    rng = ctypes.create_string_buffer(1 << 14)
    if lib.simdp_rng_init_deterministic(rng, KEY, ctypes.c_uint64(0)) != 0:
        raise RuntimeError("no stream")

    def pointer(array):
        return ctypes.c_void_p(array.ctypes.data)

    def noise(law):
        function = getattr(lib, f"simdp_noise_{law}_f64")
        return lambda: function(rng, pointer(out), ctypes.c_size_t(N), ctypes.c_double(1.0))

    def release(law):
        function = getattr(lib, f"simdp_release_{law}")
        return lambda: function(rng, pointer(out), pointer(x), ctypes.c_size_t(N), ctypes.c_double(1.0),
                                ctypes.c_double(2.0**-22))
    return {"noise, Laplace": noise("laplace"), "noise, Gaussian": noise("gaussian"),
            "release, Laplace": release("laplace"), "release, Gaussian": release("gaussian")}


def package(x, out):
    rng = simdp.Rng(key=KEY)
    return {"noise, Laplace": lambda: rng.laplace(out=out, threads=1),
            "noise, Gaussian": lambda: rng.gaussian(out=out, threads=1),
            "release, Laplace": lambda: simdp.release.laplace(x, scale=1.0, grid=2.0**-22, rng=rng, out=out, threads=1),
            "release, Gaussian": lambda: simdp.release.gaussian(x, sigma=1.0, grid=2.0**-22, rng=rng, out=out, threads=1)}


def numpys(x):
    generator = numpy.random.default_rng(1)
    return {"noise, Laplace": lambda: generator.laplace(size=N), "noise, Gaussian": lambda: generator.normal(size=N),
            "release, Laplace": lambda: x + generator.laplace(size=N),
            "release, Gaussian": lambda: x + generator.normal(size=N)}


GENERATORS = {"simdp.BitGenerator": lambda: simdp.BitGenerator(), "PCG64": lambda: numpy.random.PCG64()}
DRAWS = {"random": lambda g, out: g.random(out=out), "standard_normal": lambda g, out: g.standard_normal(out=out),
         "standard_exponential": lambda g, out: g.standard_exponential(out=out),
         "integers": lambda g, out: g.integers(2**40, size=len(out))}


def one_generator(who, seconds):
    """Prints the rates of one generator; for a process of its own."""
    generator, out = numpy.random.Generator(GENERATORS[who]()), numpy.zeros(N // 10)
    for draw in DRAWS.values():
        print(len(out) / best(lambda: draw(generator, out), seconds) / 1e6)


def generators(seconds):
    """[(name, rate of ours, rate of PCG64)]"""
    rates = []
    for who in GENERATORS:
        command = [sys.executable, os.path.abspath(__file__), "--seconds", str(seconds), "--generator", who]
        rates.append([float(x) for x in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()])
    return list(zip(DRAWS, *rates))


C_LOOP = """
#include <simdp/simdp.h>
#include <stdio.h>
#include <time.h>
int main(void)
{
    simdp_rng rng;
    double x = 3.0, least = 1e9;
    if (simdp_rng_init(&rng) != SIMDP_OK) return 1;
    for (int tries = 0; tries < 200; tries++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 0; i < 1000; i++)
            if (simdp_release_laplace_private(&rng, &x, &(double){3.0}, 1, 1.0, 0.5) != SIMDP_OK) return 1;
        clock_gettime(CLOCK_MONOTONIC, &b);
        const double ns = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / 1000;
        if (ns < least) least = ns;
    }
    printf("%f", least);
}
"""


def c_call(path):
    """Nanoseconds of one release of one number in C; NaN without a library or a compiler."""
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include")
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "one")
        command = ["cc", "-O2", "-I", include, "-x", "c", "-", "-x", "none", os.path.abspath(path), "-o", program,
                   f"-Wl,-rpath,{os.path.dirname(os.path.abspath(path))}"]
        try:
            subprocess.run(command, input=C_LOOP, text=True, check=True)
            return float(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
        except (OSError, subprocess.CalledProcessError):
            return float("nan")


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))


def calls():
    """Calls for one number."""
    rng, laplace = simdp.Rng(), simdp.release.laplace
    one = numpy.zeros(1)
    return {"release.laplace(3.0, sensitivity=1.0, epsilon=0.5)": lambda: laplace(3.0, sensitivity=1.0, epsilon=0.5),
            "the same with rng=": lambda: laplace(3.0, sensitivity=1.0, epsilon=0.5, rng=rng),
            "release.laplace(x, scale=1.0, out=x), x an array of one": lambda: laplace(one, scale=1.0, out=one),
            "rng.laplace()": rng.laplace,
            "account.epsilon(1e-5, 'gaussian', 4.0)": lambda: simdp.account.epsilon(1e-5, "gaussian", 4.0)}


def table(options):
    lines = ["# The Python package, C and NumPy", "",
             f"{datetime.date.today()}, {processor()}, {simdp.isa_name()}, simdp {simdp.version()}, Python "
             f"{platform.python_version()}, NumPy {numpy.__version__}, one thread.",
             f"Made by `python3 bench/peers/peers_python.py --seconds {options.seconds:g}`, with the package installed.", "",
             f"| {N} doubles, million a second | package | C | package / C | NumPy | package / NumPy |",
             "|---|---:|---:|---:|---:|---:|"]
    x, out = numpy.zeros(N), numpy.zeros(N)   # the same memory for all: its place counts for some percent
    c, other = library(options.library, x, out) if os.path.exists(options.library) else {}, numpys(x)
    for name, call in package(x, out).items():
        times = race([call, other[name], *([c[name]] if name in c else [])], 3 * options.seconds)
        ours, theirs, plain = (N / t / 1e6 for t in (*times, float("nan"))[:3])
        lines.append(f"| {name} | {ours:.0f} | {plain:.0f} | {ours / plain:.2f} | {theirs:.1f} | {ours / theirs:.1f} |")
    lines += ["", "NumPy's release is `answer + noise`, which is not safe to publish.", "",
              f"| numpy.random.Generator, {N // 10} numbers, million a second | simdp.BitGenerator | PCG64 | ratio |",
              "|---|---:|---:|---:|"]
    for name, mine, pcg in generators(options.seconds):
        lines.append(f"| {name} | {mine:.0f} | {pcg:.0f} | {mine / pcg:.2f} |")
    lines += ["", "| one call | ns |", "|---|---:|"]
    lines.append(f"| `simdp_release_laplace_private` of one number in C | {c_call(options.library):.0f} |")
    for name, call in calls().items():
        lines.append(f"| `{name}` | {1e9 * best(call, options.seconds, 1000):.0f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/bench/libsimdp.so")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--generator", choices=GENERATORS, help="only the rates of this one")
    options = parser.parse_args()
    if options.generator:
        one_generator(options.generator, options.seconds)
        return
    text = table(options)
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)
    print(text, end="")


if __name__ == "__main__":
    main()
