"""simdp.spark through Spark Connect: a client without a JVM, which has no broadcasts and so no key, and a server that reads the
key from its own file. The bytes are those of C."""
import os
import socket
import subprocess
import sys
import unittest

import numpy
from pyspark.sql import SparkSession
from pyspark.sql.connect.session import SparkSession as ConnectSession
from simdp import spark as dp

import cluster


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Connect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in ("SPARK_REMOTE", "SPARK_LOCAL_REMOTE"):
            os.environ.pop(name, None)
        port, here = free_port(), os.path.dirname(os.path.abspath(__file__))
        cls.log = open(os.path.join(cluster.FOLDER, "connect.log"), "w+", encoding="utf-8")
        cls.server = subprocess.Popen([sys.executable, os.path.join(here, "connect_server.py"), str(port)], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=cls.log)
        for line in cls.server.stdout:
            if line == "ready\n":
                break
        else:
            cls.log.seek(0)
            raise RuntimeError("no server of Spark Connect: " + cls.log.read())
        cls.spark = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
        assert isinstance(cls.spark, ConnectSession)
        path = os.path.join(cluster.FOLDER, "key of the server")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(cluster.KEY)
        cls.key = dp.KeyFile(path)

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.server.stdin.close()
        cls.server.wait(120)
        cls.server.stdout.close()
        cls.log.close()

    def same(self, df, name, expected):
        values, valid = cluster.column(df, name)
        self.assertTrue(numpy.array_equal(values[valid], expected[valid]))
        self.assertGreater(valid.sum(), cluster.ROWS / 2)

    def test_bytes_of_c(self):
        df, ids, key, job = cluster.table(self.spark), cluster.IDS, self.key, cluster.JOB
        of_c = cluster.by_c()
        self.same(dp.release_laplace(df, "v", ids, key=key, job=job, **cluster.PARAMETERS), "v", of_c["laplace"])
        self.same(dp.release_laplace(df, "n", ids, key=key, job=job, **cluster.PARAMETERS), "n", of_c["n"])
        self.same(dp.randomized_response(df, "t", ids, 0.5, key, job=job), "t", of_c["t"])
        other = dp.release_laplace(df, "v", ids, key=key, job="another job", **cluster.PARAMETERS)
        with self.assertRaises(AssertionError):   # the control
            self.same(other, "v", of_c["laplace"])

    def test_select_and_loss(self):
        df = self.spark.createDataFrame([("a", "x", 1.0), ("a", "y", 900.0), ("b", "x", None)], "g string, c string, s double")
        self.assertEqual(sorted(map(tuple, dp.select(df, "g", "c", "s", 1.0, 1.0, self.key).collect())), [("a", "y"), ("b", None)])
        self.assertEqual(dp.loss(df, "s", "laplace", x0=0.0, x1=1.0, scale=2.0).collect()[0]["loss"], -0.5)

    def test_keys(self):
        df = self.spark.range(3)
        for call in (lambda: dp.share(self.spark, cluster.KEY), lambda: dp.release_laplace(df, "id", "id", 1, 1, cluster.KEY)):
            with self.assertRaisesRegex(TypeError, "KeyFile"):
                call()
        missing = dp.release_laplace(df, "id", "id", 1, 1, dp.KeyFile("/nonexistent/key"))
        with self.assertRaisesRegex(Exception, "/nonexistent/key"):   # the server reads it, not the client
            missing.collect()
        with self.assertRaisesRegex(ValueError, "parameter"):
            dp.release_laplace(df, "id", "id", -1, 1, self.key)


if __name__ == "__main__":
    unittest.main()
