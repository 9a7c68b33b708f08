-- name: mlperf_benchmarks_known
-- on: facts.mlperf_training
-- severity: warn
-- says: every benchmark of a result is in the registry
SELECT DISTINCT f.suite, f.round, f.benchmark FROM facts.mlperf_training AS f
ANTI JOIN registry.mlperf_benchmarks AS b ON b.suite = f.suite AND b.benchmark_id = f.benchmark_id;
