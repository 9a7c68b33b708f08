-- name: claimed_speedups_figures
-- kind: build
-- on: marts.claimed_speedups
-- severity: error
-- says: the figure is the claim's own
SELECT s.claim_id FROM marts.claimed_speedups AS s LEFT JOIN evidence.claims AS c USING (claim_id)
WHERE s.value IS DISTINCT FROM c.value;
