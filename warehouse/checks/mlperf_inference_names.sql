-- name: mlperf_inference_names
-- on: facts.mlperf_inference
-- severity: warn
-- says: every accelerator and benchmark of an inference result, and its round, is in the registry
SELECT DISTINCT 'accelerator' AS what, accelerator_raw AS name, round FROM facts.mlperf_inference
WHERE accelerator = 'unknown'
UNION ALL
SELECT DISTINCT 'benchmark', benchmark_dir, round FROM facts.mlperf_inference AS f
ANTI JOIN registry.mlperf_benchmarks AS b ON b.suite = f.suite AND b.benchmark_id = f.benchmark_id
UNION ALL
SELECT DISTINCT 'round', round, round FROM facts.mlperf_inference
ANTI JOIN registry.mlperf_rounds USING (suite, round);
