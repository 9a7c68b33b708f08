-- name: mlperf_first_seen_dates
-- on: marts.mlperf_first_seen
-- severity: error
-- says: one row per subject and suite; first seen is not after first available, and neither after last seen
SELECT subject_kind, subject, suite FROM marts.mlperf_first_seen
GROUP BY ALL
HAVING count(*) > 1 OR bool_or(first_seen_on > first_available_on) OR bool_or(first_seen_on > last_seen_on);
