-- What was captured, which documents it held, and what was wrong. Grain: one capture; one document; one problem.
CREATE TABLE evidence.captures AS FROM lake_captures ORDER BY captured_at, capture_id;

-- The text of a document stays in the lake: it belongs to its author.
CREATE TABLE evidence.documents AS
SELECT * EXCLUDE (text, structure_json) FROM lake_documents ORDER BY captured_at, capture_id;

CREATE TABLE evidence.problems AS
FROM (FROM lake_problems UNION ALL BY NAME FROM build_problems) ORDER BY ALL;

-- Every try of an address, failed ones too. Grain: one try in one run.
CREATE TABLE evidence.attempts AS
SELECT source_id, url, attempted_at, outcome, status, byte_count, reason, detail, is_entry, run_id,
       attempted_at > getvariable('built_at') + INTERVAL 1 HOUR AS is_ahead
FROM lake_attempts ORDER BY attempted_at, source_id, url;
