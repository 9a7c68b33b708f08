-- What the published file tells of itself: a row is one value of a metric, in the order in which they are told.
-- name: published
WITH told AS (
    SELECT 1 AS place, 'published_timestamp_seconds' AS name, 'when the published file was built' AS says, '' AS label,
           '' AS word, epoch(built_at) AS value, '' AS sorted FROM meta.publication
    UNION ALL SELECT 2, 'captures', 'captures that are kept', '', '', count(*), '' FROM evidence.captures
    UNION ALL SELECT 3, 'documents', 'documents that were read', '', '', count(*), '' FROM evidence.documents
    UNION ALL SELECT 4, 'claims', 'claims that are published', '', '', count(*), '' FROM evidence.claims
    UNION ALL SELECT 5, 'problems', 'what could not be read', '', '', count(*), '' FROM evidence.problems
    UNION ALL SELECT 6, 'quarantine_open', 'rows set aside on which nobody decided', '', '', count(*), ''
    FROM evidence.quarantine WHERE state = 'open'
    UNION ALL SELECT 7, 'attempts', 'tries to ask an address', 'outcome', outcome, count(*), outcome
    FROM evidence.attempts GROUP BY outcome
    UNION ALL SELECT 8, 'sources', 'sources by their verdict', 'verdict', verdict, count(*), min(source_id)
    FROM marts.source_health GROUP BY verdict
    UNION ALL SELECT 9, 'source_failed_runs', 'runs in a row without an answer', 'source_id', source_id, failed_runs,
           source_id FROM marts.source_health
    UNION ALL SELECT 10, 'source_success_timestamp_seconds', 'last answer', 'source_id', source_id,
           epoch(last_success_at), source_id FROM marts.source_health
    UNION ALL SELECT 11, 'source_attempt_timestamp_seconds', 'last try', 'source_id', source_id,
           epoch(last_attempt_at), source_id FROM marts.source_health
)
SELECT name, says, value, label, word FROM told WHERE value IS NOT NULL ORDER BY place, sorted
