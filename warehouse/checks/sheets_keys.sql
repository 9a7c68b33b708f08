-- name: sheets_keys
-- on: marts.accelerators
-- severity: error
-- says: one cell per metric, topic, bound and period of an accelerator; every cell has its claim
SELECT accelerator_id, metric, topic FROM marts.accelerators
GROUP BY accelerator_id, metric, topic, qualifiers['bound'], period_start, period_end
HAVING count(*) > 1 OR bool_or(claim_id IS NULL);
