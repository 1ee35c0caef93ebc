"""NULLs, errors, keys; entropy that is fresh in every row; what the table function says."""
import ctypes
import os
import threading
import unittest

from engine import KEY, SgdRun, call, column, connect, connect_keyed, duckdb, key_file, set_key


class Nulls(unittest.TestCase):
    def test_null_in_null_out(self):
        connection = connect()
        for query in ("dp_laplace(NULL, 1, 1)", "dp_laplace(1, NULL, 1)", "dp_laplace(1, 1, NULL)",
                      "dp_gaussian(1, 1, NULL, 1)", "dp_randomized_response(NULL, 1)", "dp_keep_group(NULL, 1, 0.1)",
                      "dp_choose(NULL, 1, 1, 1)", "dp_choose(1, NULL, 1, 1)", "dp_choose(1, 1, NULL, 1)"):
            self.assertEqual(column(connection, f"SELECT {query}"), [None], query)
        self.assertEqual(column(connection_keyed := connect_keyed(), "SELECT dp_laplace(1, 1, 1, NULL::VARCHAR)"), [None])
        connection_keyed.close()

    def test_only_the_nulls(self):
        connection = connect()
        connection.execute("""CREATE TABLE t AS SELECT i, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS v,
            CASE WHEN i % 5 = 0 THEN NULL ELSE 1 + i % 2 END AS e FROM range(10000) r(i)""")
        rows = connection.execute("SELECT i, v, e, dp_laplace(v, e, 1e-9), dp_laplace(v, 1, 1e-9) FROM t").fetchall()
        for i, v, e, both, one in rows:
            self.assertEqual(both is None, v is None or e is None)
            self.assertEqual(one is None, v is None)
            for answer in (both, one):
                if answer is not None:
                    self.assertLess(abs(answer - i), 1e-6)

    def test_rows_that_are_null_are_no_candidates(self):
        connection = connect()
        got = column(connection, """SELECT dp_choose(CASE WHEN i % 2 = 0 THEN i END, CASE WHEN i < 4 THEN 0 ELSE NULL END, 1, 1)
            FROM range(100) r(i)""")[0]
        self.assertIn(got, (0, 2))
        self.assertEqual(column(connection, "SELECT dp_choose(i, i, 1, 1) FROM range(0) r(i)"), [None])


