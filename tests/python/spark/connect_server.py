"""A server of Spark Connect for test_connect.py, on this machine's own address: python connect_server.py PORT. Says when it is
ready, and ends when its input does."""
import os
import sys

from pyspark.sql import SparkSession

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = (SparkSession.builder.master("local[2]").appName("simdp test of Spark Connect")
         .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
         .config("spark.connect.grpc.binding.address", "127.0.0.1").config("spark.connect.grpc.binding.port", sys.argv[1])
         .config("spark.sql.shuffle.partitions", "3").config("spark.ui.enabled", "false").getOrCreate())
print("ready", flush=True)
sys.stdin.read()
spark.stop()
