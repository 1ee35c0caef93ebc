"""What the tests of simdp.spark share: a session on two executors, the table, and what C computes for it."""
import atexit
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
import pyarrow
import pyspark

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.pop("SPARK_HOME", None)
FOLDER = tempfile.mkdtemp(prefix="simdp_spark_")
os.chmod(FOLDER, 0o700)
LOG = os.path.join(FOLDER, "driver.log")
KEY = bytes((7 * i * i + 91 * i + 130) % 256 for i in range(32))
ROWS = 20000
PARAMETERS = {"epsilon": 0.5, "sensitivity": 1.0}
IDS, JOB = ["id", "name"], "test job"

_LOGGING = f"""
rootLogger.level = info
rootLogger.appenderRef.file.ref = file
appender.file.type = File
appender.file.name = file
appender.file.fileName = {LOG}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d %p %c: %m%n%ex
logger.sql.name = org.apache.spark.sql
logger.sql.level = debug
logger.python.name = org.apache.spark.api.python
logger.python.level = debug
"""


def session():
    """local-cluster: a driver and two executors, each a process with one core and workers of Python."""
    from pyspark.sql import SparkSession
    settings = os.path.join(FOLDER, "log4j2.properties")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(_LOGGING)
    os.makedirs(os.path.join(FOLDER, "events"), exist_ok=True)
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--driver-java-options -Dlog4j2.configurationFile=file:{settings} pyspark-shell"
    package = os.environ.get("PYTHONPATH", "")
    made = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("simdp test")
            .config("spark.executorEnv.PYTHONPATH", package).config("spark.ui.port", "0")
            .config("spark.eventLog.enabled", "true").config("spark.eventLog.compress", "false")
            .config("spark.eventLog.dir", "file:" + os.path.join(FOLDER, "events"))
            .config("spark.local.dir", FOLDER).config("spark.sql.shuffle.partitions", "3")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
            .config("spark.speculation", "true").config("spark.speculation.interval", "100ms")
            .config("spark.speculation.multiplier", "1.1").config("spark.speculation.quantile", "0.3")
            .config("spark.network.timeout", "600s").getOrCreate())
    return made


def work_folder(spark):
    """Where the executors of a local cluster write their logs."""
    home = os.path.dirname(pyspark.__file__)
    return os.path.join(home, "work", spark.sparkContext.applicationId)


def executor_logs(spark):
    return glob.glob(os.path.join(work_folder(spark), "*", "std*"))


def end(spark):
    work = work_folder(spark)
    spark.stop()
    shutil.rmtree(work, ignore_errors=True)


atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def table(spark, partitions=3):
    """The rows that spark_rows.c computes; v is null in one row of seven."""
    from pyspark.sql import functions as f
    i = f.col("id")
    return spark.range(0, ROWS, 1, partitions).select(
        i, f.when(i % 10 != 9, f.concat(f.lit("name "), i)).alias("name"),
        f.when(i % 7 != 3, i / 4.0).cast("double").alias("v"), (i % 400).alias("n"), (i % 3 == 0).alias("t"))


def by_c():
    """Columns of what C computes: v by Laplace and by Gaussian noise, n by Laplace noise, t by response, kept groups."""
    lines = subprocess.run([os.environ["SPARK_ROWS"], KEY.hex(), str(ROWS)], capture_output=True, text=True, check=True)
    cells = [line.split() for line in lines.stdout.splitlines()]
    assert len(cells) == ROWS

    def doubles(at):
        return numpy.array([int(cell[at], 16) for cell in cells], "uint64").view("float64")

    def whole(at):
        return numpy.array([int(cell[at]) for cell in cells])
    return {"laplace": doubles(1), "gaussian": doubles(2), "n": whole(3), "t": whole(4), "keep": whole(5)}


def column(df, name):
    """A column in the order of ids, and where it is not null."""
    made = df.select("id", name).toArrow().sort_by("id")
    assert made.num_rows == ROWS, made.num_rows
    values = made[name].combine_chunks()
    valid = values.is_valid().to_numpy(zero_copy_only=False)
    plain = values.fill_null(False if pyarrow.types.is_boolean(values.type) else 0)
    return plain.to_numpy(zero_copy_only=False), valid


def once(path):
    """True for the first caller of all processes."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False
