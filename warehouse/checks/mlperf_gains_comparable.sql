-- name: mlperf_gains_comparable
-- kind: build
-- on: marts.mlperf_normalised
-- severity: error
-- says: no gain over a generation compares rounds between which MLCommons' table says that the benchmark changed
SELECT g.suite, g.round, g.previous, g.benchmark, g.mode
FROM (
    SELECT suite, round, previous_round AS previous, benchmark, "table" AS mode, '' AS scenario
    FROM marts.mlperf_training_best WHERE previous_round IS NOT NULL
    UNION ALL
    SELECT suite, round, previous_round, benchmark_id, scenario, scenario
    FROM marts.mlperf_inference_best WHERE previous_round IS NOT NULL
) AS g
JOIN registry.mlperf_changes AS x
  ON x.suite = g.suite AND (x.benchmark = g.benchmark OR (x.benchmark = '' AND x.scenario = g.scenario))
 AND round_number(x.round) > round_number(g.previous) AND round_number(x.round) <= round_number(g.round);
