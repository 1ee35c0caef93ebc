-- simdp--0.1.sql: what CREATE EXTENSION simdp makes.
\echo Use "CREATE EXTENSION simdp" to load this file. \quit

-- ---- constants are checked when a statement is planned --------------------------------------------------------------------
CREATE FUNCTION dp_support_laplace(internal) RETURNS internal AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
CREATE FUNCTION dp_support_gaussian(internal) RETURNS internal AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
CREATE FUNCTION dp_support_response(internal) RETURNS internal AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
CREATE FUNCTION dp_support_group(internal) RETURNS internal AS 'MODULE_PATHNAME' LANGUAGE C STRICT;

CREATE FUNCTION dp_version() RETURNS text AS 'MODULE_PATHNAME' LANGUAGE C STRICT STABLE PARALLEL SAFE;
CREATE FUNCTION dp_new_key() RETURNS bytea AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE;

-- ---- one answer a call, from entropy --------------------------------------------------------------------------------------
CREATE FUNCTION dp_laplace(value float8, epsilon float8, sensitivity float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_gaussian(value float8, epsilon float8, delta float8, sensitivity float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_randomized_response(value boolean, epsilon float8) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_response;
CREATE FUNCTION dp_keep_group(count bigint, epsilon float8, delta float8, groups_per_person bigint DEFAULT 1) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_group;

-- ---- the same by key and id -----------------------------------------------------------------------------------------------
CREATE FUNCTION dp_laplace(value float8, epsilon float8, sensitivity float8, id bigint, key bytea) RETURNS float8
    AS 'MODULE_PATHNAME', 'dp_laplace_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_laplace(value float8, epsilon float8, sensitivity float8, id text, key bytea) RETURNS float8
    AS 'MODULE_PATHNAME', 'dp_laplace_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_gaussian(value float8, epsilon float8, delta float8, sensitivity float8, id bigint, key bytea)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'dp_gaussian_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_gaussian(value float8, epsilon float8, delta float8, sensitivity float8, id text, key bytea)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'dp_gaussian_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_randomized_response(value boolean, epsilon float8, id bigint, key bytea) RETURNS boolean
    AS 'MODULE_PATHNAME', 'dp_randomized_response_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE
    SUPPORT dp_support_response;
CREATE FUNCTION dp_randomized_response(value boolean, epsilon float8, id text, key bytea) RETURNS boolean
    AS 'MODULE_PATHNAME', 'dp_randomized_response_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE
    SUPPORT dp_support_response;
CREATE FUNCTION dp_keep_group(count bigint, epsilon float8, delta float8, id bigint, key bytea,
    groups_per_person bigint DEFAULT 1) RETURNS boolean
    AS 'MODULE_PATHNAME', 'dp_keep_group_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_group;
CREATE FUNCTION dp_keep_group(count bigint, epsilon float8, delta float8, id text, key bytea,
    groups_per_person bigint DEFAULT 1) RETURNS boolean
    AS 'MODULE_PATHNAME', 'dp_keep_group_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_group;

-- ---- arrays, and sets of rows ---------------------------------------------------------------------------------------------
-- sensitivity is that of all elements together: L1 for Laplace, L2 for Gaussian noise
CREATE FUNCTION dp_laplace_array("values" float8[], epsilon float8, sensitivity float8) RETURNS float8[]
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_laplace_array("values" float8[], epsilon float8, sensitivity float8, ids bigint[], key bytea)
    RETURNS float8[]
    AS 'MODULE_PATHNAME', 'dp_laplace_array_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_laplace_array("values" float8[], epsilon float8, sensitivity float8, ids text[], key bytea)
    RETURNS float8[]
    AS 'MODULE_PATHNAME', 'dp_laplace_array_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_gaussian_array("values" float8[], epsilon float8, delta float8, sensitivity float8) RETURNS float8[]
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_gaussian_array("values" float8[], epsilon float8, delta float8, sensitivity float8, ids bigint[],
    key bytea) RETURNS float8[]
    AS 'MODULE_PATHNAME', 'dp_gaussian_array_bigint' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_gaussian_array("values" float8[], epsilon float8, delta float8, sensitivity float8, ids text[], key bytea)
    RETURNS float8[]
    AS 'MODULE_PATHNAME', 'dp_gaussian_array_text' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE SUPPORT dp_support_gaussian;
CREATE FUNCTION dp_laplace_rows("values" float8[], epsilon float8, sensitivity float8)
    RETURNS TABLE (place bigint, value float8)
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_laplace;
CREATE FUNCTION dp_gaussian_rows("values" float8[], epsilon float8, delta float8, sensitivity float8)
    RETURNS TABLE (place bigint, value float8)
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL SAFE SUPPORT dp_support_gaussian;

-- ---- the exponential mechanism --------------------------------------------------------------------------------------------
CREATE FUNCTION dp_choose_step(internal, candidate anyelement, score float8, epsilon float8, sensitivity float8)
    RETURNS internal AS 'MODULE_PATHNAME' LANGUAGE C;
CREATE FUNCTION dp_choose_final(internal, candidate anyelement, score float8, epsilon float8, sensitivity float8)
    RETURNS anyelement AS 'MODULE_PATHNAME' LANGUAGE C;
-- READ_WRITE, so that no window makes a choice for each of its rows
CREATE AGGREGATE dp_choose(candidate anyelement, score float8, epsilon float8, sensitivity float8) (
    SFUNC = dp_choose_step, STYPE = internal, FINALFUNC = dp_choose_final, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE);

-- ---- accounting -----------------------------------------------------------------------------------------------------------
CREATE FUNCTION dp_sgd_epsilon(noise float8, rate float8, steps bigint, delta float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000000;
CREATE FUNCTION dp_sgd_noise(epsilon float8, delta float8, rate float8, steps bigint) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000000;
CREATE FUNCTION dp_compose_epsilon(epsilon float8, step_delta float8, steps bigint, delta float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 10000;
CREATE FUNCTION dp_gaussian_sigma(epsilon float8, delta float8, sensitivity float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 100;

-- ---- keys -----------------------------------------------------------------------------------------------------------------
-- The owner's alone. A statement that takes a key from here names it and does not show it.
CREATE TABLE dp_key (
    name text PRIMARY KEY,
    key bytea NOT NULL DEFAULT dp_new_key() CHECK (octet_length(key) = 32));
REVOKE ALL ON dp_key FROM PUBLIC;

-- ---- the ledger -----------------------------------------------------------------------------------------------------------
-- Decimal numbers, whose sums are exact. Finite: NaN is above all numbers, and would be a budget without an end.
CREATE DOMAIN dp_amount AS numeric CHECK (VALUE >= 0 AND VALUE < 'infinity');
CREATE TABLE dp_budget (
    name text PRIMARY KEY CHECK (name <> ''),
    epsilon dp_amount NOT NULL,
    delta dp_amount NOT NULL DEFAULT 0 CHECK (delta <= 1),
    epsilon_spent dp_amount NOT NULL DEFAULT 0,
    delta_spent dp_amount NOT NULL DEFAULT 0,
    CHECK (epsilon_spent <= epsilon), CHECK (delta_spent <= delta));
CREATE TABLE dp_ledger (
    line bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    budget text NOT NULL REFERENCES dp_budget ON UPDATE CASCADE,
    epsilon dp_amount NOT NULL,
    delta dp_amount NOT NULL,
    purpose text NOT NULL,
    payer text NOT NULL,
    paid_at timestamptz NOT NULL DEFAULT clock_timestamp());
REVOKE ALL ON dp_budget, dp_ledger FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dp_key', '');
SELECT pg_catalog.pg_extension_config_dump('dp_budget', '');
SELECT pg_catalog.pg_extension_config_dump('dp_ledger', '');
SELECT pg_catalog.pg_extension_config_dump(pg_catalog.pg_get_serial_sequence('dp_ledger', 'line')::regclass, '');

-- NULL for a parameter gives NULL and pays nothing; a value that is NULL is paid for.
CREATE FUNCTION dp_pay(budget text, epsilon numeric, delta numeric DEFAULT 0, purpose text DEFAULT '') RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION dp_release_laplace(budget text, value float8, epsilon numeric, sensitivity float8) RETURNS float8
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION dp_release_gaussian(budget text, value float8, epsilon numeric, delta numeric, sensitivity float8)
    RETURNS float8 AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION dp_release_laplace_array(budget text, "values" float8[], epsilon numeric, sensitivity float8)
    RETURNS float8[] AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION dp_release_gaussian_array(budget text, "values" float8[], epsilon numeric, delta numeric, sensitivity float8)
    RETURNS float8[] AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION dp_budget_left(budget text, OUT epsilon numeric, OUT delta numeric)
    LANGUAGE sql STABLE STRICT SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS 'SELECT epsilon - epsilon_spent, delta - delta_spent FROM @extschema@.dp_budget WHERE name = $1';

-- Whoever may call these can empty a budget: the owner says who.
REVOKE ALL ON FUNCTION dp_pay, dp_release_laplace, dp_release_gaussian, dp_release_laplace_array, dp_release_gaussian_array,
    dp_budget_left FROM PUBLIC;
