-- name: mlperf_inference_best_figures
-- kind: build
-- on: marts.mlperf_inference_best
-- severity: error
-- says: the best figure is that of the result it names
SELECT m.round, m.benchmark, m.scenario, m.best_result_key
FROM marts.mlperf_inference_best AS m
LEFT JOIN facts.mlperf_inference AS f ON f.result_key = m.best_result_key
WHERE m.best_result IS DISTINCT FROM f.result;
