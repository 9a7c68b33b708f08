-- name: mlperf_scaling_keys
-- on: marts.mlperf_scaling
-- severity: error
-- says: one row per series and count above its smallest, with an efficiency above zero; training's are those of marts.mlperf_training_best
SELECT row_key FROM marts.mlperf_scaling GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT row_key FROM marts.mlperf_scaling
WHERE accelerators <= base_accelerators OR scaling_efficiency IS NULL OR scaling_efficiency <= 0
UNION ALL
SELECT s.row_key FROM marts.mlperf_scaling AS s
JOIN marts.mlperf_training_best AS b
  ON b.suite = s.suite AND b.round = s.round AND b.benchmark = s.benchmark AND b."table" = s.mode
 AND b.generation = s.generation AND b.accelerators = s.accelerators
WHERE abs(b.scaling_efficiency / s.scaling_efficiency - 1) > 1e-9;
