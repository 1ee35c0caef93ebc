-- laws.sql: shares of outputs against the law, with a false-alarm rate below 1e-10 each (Hoeffding), and for each a law that is
-- a little different and must be seen. Prints a line for each that is not as it should be, and a count.
CREATE TEMP TABLE shares (what text, seen bigint, n bigint, truth float8, planted float8);
CREATE TEMP TABLE laplace AS SELECT dp_laplace(0, 0.5, 1) AS x FROM generate_series(1, 200000);
INSERT INTO shares SELECT 'laplace below ' || t, count(*) FILTER (WHERE x < t), count(*),
    CASE WHEN t < 0 THEN exp(t / 2) / 2 ELSE 1 - exp(-t / 2) / 2 END,
    CASE WHEN t < 0 THEN exp(t / 2.3) / 2 ELSE 1 - exp(-t / 2.3) / 2 END
    FROM laplace, unnest('{-4,-2,2,4}'::float8[]) AS t GROUP BY t;
CREATE TEMP TABLE many AS SELECT x FROM dp_laplace_rows(array_fill(0::float8, '{200000}'), 0.5, 1) AS r (i, x);
INSERT INTO shares SELECT 'laplace rows below ' || t, count(*) FILTER (WHERE x < t), count(*),
    1 - exp(-t / 2) / 2, 1 - exp(-t / 2.3) / 2 FROM many, unnest('{2,4}'::float8[]) AS t GROUP BY t;
-- sigma is the exact one for (1, 1e-5); quantiles of the normal law at 0.5, 1 and 2 sigma, planted at 1.07 sigma
CREATE TEMP TABLE gaussian AS
    SELECT dp_gaussian(0, 1, 1e-5, 1) / dp_gaussian_sigma(1, 1e-5, 1) AS x FROM generate_series(1, 200000);
INSERT INTO shares SELECT 'gaussian below ' || t, count(*) FILTER (WHERE x < t), count(*), truth, planted
    FROM gaussian, (VALUES (-1.0, 0.158655, 0.175), (0.0, 0.5, 0.52), (1.0, 0.841345, 0.825)) AS q (t, truth, planted)
    GROUP BY t, truth, planted;
INSERT INTO shares SELECT 'response', count(*) FILTER (WHERE dp_randomized_response(true, 1)), count(*), 1 / (1 + exp(-1.0)),
    1 / (1 + exp(-1.1)) FROM generate_series(1, 200000);
-- pi(3) for epsilon 1, delta 0.01
INSERT INTO shares SELECT 'group', count(*) FILTER (WHERE dp_keep_group(3, 1, 0.01)), count(*),
    0.01 * (1 + exp(1.0) + exp(2.0)), 0.01 * (1 + exp(1.1) + exp(2.2)) FROM generate_series(1, 200000);
-- scores 0, 1, 3 at epsilon 2, sensitivity 1, so scale 1
INSERT INTO shares SELECT 'choose ' || c, count(*) FILTER (WHERE won = c), count(*), exp(s) / (1 + exp(1.0) + exp(3.0)),
    exp(s * 1.2) / (1 + exp(1.2) + exp(3.6))
    FROM (SELECT dp_choose(c, s, 2, 1) AS won FROM generate_series(1, 60000) AS g,
        (VALUES ('a', 0.0), ('b', 1.0), ('c', 3.0)) AS t (c, s) GROUP BY g) AS draws,
        (VALUES ('c', 3.0)) AS t (c, s) GROUP BY c, s;
SELECT 'off: ' || what || ': ' || seen::float8 / n || ' instead of ' || truth FROM shares
    WHERE abs(seen::float8 / n - truth) > sqrt(ln(2e10) / (2 * n));
SELECT 'planted and not seen: ' || what FROM shares WHERE abs(seen::float8 / n - planted) <= sqrt(ln(2e10) / (2 * n));
SELECT count(*) || ' shares' FROM shares;
-- one sum in a query that several processes compute: each has entropy of its own. Values lie on a grid of 2^-23 scales, so
-- some are equal; if two processes had the same bits, half of all would be. By key and id, drawn twice, all are.
CREATE TABLE wide AS SELECT i::bigint FROM generate_series(1, 100000) AS i;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = on;
CREATE TEMP TABLE drawn AS SELECT i, dp_laplace(0, 1, 1) AS x, dp_laplace(0, 1, 1, i, decode(repeat('07', 32), 'hex')) AS k FROM wide;
EXPLAIN (COSTS OFF) SELECT dp_laplace(0, 1, 1) AS x FROM wide;
SELECT count(*) - count(DISTINCT x) < 2000 AS differ FROM (SELECT dp_laplace(0, 1, 1) AS x FROM wide) AS t;
SELECT 2 * count(*) - count(DISTINCT k) >= count(*) AS repeat FROM (SELECT k FROM drawn UNION ALL
    SELECT dp_laplace(0, 1, 1, i, decode(repeat('07', 32), 'hex')) FROM wide) AS t;
DROP TABLE wide;
