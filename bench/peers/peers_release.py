#!/usr/bin/env python3
"""Releases of vectors of answers, answers a second, on this machine: simdp through its shared library, and what of
OpenDP, Google's library (PyDP) and NumPy is installed (pip install opendp python-dp numpy, in a venv). A peer that is
missing is in the table as not installed; the exit status is 0 all the same.

    python3 bench/peers/peers_release.py [--library build/bench/libsimdp.so] [--out FILE.json] [--seconds S]

What --out names gets the numbers, and FILE.md beside it the table; perf-results/peers/release.json is what README shows.

NumPy adds noise in floating point, which is not safe to publish; the others round to a grid. PyDP takes one answer a
call. Answers are arrays of doubles (NumPy, simdp) or lists (OpenDP, PyDP), as each library wants them. Laplace scale
1.5; Gaussian sigma 1.5, but epsilon 1 and delta 1e-5 for PyDP, which wants those. Rates are the best of several tries;
calls from Python are part of them. OpenDP makes it take some two minutes."""
import argparse
import ctypes
import datetime
import importlib
import json
import os
import platform
import sys
import time
from importlib import metadata

SCALE = 1.5
SIZES = (1000, 100000)
LAWS = ("laplace", "gaussian")
PEERS = {"simdp": None, "OpenDP": ("opendp", "opendp"), "Google (PyDP)": ("pydp", "python-dp"),
         "NumPy, answer + noise": ("numpy", "numpy")}
NOT_INSTALLED = "not installed"


class Simdp:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.simdp_version.restype = ctypes.c_char_p
        self.lib.simdp_isa_name.restype = ctypes.c_char_p
        self.lib.simdp_release_grid.argtypes = [ctypes.c_double]
        self.lib.simdp_release_grid.restype = ctypes.c_double
        for law in LAWS:
            function = getattr(self.lib, f"simdp_release_{law}")
            function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t] + [ctypes.c_double] * 2
        self.rng = ctypes.create_string_buffer(1 << 14)   # a simdp_rng has about 4 KiB
        if self.lib.simdp_rng_init_deterministic(self.rng, (ctypes.c_uint8 * 32)(*range(32)), ctypes.c_uint64(0)) != 0:
            raise RuntimeError("simdp: no stream")

    def version(self):
        return f"{self.lib.simdp_version().decode()}, {self.lib.simdp_isa_name().decode()}"

    def release(self, law, answers):
        n, function, grid = len(answers), getattr(self.lib, f"simdp_release_{law}"), self.lib.simdp_release_grid(SCALE)
        given, out = (ctypes.c_double * n)(*answers), (ctypes.c_double * n)()

        def call():
            status = function(self.rng, out, given, n, SCALE, grid)
            if status != 0:
                raise RuntimeError(f"simdp: status {status}")
        return call


def opendp_release(law, answers):
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    metric = dp.l1_distance(T=float) if law == "laplace" else dp.l2_distance(T=float)
    make = dp.m.make_laplace if law == "laplace" else dp.m.make_gaussian
    mechanism = make(dp.vector_domain(dp.atom_domain(T=float, nan=False)), metric, scale=SCALE)
    return lambda: mechanism(answers)


def pydp_release(law, answers):
    mechanisms = importlib.import_module("pydp.algorithms.numerical_mechanisms")
    if law == "laplace":
        mechanism = mechanisms.LaplaceMechanism(1 / SCALE, 1.0)
    else:
        mechanism = mechanisms.GaussianMechanism(1.0, 1e-5, 1.0)
    return lambda: [mechanism.add_noise(x) for x in answers]


def numpy_release(law, answers):
    numpy = importlib.import_module("numpy")
    given, generator = numpy.array(answers), numpy.random.default_rng(1)
    draw = generator.laplace if law == "laplace" else generator.normal
    return lambda: given + draw(0.0, SCALE, len(given))


MAKERS = {"OpenDP": opendp_release, "Google (PyDP)": pydp_release, "NumPy, answer + noise": numpy_release}


