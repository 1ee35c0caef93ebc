"""simdp.spark: the key is in no plan, log, event, page of the UI or explain; what is wrong raises before a row is read."""
import base64
import contextlib
import glob
import io
import json
import os
import traceback
import unittest
import urllib.request

import pyarrow
from pyspark.sql import functions as f
from simdp import spark as dp

import cluster

PLANTED = bytes((11 * i * i + 57 * i + 201) % 256 for i in range(32))   # a control, which must be found


def forms(key):
    """Ways in which parts of a key may be written, for the search of any of them."""
    made = set()
    for at in range(0, 25, 4):
        part = key[at:at + 8]
        made |= {part, part.hex().encode(), part.hex().upper().encode(), repr(part)[2:-1].encode(),
                 json.dumps(part.decode("latin1"))[1:-1].encode()}
        for numbers in (list(part), [b - 256 if b > 127 else b for b in part]):
            made |= {", ".join(map(str, numbers)).encode(), ",".join(map(str, numbers)).encode()}
    for shift in range(3):   # base64 of any place of a longer text
        made.add(base64.b64encode(bytes(shift) + key)[8:32])
    return made


def is_in(key, text):
    return any(form in text for form in forms(key))


def explained(df):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for mode in ("simple", "extended", "codegen", "cost", "formatted"):
            df.explain(mode=mode)
    plans = df._jdf.queryExecution()
    return "\n".join([out.getvalue(), plans.toString(), plans.logical().prettyJson(), str(df), repr(df.schema)]).encode()


def command_of(df):
    """The pickled functions inside of the plan."""
    found, nodes = b"", [df._jdf.queryExecution().logical()]
    while nodes:
        node = nodes.pop()
        below, inside = node.children(), node.expressions()
        nodes += [below.apply(i) for i in range(below.size())]
        for expression in (inside.apply(i) for i in range(inside.size())):
            if expression.getClass().getSimpleName() == "PythonUDF":
                found += bytes(int(x) % 256 for x in expression.func().command().mkString(",").split(","))
    assert b"simdp" in found or b"careless" in found
    return found


def pages(spark):
    """What the UI shows, and its REST interface."""
    root, app = spark.sparkContext.uiWebUrl, spark.sparkContext.applicationId
    paths = ["jobs/", "stages/", "storage/", "environment/", "executors/", "SQL/"]
    paths += [f"api/v1/applications/{app}/{what}" for what in ("jobs", "stages", "environment", "allexecutors",
                                                               "sql?details=true&planDescription=true&length=1000", "storage/rdd")]
    found = []
    for path in paths:
        with urllib.request.urlopen(f"{root}/{path}", timeout=120) as answer:
            found.append(answer.read())
    return found


def files(paths):
    found = []
    for path in paths:
        with open(path, "rb") as file:
            found.append(file.read())
    return found


