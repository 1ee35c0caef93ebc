-- id_bytes.sql: the lines of id_bytes.c, asked of the server: one row at a time, and as arrays.
\set key 'decode(''000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'', ''hex'')'
SELECT line FROM (
    SELECT i, 0 AS kind, concat_ws(' ', i, encode(float8send(dp_laplace(i * 1.25, 0.7, 3, i, :key)), 'hex'),
        encode(float8send(dp_gaussian(i * 1.25, 0.7, 1e-6, 3, i, :key)), 'hex'),
        dp_randomized_response(true, 0.7, i, :key)::int, dp_keep_group(i, 0.7, 1e-2, i, :key, 2)::int) AS line
    FROM generate_series(-300::bigint, 299) AS i
    UNION ALL
    SELECT i, 1, concat_ws(' ', t, encode(float8send(dp_laplace(i * 1.25, 0.7, 3, t, :key)), 'hex'),
        encode(float8send(dp_gaussian(i * 1.25, 0.7, 1e-6, 3, t, :key)), 'hex'),
        dp_randomized_response(true, 0.7, t, :key)::int, dp_keep_group(i, 0.7, 1e-2, t, :key, 2)::int)
    FROM (SELECT i, 'group:' || i AS t FROM generate_series(-300::bigint, 299) AS i) AS s) AS lines ORDER BY i, kind;
-- arrays give what single values give; a line only where they do not
SELECT 'array: ' || name FROM (
    SELECT 'laplace, bigint' AS name, dp_laplace_array(array_agg(v), 0.7, 3, array_agg(i), :key) = array_agg(dp_laplace(v, 0.7, 3, i, :key)) AS same FROM rows_of
    UNION ALL SELECT 'laplace, text', dp_laplace_array(array_agg(v), 0.7, 3, array_agg(t), :key) = array_agg(dp_laplace(v, 0.7, 3, t, :key)) FROM rows_of
    UNION ALL SELECT 'gaussian, bigint', dp_gaussian_array(array_agg(v), 0.7, 1e-6, 3, array_agg(i), :key) = array_agg(dp_gaussian(v, 0.7, 1e-6, 3, i, :key)) FROM rows_of
    UNION ALL SELECT 'gaussian, text', dp_gaussian_array(array_agg(v), 0.7, 1e-6, 3, array_agg(t), :key) = array_agg(dp_gaussian(v, 0.7, 1e-6, 3, t, :key)) FROM rows_of
) AS checks WHERE same IS NOT TRUE;
