"""simdp.spark on two executors: whatever happens to tasks, rows have the bytes that one process computes with C."""
import os
import signal
import sys
import time
import unittest

import numpy
import pyarrow
import simdp
from simdp import spark as dp

import cluster

V_VALID = numpy.arange(cluster.ROWS) % 7 != 3


def spoiling(folder, what):
    """Hands rows through; whoever comes first of partition 0 has trouble in the middle of it, once all rows of the partition
    were released. Every run of a partition leaves a file with its bytes."""
    def run(batches):
        from pyspark import TaskContext
        task = TaskContext.get()
        kept = list(batches)
        here = pyarrow.Table.from_batches(kept) if kept else None
        with open(os.path.join(folder, f"{what}-{task.partitionId()}-{task.taskAttemptId()}"), "wb") as file:
            file.write(b"" if here is None else here["v"].combine_chunks().fill_null(0.0).to_numpy().tobytes())
        first = False
        if task.partitionId() == 0:
            try:
                os.close(os.open(os.path.join(folder, what + ".first"), os.O_CREAT | os.O_EXCL))
                first = True
            except FileExistsError:
                pass
        for number, batch in enumerate(kept):
            if first and number == 1:
                trouble(what)
            yield batch

    def trouble(kind):
        if kind == "fails":
            raise RuntimeError("this task fails at first")
        if kind == "slow":
            time.sleep(600)   # until another copy of the task is done, and this one is ended
        process = os.getpid()
        while True:   # up to the executor
            with open(f"/proc/{process}/status", encoding="ascii") as file:
                process = next(int(line.split()[1]) for line in file if line.startswith("PPid"))
            with open(f"/proc/{process}/cmdline", "rb") as file:
                if b"CoarseGrainedExecutorBackend" in file.read():
                    os.kill(process, signal.SIGKILL)
                    time.sleep(600)
    return run


class Retries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = cluster.session()
        cls.want = cluster.by_c()
        cls.key = dp.share(cls.spark, cluster.KEY)

    def released(self, partitions=3):
        return dp.release_laplace(cluster.table(self.spark, partitions), "v", cluster.IDS, key=self.key, job=cluster.JOB,
                                  **cluster.PARAMETERS)

    def check(self, df):
        values, valid = cluster.column(df, "v")
        self.assertTrue((valid == V_VALID).all())
        self.assertEqual(values[valid].tobytes(), self.want["laplace"][valid].tobytes())

    def test_two_actions(self):
        df = self.released()
        self.check(df)
        self.check(df)

    def test_numbers_of_partitions(self):
        for partitions in (1, 3, 8):
            with self.subTest(partitions=partitions):
                self.check(self.released(partitions))

    def test_rows_in_another_order(self):
        shuffled = cluster.table(self.spark).repartition(5, "name")
        self.check(dp.release_laplace(shuffled, "v", cluster.IDS, key=self.key, job=cluster.JOB, **cluster.PARAMETERS))

    def test_all_functions_against_c(self):
        df, common = cluster.table(self.spark), {"key": self.key, "job": cluster.JOB}
        made = dp.release_gaussian(df, "v", cluster.IDS, 0.5, 1e-6, 1.0, **common)
        values, valid = cluster.column(made, "v")
        self.assertEqual(values[valid].tobytes(), self.want["gaussian"][valid].tobytes())
        values, _ = cluster.column(dp.release_laplace(df, "n", cluster.IDS, 0.5, 1.0, **common), "n")
        self.assertEqual(values.tolist(), self.want["n"].tolist())
        values, _ = cluster.column(dp.randomized_response(df, "t", cluster.IDS, 0.5, **common), "t")
        self.assertEqual(values.astype(int).tolist(), self.want["t"].tolist())
        kept = dp.partitions(df, "n", cluster.IDS, 0.5, 1e-3, groups_per_person=2, **common)
        self.assertEqual(kept.columns, ["id", "name", "v", "t"])
        ids = sorted(kept.select("id").toArrow()["id"].to_pylist())
        self.assertEqual(ids, numpy.flatnonzero(self.want["keep"]).tolist())
        self.assertTrue(0 < len(ids) < cluster.ROWS)

    def troubled(self, what, partitions=3):
        df = self.released(partitions)
        df = df.mapInArrow(spoiling(cluster.FOLDER, what), df.schema)
        self.check(df)
        self.assertTrue(os.path.exists(os.path.join(cluster.FOLDER, what + ".first")), "nothing happened")
        runs = [name for name in os.listdir(cluster.FOLDER) if name.startswith(what + "-0-")]
        self.assertGreater(len(runs), 1, "partition 0 was computed once only")
        found = set()
        for name in runs:
            with open(os.path.join(cluster.FOLDER, name), "rb") as file:
                found.add(file.read())
        self.assertEqual(len(found), 1)

    def test_task_that_fails_at_first(self):
        self.troubled("fails")

    def test_partition_computed_twice(self):
        self.troubled("slow", 4)

    def test_zz_executor_killed(self):
        self.troubled("killed")

    def test_control_fresh_entropy(self):
        """Noise that belongs to the task: another action, and every retry, has other answers."""
        def fresh(batches):
            for batch in batches:
                values = batch.column("v").fill_null(0.0).to_numpy()
                yield batch.set_column(2, "v", pyarrow.array(simdp.release.laplace(values, sensitivity=1, epsilon=0.5)))
        df = cluster.table(self.spark)
        df = df.mapInArrow(fresh, df.schema)
        first, second = cluster.column(df, "v")[0], cluster.column(df, "v")[0]
        self.assertLess((first == second).sum(), 4)   # of 20000; a grid of 2^-21 makes 4 equal ones with probability 1e-13
        self.assertLess((first == self.want["laplace"]).sum(), 4)


class Selections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = cluster.session()

    def test_winners(self):
        rows = [(g, f"p{(i * 37 + g) % 50}", float((i * 37 + g) % 50)) for g in range(20) for i in range(50)]
        rows += [(20, None, 1.0), (21, "p", None), (None, "only", 0.0)]

        def chosen(partitions, job="pick"):
            df = self.spark.createDataFrame(rows, "g int, who string, s double").repartition(partitions)
            made = dp.select(df, "g", "who", "s", 0.2, 1.0, cluster.KEY, job=job)
            return {row["g"]: row["who"] for row in made.collect()}
        want = self.alone(rows)
        self.assertEqual(chosen(1), want)
        self.assertEqual(chosen(5), want)
        self.assertNotEqual(chosen(1, "another"), want)   # the control
        self.assertEqual((want[20], want[21], want[None]), (None, None, "only"))

    @staticmethod
    def alone(rows):
        """One process, from the words of the page."""
        made = {}
        with simdp.Rng(key=cluster.KEY) as rng:
            text = b"".join(len(part).to_bytes(8, "little") + part for part in (b"simdp rows 1", b"pick", b"who", b"i"))
            base = simdp.release.ids([text], rng).tobytes()
            for group in {row[0] for row in rows}:
                here = sorted((who, s) for g, who, s in rows if g == group and who is not None and s is not None)
                field = bytes(9) if group is None else b"\1" + group.to_bytes(8, "little", signed=True)
                ids = simdp.release.ids([base + field], rng)
                scores = numpy.array([[s for _, s in here]])
                made[group] = None if not here else here[simdp.select.gumbel_rows(scores, simdp.select.scale(0.2, 1.0),
                                                                                  rng=rng, ids=ids)[0]][0]
        return made


def tearDownModule():
    cluster.end(cluster.session())


if __name__ == "__main__":
    sys.exit(unittest.main())
