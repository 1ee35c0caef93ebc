-- functions.sql: NULL in NULL out, bad parameters are errors with the library's words, data never are.
SET extra_float_digits = 1;
\set VERBOSITY verbose
\set SHOW_CONTEXT never
\set key '''\\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f''::bytea'
-- NULL
SELECT dp_laplace(NULL, 1, 1), dp_laplace(1, NULL, 1), dp_gaussian(1, 1, 1e-6, NULL), dp_randomized_response(NULL, 1),
    dp_keep_group(NULL, 1, 1e-6), dp_laplace(1, 1, 1, NULL, :key), dp_laplace(1, 1, 1, 7, NULL), dp_laplace_array(NULL, 1, 1),
    dp_sgd_epsilon(NULL, 0.01, 100, 1e-6);
SELECT array_position(dp_laplace_array('{1,NULL,3}', 1, 1), NULL), array_dims(dp_laplace_array('[2:3][1:2]={{1,2},{3,4}}', 1, 1)),
    dp_laplace_array('{}', 1, 1), dp_gaussian_array('{}', 1, 1e-6, 1);
-- no noise where no record moves the answer: the grid alone
SELECT dp_laplace(12.5, 1, 0), dp_gaussian(-3, 1, 1e-6, 0), dp_laplace_array('{1,2,NULL}', 1, 0);
-- data are never errors
SELECT dp_laplace('NaN', 1, 0), dp_laplace('infinity', 1, 1) > 1e308, dp_laplace('-infinity', 1, 1) < -1e308,
    dp_keep_group(-5, 1, 1e-6), dp_keep_group(0, 1, 0.9), dp_keep_group(9223372036854775807, 1, 1e-6);
SELECT dp_choose(c, s, 1000, 1) FROM (VALUES ('a', 1.0), ('b', 900.0), (NULL, 1e9), ('d', NULL), ('e', 'NaN')) AS t (c, s);
SELECT dp_choose(c, 1, 1, 1) FROM (VALUES ('a')) AS t (c) WHERE false;
SELECT dp_choose(c, 1, NULL, 1) FROM (VALUES ('a')) AS t (c);
SELECT g, dp_choose(c, s, 1000, 1) FROM (VALUES (1, 10, 1.0), (1, 20, 500.0), (2, 30, 7.0)) AS t (g, c, s) GROUP BY g ORDER BY g;
SELECT * FROM dp_laplace_rows('{5,6}', 1, 0);
SELECT * FROM dp_gaussian_rows('{5,NULL}', 1, 1e-6, 0);
-- bad parameters
SELECT dp_laplace(1, 0, 1);
SELECT dp_laplace(1, -1, 1);
SELECT dp_laplace(1, 'NaN', 1);
SELECT dp_laplace(1, 'infinity', 1);
SELECT dp_laplace(1, 1, -1);
SELECT dp_laplace(1, 1, 'infinity');
SELECT dp_laplace(1, 1e-300, 1e300);
SELECT dp_gaussian(1, 1, 0, 1);
SELECT dp_gaussian(1, 1, 1, 1);
SELECT dp_randomized_response(true, -1);
SELECT dp_keep_group(1, 1, 0);
SELECT dp_keep_group(1, 1, 1e-6, 0);
SELECT dp_keep_group(1, 1, 1e-6, -1);
SELECT dp_laplace(1, 1, 1, 7, '\x00');
SELECT dp_laplace_array('{1,2}', 1, 1, '{1}'::bigint[], :key);
SELECT dp_choose(c, 1, 0, 1) FROM (VALUES ('a')) AS t (c);
SELECT dp_choose(c, 1, c, 1) FROM (VALUES (1), (2)) AS t (c);
SELECT dp_choose(c, 1, 1, 1) OVER (ORDER BY c) FROM (VALUES (1), (2)) AS t (c);
SELECT dp_sgd_epsilon(0, 0.01, 100, 1e-6);
SELECT dp_sgd_epsilon(1, 0.01, -1, 1e-6);
SELECT dp_compose_epsilon(-1, 0, 10, 1e-6);
-- before any row is read: constants, of a table without rows
CREATE TABLE nothing (v float8, b boolean, n bigint);
SELECT dp_laplace(v, -1, 1) FROM nothing;
SELECT dp_gaussian(v, 1, 2, 1) FROM nothing;
SELECT dp_randomized_response(b, -1) FROM nothing;
SELECT dp_keep_group(n, 1, 2) FROM nothing;
SELECT dp_laplace_array(ARRAY[v], -1, 1) FROM nothing;
SELECT dp_laplace(v, 1, 1) FROM nothing;
DROP TABLE nothing;
-- a bad statement leaves the parameters of the one before behind
SELECT dp_laplace(1, 2, 0);
SELECT dp_laplace(1, -2, 0);
SELECT dp_laplace(1, 0, 0);
SELECT dp_gaussian(1, 0, 0, 0);
-- accounting: bounds that are known
SELECT round(dp_sgd_epsilon(1.1, 0.004, 10000, 1e-5)::numeric, 2), round(dp_sgd_noise(3, 1e-5, 0.004, 10000)::numeric, 2),
    dp_compose_epsilon(0.5, 0, 1, 0), round(dp_compose_epsilon(0.1, 0, 100, 1e-6)::numeric, 3),
    round(dp_gaussian_sigma(1, 1e-5, 1)::numeric, 3);
-- what functions promise to the planner
SELECT p.oid::regprocedure::text COLLATE "C" AS function, provolatile, proparallel FROM pg_proc p
    JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'simdp' ORDER BY 1;
