-- name: inferencex_keys
-- on: facts.inferencex
-- severity: error
-- says: one row per run, tagged measured, seen no earlier than it ran
SELECT run_key FROM facts.inferencex
GROUP BY run_key HAVING count(*) > 1 OR bool_or(evidence <> 'measured') OR bool_or(first_seen < stated_on OR last_seen < first_seen);
