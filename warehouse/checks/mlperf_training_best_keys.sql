-- name: mlperf_training_best_keys
-- on: marts.mlperf_training_best
-- severity: error
-- says: one row per suite, round, benchmark, scaling table, generation and count; the best is never slower than the median
SELECT suite, round, benchmark, "table", generation, accelerators
FROM marts.mlperf_training_best
GROUP BY ALL HAVING count(*) > 1 OR min(best_minutes) > min(median_minutes);
