#!/usr/bin/env python3
"""Rows a second inside of Spark, with transport: simdp.spark against a mapInArrow that hands batches through, against noise
of NumPy in a pandas UDF, and against Tumult and PipelineDP. Wants simdp, pyspark, pandas and pyarrow in a venv, and Java 17;
Tumult and PipelineDP are measured in a venv that has them.

    python3 bench/peers/peers_spark.py SECTION [--rows N] [--tries R] [--output perf-results/peers/spark.json [--again]]

SECTION: one, two (executors of local-cluster, a core each), alone (the work on batches without Spark), tumult, pipeline_dp.
Queries take turns; a first turn warms up. The best time of each counts for rates; ratios are those of the times of one turn, the
median of all turns and an interval that has the true median in 95 of 100 cases (order statistics). With --output the section
takes its place in the file, or with --again adds its turns to those that are there, and the page of the same name beside it is
written anew from all that it has."""
import argparse
import datetime
import importlib
import json
import os
import math
import platform
import statistics
import sys
import time
from importlib import metadata

import numpy

os.environ["PYSPARK_PYTHON"] = sys.executable
KEY, EPSILON = bytes(range(32)), 0.5


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {len(names)} CPUs"


def race(calls, tries):
    """The times of each call; they take turns, each turn from another one on, since a JVM warms up for long."""
    times, names = {name: [] for name in calls}, list(calls)
    for turn in range(tries + 1):
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            begin = time.perf_counter()
            calls[name]()
            if turn:
                times[name].append(time.perf_counter() - begin)
    return times


def ratio(times, name, peer):
    """How often the rate of one is that of the other: the median of the turns, and the ends of its interval where turns allow
    one. The median lies below the k-th smallest of n with probability P[B(n, 1/2) < k]."""
    turns = sorted(p / n for n, p in zip(times[name], times[peer]))
    n, k, chance = len(turns), 0, 0.0
    while chance + math.comb(n, k) / 2**n <= 0.025:
        chance += math.comb(n, k) / 2**n
        k += 1
    return statistics.median(turns), (turns[k - 1], turns[n - k]) if k else None


