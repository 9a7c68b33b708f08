-- name: mlperf_inference_two_figures
-- kind: build
-- on: facts.mlperf_inference
-- severity: warn
-- says: the detail log's figure is the summary's within the digits that both print
SELECT result_key, result_summary, result_detail FROM facts.mlperf_inference
WHERE abs(result_detail - result_summary) > greatest(0.0051, 1e-5 * abs(result_summary));
