#!/usr/bin/env python3
"""Rows a second inside DuckDB: sums of a column as it is, with Laplace noise of the extension, and with the formula that SQL
users write, on random(). For a Python that has duckdb (pip install duckdb, in a venv) and an extension made by sh
include/duckdb/build.

    python3 bench/peers/peers_duckdb.py [--extension build/duckdb/simdp.duckdb_extension] [--rows N] [--threads T]
                                        [--tries R] [--output FILE.json]

The queries take turns, and the best time of each counts. The formula's noise is not safe to publish: random() is no cipher,
and the sum of answer and noise has holes."""
import argparse
import datetime
import json
import os
import platform
import time

import duckdb

QUERIES = {
    "sum": "SELECT sum(v) FROM t",
    "dp_laplace": "SELECT sum(dp_laplace(v, 0.5, 1)) FROM t",
    "dp_gaussian": "SELECT sum(dp_gaussian(v, 0.5, 1e-6, 1)) FROM t",
    "random": "SELECT sum(v - 2.0 * sign(u) * ln(1 - 2 * abs(u))) FROM (SELECT v, random() - 0.5 AS u FROM t)",
}


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


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
    connection.execute(f"CREATE TABLE t AS SELECT (i % 1000)::DOUBLE AS v FROM range({options.rows}) r(i)")
    connection.execute(f"SET threads = {options.threads}")
    best = dict.fromkeys(QUERIES, float("inf"))
    for _ in range(options.tries):
        for name, query in QUERIES.items():
            start = time.perf_counter()
            connection.execute(query).fetchall()
            best[name] = min(best[name], time.perf_counter() - start)
    rows = [{"name": f"duckdb/{name}/{options.rows}", "items_per_second": options.rows / seconds} for name, seconds in best.items()]
    for row in rows:
        print(f"{row['name']:<40} {row['items_per_second'] / 1e6:10.1f} M rows/s")
    ratios = {"dp_laplace_to_sum": best["sum"] / best["dp_laplace"], "dp_laplace_to_random": best["random"] / best["dp_laplace"]}
    for name, ratio in ratios.items():
        print(f"{name:<40} {ratio:10.3f}")
    if options.output:
        result = {"machine": machine(), "date": datetime.date.today().isoformat(), "python": platform.python_version(),
                  "threads": options.threads, "versions": {"duckdb": duckdb.__version__}, "ratios": ratios, "rows": rows}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