def session(master, **settings):
    builder = importlib.import_module("pyspark.sql").SparkSession.builder.master(master)
    settings = {"spark.ui.enabled": "false", "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "spark.sql.shuffle.partitions": "2", **settings}
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def through(batches):
    yield from batches


def transport(executors, rows, tries):
    """Rows are a bigint that names them and a double, made on the spot; results go nowhere (noop)."""
    functions = importlib.import_module("pyspark.sql.functions")
    dp = importlib.import_module("simdp.spark")
    spark = session(f"local-cluster[{executors},1,1024]")
    df = spark.range(0, rows, 1, 2).withColumn("v", (functions.col("id") % 1000).cast("double"))
    key = dp.share(spark, KEY)

    @functions.pandas_udf("double")
    def noisy(values: importlib.import_module("pandas").Series) -> importlib.import_module("pandas").Series:
        return values + numpy.random.laplace(0.0, 1 / EPSILON, len(values))

    frames = {"identity": df.mapInArrow(through, df.schema),
              "release_laplace": dp.release_laplace(df, "v", ["id"], EPSILON, 1.0, key),
              "release_gaussian": dp.release_gaussian(df, "v", ["id"], EPSILON, 1e-6, 1.0, key),
              "numpy_pandas_udf": df.withColumn("v", noisy("v"))}
    times = race({name: lambda frame=frame: frame.write.format("noop").mode("overwrite").save()
                  for name, frame in frames.items()}, tries)
    spark.stop()
    return rows, times


def alone(rows, tries):
    """What a worker of Python does with a partition: batches of 10000, ids by one bigint."""
    pyarrow = importlib.import_module("pyarrow")
    work = importlib.import_module("simdp._arrow_rows")
    batches = []
    for begin in range(0, rows, 10000):
        ids = numpy.arange(begin, begin + 10000)
        batches.append(pyarrow.record_batch({"id": ids, "v": (ids % 1000).astype("d")}))

    def running(law, **parameters):
        return lambda: sum(len(b) for b in work.releasing(batches, KEY, law, "v", "v", ["id"], "", parameters))
    return rows, race({"release_laplace": running("laplace", epsilon=EPSILON, sensitivity=1.0),
                       "release_gaussian": running("gaussian", epsilon=EPSILON, delta=1e-6, sensitivity=1.0)}, tries)


def tumult(groups, tries):
    """Counts of groups with Laplace noise, from the query to the table in pandas, on one core of the driver's machine."""
    analytics = importlib.import_module("tmlt.analytics")
    dp = importlib.import_module("simdp.spark")
    spark = session("local[1]", **{"spark.sql.shuffle.partitions": "1"})
    table = spark.createDataFrame(importlib.import_module("pandas").DataFrame({"group": numpy.arange(groups)})).cache()
    keys, key = analytics.KeySet.from_dataframe(table), dp.share(spark, KEY)
    table.count()

    def theirs():
        opened = analytics.Session.from_dataframe(analytics.PureDPBudget(1), "t", table, analytics.AddOneRow())
        question = analytics.QueryBuilder("t").groupby(keys).count()
        assert len(opened.evaluate(question, analytics.PureDPBudget(1)).toPandas()) == groups

    def ours():
        counts = table.groupBy("group").count()
        assert len(dp.release_laplace(counts, "count", ["group"], 1.0, 1.0, key).toPandas()) == groups
    times = race({"release_laplace": ours, "tumult": theirs}, tries)
    spark.stop()
    return groups, times


def pipeline_dp(groups, tries):
    """Counts of public groups with Laplace noise on Spark, one core; PipelineDP also bounds what a person contributes."""
    theirs_of = importlib.import_module("pipeline_dp")
    dp = importlib.import_module("simdp.spark")
    functions = importlib.import_module("pyspark.sql.functions")
    spark = session("local[1]", **{"spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1"})
    key, public = dp.share(spark, KEY), list(range(groups))
    table = spark.range(0, 2 * groups, 1, 1).select("id", (functions.col("id") % groups).alias("group")).cache()
    table.count()

    def theirs():
        accountant = theirs_of.NaiveBudgetAccountant(total_epsilon=1.0, total_delta=1e-9)
        engine = theirs_of.DPEngine(accountant, theirs_of.SparkRDDBackend(spark.sparkContext))
        params = theirs_of.AggregateParams(metrics=[theirs_of.Metrics.COUNT], noise_kind=theirs_of.NoiseKind.LAPLACE,
                                           max_partitions_contributed=1, max_contributions_per_partition=1)
        extractors = theirs_of.DataExtractors(privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1],
                                              value_extractor=lambda row: 0)
        made = engine.aggregate(table.rdd.map(tuple), params, extractors, public_partitions=public)
        accountant.compute_budgets()
        assert made.count() == groups

    def ours():   # a person's rows are cut to one here, too
        one = table.groupBy("id").agg(functions.min("group").alias("group")).groupBy("group").count()
        assert len(dp.release_laplace(one, "count", ["group"], 1.0, 1.0, key).collect()) == groups
    times = race({"release_laplace": ours, "pipeline_dp": theirs}, tries)
    spark.stop()
    return groups, times


SECTIONS = {"one": (lambda n, t: transport(1, n, t), 3_000_000, 9), "two": (lambda n, t: transport(2, n, t), 3_000_000, 9),
            "alone": (alone, 1_000_000, 5), "tumult": (tumult, 50_000, 1), "pipeline_dp": (pipeline_dp, 20_000, 1)}
TITLES = {"one": "one executor, one core", "two": "two executors, a core each", "alone": "the work on batches, without Spark",
          "tumult": "against Tumult, groups counted and released, one core",
          "pipeline_dp": "against PipelineDP, groups counted and released, one core"}
PACKAGES = ["simdp", "pyspark", "pyarrow", "numpy", "pandas", "tmlt.analytics", "pipeline-dp"]


def versions():
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            pass
    return found


