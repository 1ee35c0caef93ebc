"""What a sceptic tries: rows before an error, a key that changes on the way, vectors of every shape, odd files as keys."""
import os
import tempfile
import threading
import unittest

from engine import KEY, column, connect, connect_keyed, duckdb, key_file, set_key

OTHER = bytes(32)


class NoRowBeforeAnError(unittest.TestCase):
    """With constant parameters out of range nothing leaves the engine, however results are taken."""
    BAD = "dp_laplace(v, -1, 1)"

    def setUp(self):
        self.connection = connect()
        self.connection.execute("CREATE TABLE t AS SELECT i::DOUBLE AS v FROM range(300000) r(i)")

    def test_first_row(self):
        for bad in (self.BAD, "dp_gaussian(v, 1, 0, 1)", "dp_randomized_response(v > 1, -1)", "dp_keep_group(v::BIGINT, 1, 2)",
                    "dp_laplace(v, 0.5, (SELECT -1))"):
            got = []
            with self.assertRaises(duckdb.Error):
                answer = self.connection.execute(f"SELECT {bad} FROM t")
                got.append(answer.fetchone())
            self.assertEqual(got, [])

    def test_tables_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.csv")
            with self.assertRaises(duckdb.Error):
                self.connection.execute(f"COPY (SELECT {self.BAD} FROM t) TO '{path}'")
            self.assertFalse(os.path.exists(path) and os.path.getsize(path))
        with self.assertRaises(duckdb.Error):
            self.connection.execute(f"CREATE TABLE u AS SELECT {self.BAD} FROM t")
        self.connection.execute("CREATE TABLE w (x DOUBLE)")
        with self.assertRaises(duckdb.Error):   # the last row's parameter is bad: the rows before it are taken back
            self.connection.execute("INSERT INTO w SELECT dp_laplace(v, CASE WHEN v < 299999 THEN 1 ELSE 0 END, 1) FROM t")
        self.assertEqual(column(self.connection, "SELECT count(*) FROM w"), [0])

    def test_parameters_from_a_subquery(self):
        self.connection.execute("CREATE TABLE budget AS SELECT 1e6 AS epsilon")
        got = column(self.connection, "SELECT dp_laplace(v, (SELECT epsilon FROM budget), 1) FROM t WHERE v = 7")
        self.assertLess(abs(got[0] - 7), 0.01)

    def test_a_branch_that_is_not_taken(self):
        rows = self.connection.execute("""SELECT v, CASE WHEN v % 2 = 0 THEN dp_laplace(v, 1e9, 1) WHEN v < 0 THEN dp_laplace(v, v, 1)
            END FROM t""").fetchall()
        self.assertTrue(all((a is None) == (v % 2 == 1) and (a is None or abs(a - v) < 1e-6) for v, a in rows))


class Keys(unittest.TestCase):
    def test_prepared_before_the_key(self):
        connection = connect()
        connection.execute("PREPARE q AS SELECT dp_laplace(0, 1, 1, $1::BIGINT)")
        connection.execute("PREPARE fresh AS SELECT dp_laplace(0, 1, 1)")
        with self.assertRaises(duckdb.Error):
            connection.execute("EXECUTE q(5)").fetchall()
        set_key(connection)
        first = column(connection, "EXECUTE q(5)")
        with self.assertRaises(duckdb.Error):
            connection.execute("EXECUTE fresh").fetchall()
        set_key(connection, OTHER)
        second = column(connection, "EXECUTE q(5)")
        self.assertNotEqual(first, second)
        self.assertEqual(second, column(connection, "SELECT dp_laplace(0, 1, 1, 5)"))
        set_key(connection)
        self.assertEqual(first, column(connection, "EXECUTE q(5)"))

    def test_rolled_back(self):
        """A key belongs to the instance, not to a transaction; noise that was drawn is not drawn again."""
        connection = connect()
        connection.execute("BEGIN")
        set_key(connection)
        before = column(connection, "SELECT dp_laplace(0, 1, 1, 5)")
        connection.execute("ROLLBACK")
        self.assertEqual(before, column(connection, "SELECT dp_laplace(0, 1, 1, 5)"))
        column(connection, "SELECT simdp_forget_key()")
        connection.execute("BEGIN")
        drawn = column(connection, "SELECT dp_laplace(0, 1, 1)")
        connection.execute("ROLLBACK")
        self.assertNotEqual(drawn, column(connection, "SELECT dp_laplace(0, 1, 1)"))

    def test_a_choice_has_one_key(self):
        """Chunks of one group under two keys are an error, not an answer that no key gives again; the same key set again is none."""
        connection = connect_keyed(threads=1)
        paths = [key_file(KEY), key_file(OTHER)]
        connection.execute("CREATE TABLE t AS SELECT i, CASE WHEN i // 2048 % 2 = 0 THEN $a ELSE $b END AS p FROM range(10000) r(i)",
                           {"a": paths[0], "b": paths[1]})
        question = "SELECT dp_choose(i, 0, 1, 1, 'x'), count(simdp_set_key_file({})) FROM t"
        with self.assertRaisesRegex(duckdb.Error, "the key has changed"):
            connection.execute(question.format("p")).fetchall()
        set_key(connection)
        plain = column(connection, "SELECT dp_choose(i, 0, 1, 1, 'x') FROM t")
        self.assertEqual(column(connection, question.format(f"'{paths[0]}'")), plain)
        for path in paths:
            os.unlink(path)

    def test_a_key_that_changes_under_way(self):
        """Every answer is of one of the two keys, or an error: never of entropy."""
        connection = connect_keyed(threads=2)
        connection.execute("CREATE TABLE t AS SELECT i FROM range(100000) r(i)")
        legal = []
        for key in (KEY, OTHER):
            set_key(connection, key)
            legal.append(column(connection, "SELECT dp_laplace(0, 1, 1, i) FROM t ORDER BY i"))
        paths, ended = [key_file(KEY), key_file(OTHER)], threading.Event()

        def turn():
            cursor = connection.cursor()
            while not ended.is_set():
                for path in paths:
                    cursor.execute("SELECT simdp_set_key_file(?)", [path]).fetchall()
        turning = threading.Thread(target=turn)
        turning.start()
        try:
            for _ in range(10):
                got = column(connection.cursor(), "SELECT dp_laplace(0, 1, 1, i) FROM t ORDER BY i")
                self.assertTrue(all(g in pair for g, pair in zip(got, zip(*legal))))
        finally:
            ended.set()
            turning.join()
            for path in paths:
                os.unlink(path)

    def test_a_pipe_is_no_key(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path, 0o600)
            with self.assertRaisesRegex(duckdb.Error, "is no file"):
                connect().execute("SELECT simdp_set_key_file(?)", [path]).fetchall()

    def test_the_key_is_shown_nowhere(self):
        connection = connect_keyed()
        shown = repr([connection.execute(query).fetchall() for query in (
            "SELECT * FROM duckdb_settings()", "SELECT * FROM duckdb_functions() WHERE function_name LIKE '%simdp%'",
            "SELECT * FROM duckdb_variables()", "EXPLAIN ANALYZE SELECT dp_laplace(1, 1, 1, 5)",
            "EXPLAIN SELECT simdp_set_key_file('nowhere')")])
        for form in (KEY.hex(), repr(KEY)[2:-1], str(list(KEY))[1:-1]):
            self.assertNotIn(form, shown)


