-- name: claimed_speedups_apart
-- on: marts.claimed_speedups
-- severity: error
-- says: one row per claim, every row says that it is no MLPerf result, and the figure is the claim's own
SELECT claim_id FROM marts.claimed_speedups GROUP BY claim_id HAVING count(*) > 1
UNION ALL
SELECT s.claim_id FROM marts.claimed_speedups AS s LEFT JOIN evidence.claims AS c USING (claim_id)
WHERE NOT list_contains(s.caveats, 'not_an_mlperf_result') OR s.value IS DISTINCT FROM c.value;
