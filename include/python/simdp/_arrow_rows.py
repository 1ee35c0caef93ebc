"""Work on batches of rows in Arrow's form, for engines that hand such batches over (simdp.spark): ids of rows from any of
their columns, and releases, selections and losses of a column. Nothing here knows of an engine; a batch's result is a
function of its rows, the key and the parameters alone.

The id of a row is simdp_rng_id, on stream 0 of the key, of

    base      16 bytes: simdp_rng_id of the texts "simdp rows 1", job, column, and the letters of the id columns' types, each
              behind its length as 8 bytes
    a field   of each id column: a byte 1 and the value, or a byte 0 and as many zeros where the value is null

All numbers are little-endian. Values have a width that their letter says, so that no two rows have one text."""
import struct

import numpy
import pyarrow
import pyarrow.compute

from . import _simdp, loss, release, select
from ._forms import TYPES
from ._simdp import Rng

ID = TYPES["id"]
types = pyarrow.types


# ---- ids ----

def letter(kind):
    """How values of a type of Arrow count in an id: i integers (8 bytes), b truths (1), d days (4), m and u microseconds
    with and without a time zone (8), n and the scale: decimals (16), s and x: the id of the bytes of a text or of binary
    data (16). None for types that name nothing: floats, whose equality is no identity, and nested ones."""
    if types.is_integer(kind) and not types.is_uint64(kind):
        return "i"
    if types.is_boolean(kind):
        return "b"
    if types.is_date32(kind):
        return "d"
    if types.is_timestamp(kind):
        return ("u" if kind.tz is None else "m") if kind.unit == "us" else None
    if types.is_decimal128(kind):
        return f"n{kind.scale},"
    if types.is_string(kind) or types.is_large_string(kind):
        return "s"
    if types.is_binary(kind) or types.is_large_binary(kind):
        return "x"
    return None


_WIDTHS = {"i": 8, "b": 1, "d": 4, "m": 8, "u": 8, "n": 16, "s": 16, "x": 16}


def base(rng, job, column, letters):
    """What the ids of one question have in common."""
    text = b""
    for part in ("simdp rows 1", job, column, letters):
        part = part.encode()
        text += struct.pack("<Q", len(part)) + part
    return release.ids([text], rng)


def _plain(array, width):
    """The values' bytes, a row each, without a copy."""
    buffer = array.buffers()[1]
    if buffer is None:
        return numpy.zeros((len(array), width), "B")
    whole = numpy.frombuffer(buffer, "B", count=(array.offset + len(array)) * width)
    return whole[array.offset * width:].reshape(len(array), width)


def _digests(rng, array):
    """Ids of texts or binary values, as bytes."""
    made = numpy.empty(len(array), ID)
    wide = types.is_large_string(array.type) or types.is_large_binary(array.type)
    _, starts, data = array.buffers()
    if len(array) == 0 or starts is None:
        return numpy.zeros((len(array), 16), "B")
    starts = numpy.frombuffer(starts, "int64" if wide else "int32", count=array.offset + len(array) + 1)[array.offset:]
    data = numpy.empty(0, "B") if data is None or data.size == 0 else numpy.frombuffer(data, "B")
    _simdp.rng_ids(rng, made, data, starts.astype("uint64"))
    return made.view("B").reshape(len(array), 16)


def _field(rng, array, sign):
    if sign in "sx":
        return _digests(rng, array)
    if sign == "i":
        array = array if types.is_int64(array.type) else array.cast("int64")
    if sign == "b":
        return array.fill_null(False).to_numpy(zero_copy_only=False).astype("B").reshape(len(array), 1)
    return _plain(array, _WIDTHS[sign])


def ids(rng, based, columns):
    """The ids of rows, from the base of their question and the columns that name them."""
    n = len(columns[0])
    signs = [letter(column.type)[0] for column in columns]
    size = 16 + sum(1 + _WIDTHS[sign] for sign in signs)
    text, at = numpy.empty((n, size), "B"), 16
    text[:, :16] = based.view("B")
    for column, sign in zip(columns, signs):
        width = _WIDTHS[sign]
        text[:, at] = 1
        text[:, at + 1:at + 1 + width] = _field(rng, column, sign)
        if column.null_count:
            text[column.is_null().to_numpy(zero_copy_only=False), at:at + 1 + width] = 0
        at += 1 + width
    made = numpy.empty(n, ID)
    _simdp.rng_ids(rng, made, text.reshape(-1), numpy.arange(0, n * size + 1, size, dtype="uint64"))
    return made


