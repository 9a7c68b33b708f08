-- name: mlperf_inference_units
-- kind: build
-- on: facts.mlperf_inference
-- severity: error
-- says: a benchmark and scenario have one unit in a round; latency scenarios have latencies or streams, the others rates
SELECT round, benchmark, scenario, list(DISTINCT unit) AS units FROM facts.mlperf_inference
GROUP BY ALL
HAVING count(DISTINCT unit) > 1
    OR (scenario IN ('SingleStream', 'MultiStream') AND min(unit) NOT IN ('ms', 's', 'streams'))
    OR (scenario IN ('Offline', 'Server', 'Interactive') AND min(unit) IN ('ms', 's', 'streams'));
