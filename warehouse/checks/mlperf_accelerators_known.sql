-- name: mlperf_accelerators_known
-- on: facts.mlperf_training
-- severity: warn
-- says: every accelerator name of a result is in the registry
SELECT DISTINCT accelerator_raw, round FROM facts.mlperf_training WHERE accelerator = 'unknown';
