#!/usr/bin/env python3
"""Groups a second whose showing is decided, on this machine: simdp through its shared library, and Google's partition
selection if PyDP is installed (pip install python-dp, in a venv). Missing peers are named and left out; the exit status is 0
all the same.

    python3 bench/peers/peers_partitions.py [--library build/bench/libsimdp.so] [--output FILE.json] [--seconds S]

Both decide by the same optimal rule (truncated geometric thresholding), epsilon 1, delta 1e-5, one group a person, on counts
from 0 to 999. PyDP takes one count a call. Rates are the best of several tries; calls from Python are part of them."""
import argparse
import ctypes
import importlib
import json
import os
import platform
import random
import sys
from importlib import metadata

from peers_select import best_time

N = 4096
EPSILON, DELTA = 1.0, 1e-5


def simdp_row(path, counts):
    lib = ctypes.CDLL(path)
    key = (ctypes.c_uint8 * 32)(*range(32))
    rng = ctypes.create_string_buffer(1 << 14)   # a simdp_rng has about 4 KiB
    keep, data = (ctypes.c_uint8 * N)(), (ctypes.c_int64 * N)(*counts)
    if lib.simdp_rng_init_deterministic(rng, key, ctypes.c_uint64(0)) != 0:
        raise RuntimeError("simdp: no stream")

    def call():
        status = lib.simdp_select_partitions(rng, keep, data, ctypes.c_size_t(N), ctypes.c_double(EPSILON),
                                             ctypes.c_double(DELTA), ctypes.c_uint64(1))
        if status != 0:
            raise RuntimeError(f"simdp: status {status}")

    return call


def pydp_row(module, counts):
    del module
    selection = importlib.import_module("pydp.algorithms.partition_selection")
    strategy = selection.create_truncated_geometric_partition_strategy(EPSILON, DELTA, 1)
    should_keep = strategy.should_keep
    return lambda: [should_keep(count) for count in counts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/bench/libsimdp.so")
    parser.add_argument("--output")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    generator, calls, versions, rows = random.Random(N), {}, {}, []
    counts = [generator.randrange(1000) for _ in range(N)]
    if os.path.exists(options.library):
        calls["simdp"] = simdp_row(os.path.abspath(options.library), counts)
    else:
        print(f"simdp: no {options.library}", file=sys.stderr)
    try:
        calls["pydp"] = pydp_row(importlib.import_module("pydp"), counts)
        versions["python-dp"] = metadata.version("python-dp")
    except ImportError:
        print("pydp: not installed", file=sys.stderr)
    for who, call in calls.items():
        row = {"name": f"select/partitions/{who}/{N}", "items_per_second": N / best_time(call, options.seconds)}
        print(f"{row['name']:<40} {row['items_per_second'] / 1e6:10.3f} M groups/s")
        rows.append(row)
    if options.output:
        result = {"machine": platform.processor() or platform.machine(), "python": platform.python_version(),
                  "versions": versions, "rows": rows}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
