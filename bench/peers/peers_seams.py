#!/usr/bin/env python3
"""Seams of the Python package against what they take the place of, on this machine and one thread. Wants simdp and the
packages of one venv; measures the seams whose packages are there and leaves lines of others in the file as they are.

    python3 bench/peers/peers_seams.py [--out FILE.md] [--seconds S]

Ours and theirs alternate, 20 ms each or one call, best of several tries, calls from Python included. Opacus: float32
gradients of one parameter. Tumult: counts of 200 000 groups on Spark, one core, from the query to the table in pandas,
budget epsilon 1, best of two after a first one that warms Spark up."""
import argparse
import datetime
import importlib
import os
import platform
import sys
import time
from importlib import metadata

import numpy
import simdp


def race(ours, theirs, seconds, tries=3):
    """Shortest times of both, which alternate: each is called for 20 ms, or once, since what comes after another program's
    second has to fetch all of its memory anew."""
    best, end, done = [float("inf")] * 2, time.perf_counter() + seconds, 0
    while done < tries or time.perf_counter() < end:
        for i, call in enumerate((ours, theirs)):
            begin = before = time.perf_counter()
            while before < begin + 0.02:
                call()
                after = time.perf_counter()
                best[i], before = min(best[i], after - before), after
        done += 1
    return best


def opacus(seconds):
    torch = importlib.import_module("torch")
    optimizers = importlib.import_module("opacus.optimizers")
    seam = importlib.import_module("simdp.seams.opacus")
    torch.set_num_threads(1)
    stock_noise = importlib.import_module("opacus.optimizers.optimizer")._generate_noise

    def adding(n, **options):
        weight = torch.nn.Parameter(torch.zeros(n))
        optimizer = optimizers.DPOptimizer(torch.optim.SGD([weight], lr=1.0), noise_multiplier=1.0, max_grad_norm=1.0,
                                           expected_batch_size=1)
        weight.summed_grad = torch.zeros(n)
        if options:
            seam.use(optimizer, **options)

        def call():
            if hasattr(weight.summed_grad, "_processed"):
                del weight.summed_grad._processed
            optimizer.add_noise()
        return call
    for n in (100_000, 1_000_000, 10_000_000):
        yield f"DPOptimizer.add_noise, {n} float32", n, *race(adding(n, exact=False), adding(n), seconds)
        yield f"the same, exact=True, {n}", n, *race(adding(n, exact=True), adding(n), seconds)
        reference = torch.zeros(n)
        yield (f"add_noise in place against _generate_noise alone, {n}", n,
               *race(adding(n, exact=False), lambda r=reference: stock_noise(1.0, r), seconds))
    ours, theirs = seam.Accountant(), importlib.import_module("opacus.accountants").PRVAccountant()
    ours.history = theirs.history = [(1.0, 0.01, 1000)]
    yield "epsilon of 1000 steps, against its PRV accountant", 1, *race(lambda: ours.get_epsilon(1e-5),
                                                                       lambda: theirs.get_epsilon(1e-5), seconds)


def pipeline_dp(seconds):
    theirs = importlib.import_module("pipeline_dp")
    seam = importlib.import_module("simdp.seams.pipeline_dp")
    n = 200_000
    values, people = numpy.arange(n, dtype=float), numpy.arange(n) % 30
    for mechanism in (theirs.dp_computations.LaplaceMechanism.create_from_epsilon(0.5, 1.0),
                      theirs.dp_computations.GaussianMechanism.create_from_std_deviation(2.0, 1.0)):
        stock = theirs.dp_computations.AdditiveMechanism.add_noise
        yield (f"AdditiveMechanism.add_noise, {mechanism.noise_kind.value}, array of {n}", n,
               *race(lambda m=mechanism: seam.add_noise(m, values), lambda m=mechanism: stock(m, values), seconds))
    strategy = theirs.PartitionSelectionStrategy.TRUNCATED_GEOMETRIC
    ours, stock = seam.PartitionSelection(1.0, 1e-5, 2), seam.stock(strategy, 1.0, 1e-5, 2)
    counts = people.tolist()
    yield (f"partition selection, {n} partitions", n,
           *race(lambda: ours.should_keep(people), lambda: [stock.should_keep(c) for c in counts], seconds))
    part = counts[:20_000]
    each = seam.stock   # DPEngine opens a strategy for each partition
    opened = race(lambda: ours.should_keep(people), lambda: [each(strategy, 1.0, 1e-5, 2).should_keep(c) for c in part], seconds)
    yield (f"partition selection as DPEngine calls it, {n} partitions", n, opened[0], opened[1] * n / len(part))


