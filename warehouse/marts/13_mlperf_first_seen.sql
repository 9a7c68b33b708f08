-- Question: when did an accelerator, a generation or a submitter first appear in MLPerf, and when as a product to be had?
-- Grain: one row is one accelerator, generation or submitter in one suite.
-- Selection: all results of all divisions and availabilities at hand; 'first available' asks for a system whose
-- availability is available. Rounds that are not at hand (inference v5.0) can make a first date late.
CREATE MACRO marts.mlperf_first_seen_as_of(day) AS TABLE
WITH results AS (
    SELECT suite, round, stated_on, submitter, accelerator, generation, availability, result_key, source_id, url, evidence
    FROM facts.mlperf_inference WHERE stated_on <= day
    UNION ALL
    SELECT
        suite, round, stated_on, submitter, accelerator, generation, availability, result_key, source_id, url, evidence
    FROM facts.mlperf_training WHERE stated_on <= day
),
subjects AS (
    SELECT 'accelerator' AS subject_kind, accelerator AS subject, * FROM results
    WHERE accelerator NOT IN ('none', 'unknown', 'mixed')
    UNION ALL
    SELECT 'generation', generation, * FROM results WHERE generation IS NOT NULL
    UNION ALL
    SELECT 'submitter', submitter, * FROM results
)
SELECT
    subject_kind, subject, suite,
    arg_min(round, (stated_on, round, result_key)) AS first_round,
    min(stated_on) AS first_seen_on,
    arg_min(availability, (stated_on, round, result_key)) AS first_availability,
    arg_min(submitter, (stated_on, round, result_key)) AS first_submitter,
    arg_min(result_key, (stated_on, round, result_key)) AS first_result_key,
    arg_min(round, (stated_on, round, result_key)) FILTER (availability LIKE 'available%') AS first_available_round,
    min(stated_on) FILTER (availability LIKE 'available%') AS first_available_on,
    arg_max(round, (stated_on, round, result_key)) AS last_round,
    max(stated_on) AS last_seen_on,
    count(DISTINCT round) AS n_rounds,
    count(*) AS n_results,
    max(evidence) AS evidence,
    arg_min(source_id, (stated_on, round, result_key)) AS source_id,
    arg_min(url, (stated_on, round, result_key)) AS url
FROM subjects
GROUP BY ALL;

CREATE TABLE marts.mlperf_first_seen AS
FROM marts.mlperf_first_seen_as_of(DATE '9999-12-31') ORDER BY subject_kind, subject, suite;
