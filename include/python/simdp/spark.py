"""Releases, selections and losses of DataFrames of Spark, with noise that belongs to the row and not to the task: a task that
is run again, another number of partitions or a lost executor give the same bytes. Needs pyspark 4 and pyarrow; executors
need this package. include/python/docs/spark.md says how to run it, what to put into an id and what a key is.

    noisy = release_laplace(df, "visits", ["city"], epsilon=0.5, sensitivity=1, key=key, job="visits, May")

key: 32 bytes, which are broadcast and so are in no plan; what share() makes of them; or a KeyFile. job: names the question
that is asked; it is part of every id. Parameters are checked here, before a row is read; data never raise."""
import os
import stat

import numpy
from pyspark.sql import types as spark_types

from . import _arrow_rows as rows
from . import select as _select
from ._simdp import Rng

__all__ = ["KeyFile", "loss", "partitions", "randomized_response", "release_gaussian", "release_laplace", "select",
           "share"]

_WHOLE = (spark_types.ByteType, spark_types.ShortType, spark_types.IntegerType, spark_types.LongType)
_REAL = (spark_types.FloatType, spark_types.DoubleType)
_NAMES = (*_WHOLE, spark_types.BooleanType, spark_types.DateType, spark_types.TimestampType, spark_types.TimestampNTZType,
          spark_types.DecimalType, spark_types.StringType, spark_types.BinaryType)


# ---- keys ----

def _checked(key):
    """The 32 bytes of a key. No message shows them."""
    if isinstance(key, str) or not isinstance(key, (bytes, bytearray, memoryview)):
        raise TypeError("key: 32 bytes, what share() gives or a KeyFile is wanted, not " + type(key).__name__)
    if memoryview(key).nbytes != 32:
        raise ValueError(f"key: 32 bytes are wanted, not {memoryview(key).nbytes}")
    return bytes(key)


class _Shared:
    """A key that was broadcast."""

    def __init__(self, broadcast):
        self._broadcast = broadcast

    def bytes(self):
        return _checked(self._broadcast.value)