class Errors(unittest.TestCase):
    def refused(self, connection, query, words):
        with self.assertRaises(duckdb.Error) as caught:
            connection.execute(query).fetchall()
        self.assertIn(words, str(caught.exception), query)

    def test_parameters(self):
        connection = connect()
        for query in ("dp_laplace(1, 0, 1)", "dp_laplace(1, -1, 1)", "dp_laplace(1, 'inf'::DOUBLE, 1)", "dp_laplace(1, 1, -1)",
                      "dp_laplace(1, 'nan'::DOUBLE, 1)", "dp_laplace(1, 1, 'inf'::DOUBLE)", "dp_laplace(NULL, 0, 1)",
                      "dp_laplace(1, 1e-300, 1e300)", "dp_gaussian(1, 1, 0, 1)", "dp_gaussian(1, 1, 1, 1)",
                      "dp_randomized_response(true, -1)", "dp_keep_group(1, 1, 0)", "dp_keep_group(1, -1, 0.1)",
                      "dp_keep_groups(1, 1, 0.1, 0)", "dp_choose(1, 1, 0, 1)", "dp_choose(1, 1, 1, 0)",
                      "dp_choose(NULL, 1, -1, 1)"):
            self.refused(connection, f"SELECT {query}", "outside its documented range")
        self.refused(connection, "FROM dp_sgd_epsilon(-1, 0.1, 10, 1e-5)", "outside its documented range")
        self.refused(connection, "FROM dp_sgd_epsilon(1, 0.1, -10, 1e-5)", "outside its documented range")
        self.refused(connection, "FROM dp_sgd_epsilon(NULL, 0.1, 10, 1e-5)", "NULL")
        self.refused(connection, "SELECT dp_laplace(i, 1 - i // 2500, 1) FROM range(3000) r(i)", "outside")
        self.refused(connection, "SELECT dp_choose(i, 0, 1 + i, 1) FROM range(3) r(i)", "the same in all rows")

    def test_data_never_errs(self):
        connection = connect()
        for value in ("'nan'", "'inf'", "'-inf'", "1e308", "-1e308", "5e-324"):
            got = column(connection, f"SELECT dp_laplace({value}::DOUBLE, 1, 1)")[0]
            self.assertLessEqual(abs(got), 1.8e308)
            self.assertEqual(column(connection, f"SELECT dp_choose(7, {value}::DOUBLE, 1, 1)"), [7])
        self.assertEqual(column(connection, "SELECT dp_keep_group(-5, 1, 0.1)"), [False])

    def test_huge_counts(self):
        """DuckDB's sums of whole numbers are HUGEINT: they are counts as they stand, and beyond BIGINT the nearest of it."""
        connection = connect_keyed()
        connection.execute("CREATE TABLE t AS SELECT i, CASE WHEN i % 7 = 0 THEN NULL ELSE i % 40 - 5 END AS n FROM range(5000) r(i)")
        for call in ("dp_keep_group({}, 0.5, 1e-3, i)", "dp_keep_groups({}, 0.5, 1e-3, 2, i)"):
            whole, huge, sums = (column(connection, f"SELECT {call.format(n)} FROM {rows} ORDER BY i") for n, rows in (
                ("n", "t"), ("n::HUGEINT", "t"), ("n", "(SELECT i, sum(n) AS n FROM t GROUP BY i)")))
            self.assertTrue(whole == huge == sums)
            self.assertEqual(set(whole), {None, False, True})
        for power in (31, 62, 63, 64, 126):
            for sign, answer in (("", True), ("-", False)):
                number = f"({sign}{2**power})::HUGEINT"
                self.assertEqual(column(connection, f"SELECT dp_keep_group({number}, 0.5, 1e-3, 1)"), [answer], number)
        for plain in ("NULL", "?"):   # untyped arguments find their function
            self.assertEqual(column(connection, f"SELECT dp_keep_group({plain}, 1, 0.1, 1)", [None] if plain == "?" else None), [None])

    def test_ids_and_keys(self):
        connection = connect()
        self.refused(connection, "SELECT dp_laplace(1, 1, 1, 5)", "needs a key")
        self.refused(connection, "SELECT dp_choose(1, 1, 1, 1, 5)", "needs a key")
        set_key(connection)
        self.refused(connection, "SELECT dp_laplace(1, 1, 1)", "an id is needed")
        self.refused(connection, "SELECT dp_choose(1, 1, 1, 1)", "an id is needed")
        self.refused(connection, "SELECT dp_laplace(1, 0, 1, 5)", "outside its documented range")
        other = connect()   # the key is this database's alone
        self.assertEqual(len(column(other, "SELECT dp_laplace(1, 1, 1)")), 1)
        column(connection, "SELECT simdp_forget_key()")
        self.assertEqual(len(column(connection, "SELECT dp_laplace(1, 1, 1)")), 1)

    def test_key_files(self):
        connection = connect()
        answers = set()
        for content in (KEY, KEY.hex().encode(), KEY.hex().upper().encode() + b"\n", KEY.hex().encode() + b"\r\n"):
            set_key(connection, content)
            answers.add(column(connection, "SELECT dp_laplace(1, 1, 1, 5)")[0])
        self.assertEqual(len(answers), 1)
        for content, mode, words in ((b"", 0o600, "32 bytes"), (KEY + b"x", 0o600, "32 bytes"), (b"g" * 64, 0o600, "32 bytes"),
                                     (KEY, 0o644, "other users")):
            path = key_file(content, mode)
            self.refused(connection, f"SELECT simdp_set_key_file('{path}')", words)
            os.unlink(path)
        self.refused(connection, "SELECT simdp_set_key_file('/nowhere/at/all')", "No such file")
        self.refused(connection, "SELECT simdp_set_key_file('/tmp')", "is no file")
        self.assertEqual({*column(connection, "SELECT dp_laplace(1, 1, 1, 5)")}, answers)   # the key is what it was
        self.assertEqual(column(connection, "SELECT simdp_set_key_file(NULL)"), [None])

    def test_key_of_the_environment(self):
        path = key_file(KEY)
        os.environ["SIMDP_KEY_FILE"] = path
        try:
            connection = connect()
        finally:
            del os.environ["SIMDP_KEY_FILE"]
            os.unlink(path)
        self.assertEqual(column(connection, "SELECT dp_laplace(1, 1, 1, 5)"),
                         column(connect_keyed(), "SELECT dp_laplace(1, 1, 1, 5)"))


