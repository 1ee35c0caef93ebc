-- attacks.sql: what a sceptic tries: parallel plans, prepared statements, keys that change, subtransactions, odd ids and values.
-- Answers are not shown, only what must hold of them.
\set VERBOSITY default
\set SHOW_CONTEXT never
\pset format unaligned
\pset tuples_only on
CREATE TABLE many AS SELECT i, (i % 100)::float8 AS v, 'g' || i AS t FROM generate_series(1::bigint, 20000) AS i;
ANALYZE many;
INSERT INTO dp_key (name, key) VALUES ('one', decode(repeat('01', 32), 'hex')), ('two', decode(repeat('02', 32), 'hex'));
-- by key and id the answers of a parallel plan are those of a serial one
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION gathers(question text) RETURNS bool LANGUAGE plpgsql AS $$ DECLARE line text; BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || question LOOP IF line LIKE '%Gather%' THEN RETURN true; END IF; END LOOP; RETURN false; END $$;
CREATE VIEW keyed AS SELECT i, dp_laplace(v, 1, 1, i, decode(repeat('01', 32), 'hex')) AS a,
    dp_gaussian(v, 1, 1e-6, 1, t, decode(repeat('01', 32), 'hex')) AS b FROM many;
SELECT gathers('SELECT count(*) FROM keyed WHERE a > b');
CREATE TABLE in_parallel AS SELECT i, a, b FROM keyed WHERE a > b OR a <= b;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE in_one AS SELECT i, a, b FROM keyed;
SELECT count(*), bool_and(p.a = o.a AND p.b = o.b) FROM in_parallel AS p JOIN in_one AS o USING (i);
-- entropy: no row has the noise of another, whatever the plan
SET max_parallel_workers_per_gather = 2;
SELECT count(DISTINCT a) > 19900 FROM (SELECT dp_laplace(0, 1, 1) AS a FROM many) AS q;
SELECT count(DISTINCT a) > 39800 FROM (SELECT dp_laplace(0, 1, 1) AS a FROM many UNION ALL SELECT dp_laplace(0, 1, 1) FROM many) AS q;
SELECT count(DISTINCT a) > 19900 FROM (SELECT (SELECT dp_laplace(many.v - many.v, 1, 1)) AS a FROM many) AS q;
-- a prepared statement takes the key of the call, also when its plan has become a general one
CREATE TABLE got (a float8);
SET plan_cache_mode = force_generic_plan;
INSERT INTO got SELECT dp_laplace(0, 1, 1, 7, key) FROM dp_key WHERE name IN ('one', 'two') ORDER BY name;
SELECT count(DISTINCT a) FROM got;
PREPARE named(text) AS INSERT INTO got SELECT dp_laplace(0, 1, 1, 7, (SELECT key FROM dp_key WHERE name = $1));
EXECUTE named('one'); EXECUTE named('two'); EXECUTE named('one');
SELECT count(DISTINCT a), count(*) FROM got;
UPDATE dp_key SET key = decode(repeat('03', 32), 'hex') WHERE name = 'one';
EXECUTE named('one');
SELECT count(DISTINCT a), count(*) FROM got;
RESET plan_cache_mode;
-- equal ids have equal noise, as the page says; a bigint is not its text
SELECT count(DISTINCT a) FROM (SELECT dp_laplace(v - v, 1, 1, 'same', decode(repeat('01', 32), 'hex')) AS a FROM many) AS q;
SELECT dp_laplace(0, 1, 1, 7, decode(repeat('01', 32), 'hex')) <> dp_laplace(0, 1, 1, '7', decode(repeat('01', 32), 'hex'));
-- no key is not a key of some other kind
SELECT dp_laplace(0, 1, 1, 7, '\x'::bytea);
SELECT dp_laplace(0, 1, 1, 7, decode(repeat('01', 33), 'hex'));
SELECT dp_laplace(0, 1, 1, 7, NULL) IS NULL, dp_laplace(0, 1, 1, NULL::bigint, decode(repeat('01', 32), 'hex')) IS NULL;
-- the ends of what counts may be
SELECT dp_keep_group(9223372036854775807, 1, 0.1), dp_keep_group(-9223372036854775808, 1, 0.1);
-- subtransactions within each other: what was paid in those that fail is paid
INSERT INTO dp_budget (name, epsilon) VALUES ('nested', 100);
CREATE FUNCTION nested(depth int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM dp_release_laplace('nested', 1, 0.5, 1);
    IF depth > 1 THEN PERFORM nested(depth - 1); END IF;
    RAISE EXCEPTION 'away'; EXCEPTION WHEN raise_exception THEN NULL; END $$;
SELECT nested(20);
SELECT epsilon FROM dp_budget_left('nested');
SELECT count(*) FROM dp_ledger WHERE budget = 'nested';
-- a statement that fails in its third row has paid for the two before, and a cursor that is read twice pays once
SELECT dp_release_laplace('nested', 1 / (3 - i), 1, 1) IS NULL FROM generate_series(1, 5) AS i;
SELECT epsilon FROM dp_budget_left('nested');
BEGIN; DECLARE c SCROLL CURSOR FOR SELECT dp_release_laplace('nested', 1, 1, 1) AS a;
\o /dev/null
FETCH FIRST FROM c \gset first_
FETCH FIRST FROM c \gset again_
\o
SELECT :first_a = :again_a;
COMMIT;
SELECT epsilon FROM dp_budget_left('nested');
DROP VIEW keyed; DROP FUNCTION gathers, nested; DROP TABLE many, in_parallel, in_one, got;
DELETE FROM dp_key WHERE name IN ('one', 'two');