class Vectors(unittest.TestCase):
    """By id an answer is the row's own, so every way of holding the same rows gives the same bytes."""

    def test_shapes(self):
        connection = connect_keyed()
        connection.execute("""CREATE TABLE t AS SELECT i, 'g' || (i % 3) AS g, (i % 3)::DOUBLE AS v, CASE WHEN i % 5 = 0 THEN NULL
            ELSE (i % 3)::DOUBLE END AS n FROM range(5000) r(i)""")
        plain = column(connection, "SELECT dp_laplace(v, 1, 1, i) FROM t ORDER BY i")
        with_nulls = [None if i % 5 == 0 else x for i, x in enumerate(plain)]
        for value, source in (("v", "t"), ("v + 0", "t"), ("CASE WHEN i >= 0 THEN v END", "t"), ("coalesce(n, v)", "t"),
                              ("substr(g, 2)::DOUBLE", "t"), ("k.v", "t JOIN (SELECT DISTINCT g, v FROM t) k USING (g)"),
                              ("v", "(SELECT * FROM t WHERE i % 2 = 0 UNION ALL SELECT * FROM t WHERE i % 2 = 1)"),
                              ("u", "(SELECT i, unnest([v]) AS u FROM t)"), ("s.v", "(SELECT i, {'v': v} AS s FROM t)")):
            got = column(connection, f"SELECT a FROM (SELECT i, dp_laplace({value}, 1, 1, i) AS a FROM {source}) ORDER BY i")
            self.assertTrue(got == plain, (value, source))
        self.assertTrue(column(connection, "SELECT dp_laplace(n, 1, 1, i) FROM t ORDER BY i") == with_nulls)
        one = column(connection, "SELECT dp_laplace(2, 1, 1, 'one') FROM t")   # all arguments constant: one row, many times
        self.assertEqual(len(set(one)), 1)

    def test_nested(self):
        connection = connect_keyed()
        got = column(connection, "SELECT dp_laplace(dp_laplace(1, 1, 1, 'a'), 1, 1, 'b')")
        inner = column(connection, "SELECT dp_laplace(1, 1, 1, 'a')")[0]
        self.assertEqual(got, column(connection, f"SELECT dp_laplace({inner!r}::DOUBLE, 1, 1, 'b')"))

    def test_duplicate_ids(self):
        got = connect_keyed().execute("SELECT dp_laplace(i, 1, 1, 'same') - i FROM range(5000) r(i)").fetchall()
        self.assertLess(max(got)[0] - min(got)[0], 1e-6)   # as the page says: equal ids, equal noise

    def test_huge_counts(self):
        connection = connect()
        self.assertEqual(column(connection, "SELECT dp_keep_group(9223372036854775807, 1, 0.1)"), [True])
        self.assertEqual(column(connection, "SELECT dp_keep_group((-9223372036854775808)::BIGINT, 1, 0.1)"), [False])
        self.assertEqual(len(column(connection, "SELECT dp_keep_groups(9223372036854775807, 1, 0.1, 9223372036854775807)")), 1)
        self.assertEqual(len(column(connection, "SELECT dp_laplace(9223372036854775807, 1, 1)")), 1)