class Entropy(unittest.TestCase):
    """Noise on a grid 2^22 times as fine as its scale: among 5000 rows some two are equal by chance, never half of them."""
    def fresh(self, connection, query, rows):
        self.assertGreater(len(set(column(connection, query))), 0.99 * rows, query)

    def test_every_row(self):
        connection = connect()
        connection.execute("CREATE TABLE t AS SELECT i, i % 3 AS v FROM range(5000) r(i)")
        connection.execute("CREATE TABLE d AS SELECT ('a' || (i % 2)) AS name, (i % 2)::DOUBLE AS v FROM range(5000) r(i)")
        self.fresh(connection, "SELECT dp_laplace(1, 1, 1) FROM range(5000)", 5000)
        self.fresh(connection, "SELECT dp_laplace(v, 1, 1) FROM t", 5000)
        self.fresh(connection, "SELECT dp_laplace(v, 1, 1) FROM d", 5000)
        self.fresh(connection, "SELECT dp_gaussian(1, 1, 1e-6, 1) FROM range(5000)", 5000)
        self.fresh(connection, "SELECT (SELECT dp_laplace(t.i % 2, 1, 1)) FROM t", 5000)
        self.fresh(connection, "SELECT dp_laplace(sum(v) OVER (ORDER BY i ROWS 2 PRECEDING), 1, 1) FROM t", 5000)
        self.fresh(connection, "SELECT a FROM (SELECT dp_laplace(1, 1, 1) AS a FROM t UNION ALL SELECT dp_laplace(1, 1, 1) FROM t)",
                   10000)

    def test_no_common_subexpression(self):
        connection = connect()
        row = connection.execute("SELECT dp_laplace(1, 1, 1), dp_laplace(1, 1, 1), dp_laplace(1, 1, 1) + 0").fetchone()
        self.assertEqual(len(set(row)), 3)
        rows = connection.execute("SELECT dp_laplace(i, 1, 1) AS a, dp_laplace(i, 1, 1) AS b FROM range(3000) r(i)").fetchall()
        self.assertLess(sum(a == b for a, b in rows), 30)

    def test_one_release_where_one_is_named(self):
        """An answer that a query names once and uses twice is drawn once: a second draw would be a release that nobody pays."""
        connection = connect()
        shown = column(connection, "SELECT c FROM (SELECT dp_laplace(1, 1, 1) AS c FROM range(3000)) WHERE c > 1")
        self.assertGreater(min(shown), 1)
        rows = connection.execute("""WITH x AS (SELECT i, dp_laplace(i, 1, 1) AS c FROM range(3000) r(i))
            SELECT a.c, b.c FROM x AS a JOIN x AS b USING (i)""").fetchall()
        self.assertTrue(all(a == b for a, b in rows))

    def test_prepared(self):
        connection = connect()
        connection.execute("PREPARE q AS SELECT dp_laplace($1::DOUBLE, $2::DOUBLE, 1)")
        self.assertEqual(len({connection.execute("EXECUTE q(5, 1)").fetchone()[0] for _ in range(50)}), 50)
        self.assertEqual(len({column(connection, "SELECT dp_laplace(?, ?, ?)", [5.0, 1.0, 1.0])[0] for _ in range(50)}), 50)

    def test_threads_and_connections(self):
        connection = connect(threads=4)
        connection.execute("CREATE TABLE t AS SELECT i::DOUBLE AS v FROM range(200000) r(i)")
        answers = []

        def ask():
            cursor = connection.cursor()
            for _ in range(5):
                answers.append(cursor.execute("SELECT dp_laplace(v - v, 1, 1) FROM t").fetchnumpy())
        asking = [threading.Thread(target=ask) for _ in range(4)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        first = [next(iter(a.values()))[:50].tobytes() for a in answers]
        self.assertEqual(len(set(first)), 20)

    def test_windows_choose(self):
        connection = connect()
        got = connection.execute("""SELECT i, dp_choose(i, 0, 1, 1) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND CURRENT ROW)
            FROM range(5000) r(i)""").fetchall()
        self.assertTrue(all(max(0, i - 3) <= c <= i for i, c in got))


class Sgd(unittest.TestCase):
    def test_as_c(self):
        lower, upper = ctypes.c_double(), ctypes.c_double()
        call("simdp_account_sgd_epsilon", ctypes.byref(lower), ctypes.byref(upper), SgdRun(1.1, 0.004, 1000), 1e-5, 1e-3, None,
             None)
        got = connect().execute("SELECT epsilon_lower, epsilon_upper FROM dp_sgd_epsilon(1.1, 0.004, 1000, 1e-5)").fetchall()
        self.assertEqual(got, [(lower.value, upper.value)])
        wide = connect().execute("SELECT epsilon_upper FROM dp_sgd_epsilon(1.1, 0.004, 1000, 1e-5, error = 0.5)").fetchone()
        self.assertGreaterEqual(wide[0], lower.value)
