-- Question: how fast is each accelerator generation on each MLPerf Training benchmark, and what did it gain?
-- Grain: one row is one (suite, round, benchmark, scaling table, accelerator generation, accelerator count).
-- Selection: closed division, scored results with a known accelerator. The speed-up compares with the generation before
-- at the same accelerator count on the same benchmark id, in the same round where there is such a result, else in the
-- latest earlier round that MLCommons' compatibility table does not rule out. Efficiency stays within one submitter's results
-- with one accelerator in one round: it compares with the best of them per accelerator at this or a smaller count, so that a
-- poor small run makes no large one look good and nothing is above one.
CREATE MACRO training_scored() AS TABLE
SELECT * FROM facts.mlperf_training
WHERE score_minutes IS NOT NULL AND division = 'closed' AND generation IS NOT NULL AND accelerators > 0;

-- One row is one count of one accelerator by one submitter in one round, with what it keeps of the best before it.
CREATE MACRO training_series() AS TABLE
WITH counts AS (
    SELECT
        suite, round, stated_on, benchmark_id AS benchmark, "table", vendor, generation, accelerator AS best_accelerator,
        submitter AS best_submitter, accelerators, min(score_minutes) AS best_minutes,
        min(accelerator_minutes) AS best_accelerator_minutes,
        arg_min(result_key, (score_minutes, result_key)) AS result_key,
        arg_min(source_id, (score_minutes, result_key)) AS source_id, arg_min(url, (score_minutes, result_key)) AS url
    FROM training_scored() WHERE "table" = 'strong' AND accelerator IS NOT NULL
    GROUP BY ALL
)
SELECT
    *,
    arg_min(accelerators, (best_accelerator_minutes, accelerators)) OVER growing AS base_accelerators,
    arg_min(result_key, (best_accelerator_minutes, accelerators)) OVER growing AS base_result_key,
    first_value(accelerators) OVER growing < accelerators AS has_smaller_count,
    min(best_accelerator_minutes) OVER growing / best_accelerator_minutes AS scaling_efficiency
FROM counts
WINDOW growing AS (PARTITION BY suite, round, benchmark, "table", best_accelerator, best_submitter ORDER BY accelerators);

CREATE TABLE marts.mlperf_training_best AS
WITH best AS (
    SELECT
        suite, round, stated_on, benchmark_id AS benchmark, "table", vendor, generation, accelerators,
        count(*) AS n_results,
        count(DISTINCT submitter) AS n_submitters,
        min(score_minutes) AS best_minutes,
        median(score_minutes) AS median_minutes,
        arg_min(result_key, (score_minutes, result_key)) AS best_result_key,
        arg_min(submitter, (score_minutes, result_key)) AS best_submitter,
        arg_min(system, (score_minutes, result_key)) AS best_system,
        arg_min(accelerator, (score_minutes, result_key)) AS best_accelerator,
        arg_min(availability, (score_minutes, result_key)) AS best_availability,
        arg_min(source_id, (score_minutes, result_key)) AS source_id,
        arg_min(url, (score_minutes, result_key)) AS url,
        max(evidence) AS evidence
    FROM training_scored()
    GROUP BY ALL
),
before AS (
    SELECT
        b.suite, b.round, b.benchmark, b."table", b.generation, b.accelerators,
        p.generation AS previous_generation,
        p.round AS previous_round,
        p.best_minutes AS previous_best_minutes,
        p.best_result_key AS previous_result_key
    FROM best AS b
    JOIN registry.generations AS g ON g.generation_id = b.generation
    JOIN best AS p
      ON p.generation = g.predecessor_id AND p.suite = b.suite AND p.benchmark = b.benchmark
     AND p."table" = b."table" AND p.accelerators = b.accelerators AND p.stated_on <= b.stated_on
    WHERE registry.is_same_mlperf(b.suite, b.benchmark, '', p.round, b.round)
    QUALIFY row_number() OVER (
        PARTITION BY b.suite, b.round, b.benchmark, b."table", b.generation, b.accelerators
        ORDER BY p.stated_on DESC, p.round DESC
    ) = 1
)
SELECT
    best.suite, best.round, best.stated_on, best.benchmark, best."table", best.vendor, best.generation, best.accelerators,
    best.n_results, best.n_submitters, best.best_minutes, best.median_minutes,
    best.best_minutes * best.accelerators AS best_accelerator_minutes,
    best.best_result_key, best.best_submitter, best.best_system, best.best_accelerator, best.best_availability,
    before.previous_generation, before.previous_round, before.previous_result_key,
    before.previous_best_minutes / best.best_minutes AS speedup_over_previous_generation,
    based.base_accelerators, based.base_result_key, coalesce(based.has_smaller_count, false) AS has_smaller_count,
    based.scaling_efficiency,
    best.evidence,
    'derived'::evidence_tag AS ratio_evidence,
    best.source_id,
    best.url
FROM best
LEFT JOIN before USING (suite, round, benchmark, "table", generation, accelerators)
LEFT JOIN training_series() AS based USING (suite, round, benchmark, "table", best_accelerator, best_submitter, accelerators)
ORDER BY best.stated_on, best.suite, best.benchmark, best."table", best.generation, best.accelerators;

-- A row knows its own round and earlier ones only, so what was published by a day is what the build of that day held.
CREATE MACRO marts.mlperf_training_best_as_of(day) AS TABLE
FROM marts.mlperf_training_best WHERE stated_on <= day;
