-- name: mlperf_coverage_keys
-- on: marts.mlperf_coverage
-- severity: error
-- says: one cell per suite, round, category, submitter and benchmark; a cell is absent exactly where nothing was submitted
SELECT suite, round, category, submitter, benchmark FROM marts.mlperf_coverage
GROUP BY ALL
HAVING count(*) > 1 OR bool_or(is_absent <> (n_results = 0)) OR bool_or(n_closed + n_open + n_network > n_results);
