-- name: mlperf_normalised_coverage
-- on: marts.mlperf_normalised
-- severity: error
-- needs: previous
-- says: no round has lost more than 2 percent of the results behind its rows; run with --accept-shrink when the loss is meant
WITH now AS (SELECT suite, round, sum(n_results) AS n FROM marts.mlperf_normalised GROUP BY ALL),
before AS (SELECT suite, round, sum(n_results) AS n FROM previous.marts.mlperf_normalised GROUP BY ALL)
SELECT before.suite, before.round, before.n AS results_before, coalesce(now.n, 0) AS results_now
FROM before LEFT JOIN now USING (suite, round)
WHERE coalesce(now.n, 0) < 0.98 * before.n;
