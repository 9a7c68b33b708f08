-- name: per_die_keys
-- on: marts.per_die
-- severity: error
-- says: one row per model; a figure per die names its claim and lies in a believable range
SELECT model_id FROM marts.per_die GROUP BY model_id HAVING count(*) > 1
UNION ALL
SELECT model_id FROM marts.per_die
WHERE (dense_fp4_per_die_pflops IS NOT NULL AND dense_fp4_claim_id IS NULL)
   OR dense_fp4_per_die_pflops NOT BETWEEN 0.01 AND 200 OR memory_per_die_gb NOT BETWEEN 0.1 AND 2000
   OR dies_per_package NOT BETWEEN 1 AND 64 OR released_end < released_start;
