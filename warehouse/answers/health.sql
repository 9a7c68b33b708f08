-- The state of the sources, and what was set aside.
-- name: sources
SELECT source_id, title, verdict, says, coalesce(last_attempt_at, last_success_at) AS at, failed_runs
FROM marts.source_health WHERE list_contains(?, verdict) ORDER BY source_id

-- name: open
SELECT quarantine_id, kind, "check", reason, source_id, url, first_seen, "table", row_key FROM evidence.quarantine
WHERE state = 'open' ORDER BY first_seen DESC NULLS LAST, quarantine_id

-- name: aside
FROM evidence.quarantine ORDER BY kind = 'source' DESC, first_seen DESC NULLS LAST, quarantine_id

-- name: captures
SELECT source_id, epoch_us(max(captured_at)) AS micros FROM evidence.captures GROUP BY source_id

-- name: claims
SELECT source_id, count(*) AS n FROM evidence.claims GROUP BY source_id

-- name: unmatched
SELECT name, occurrences, documents, examples FROM evidence.unmatched
