#!/usr/bin/env python3
"""Rows a second inside DuckDB: sums of a column as it is, copied by a function of the same shape as ours that does nothing
else, with Laplace noise of the extension, and with the formula that SQL users write, on random(). For a Python that has
duckdb (pip install duckdb, in a venv), a C compiler and an extension made by sh include/duckdb/build.

    python3 bench/peers/peers_duckdb.py [--extension build/duckdb/simdp.duckdb_extension] [--rows N] [--threads T]
                                        [--tries R] [--output FILE.json]

The queries take turns; the best time of each counts, and the median of the ratios of each turn. The formula's noise is not safe to publish: random() is no cipher,
and the sum of answer and noise has holes."""
import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb

QUERIES = {
    "sum": "SELECT sum(v) FROM t",
    "identity": "SELECT sum(identity_of_three(v, 0.5, 1)) FROM t",
    "dp_laplace": "SELECT sum(dp_laplace(v, 0.5, 1)) FROM t",
    "dp_gaussian": "SELECT sum(dp_gaussian(v, 0.5, 1e-6, 1)) FROM t",
    "dp_laplace_by_id": "SELECT sum(dp_laplace(v, 0.5, 1, rowid)) FROM t",
    "random": "SELECT sum(v - 2.0 * sign(u) * ln(1 - 2 * abs(u))) FROM (SELECT v, random() - 0.5 AS u FROM t)",
}


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def identity_extension(folder):
    """The function that copies, built from duckdb_identity.c beside this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    interface = os.path.join(here, "..", "..", "include", "duckdb")
    headers = subprocess.run(["sh", os.path.join(interface, "headers")], check=True, capture_output=True, text=True).stdout.strip()
    module, whole = os.path.join(folder, "identity.so"), os.path.join(folder, "identity.duckdb_extension")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", headers, os.path.join(here, "duckdb_identity.c"), "-o", module], check=True)
    subprocess.run([sys.executable, os.path.join(interface, "footer.py"), module, whole, "v0"], check=True)
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extension", default="build/duckdb/simdp.duckdb_extension")
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--output")
    options = parser.parse_args()
    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    connection.execute(f"LOAD '{os.path.abspath(options.extension)}'")
    with tempfile.TemporaryDirectory() as folder:
        connection.execute(f"LOAD '{identity_extension(folder)}'")
    connection.execute(f"CREATE TABLE t AS SELECT (i % 1000)::DOUBLE AS v FROM range({options.rows}) r(i)")
    connection.execute(f"SET threads = {options.threads}")
    times = {name: [] for name in QUERIES}
    with tempfile.NamedTemporaryFile() as key:   # others cannot read it
        key.write(os.urandom(32))
        key.flush()
        for _ in range(options.tries):
            for name, query in QUERIES.items():
                is_keyed = name.endswith("_by_id")
                connection.execute(f"SELECT simdp_set_key_file('{key.name}')" if is_keyed else "SELECT simdp_forget_key()").fetchall()
                start = time.perf_counter()
                connection.execute(query).fetchall()
                times[name].append(time.perf_counter() - start)
    best = {name: min(seconds) for name, seconds in times.items()}
    rows = [{"name": f"duckdb/{name}/{options.rows}", "items_per_second": options.rows / seconds} for name, seconds in best.items()]
    for row in rows:
        print(f"{row['name']:<40} {row['items_per_second'] / 1e6:10.1f} M rows/s")
    ratios = {f"{name}_to_{peer}": best[peer] / best[name]
              for name, peer in (("dp_laplace", "sum"), ("identity", "sum"), ("dp_laplace", "identity"), ("dp_laplace", "random"))}
    medians = {f"{name}_to_{peer}": statistics.median(p / n for n, p in zip(times[name], times[peer]))
               for name, peer in (pair.split("_to_") for pair in ratios)}
    for name, ratio in ratios.items():
        print(f"{name:<40} {ratio:10.3f}, median {medians[name]:.3f}")
    if options.output:
        result = {"machine": machine(), "date": datetime.date.today().isoformat(), "python": platform.python_version(),
                  "threads": options.threads, "versions": {"duckdb": duckdb.__version__}, "ratios": ratios,
                  "medians": medians, "rows": rows}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
