-- ledger.sql: who may, what is paid, what is refused. Answers are not shown: they are random.
\set VERBOSITY default
\set SHOW_CONTEXT never
CREATE ROLE analyst LOGIN;
CREATE TABLE people (age float8);
INSERT INTO people SELECT 40 FROM generate_series(1, 1000);
INSERT INTO dp_budget (name, epsilon, delta) VALUES ('survey', 1, 1e-6), ('small', 0.3, 0), ('none', 0, 0);
-- ten tenths are one, exactly; an eleventh is refused
SELECT count(dp_release_laplace('survey', 1000, 0.1, 1)) FROM generate_series(1, 10);
SELECT * FROM dp_budget_left('survey');
SELECT dp_release_laplace('survey', 1000, 0.0000000000000000000000000000001, 1);
SELECT dp_release_laplace('small', 1000, 0.30000000000000000000000000000000000001, 1);
SELECT dp_release_laplace('none', 1000, 1e-9, 1);
SELECT dp_release_gaussian('small', 1000, 0.1, 1e-9, 1);
SELECT dp_release_laplace('no such', 1000, 0.1, 1);
-- a rolled-back release has been paid, also behind a savepoint, in a prepared transaction and in a block that catches
BEGIN; SELECT dp_release_laplace('small', 1000, 0.1, 1) IS NOT NULL AS released; ROLLBACK;
SELECT epsilon FROM dp_budget_left('small');
BEGIN; SAVEPOINT s; SELECT dp_release_laplace('small', 1000, 0.05, 1) IS NOT NULL AS released; ROLLBACK TO s; COMMIT;
SELECT epsilon FROM dp_budget_left('small');
BEGIN; SELECT dp_release_laplace('small', 1000, 0.05, 1) IS NOT NULL AS released; PREPARE TRANSACTION 'p'; ROLLBACK PREPARED 'p';
SELECT epsilon FROM dp_budget_left('small');
DO $$ BEGIN PERFORM dp_release_laplace('small', 1000, 0.05, 1); RAISE EXCEPTION 'away'; EXCEPTION WHEN OTHERS THEN NULL; END $$;
SELECT epsilon FROM dp_budget_left('small');
-- bad parameters pay nothing; a NULL value is paid for, a NULL parameter is not; an array is paid for once
SELECT dp_release_laplace('small', 1000, 0, 1);
SELECT dp_release_laplace('small', 1000, -0.01, 1);
SELECT dp_release_laplace('small', 1000, 'NaN', 1);
SELECT dp_release_laplace('small', 1000, 'infinity', 1);
SELECT dp_release_laplace('small', 1000, 0.01, -1);
SELECT dp_pay('small', -0.01);
SELECT dp_pay('small', 'NaN');
SELECT dp_release_laplace('small', 1000, 0.01, NULL), dp_release_laplace(NULL, 1000, 0.01, 1), dp_pay('small', NULL);
SELECT epsilon FROM dp_budget_left('small');
SELECT dp_release_laplace('small', NULL, 0.01, 1);
SELECT array_length(dp_release_laplace_array('small', '{1,2,3}', 0.01, 1), 1);
SELECT dp_pay('small', 0.01, 0, 'a choice') > 0 AS paid;
SELECT epsilon FROM dp_budget_left('small');
-- a read-only and a serializable transaction pay like others
BEGIN TRANSACTION ISOLATION LEVEL SERIALIZABLE READ ONLY; SELECT dp_pay('small', 0.001) > 0 AS paid; COMMIT;
SELECT epsilon FROM dp_budget_left('small');
-- one's own lock on the budget is an error in the end, and not a wait for ever
BEGIN; SET LOCAL lock_timeout = '200ms'; SELECT FROM dp_budget WHERE name = 'small' FOR UPDATE; SELECT dp_pay('small', 0.001); ROLLBACK;
-- a budget is there when its transaction is committed
BEGIN; INSERT INTO dp_budget (name, epsilon) VALUES ('new', 1); SELECT dp_pay('new', 0.5); ROLLBACK;
-- what no budget may be
INSERT INTO dp_budget (name, epsilon) VALUES ('bad', 'NaN');
INSERT INTO dp_budget (name, epsilon) VALUES ('bad', 'infinity');
INSERT INTO dp_budget (name, epsilon) VALUES ('bad', -1);
INSERT INTO dp_budget (name, epsilon, epsilon_spent) VALUES ('bad', 1, 2);
DELETE FROM dp_budget WHERE name = 'small';
-- an analyst: nothing at first; then what the owner wrote for them, which pays
SET SESSION AUTHORIZATION analyst;
SELECT dp_pay('survey', 0.1);
SELECT dp_release_laplace('survey', 1, 0.1, 1);
SELECT * FROM dp_budget_left('survey');
SELECT * FROM dp_budget;
UPDATE dp_budget SET epsilon = 100;
INSERT INTO dp_ledger (budget, epsilon, delta, purpose, payer) VALUES ('survey', 0, 0, '', '');
DELETE FROM dp_ledger;
SELECT * FROM dp_key;
RESET SESSION AUTHORIZATION;
INSERT INTO dp_budget (name, epsilon) VALUES ('analyst', 0.2);
CREATE FUNCTION people_sum(epsilon numeric) RETURNS float8 LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ SELECT dp_release_laplace('analyst', (SELECT sum(least(greatest(age, 0), 100)) FROM people), epsilon, 100) $$;
SET SESSION AUTHORIZATION analyst;
SELECT abs(people_sum(0.2) - 40000) < 50000 AS near;
SELECT people_sum(0.2);
-- names of an analyst do not come before those of the ledger
CREATE TEMP TABLE dp_budget (name text, epsilon numeric, delta numeric, epsilon_spent numeric, delta_spent numeric);
INSERT INTO dp_budget VALUES ('analyst', 100, 1, 0, 0);
SELECT people_sum(0.2);
RESET SESSION AUTHORIZATION;
DROP TABLE pg_temp.dp_budget;
-- the books agree
SELECT name, epsilon_spent = (SELECT coalesce(sum(epsilon), 0) FROM dp_ledger WHERE budget = name) AS epsilons,
    delta_spent = (SELECT coalesce(sum(delta), 0) FROM dp_ledger WHERE budget = name) AS deltas FROM dp_budget ORDER BY name;
SELECT budget, purpose, payer, sum(epsilon) FROM dp_ledger GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
DROP FUNCTION people_sum; DROP TABLE people; DROP ROLE analyst;
