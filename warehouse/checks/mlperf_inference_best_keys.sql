-- name: mlperf_inference_best_keys
-- on: marts.mlperf_inference_best
-- severity: error
-- says: one row per round, category, division, benchmark, scenario, generation and count; the best is never worse than the median, and its figure is that of the result it names
SELECT m.round, m.category, m.division, m.benchmark, m.scenario, m.generation, m.accelerators
FROM marts.mlperf_inference_best AS m
LEFT JOIN facts.mlperf_inference AS f ON f.result_key = m.best_result_key
GROUP BY ALL
HAVING count(*) > 1
    OR bool_or(m.best_result IS DISTINCT FROM f.result)
    OR bool_or(CASE WHEN m.is_higher_better THEN m.best_result < m.median_result
                    ELSE m.best_result > m.median_result END);
