-- name: mlperf_training_ranges
-- on: facts.mlperf_training
-- severity: error
-- says: a time to train lies between one second and four weeks, a scaling factor between 1 and 3, and a score is the raw mean times the factor
SELECT result_key, score_minutes, raw_minutes, scaling_factor
FROM facts.mlperf_training
WHERE score_minutes NOT BETWEEN 1.0 / 60 AND 4 * 7 * 24 * 60
   OR scaling_factor NOT BETWEEN 1 AND 3
   OR abs(score_minutes - raw_minutes * coalesce(scaling_factor, 1)) > 1e-6 * score_minutes;
