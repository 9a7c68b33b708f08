-- SQL of the page on sources: what is collected, when it last came, and what it gave.

-- name: health
-- Every source with its verdict and why, its terms, captures, documents, problems, figures, and what is set aside; those
-- that fail come first. The caller says which tables hold figures.
WITH figures AS ({{figures}}),
    per_source AS (
        SELECT source_id, sum(n) AS figure_count, max(last_at) AS last_at FROM figures GROUP BY 1),
    captures AS (
        SELECT source_id, count(*) AS capture_count, sum(byte_count) AS byte_count, max(captured_at) AS last_at
        FROM evidence.captures GROUP BY 1),
    documents AS (
        SELECT source_id, count(*) AS document_count, count(*) FILTER (problem <> '') AS unreadable_count
        FROM evidence.documents GROUP BY 1),
    problems AS (SELECT source_id, count(*) AS problem_count FROM evidence.problems GROUP BY 1),
    aside AS (
        SELECT source_id, count(*) AS aside_count FROM evidence.quarantine WHERE state = 'open' GROUP BY 1)
SELECT s.source_id, s.title, s.publisher, s.producer, s.publisher_group, s.layer, s.signals, s.kind,
       s.evidence::VARCHAR AS evidence, s.status, s.is_link_only, s.urls, s.page_url AS url, s.cadence_hours,
       s.terms, s.licence, s.citation, h.verdict, h.says, h.last_attempt_at, h.failed_runs, h.next_due_at,
       coalesce(a.aside_count, 0) AS aside_count,
       coalesce(c.capture_count, 0) AS capture_count, coalesce(c.byte_count, 0)::BIGINT AS byte_count,
       coalesce(d.document_count, 0) AS document_count, coalesce(d.unreadable_count, 0) AS unreadable_count,
       coalesce(p.problem_count, 0) AS problem_count, coalesce(f.figure_count, 0)::BIGINT AS figure_count,
       greatest(h.last_success_at, c.last_at, f.last_at) AS last_capture_at
FROM evidence.sources AS s JOIN marts.source_health AS h USING (source_id)
LEFT JOIN captures AS c USING (source_id) LEFT JOIN documents AS d USING (source_id)
LEFT JOIN problems AS p USING (source_id) LEFT JOIN per_source AS f USING (source_id)
LEFT JOIN aside AS a USING (source_id)
ORDER BY list_position($verdicts::VARCHAR[], h.verdict), s.source_id

-- name: publishers
-- The publisher of each source by its name.
SELECT source_id, publisher_name FROM evidence.sources

-- name: one_set_aside
-- What of a source is set aside, the newest first.
SELECT quarantine_id, kind, state, reason, first_seen, url FROM evidence.quarantine
WHERE source_id = $source AND state <> 'dropped' ORDER BY first_seen DESC NULLS LAST, quarantine_id LIMIT 200

-- name: one_captures
-- The captures of a source, newest first.
SELECT captured_at, kind, scope, byte_count, url FROM evidence.captures WHERE source_id = $source
ORDER BY captured_at DESC, url LIMIT 200

-- name: one_problems
-- What was wrong with a source's input, the most frequent first.
SELECT reason, count(*) AS n, any_value(place) AS place, any_value(detail) AS detail
FROM evidence.problems WHERE source_id = $source GROUP BY reason ORDER BY n DESC, reason

-- name: tables_with_sources
-- Tables that name the source of each row, and whether they tell its capture.
SELECT "table", bool_or("column" = 'captured_at') AS has_captured FROM meta.columns
WHERE "table" IN (SELECT schema_name || '.' || table_name FROM duckdb_tables())
GROUP BY 1 HAVING bool_or("column" = 'source_id') ORDER BY 1
