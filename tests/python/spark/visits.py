"""The example of include/python/docs/spark.md: noisy visits of each city, and which cities may be shown. The key is a file."""
import pathlib
import sys

from pyspark.sql import SparkSession, functions as f
from simdp import spark as dp

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
visits = spark.range(3000).select(f.concat(f.lit("city "), f.floor(f.sqrt("id"))).alias("city"))   # a person is a row
cities = visits.groupBy("city").agg(f.count("*").alias("people"))
key = dp.share(spark, pathlib.Path(sys.argv[1]).read_bytes())
noisy = dp.release_laplace(cities, "people", ["city"], 0.5, 1, key, job="visits, May 2026", output="noisy people")
shown = dp.partitions(noisy, "people", ["city"], 0.5, 1e-6, key, job="visits, May 2026")   # 1 and 1e-6 together
shown.orderBy("city").show(5)
spark.stop()
