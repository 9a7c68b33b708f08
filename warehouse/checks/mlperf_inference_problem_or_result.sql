-- name: mlperf_inference_problem_or_result
-- on: facts.mlperf_inference
-- severity: error
-- says: a row without a figure says why, and a figure that the log calls invalid is not taken
SELECT result_key FROM facts.mlperf_inference
WHERE (result IS NULL AND problem = '') OR (result IS NOT NULL AND valid = false);
