#!/usr/bin/env python3
"""Selections a second, candidates counted, on this machine: simdp through its shared library, and what of NumPy and OpenDP
is installed (pip install numpy opendp, in a venv). A peer that is missing is named and left out; the exit status is 0 all
the same.

    python3 bench/peers/peers_select.py [--library build/bench/libsimdp.so] [--output FILE.json] [--seconds S]

NumPy draws argmax(scores + gumbel), OpenDP its noisy max. Scores are uniform on [0, 8), the scale is 1. Rates are the best
of several tries; calls from Python are part of them on all sides."""
import argparse
import ctypes
import importlib
import json
import os
import platform
import random
import sys
import time
from importlib import metadata

SIZES = (1000, 100000)


def simdp_rows(path, scores):
    lib = ctypes.CDLL(path)
    n, key = len(scores), (ctypes.c_uint8 * 32)(*range(32))
    rng = ctypes.create_string_buffer(1 << 14)   # a simdp_rng has about 4 KiB
    index, data = ctypes.c_size_t(), (ctypes.c_double * n)(*scores)
    if lib.simdp_rng_init_deterministic(rng, key, ctypes.c_uint64(0)) != 0:
        raise RuntimeError("simdp: no stream")

    def call(function):
        status = function(rng, ctypes.byref(index), data, ctypes.c_size_t(n), ctypes.c_double(1.0))
        if status != 0:
            raise RuntimeError(f"simdp: status {status}")

    yield "gumbel", "simdp", lambda: call(lib.simdp_select_gumbel)
    yield "gumbel_vartime", "simdp", lambda: call(lib.simdp_select_gumbel_vartime)


def numpy_rows(module, scores):
    given, generator = module.array(scores), module.random.default_rng(1)
    yield "gumbel", "numpy", lambda: int(module.argmax(given + generator.gumbel(size=len(given))))


def opendp_rows(module, scores):
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    make = getattr(dp.m, "make_noisy_max", None)
    if make is not None:
        mechanism = make(*space, dp.max_divergence(), scale=1.0)
    else:
        mechanism = dp.m.make_report_noisy_max_gumbel(*space, scale=1.0, optimize="max")
    yield "gumbel", "opendp", lambda: mechanism(scores)


def best_time(call, seconds):
    call()
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def measured(rows, n, seconds):
    for kernel, who, call in rows:
        row = {"name": f"select/{kernel}/{who}/{n}", "items_per_second": n / best_time(call, seconds)}
        print(f"{row['name']:<40} {row['items_per_second'] / 1e6:10.2f} M candidates/s")
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/bench/libsimdp.so")
    parser.add_argument("--output")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    versions, rows = {}, []
    for n in SIZES:
        generator = random.Random(n)
        scores = [8 * generator.random() for _ in range(n)]
        if os.path.exists(options.library):
            rows += measured(simdp_rows(os.path.abspath(options.library), scores), n, options.seconds)
        elif n == SIZES[0]:
            print(f"simdp: no {options.library}", file=sys.stderr)
        for name, peer in (("numpy", numpy_rows), ("opendp", opendp_rows)):
            try:
                module = importlib.import_module(name)
            except ImportError:
                if n == SIZES[0]:
                    print(f"{name}: not installed", file=sys.stderr)
                continue
            versions[name] = metadata.version(name)
            rows += measured(peer(module, scores), n, options.seconds)
    if options.output:
        result = {"machine": platform.processor() or platform.machine(), "python": platform.python_version(),
                  "versions": versions, "rows": rows}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
