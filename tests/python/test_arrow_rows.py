"""simdp._arrow_rows, without Spark: ids of rows are those that the page says, no two rows share one, and batches give the
bytes of single calls by id, however they are cut."""
import datetime
import decimal
import struct
import unittest

import numpy
import pyarrow
import simdp
from simdp import _arrow_rows as rows

KEY = bytes(range(32))


def text_of(parts):
    return b"".join(struct.pack("<Q", len(part)) + part for part in parts)


def id_of(text, rng):
    return simdp.release.ids([text], rng).tobytes()


def named(columns, job="job", column="v"):
    """Ids by the code under test."""
    with simdp.Rng(key=KEY) as rng:
        return rows.Namer(rng, job, column, list(columns))(pyarrow.record_batch(columns))


def expected(letters, fields, job="job", column="v"):
    """The same from the words of the page, a row at a time."""
    with simdp.Rng(key=KEY) as rng:
        base = id_of(text_of([b"simdp rows 1", job.encode(), column.encode(), letters.encode()]), rng)
        return [id_of(base + b"".join(row(rng) if callable(row) else row for row in of), rng) for of in fields]


def texts(array):
    return [one.tobytes() for one in array]


class Ids(unittest.TestCase):
    def test_integers_whatever_their_width(self):
        values = [0, 1, -1, 100, None]
        want = expected("i", [[b"\0" + bytes(8) if v is None else b"\1" + struct.pack("<q", v)] for v in values])
        for kind in ("int8", "int16", "int32", "int64"):
            self.assertEqual(texts(named({"a": pyarrow.array(values, kind)})), want, kind)

    def test_texts_and_two_columns(self):
        pairs = [("a", "bc"), ("ab", "c"), ("", "abc"), (None, "abc"), ("abc", ""), ("abc", None), (None, None), ("", "")]

        def field(value):
            return b"\0" + bytes(16) if value is None else lambda rng: b"\1" + id_of(value.encode(), rng)
        want = expected("ss", [[field(a), field(b)] for a, b in pairs])
        for kind in ("string", "large_string"):
            made = named({"a": pyarrow.array([a for a, _ in pairs], kind), "b": pyarrow.array([b for _, b in pairs], kind)})
            self.assertEqual(texts(made), want)
        self.assertEqual(len(set(want)), len(pairs))

    def test_other_types(self):
        when = datetime.datetime(2026, 5, 4, 3, 2, 1, 7)
        micros = int((when - datetime.datetime(1970, 1, 1)).total_seconds()) * 10**6 + 7
        days = (when.date() - datetime.date(1970, 1, 1)).days
        cases = {
            "b": (pyarrow.array([True, False, None]), [b"\1\1", b"\1\0", b"\0\0"]),
            "d": (pyarrow.array([when.date(), None]), [b"\1" + struct.pack("<i", days), bytes(5)]),
            "u": (pyarrow.array([when, None], "timestamp[us]"), [b"\1" + struct.pack("<q", micros), bytes(9)]),
            "m": (pyarrow.array([when], pyarrow.timestamp("us", "UTC")), [b"\1" + struct.pack("<q", micros)]),
            "n2,": (pyarrow.array([decimal.Decimal("-1.25"), None], pyarrow.decimal128(10, 2)),
                    [b"\1" + (-125).to_bytes(16, "little", signed=True), bytes(17)]),
            "x": (pyarrow.array([b"\0\xff"], "binary"), [lambda rng: b"\1" + id_of(b"\0\xff", rng)]),
        }
        for letters, (array, fields) in cases.items():
            self.assertEqual(texts(named({"a": array})), expected(letters, [[f] for f in fields]), letters)
        for kind in ("float64", "float32", "uint64", pyarrow.list_(pyarrow.int8()), pyarrow.timestamp("ns")):
            self.assertIsNone(rows.letter(pyarrow.array([], kind).type), kind)

    def test_job_column_and_type_make_other_ids(self):
        one = {"a": pyarrow.array([1], "int64")}
        made = [named(one), named(one, job="other"), named(one, column="w"), named(one, job="jobv", column=""),
                named(one, job="jo", column="bv"), named({"a": pyarrow.array([1], pyarrow.timestamp("us"))}),
                named({"a": pyarrow.array(["\1"])}), named({"a": pyarrow.array([1]), "b": pyarrow.array([None], "int64")})]
        self.assertEqual(len({ids.tobytes() for ids in made}), len(made))

    def test_slices(self):
        whole = {"a": pyarrow.array(list(range(100)) + [None]), "b": pyarrow.array([None] + [str(i) for i in range(100)])}
        all_ids = named(whole)
        part = named({name: array.slice(37, 40) for name, array in whole.items()})
        self.assertEqual(part.tobytes(), all_ids[37:77].tobytes())
        self.assertEqual(len(named({"a": pyarrow.array([], "string")})), 0)