def opendp(seconds):
    dp = importlib.import_module("opendp.prelude")
    seam = importlib.import_module("simdp.seams.opendp")
    dp.enable_features("contrib", "honest-but-curious")
    n = 20_000
    answers = [0.001 * i for i in range(n)]
    theirs = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), scale=1.5)
    ours = seam.make_laplace(1.5)
    yield f"vector Laplace, a list of {n}", n, *race(lambda: ours(answers), lambda: theirs(answers), seconds)
    array, by_arrays = numpy.array(answers), seam.make_laplace(1.5, by_arrays=True)
    yield (f"vector Laplace, an array of {n}", n,
           *race(lambda: by_arrays(array), lambda: theirs(array), seconds))


def dp_accounting(seconds):
    theirs = importlib.import_module("dp_accounting")
    accountant = importlib.import_module("dp_accounting.pld.pld_privacy_accountant").PLDAccountant
    seam = importlib.import_module("simdp.seams.dp_accounting")
    steps = theirs.SelfComposedDpEvent(theirs.PoissonSampledDpEvent(0.01, theirs.GaussianDpEvent(1.0)), 1000)
    yield ("epsilon of 1000 sampled Gaussians, grid 1e-3", 1,
           *race(lambda: seam.PldAccountant(grid=1e-3).compose(steps).get_epsilon(1e-5),
                 lambda: accountant(value_discretization_interval=1e-3).compose(steps).get_epsilon(1e-5), seconds))


def tumult(_):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    analytics = importlib.import_module("tmlt.analytics")
    pandas = importlib.import_module("pandas")
    seam = importlib.import_module("simdp.seams.tumult")
    n = 200_000
    spark = importlib.import_module("pyspark.sql").SparkSession.builder.master("local[1]").config(
        "spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    table = spark.createDataFrame(pandas.DataFrame({"group": numpy.arange(n)})).cache()
    keys = analytics.KeySet.from_dataframe(table)
    table.count()

    def query(on):
        seam.use(on)
        session = analytics.Session.from_dataframe(analytics.PureDPBudget(1), "t", table, analytics.AddOneRow())
        question = analytics.QueryBuilder("t").groupby(keys).count()
        begin = time.perf_counter()
        made = session.evaluate(question, analytics.PureDPBudget(1)).toPandas()
        assert len(made) == n
        return time.perf_counter() - begin
    query(True)
    ours, theirs = [], []
    for _ in range(2):
        ours.append(query(True))
        theirs.append(query(False))
    spark.stop()
    yield f"counts of {n} groups, end to end", n, min(ours), min(theirs)


SEAMS = {"OpenDP": (opendp, "opendp"), "dp_accounting": (dp_accounting, "dp-accounting"), "Opacus": (opacus, "opacus"),
         "PipelineDP": (pipeline_dp, "pipeline-dp"), "Tumult": (tumult, "tmlt.analytics")}
HEAD = """# Seams of the Python package, and what they take the place of

One thread. A line is made by `python3 bench/peers/peers_seams.py --out perf-results/peers/seams.md` in a venv that has the
package which it names. Ours and theirs alternate; calls from Python count. Items are numbers, partitions, groups or calls.

| seam | version | what | ours, items/s | theirs, items/s | ours / theirs | when and where |
|---|---|---|---:|---:|---:|---|
"""


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())


def measured(only, seconds):
    """{seam: its lines}"""
    when = f"{datetime.date.today()}, {processor()}, {simdp.isa_name()}, Python {platform.python_version()}"
    made = {}
    for name, (measure, package) in SEAMS.items():
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
        if only and name not in only:
            continue
        made[name] = [f"| {name} | {version} | {what} | {n / ours:.3g} | {n / theirs:.3g} | {theirs / ours:.3g} | {when} |"
                      for what, n, ours, theirs in measure(seconds)]
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each line (0.5)")
    parser.add_argument("--only", nargs="*", choices=SEAMS)
    options = parser.parse_args()
    made, kept = measured(options.only, options.seconds), []
    if options.out and os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            kept = [line for line in file.read().splitlines() if line.startswith("| ") and not line.startswith("| seam")]
    lines = [line for name in SEAMS
             for line in made.get(name, [old for old in kept if old.startswith(f"| {name} |")])]
    text = HEAD + "\n".join(lines) + "\n"
    print(text, end="")
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