class Namer:
    """Ids of the rows of batches, for one question."""

    def __init__(self, rng, job, column, id_columns):
        self.rng, self.job, self.column, self.id_columns = rng, job, column, id_columns
        self.letters = self.based = None

    def __call__(self, batch):
        columns = [_whole(batch.column(name)) for name in self.id_columns]
        letters = "".join(letter(column.type) for column in columns)
        if letters != self.letters:
            self.letters, self.based = letters, base(self.rng, self.job, self.column, letters)
        return ids(self.rng, self.based, columns)


def _whole(column):
    """A column of a table is one array."""
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


# ---- columns ----

def _released_type(kind):
    """The type in which a column is released, for types of which releases are made."""
    if types.is_boolean(kind):
        return pyarrow.bool_()
    if types.is_integer(kind):
        return pyarrow.int64()
    return pyarrow.float64() if types.is_floating(kind) else None


def _numbers(array, wanted):
    """The values as an array of NumPy; whatever lies where there is null."""
    if array.type != wanted:
        array = array.cast(wanted)
    if types.is_boolean(wanted):
        return array.fill_null(False).to_numpy(zero_copy_only=False)
    return _plain(array, 8).reshape(-1).view("int64" if types.is_int64(wanted) else "float64")


def _column(values, like, wanted):
    """A column of the values, null where the other one is, and with zeros there."""
    if like.null_count == 0 and not types.is_boolean(wanted):
        return pyarrow.Array.from_buffers(wanted, len(values), [None, pyarrow.py_buffer(values)], 0)
    mask = like.is_null().to_numpy(zero_copy_only=False)
    values[mask] = 0
    return pyarrow.array(values, wanted, mask=mask)


def _put(batch, name, column):
    at = batch.schema.get_field_index(name)
    if at < 0:
        return batch.append_column(name, column)
    return batch.set_column(at, name, column)


# ---- what is done to batches ----

LAWS = {"laplace": release.laplace, "gaussian": release.gaussian, "randomized_response": release.randomized_response}


def releasing(batches, key, law, column, output, id_columns, job, parameters):
    """The batches with a column released, under another name if there is one."""
    with Rng(key=key) as rng:
        name = Namer(rng, job, column, id_columns)
        for batch in batches:
            array = batch.column(column)
            wanted = _released_type(array.type)
            made = LAWS[law](_numbers(array, wanted), rng=rng, ids=name(batch), **parameters)
            yield _put(batch, output, _column(made, array, wanted))


def keeping(batches, key, counts, id_columns, job, epsilon, delta, groups_per_person):
    """The rows whose groups may be shown, without their counts."""
    with Rng(key=key) as rng:
        name = Namer(rng, job, counts, id_columns)
        for batch in batches:
            array = batch.column(counts)
            people = _numbers(array, pyarrow.int64())
            if array.null_count:
                people = numpy.where(array.is_null().to_numpy(zero_copy_only=False), 0, people)
            keep = select.partitions(people, epsilon, delta, groups_per_person, ids=name(batch), rng=rng)
            yield batch.drop_columns([counts]).filter(pyarrow.array(numpy.asarray(keep, bool)))


def choosing(table, key, groups, candidate, score, job, scale):
    """One row: the group and the candidate that won, or null where there is none."""
    head = table.slice(0, 1)
    table = table.filter(pyarrow.compute.and_(table[candidate].is_valid(), table[score].is_valid()))
    winner = pyarrow.nulls(1, table.schema.field(candidate).type)
    if len(table):
        # rows come in any order; their bits belong to places, so they are put into one that is theirs
        table = table.sort_by([(candidate, "ascending"), (score, "ascending")])
        scores = _numbers(_whole(table[score]), pyarrow.float64())
        with Rng(key=key) as rng:
            who = Namer(rng, job, candidate, groups)(head)
            at = select.gumbel_rows(scores.reshape(1, -1), scale, rng=rng, ids=who)[0]
        winner = _whole(table[candidate].slice(int(at), 1))
    return pyarrow.table([*(_whole(head[name]) for name in groups), winner], [*groups, candidate])


def losses(law):
    """The function that gives the losses of outputs of a law."""
    return {"laplace": loss.laplace, "gaussian": loss.gaussian, "randomized_response": loss.randomized_response}[law]


def losing(batches, law, column, output, parameters):
    """The batches with the privacy loss of a column of outputs."""
    function = losses(law)
    for batch in batches:
        array = batch.column(column)
        made = function(_numbers(array, _released_type(array.type)), **parameters)
        made = numpy.ascontiguousarray(made, "d").reshape(-1)
        yield _put(batch, output, _column(made, array, pyarrow.float64()))
