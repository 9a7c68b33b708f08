-- What was captured, which documents it held, and what was wrong. Grain: one capture; one document; one problem.
-- Of a table that stands as it was published what is new in the lake is read, what went is removed, and the rest added
-- (warehouse/lake_parts.py).
CREATE TEMP TABLE new_captures AS FROM lake_captures WHERE coalesce(list_contains(getvariable('new_parts'), file), true);
CREATE TABLE IF NOT EXISTS evidence.captures AS SELECT * EXCLUDE (file) FROM new_captures LIMIT 0;
DELETE FROM evidence.captures
WHERE list_contains(getvariable('whole_partitions'), 'captures/' || scope) AND capture_id NOT IN (SELECT capture_id FROM new_captures);
INSERT INTO evidence.captures BY NAME
SELECT * EXCLUDE (file) FROM new_captures WHERE capture_id NOT IN (SELECT capture_id FROM evidence.captures)
ORDER BY captured_at, capture_id;

-- The text of a document stays in the lake: it belongs to its author.
CREATE TEMP TABLE new_documents AS
SELECT * EXCLUDE (text, structure_json) FROM lake_documents
WHERE coalesce(list_contains(getvariable('new_parts'), file), true);
CREATE TABLE IF NOT EXISTS evidence.documents AS SELECT * EXCLUDE (file) FROM new_documents LIMIT 0;
DELETE FROM evidence.documents
WHERE list_contains(getvariable('whole_partitions'), 'documents/' || source_id) AND capture_id NOT IN (SELECT capture_id FROM new_documents);
INSERT INTO evidence.documents BY NAME
SELECT * EXCLUDE (file) FROM new_documents WHERE capture_id NOT IN (SELECT capture_id FROM evidence.documents)
ORDER BY captured_at, capture_id;

CREATE TABLE evidence.problems AS
FROM (FROM lake_problems UNION ALL BY NAME FROM build_problems) ORDER BY ALL;

-- Every try of an address, failed ones too. Grain: one try in one run.
CREATE TEMP TABLE new_attempts AS
SELECT source_id, url, attempted_at, outcome, status, byte_count, reason, detail, is_entry, run_id,
       attempted_at > getvariable('built_at') + INTERVAL 1 HOUR AS is_ahead, file
FROM lake_attempts WHERE coalesce(list_contains(getvariable('new_parts'), file), true);
CREATE TABLE IF NOT EXISTS evidence.attempts AS SELECT * EXCLUDE (file) FROM new_attempts LIMIT 0;
DELETE FROM evidence.attempts
WHERE list_contains(getvariable('whole_partitions'), 'attempts/' || left(run_id, 6)) AND run_id NOT IN (SELECT run_id FROM new_attempts);
INSERT INTO evidence.attempts BY NAME
SELECT * EXCLUDE (file) FROM new_attempts WHERE run_id NOT IN (SELECT run_id FROM evidence.attempts)
ORDER BY attempted_at, source_id, url;
