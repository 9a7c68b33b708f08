-- name: mlperf_inference_keys
-- on: facts.mlperf_inference
-- severity: error
-- says: one result folder gives one row per round
SELECT round, member_dir, count(*) AS n FROM facts.mlperf_inference GROUP BY ALL HAVING n > 1;