class Secrets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = cluster.session()

    def test_key_is_nowhere(self):
        df = cluster.table(self.spark)
        made = {"release": dp.release_laplace(df, "v", cluster.IDS, 0.5, 1.0, cluster.KEY),
                "select": dp.select(df, "n", "name", "v", 0.5, 1.0, cluster.KEY),
                "partitions": dp.partitions(df, "n", cluster.IDS, 0.5, 1e-3, cluster.KEY)}
        shown = []
        for name, one in made.items():
            one.collect()
            shown.append(explained(one))
            self.assertIn(f"simdp_{name}".encode(), shown[-1])
            self.assertFalse(is_in(cluster.KEY, command_of(one)), name)

        def careless(batches, key=PLANTED):   # the control: a key in a closure, and in the name of a job
            for batch in batches:
                yield batch if key else None
        self.spark.sparkContext.setJobDescription("the key is " + PLANTED.hex())
        bad = df.mapInArrow(careless, df.schema)
        bad.collect()
        self.spark.sparkContext.setJobDescription(None)
        self.assertTrue(is_in(PLANTED, command_of(bad)))
        failing = made["release"].select(f.raise_error(f.col("v").cast("string")))   # an error goes through all layers
        with self.assertRaises(Exception) as raised:
            failing.collect()
        events = glob.glob(os.path.join(cluster.FOLDER, "events", "**", "*"), recursive=True)
        places = {"explain": shown, "ui": pages(self.spark), "error": ["".join(traceback.format_exception(raised.exception)).encode()],
                  "events": files(path for path in events if os.path.isfile(path)), "driver": files([cluster.LOG]),
                  "executors": files(cluster.executor_logs(self.spark))}
        for place, found in places.items():
            self.assertGreater(sum(map(len, found)), 100, f"nothing to search in {place}")
            self.assertFalse(any(is_in(cluster.KEY, text) for text in found), place)
        for place in ("ui", "events"):
            self.assertTrue(any(is_in(PLANTED, text) for text in places[place]), place)
        self.assertGreaterEqual(len(cluster.executor_logs(self.spark)), 4)

    def test_keys_of_a_wrong_form(self):
        df = cluster.table(self.spark)
        for key in (cluster.KEY.hex(), None, 5, [1] * 32, cluster.KEY[:31], cluster.KEY + b"x", b"", PLANTED.hex().encode()):
            with self.subTest(type(key)):
                with self.assertRaises((TypeError, ValueError)) as raised:
                    dp.release_laplace(df, "v", cluster.IDS, 0.5, 1.0, key)
                self.assertFalse(is_in(cluster.KEY, str(raised.exception).encode()))
        with self.assertRaises((TypeError, ValueError)):
            dp.share(self.spark, cluster.KEY.hex())

    def test_key_file(self):
        df, path = cluster.table(self.spark), os.path.join(cluster.FOLDER, "key")
        want = dp.release_laplace(df, "v", cluster.IDS, 0.5, 1.0, cluster.KEY).select("id", "v")
        for text in (cluster.KEY, cluster.KEY.hex().encode() + b"\n"):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(text)
            made = dp.release_laplace(df, "v", cluster.IDS, 0.5, 1.0, dp.KeyFile(path)).select("id", "v")
            self.assertTrue(made.toArrow().sort_by("id").equals(want.toArrow().sort_by("id")))
        for mode, text, message in ((0o644, cluster.KEY, "others may read"), (0o600, b"short", "64 hexadecimal digits")):
            with open(path, "wb") as file:
                file.write(text)
            os.chmod(path, mode)
            with self.assertRaisesRegex(Exception, message):
                dp.KeyFile(path).bytes()


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = cluster.session()
        cls.df = cluster.table(cls.spark)

    def jobs(self):
        return len(self.spark.sparkContext.statusTracker().getJobIdsForGroup(None))

    def test_bad_parameters_before_any_row(self):
        df, key, ids = self.df, cluster.KEY, cluster.IDS
        before = self.jobs()
        nan, inf = float("nan"), float("inf")
        status = "invalid parameter|out of range|parameter"
        for epsilon, sensitivity in ((0, 1), (-1, 1), (nan, 1), (inf, 1), (1, -1), (1, nan), (1, inf)):
            with self.assertRaisesRegex(ValueError, status, msg=(epsilon, sensitivity)):
                dp.release_laplace(df, "v", ids, epsilon, sensitivity, key)
        for delta in (0, 1, -1, nan):
            with self.assertRaisesRegex(ValueError, status, msg=delta):
                dp.release_gaussian(df, "v", ids, 1, delta, 1, key)
            with self.assertRaisesRegex(ValueError, status, msg=delta):
                dp.partitions(df, "n", ids, 1, delta, key)
        for epsilon in (-1, nan):
            with self.assertRaisesRegex(ValueError, status):
                dp.randomized_response(df, "t", ids, epsilon, key)
        for epsilon, sensitivity in ((nan, 1), (-1, 1), (1, 0), (1, nan)):
            with self.assertRaises(ValueError, msg=(epsilon, sensitivity)):
                dp.select(df, "n", "name", "v", epsilon, sensitivity, key)
        with self.assertRaises((ValueError, OverflowError)):
            dp.partitions(df, "n", ids, 1, 1e-6, key, groups_per_person=0)
        with self.assertRaisesRegex(ValueError, status):
            dp.loss(df, "v", "laplace", x0=0.0, x1=1.0, scale=-1.0)
        for call in (lambda: dp.release_laplace(df, "none", ids, 1, 1, key), lambda: dp.release_laplace(df, "v", [], 1, 1, key),
                     lambda: dp.release_laplace(df, "v", ["v"], 1, 1, key), lambda: dp.release_laplace(df, "name", ids, 1, 1, key),
                     lambda: dp.randomized_response(df, "v", ids, 1, key), lambda: dp.partitions(df, "v", ids, 1, 1e-6, key),
                     lambda: dp.select(df, "n", "v", "v", 1, 1, key), lambda: dp.loss(df, "v", "zcdp"),
                     lambda: dp.release_laplace(df, "v", ids, 1, 1, key, job=7), lambda: dp.release_laplace(df, "v", ids, "a", 1, key),
                     lambda: dp.release_laplace(df.withColumnRenamed("n", "v"), "v", ids, 1, 1, key)):
            with self.assertRaises((TypeError, ValueError)):
                call()
        self.assertEqual(self.jobs(), before, "rows were read")

    def test_data_never_raise(self):
        rows = [(1, float("nan")), (2, float("inf")), (3, float("-inf")), (4, -0.0), (5, 1e308), (6, None), (None, 5.0)]
        df = self.spark.createDataFrame(rows, "id bigint, v double")
        made = dp.release_laplace(df, "v", "id", 1.0, 1.0, cluster.KEY, output="noisy").collect()
        self.assertEqual([row["noisy"] is None for row in made], [row[1] is None for row in rows])
        self.assertEqual([str(row["v"]) for row in made], [str(row[1]) for row in rows])
        extremes = self.spark.createDataFrame([(1, 2**63 - 1), (2, -2**63), (3, None)], "id bigint, n bigint")
        self.assertEqual(dp.partitions(extremes, "n", "id", 1.0, 1e-6, cluster.KEY).collect(), [(1,)])
        self.assertEqual(len(dp.release_laplace(extremes, "n", "id", 1.0, 1.0, cluster.KEY).collect()), 3)
        empty = extremes.limit(0)
        self.assertEqual(dp.release_laplace(empty, "n", "id", 1.0, 1.0, cluster.KEY).collect(), [])

    def test_loss(self):
        made = dp.loss(self.df, "v", "laplace", x0=0.0, x1=1.0, scale=2.0).select("v", "loss").limit(50).collect()
        for row in made:
            want = None if row["v"] is None else (abs(row["v"] - 1.0) - abs(row["v"])) / 2.0
            self.assertEqual(row["loss"], want)

    def test_types_of_columns(self):
        df = self.spark.range(5).select("id", f.col("id").cast("int").alias("small"), f.col("id").cast("float").alias("f"))
        self.assertEqual(dict(dp.release_laplace(df, "small", "id", 1.0, 1.0, cluster.KEY).dtypes)["small"], "bigint")
        made = dp.release_laplace(df, "f", ["small"], 1.0, 1.0, cluster.KEY)
        self.assertEqual(dict(made.dtypes)["f"], "double")
        self.assertEqual(made.toArrow().schema.field("f").type, pyarrow.float64())


if __name__ == "__main__":
    unittest.main()