class KeyFile:
    """A key in a file of every executor, which only its owner can read: 32 bytes, or 64 hexadecimal digits. Nothing but its
    path leaves the driver. The way for Spark Connect, which has no broadcasts."""

    def __init__(self, path):
        self.path = os.fspath(path)

    def bytes(self):
        with open(self.path, "rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                raise PermissionError(f"{self.path}: others may read this key; chmod 600 it, and take a new one")
            text = file.read(80)
        if len(text) == 32:
            return text
        try:
            return _checked(bytes.fromhex(text.decode("ascii")))
        except ValueError:
            raise ValueError(f"{self.path}: 32 bytes or 64 hexadecimal digits are wanted") from None


def share(spark, key):
    """A key broadcast once, for several calls. Executors fetch it when they need it."""
    context = getattr(spark, "sparkContext", None)
    if context is None:
        raise TypeError("key: this session has no broadcasts (Spark Connect); take a KeyFile")
    return _Shared(context.broadcast(_checked(key)))


def _key(df, key):
    return key if isinstance(key, (_Shared, KeyFile)) else share(df.sparkSession, _checked(key))


# ---- columns ----

def _field(df, name, kinds, what):
    """The field of a column, which must be there once and be of a type that serves."""
    if not isinstance(name, str):
        raise TypeError(f"{what}: the name of a column is wanted, not {type(name).__name__}")
    if df.columns.count(name) != 1:
        raise ValueError(f"{what}: the DataFrame has {df.columns.count(name)} columns {name!r}")
    field = df.schema[name]
    if not isinstance(field.dataType, kinds):
        raise TypeError(f"{what}: {name!r} is {field.dataType.simpleString()}, which does not serve here")
    return field


def _names(df, id_columns, what="id_columns"):
    names = [id_columns] if isinstance(id_columns, str) else list(id_columns)
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{what}: the columns that name a row are wanted, each once")
    for name in names:
        _field(df, name, _NAMES, what)
    return names


def _job(job):
    if not isinstance(job, str):
        raise TypeError("job: a text is wanted")
    return job


def _schema(df, output, kind):
    """The DataFrame's fields, with the output in its place or at the end."""
    if not isinstance(output, str):
        raise TypeError("output: the name of a column is wanted")
    made = spark_types.StructField(output, kind, True)
    if output in df.columns:
        if df.columns.count(output) != 1:
            raise ValueError(f"output: the DataFrame has several columns {output!r}")
        return spark_types.StructType([made if field.name == output else field for field in df.schema.fields])
    return spark_types.StructType([*df.schema.fields, made])


def _number(name, value):
    if isinstance(value, bool):
        raise TypeError(f"{name}: a number is wanted")
    return float(value)


# ---- releases ----

def _release(df, law, column, id_columns, key, job, output, kinds, **parameters):
    field = _field(df, column, kinds, "column")
    names, output = _names(df, id_columns), column if output is None else output
    parameters = {name: _number(name, value) for name, value in parameters.items()}
    if law == "randomized_response":
        kind, empty = spark_types.BooleanType(), numpy.empty(0, bool)
    elif isinstance(field.dataType, _WHOLE):
        kind, empty = spark_types.LongType(), numpy.empty(0, "int64")
    else:
        kind, empty = spark_types.DoubleType(), numpy.empty(0)
    rows.LAWS[law](empty, rng=Rng(key=bytes(32)), ids=numpy.empty(0, rows.ID), **parameters)   # raises what parameters deserve
    schema, question = _schema(df, output, kind), _job(job)
    held = _key(df, key)

    def simdp_release(batches):
        return rows.releasing(batches, held.bytes(), law, column, output, names, question, parameters)
    return df.mapInArrow(simdp_release, schema)


def release_laplace(df, column, id_columns, epsilon, sensitivity, key, *, job="", output=None):
    """The DataFrame with a column released by Laplace noise, epsilon-private at this L1 sensitivity: floats on a fine grid,
    whole numbers as whole numbers. output: another name for the noisy column, next to the old one. Nulls stay."""
    return _release(df, "laplace", column, id_columns, key, job, output, (*_WHOLE, *_REAL), epsilon=epsilon,
                    sensitivity=sensitivity)


def release_gaussian(df, column, id_columns, epsilon, delta, sensitivity, key, *, job="", output=None):
    """The same with Gaussian noise, (epsilon, delta)-private at this L2 sensitivity."""
    return _release(df, "gaussian", column, id_columns, key, job, output, (*_WHOLE, *_REAL), epsilon=epsilon, delta=delta,
                    sensitivity=sensitivity)


def randomized_response(df, column, id_columns, epsilon, key, *, job="", output=None):
    """The same for truths, each turned with probability 1 / (1 + e^epsilon)."""
    return _release(df, "randomized_response", column, id_columns, key, job, output, (spark_types.BooleanType,),
                    epsilon=epsilon)


# ---- selections ----

def select(df, group, candidate, score, epsilon, sensitivity, key, *, job="", monotonic=False):
    """A candidate of each group, by the exponential mechanism: rows of the group's columns and the winner. Rows whose
    candidate or score is null are no candidates; a group without any has the winner null. monotonic: a person moves all
    scores in one direction."""
    groups = _names(df, group, "group")
    winner = _field(df, candidate, _NAMES, "candidate")
    _field(df, score, (*_WHOLE, *_REAL), "score")
    if candidate in groups or score in (candidate, *groups):
        raise ValueError("group, candidate and score: different columns are wanted")
    scale = _select.scale(_number("epsilon", epsilon), _number("sensitivity", sensitivity), bool(monotonic))
    _select.gumbel_rows(numpy.zeros((1, 1)), scale, rng=Rng(key=bytes(32)), ids=numpy.zeros(1, rows.ID))
    fields = [df.schema[name] for name in groups] + [spark_types.StructField(candidate, winner.dataType, True)]
    question = _job(job)
    held = _key(df, key)

    def simdp_select(table):
        return rows.choosing(table, held.bytes(), groups, candidate, score, question, scale)
    few = df.select(*(f"`{name.replace('`', '``')}`" for name in (*groups, candidate, score)))
    return few.groupBy(*(few[f"`{name.replace('`', '``')}`"] for name in groups)).applyInArrow(
        simdp_select, spark_types.StructType(fields))


def partitions(df, counts, id_columns, epsilon, delta, key, *, groups_per_person=1, job=""):
    """The rows of groups that may be shown, given the column with the number of people of each, which does not come out: it
    is as secret as before. id_columns name a group. A group whose count is null is not shown."""
    _field(df, counts, _WHOLE, "counts")
    names = _names(df, id_columns)
    if counts in names:
        raise ValueError("id_columns: a count names no group")
    promise = (_number("epsilon", epsilon), _number("delta", delta), groups_per_person)
    _select.partitions(numpy.empty(0, "int64"), *promise, ids=numpy.empty(0, rows.ID), rng=Rng(key=bytes(32)))
    schema = spark_types.StructType([field for field in df.schema.fields if field.name != counts])
    question = _job(job)
    held = _key(df, key)

    def simdp_partitions(batches):
        return rows.keeping(batches, held.bytes(), counts, names, question, *promise)
    return df.mapInArrow(simdp_partitions, schema)


# ---- losses ----

def loss(df, column, law, *, output="loss", **parameters):
    """The DataFrame with the privacy loss of a column of outputs, ln P[y | one input] / P[y | the other]: law 'laplace' with
    x0, x1 and scale, 'gaussian' with x0, x1 and sigma, 'randomized_response' with bit0, bit1 and epsilon. Draws nothing."""
    wanted = {"laplace": ("x0", "x1", "scale"), "gaussian": ("x0", "x1", "sigma"),
              "randomized_response": ("bit0", "bit1", "epsilon")}
    if law not in wanted:
        raise ValueError(f"law: one of {', '.join(wanted)} is wanted")
    if set(parameters) != set(wanted[law]):
        raise TypeError(f"loss() of {law} wants {', '.join(wanted[law])}")
    _field(df, column, (spark_types.BooleanType,) if law == "randomized_response" else (*_WHOLE, *_REAL), "column")
    schema = _schema(df, output, spark_types.DoubleType())
    rows.losses(law)(numpy.empty(0, bool if law == "randomized_response" else "d"), **parameters)

    def simdp_loss(batches):
        return rows.losing(batches, law, column, output, parameters)
    return df.mapInArrow(simdp_loss, schema)
