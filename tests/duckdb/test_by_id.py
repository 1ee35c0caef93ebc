"""Noise by id: the bytes of the C library, in any order, with any number of threads."""
import ctypes
import unittest
import uuid

import numpy

from engine import GAUSSIAN, LAPLACE, C, call, column, connect_keyed, ids_of, plan, set_key, stream

ROWS = 3000


class SameBytesAsC(unittest.TestCase):
    def setUp(self):
        self.connection = connect_keyed()
        self.rng = stream()
        self.values = numpy.arange(ROWS) * 0.37 - 50
        self.connection.execute(f"CREATE TABLE t AS SELECT i, i * 0.37::DOUBLE - 50 AS v FROM range({ROWS}) r(i)")

    def of_c(self, name, out, values, names, *parameters):
        ids = ids_of(self.rng, names)
        call(name, self.rng, out, values, ids, len(values), *parameters)
        return out.tolist()

    def laplace_of_c(self, names):
        scale = plan(LAPLACE, 0.5, 0.0, 3.0)
        self.assertTrue(6.0 <= scale <= 6.0 + 1e-14)
        out = numpy.empty(ROWS)
        return self.of_c("simdp_release_laplace_by_id", out, self.values, names, scale, C.simdp_release_grid(scale))

    def laplace(self, id_text):
        return column(self.connection, f"SELECT dp_laplace(v, 0.5, 3, {id_text}) FROM t ORDER BY i")

    def test_types_of_ids(self):
        far = 10**30
        numbers = [str(i).encode() for i in range(ROWS)]
        kinds = {"i": numbers, "i::INTEGER": numbers, "i::HUGEINT": numbers, "i::VARCHAR": numbers,
                 "i::VARCHAR::BLOB": numbers, "i::UBIGINT": numbers,
                 "-i": [str(-i).encode() for i in range(ROWS)],
                 f"-i * {far}::HUGEINT": [str(-i * far).encode() for i in range(ROWS)],
                 "'count/group ' || i": [f"count/group {i}".encode() for i in range(ROWS)],
                 "left(repeat('long', 40), (i % 130)::INTEGER) || i": [(b"long" * 40)[:i % 130] + str(i).encode() for i in range(ROWS)],
                 "'\\x00\\xFF'::BLOB || i::VARCHAR::BLOB": [b"\x00\xff" + str(i).encode() for i in range(ROWS)]}
        for text, names in kinds.items():
            with self.subTest(id=text):
                self.assertTrue(self.laplace(text) == self.laplace_of_c(names))   # lists too long for a report of differences

    def test_edges_of_ids(self):
        names = [str(uuid.UUID(int=n)) for n in (0, 1, 2**127, 2**128 - 1, 0x123456789abcdef0fedcba9876543210)]
        for kind, texts in (("UUID", names), ("BIGINT", [str(-2**63), str(2**63 - 1)]),
                            ("HUGEINT", [str(-2**127), str(2**127 - 1), "0"])):
            for text in texts:
                got = column(self.connection, f"SELECT dp_laplace(0, 1, 1, '{text}'::{kind})")
                self.assertEqual(got, column(self.connection, f"SELECT dp_laplace(0, 1, 1, '{text}')"), text)

    def test_other_laws(self):
        names = [f"g{i}".encode() for i in range(ROWS)]
        sigma = plan(GAUSSIAN, 0.5, 1e-6, 2.0)
        expected = self.of_c("simdp_release_gaussian_by_id", numpy.empty(ROWS), self.values, names, sigma,
                             C.simdp_release_grid(sigma))
        self.assertTrue(column(self.connection, "SELECT dp_gaussian(v, 0.5, 1e-6, 2, 'g' || i) FROM t ORDER BY i") == expected)
        bits = (numpy.arange(ROWS) % 3 == 0).astype(numpy.uint8)
        expected = self.of_c("simdp_release_randomized_response_by_id", numpy.empty(ROWS, numpy.uint8), bits, names, 1.5)
        got = column(self.connection, "SELECT dp_randomized_response(i % 3 = 0, 1.5, 'g' || i) FROM t ORDER BY i")
        self.assertTrue(got == [bool(b) for b in expected])
        counts = numpy.arange(ROWS) % 40
        for query, groups in (("dp_keep_group(i % 40, 1, 1e-3, 'g' || i)", 1),
                              ("dp_keep_groups(i % 40, 1, 1e-3, 3, 'g' || i)", 3)):
            expected = self.of_c("simdp_select_partitions_by_id", numpy.empty(ROWS, numpy.uint8), counts, names, 1.0, 1e-3,
                                 groups)
            self.assertTrue(column(self.connection, f"SELECT {query} FROM t ORDER BY i") == [bool(b) for b in expected])
            self.assertTrue(0 < sum(expected) < ROWS)

    def test_choose(self):
        scores = numpy.array([(7 * i % 11) / 3 for i in range(20)])
        index = ctypes.c_size_t()
        scale = C.simdp_select_scale(1.0, 1.0, 0)
        got, expected = [], []
        for group in range(50):
            ids = ids_of(self.rng, [f"job/{group}".encode()])
            call("simdp_select_gumbel_rows_by_id", self.rng, ctypes.byref(index), scores, ids, 1, 20, scale)
            expected.append(index.value)
            got += column(self.connection, f"""SELECT dp_choose(i, (7 * i % 11) / 3, 1, 1, 'job/{group}')
                                               FROM range(20) r(i)""")
        self.assertEqual(got, expected)
        self.assertGreater(len(set(got)), 5)

    def test_key_matters(self):
        before = self.laplace("i")
        set_key(self.connection, bytes(32))
        self.assertEqual(len(set(before) & set(self.laplace("i"))), 0)


class AnyOrder(unittest.TestCase):
    def test_order_and_threads(self):
        connection = connect_keyed()
        connection.execute("CREATE TABLE t0 AS SELECT i, (i % 100)::DOUBLE AS v FROM range(300000) r(i)")
        connection.execute("CREATE TABLE t1 AS FROM t0 ORDER BY hash(i)")
        seen = set()
        for threads in (1, 2, 8):
            connection.execute(f"SET threads = {threads}")
            for table in ("t0", "t1"):
                rows = connection.execute(f"""SELECT i, dp_laplace(v, 1, 1, i) AS a, dp_gaussian(v, 1, 1e-6, 1, 'x' || i) AS b,
                    dp_randomized_response(v > 50, 1, i) AS c FROM {table}""").fetchnumpy()
                order = numpy.argsort(rows["i"])
                seen.add(b"".join(numpy.ascontiguousarray(rows[name][order]).tobytes() for name in "abc"))
        self.assertEqual(len(seen), 1)

    def test_choose_in_any_order(self):
        connection = connect_keyed()
        connection.execute("CREATE TABLE t0 AS SELECT i, i // 5 AS g, 'c' || (i % 5) AS c FROM range(300000) r(i)")
        connection.execute("CREATE TABLE t1 AS FROM t0 ORDER BY hash(i)")
        seen = set()
        for threads in (1, 2, 8):
            connection.execute(f"SET threads = {threads}")
            for table in ("t0", "t1"):
                seen.add(column(connection, f"""SELECT string_agg(w, '' ORDER BY g) FROM (
                    SELECT g, dp_choose(c, i % 5, 1, 1, g) AS w FROM {table} GROUP BY g)""")[0])
        self.assertEqual(len(seen), 1)
