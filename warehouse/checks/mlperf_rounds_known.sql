-- name: mlperf_rounds_known
-- on: facts.mlperf_training
-- severity: warn
-- says: every round with results stands in the registry with its publication date
SELECT DISTINCT suite, round FROM facts.mlperf_training
ANTI JOIN registry.mlperf_rounds USING (suite, round);