def best_time(call, seconds):
    """Shortest of at least three tries."""
    best, tries, end = float("inf"), 0, time.perf_counter() + seconds
    while tries < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best, tries = min(best, time.perf_counter() - begin), tries + 1
    return best


def installed(library):
    """{who: version}, or why there is none; and simdp."""
    versions, simdp = {}, None
    for who, package in PEERS.items():
        if package is None:
            simdp = Simdp(os.path.abspath(library)) if os.path.exists(library) else None
            versions[who] = simdp.version() if simdp else f"no {library}"
            continue
        try:
            importlib.import_module(package[0])
            versions[who] = metadata.version(package[1])
        except ImportError:
            versions[who] = NOT_INSTALLED
    return versions, simdp


def measure(options):
    """[(law, n, who, version, rate or what is wrong)]"""
    versions, simdp = installed(options.library)
    rows = []
    for law in LAWS:
        for n in SIZES:
            answers = [0.001 * i for i in range(n)]
            for who, version in versions.items():
                if version == NOT_INSTALLED or who == "simdp" and simdp is None:
                    rows.append((law, n, who, "", version))
                    continue
                try:
                    call = simdp.release(law, answers) if who == "simdp" else MAKERS[who](law, answers)
                    result = n / best_time(call, options.seconds)
                except Exception as error:   # another version of its interface, say
                    result = f"failed: {type(error).__name__}: {error}".splitlines()[0][:100]
                rows.append((law, n, who, version, result))
                told = result if isinstance(result, str) else f"{result / 1e6:.4f} M/s"
                print(f"{law:9} {n:7} {who:22} {told}", file=sys.stderr)
    return rows


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def record(rows, command):
    """What is kept of a run: rates in answers a second, or what is wrong."""
    return {"date": datetime.date.today().isoformat(), "machine": processor(), "python": platform.python_version(),
            "command": command, "note": "",
            "rows": [{"law": law, "n": n, "library": who, "version": version,
                      ("failed" if isinstance(result, str) else "items_per_second"): result}
                     for law, n, who, version, result in rows]}


def text_of(data):
    """A line for each row, so that a difference between two runs can be read."""
    head = json.dumps({key: value for key, value in data.items() if key != "rows"}, indent=1)
    return head[:-2] + ',\n "rows": [\n' + ",\n".join(map(json.dumps, data["rows"])) + "\n]}\n"


def rate_text(row):
    """Million answers a second, or why there is none."""
    return f"{row['items_per_second'] / 1e6:.3g}" if "items_per_second" in row else row["failed"]


def table(data):
    ours = {(row["law"], row["n"]): row.get("items_per_second") for row in data["rows"] if row["library"] == "simdp"}
    lines = ["# Releases: simdp and other libraries", "",
             f"{data['date']}, {data['machine']}, Python {data['python']}, one thread.",
             f"Made by `{data['command']}` from [release.json](release.json).", "",
             "| law | n | library | version | M answers/s | simdp is faster by |", "|---|---:|---|---|---:|---:|"]
    for row in data["rows"]:
        own, rate = ours.get((row["law"], row["n"])), row.get("items_per_second")
        ratio = f"{float(f'{own / rate:.2g}'):,g}" if row["library"] != "simdp" and own and rate else ""
        lines.append(f"| {row['law']} | {row['n']} | {row['library']} | {row['version']} | {rate_text(row)} | {ratio} |")
    lines += ["", "The sum of NumPy is not safe to publish; the others round to a grid. Calls from Python count."]
    return "\n".join(lines + ([data["note"]] if data["note"] else []) + [""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default="build/bench/libsimdp.so")
    parser.add_argument("--out", help="write the numbers there, and the table beside them")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each row (0.5)")
    options = parser.parse_args()
    if options.out and not options.out.endswith(".json"):
        parser.error("--out: the name of a .json file")
    command = "python3 bench/peers/peers_release.py" + (f" --seconds {options.seconds:g}" if options.seconds != 0.5 else "")
    data = record(measure(options), command)
    print(table(data))
    if options.out:
        for name, text in ((options.out, text_of(data)), (options.out.removesuffix(".json") + ".md", table(data))):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
