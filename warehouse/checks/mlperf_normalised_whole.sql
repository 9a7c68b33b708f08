-- name: mlperf_normalised_whole
-- kind: build
-- on: marts.mlperf_normalised
-- severity: error
-- says: results of the rows over all counts add up to those of the rows by count
WITH whole AS (
    SELECT suite, round, sum(n_results) AS n FROM marts.mlperf_normalised GROUP BY ALL
),
by_count AS (
    SELECT suite, round, sum(n_results) AS n FROM marts.mlperf_training_best GROUP BY ALL
    UNION ALL
    SELECT suite, round, sum(n_results) FROM marts.mlperf_inference_best GROUP BY ALL
)
SELECT suite, round, whole.n AS whole, by_count.n AS by_count
FROM whole FULL JOIN by_count USING (suite, round)
WHERE whole.n IS DISTINCT FROM by_count.n;
