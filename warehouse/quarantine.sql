-- What never became a row: documents, tables and records that could not be read, and sources set aside as a whole.
-- Problems of a round's archive stay in evidence.problems: they are findings about a submission, by the hundred.
-- name: unread
SELECT 'document' AS kind, 'evidence.documents' AS "table", capture_id AS row_key, problem AS "check",
       replace(problem, '_', ' ') || ': ' || detail AS reason, source_id, url, capture_id,
       captured_at AS first_seen, 1 AS rows
FROM evidence.documents WHERE problem <> ''
UNION ALL
SELECT 'capture', 'evidence.market_captures', m.capture_id, m.problem,
       replace(m.problem, '_', ' ') || coalesce(': ' || p.detail, ''), m.source_id, m.url, m.capture_id,
       m.captured_at, 1
FROM evidence.market_captures AS m
LEFT JOIN (
    SELECT source_id, reason, min(detail) AS detail FROM evidence.problems WHERE is_fatal GROUP BY ALL
) AS p ON p.source_id = m.source_id AND p.reason = m.problem
WHERE m.problem <> ''
UNION ALL
SELECT CASE WHEN reason = 'partition_failed' THEN 'source' ELSE 'row' END, 'evidence.problems',
       concat_ws(' / ', source_id, place), reason, replace(reason, '_', ' ') || ': ' || found, source_id,
       CASE WHEN regexp_matches(place, '^https?://') THEN place END, NULL, NULL, n
FROM (
    SELECT source_id, place, reason, min(detail) AS found, count(*)::INTEGER AS n FROM evidence.problems
    WHERE is_fatal AND scope = source_id AND source_id <> 'committed_facts' GROUP BY ALL
) AS p
WHERE NOT EXISTS (
      FROM evidence.documents AS d WHERE d.source_id = p.source_id AND d.url = p.place AND d.problem = p.reason)
  AND NOT EXISTS (FROM evidence.market_captures AS m WHERE m.source_id = p.source_id AND m.problem = p.reason)
UNION ALL
-- values that the reading found beyond belief: they wait for review and stand in evidence.mentions with that doubt
SELECT 'claim', 'evidence.mentions', concat_ws(' / ', claim_id, document_id), 'value_implausible', min(doubt),
       min(source_id), min(url), NULL, min(first_seen), count(*)::INTEGER
FROM evidence.mentions WHERE ref IS NULL AND contains(doubt, 'believable') GROUP BY claim_id, document_id

-- name: add_unread
INSERT INTO evidence.quarantine BY NAME
SELECT u.* REPLACE (left(u.reason, 2000) AS reason), q.quarantine_id, false AS is_waivable,
       CASE WHEN d.state = 'dropped' THEN d.state ELSE 'open' END AS state, d.decided
FROM (
    {{unread}}
    UNION ALL BY NAME
    SELECT 'source' AS kind, 'evidence.sources' AS "table", source_id AS row_key,
           'build_check' AS "check", says AS reason, source_id,
           json_object('shown_until', shown_until) AS row_json, 1 AS rows FROM left_sources
) AS u,
LATERAL (SELECT left(md5(concat_ws('|', u."table", u.row_key, u."check")), 16) AS quarantine_id) AS q
LEFT JOIN quarantine_decisions AS d ON d.quarantine_id = q.quarantine_id
ORDER BY q.quarantine_id