def batch(n=1000):
    i = numpy.arange(n)
    return pyarrow.record_batch({"id": pyarrow.array(i), "v": pyarrow.array(i * 0.5, mask=i % 7 == 3),
                                 "c": pyarrow.array(i * 3, mask=i % 5 == 1), "t": pyarrow.array(i % 2 == 0, mask=i % 11 == 0)})


def released(batches, law, column, **parameters):
    return pyarrow.Table.from_batches(rows.releasing(batches, KEY, law, column, column, ["id"], "job", parameters))


class Batches(unittest.TestCase):
    CASES = [("laplace", "v", dict(epsilon=0.5, sensitivity=1.0)), ("laplace", "c", dict(epsilon=0.5, sensitivity=3.0)),
             ("gaussian", "v", dict(epsilon=0.5, delta=1e-6, sensitivity=1.0)),
             ("gaussian", "c", dict(epsilon=0.5, delta=1e-6, sensitivity=1.0)),
             ("randomized_response", "t", dict(epsilon=0.5))]

    def test_any_cut_gives_the_bytes_of_one_call(self):
        whole = batch()
        for law, column, parameters in self.CASES:
            with self.subTest(law=law, column=column):
                with simdp.Rng(key=KEY) as rng:
                    ids = named({"id": whole["id"]}, column=column)
                    plain = whole[column].fill_null(0 if column != "t" else False).to_numpy(zero_copy_only=False)
                    want = getattr(simdp.release, law)(plain, rng=rng, ids=ids, **parameters)
                made = released([whole], law, column, **parameters)
                self.assertEqual(made[column].is_null().to_pylist(), whole[column].is_null().to_pylist())
                known = whole[column].is_valid().to_numpy(zero_copy_only=False)
                self.assertEqual(made[column].combine_chunks().drop_null().to_numpy(zero_copy_only=False).tobytes(), want[known].tobytes())
                cut = [whole.slice(i, 13) for i in range(0, 1000, 13)]
                self.assertTrue(released(cut, law, column, **parameters).equals(made))
                turned = released(cut[::-1], law, column, **parameters)
                self.assertTrue(turned.sort_by("id").equals(made.sort_by("id")))

    def test_nothing_lies_under_nulls(self):
        made = released([batch()], "laplace", "v", epsilon=0.5, sensitivity=1.0)["v"].chunk(0)
        under = numpy.frombuffer(made.buffers()[1], "d")[made.is_null().to_numpy(zero_copy_only=False)]
        self.assertTrue((under == 0).all() and len(under))

    def test_groups_that_are_kept(self):
        table = pyarrow.record_batch({"id": pyarrow.array(range(2000)), "n": pyarrow.array([None, *range(1999)])})
        run = lambda batches: pyarrow.Table.from_batches(rows.keeping(batches, KEY, "n", ["id"], "job", 0.5, 1e-3, 1))
        made = run([table])
        self.assertEqual(made.column_names, ["id"])
        self.assertTrue(0 < len(made) < 2000 and 0 not in made["id"].to_pylist())
        self.assertTrue(run([table.slice(1000), table.slice(0, 1000)]).sort_by("id").equals(made.sort_by("id")))

    def test_a_choice_does_not_depend_on_the_order_of_rows(self):
        table = pyarrow.table({"g": ["x"] * 50, "who": [f"p{i}" for i in range(50)], "s": numpy.arange(50.0)})
        wins = []
        for seed in range(20):
            order = numpy.random.default_rng(seed).permutation(50)
            wins.append(rows.choosing(table.take(order), KEY, ["g"], "who", "s", "job", 20.0))
        self.assertTrue(all(win.equals(wins[0]) for win in wins))
        jobs = {rows.choosing(table, KEY, ["g"], "who", "s", str(j), 20.0)["who"][0].as_py() for j in range(20)}
        self.assertGreater(len(jobs), 5)   # the control: another question has another winner
        none = rows.choosing(table.slice(0, 1).set_column(2, "s", pyarrow.nulls(1, "double")), KEY, ["g"], "who", "s", "job", 1.0)
        self.assertEqual(none.to_pylist(), [{"g": "x", "who": None}])

    def test_losses(self):
        made = pyarrow.Table.from_batches(rows.losing([batch(10)], "laplace", "v", "loss", dict(x0=0.0, x1=1.0, scale=2.0)))
        values = [0.5 * i for i in range(10)]
        want = [None if i % 7 == 3 else simdp.loss.laplace(values[i], 0.0, 1.0, 2.0) for i in range(10)]
        self.assertEqual(made["loss"].to_pylist(), want)


if __name__ == "__main__":
    unittest.main()
