-- name: mlperf_scaling_meets_best
-- kind: build
-- on: marts.mlperf_scaling
-- severity: error
-- says: training's efficiencies are those of marts.mlperf_training_best
SELECT s.row_key FROM marts.mlperf_scaling AS s
JOIN marts.mlperf_training_best AS b
  ON b.suite = s.suite AND b.round = s.round AND b.benchmark = s.benchmark AND b."table" = s.mode
 AND b.generation = s.generation AND b.accelerators = s.accelerators
WHERE abs(b.scaling_efficiency / s.scaling_efficiency - 1) > 1e-9;
