-- Question: who submitted what where in MLPerf, and what did they leave out?
-- Grain: one row is one (suite, round, category, submitter, benchmark), also where nothing was submitted.
-- Selection: every submitter of a round and category against every benchmark that anyone submitted there in the closed
-- division; a cell without results is absent. Rows of the open and network divisions are counted beside the closed ones.
CREATE TABLE marts.mlperf_coverage AS
WITH results AS (
    SELECT
        suite, round, stated_on, unnest(string_split(category, ',')) AS category, division, submitter,
        benchmark_id AS benchmark, scenario, generation, has_power, result IS NOT NULL AS is_scored, source_id, url,
        evidence
    FROM facts.mlperf_inference
    UNION ALL
    SELECT
        suite, round, stated_on, 'all', division, submitter, benchmark_id, "table", generation, energy_j IS NOT NULL,
        score_minutes IS NOT NULL, source_id, url, evidence
    FROM facts.mlperf_training
),
benchmarks AS (
    SELECT DISTINCT suite, round, stated_on, category, benchmark FROM results
    WHERE division = 'closed' AND benchmark <> 'unknown'
),
submitters AS (SELECT DISTINCT suite, round, category, submitter FROM results),
rounds AS (
    SELECT suite, round, any_value(source_id) AS source_id, max(evidence) AS evidence FROM results GROUP BY ALL
)
SELECT
    b.suite, b.round, b.stated_on, b.category, s.submitter, b.benchmark,
    count(r.submitter) AS n_results,
    count(r.submitter) FILTER (r.division = 'closed') AS n_closed,
    count(r.submitter) FILTER (r.division = 'open') AS n_open,
    count(r.submitter) FILTER (r.division = 'network') AS n_network,
    count(r.submitter) FILTER (r.has_power) AS n_power,
    coalesce(list_sort(list(DISTINCT r.scenario) FILTER (r.scenario IS NOT NULL)), []) AS scenarios,
    coalesce(list_sort(list(DISTINCT r.generation) FILTER (r.generation IS NOT NULL)), []) AS generations,
    count(r.submitter) = 0 AS is_absent,
    any_value(c.evidence) AS evidence,
    any_value(c.source_id) AS source_id,
    coalesce(min(r.url), any_value('https://github.com/' || m.repository), 'https://mlcommons.org/benchmarks/') AS url
FROM benchmarks AS b
JOIN submitters AS s USING (suite, round, category)
JOIN rounds AS c USING (suite, round)
LEFT JOIN results AS r
       ON r.suite = b.suite AND r.round = b.round AND r.category = b.category AND r.submitter = s.submitter
      AND r.benchmark = b.benchmark
LEFT JOIN registry.mlperf_rounds AS m ON m.suite = b.suite AND m.round = b.round
GROUP BY b.suite, b.round, b.stated_on, b.category, s.submitter, b.benchmark
ORDER BY b.stated_on, b.suite, b.round, b.category, s.submitter, b.benchmark;

CREATE MACRO marts.mlperf_coverage_as_of(day) AS TABLE
FROM marts.mlperf_coverage WHERE stated_on <= day;