def page(sections):
    lines = ["# Rows a second inside of Spark", "",
             "Made by `python3 bench/peers/peers_spark.py SECTION --output perf-results/peers/spark.json`, a section at a time; what is",
             "compared ran in turns in one session. Rates are those of the best turn. Ratios are to the row named there, within a turn:",
             "the median of the turns and, in brackets, an interval that has the true median in 95 of 100 cases. Rows are a bigint, which",
             "names them, and a double; groups are counted first. A pandas UDF is sent one column, mapInArrow the whole row. A job is a",
             "second long and a JVM warms up for long: a ratio without brackets, of the best times, says little.", ""]
    for name, title in TITLES.items():
        if name not in sections:
            continue
        one = sections[name]
        times, n = one["seconds"], one["rows"]
        peer = next(who for who in ("identity", "tumult", "pipeline_dp", "release_laplace") if who in times)
        lines += [f"## {title[0].upper()}{title[1:]}", "",
                  f"{one['date']}, {one['machine']}, {', '.join(f'{k} {v}' for k, v in one['versions'].items())}, {n} rows, " +
                  (f"{len(times[peer])} turns." if len(times[peer]) > 1 else "the best turn alone is kept."), ""]
        lines += [f"| | rows/s | ns a row | to {peer} |", "|---|---:|---:|---:|"]
        lines += [f"| {who} | {n / min(t):.3g} | {1e9 * min(t) / n:.1f} | {shown(*ratio(times, who, peer))} |" for who, t in times.items()]
        lines.append("")
    if "one" in sections and "alone" in sections:
        work, whole = (1e9 * min(sections[name]["seconds"][who]) / sections[name]["rows"]
                       for name, who in (("alone", "release_laplace"), ("one", "identity")))
        lines += [f"The work of `release_laplace` on batches is {work:.1f} ns a row, identity on one executor {whole:.0f}: were none of it done while",
                  f"the JVM works, {whole:.0f} / ({whole:.0f} + {work:.1f}) = {whole / (whole + work):.3f} of identity's rate would be left. The aim is 0.95.", ""]
    if "one" in sections and "two" in sections:
        lines += scaling(sections)
    return "\n".join(lines).rstrip() + "\n"


def shown(median, interval):
    return f"{median:.3g}" + (f" ({interval[0]:.3g} to {interval[1]:.3g})" if interval and interval[0] < interval[1] else "")


def scaling(sections):
    one, two = (sections[name]["rows"] / min(sections[name]["seconds"]["release_laplace"]) for name in ("one", "two"))
    plain = [sections[name]["rows"] / min(sections[name]["seconds"]["identity"]) for name in ("one", "two")]
    hours = [1e12 / (two / 2 * cores) / 3600 for cores in (100, 1000)]
    return ["## From one executor to two, and to 1e12 rows", "",
            f"`release_laplace` {two / one:.2f} times as fast on two executors as on one, identity {plain[1] / plain[0]:.2f} times.",
            "An executor is a JVM and a worker of Python, which run at the same time: two of them share the CPUs named above.", "",
            f"Rows do not know of each other: there is no shuffle. A core of the two did {two:.3g} / 2 = {two / 2:.3g} rows/s, that is",
            f"{2e9 / two:.0f} ns a row with transport. 1e12 rows are 1e12 x {2e9 / two:.0f} ns = {2e3 / two * 1e12 / 3.6e6:.3g} core hours:",
            f"{hours[0]:.3g} hours on 100 such cores, {hours[1]:.3g} hours on 1000, if the source delivers as fast. A projection, not a run.", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--tries", type=int)
    parser.add_argument("--output")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    measure, rows, tries = SECTIONS[options.section]
    rows, times = measure(options.rows or rows, options.tries or tries)
    for name, seconds in times.items():
        print(f"{name:<20} {rows / min(seconds):12.4g} rows/s {1e9 * min(seconds) / rows:10.1f} ns a row")
    if options.output:
        sections = {}
        if os.path.exists(options.output):
            with open(options.output, encoding="utf-8") as file:
                sections = json.load(file)
        old = sections.get(options.section, {})
        if options.again and old.get("rows") == rows:
            times = {name: old["seconds"][name] + seconds for name, seconds in times.items()}
        sections[options.section] = {"date": datetime.date.today().isoformat(), "machine": processor(), "versions": versions(),
                                     "rows": rows, "seconds": times}
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(sections, file, indent=1)
            file.write("\n")
        with open(os.path.splitext(options.output)[0] + ".md", "w", encoding="utf-8") as file:
            file.write(page(sections))


if __name__ == "__main__":
    main()
