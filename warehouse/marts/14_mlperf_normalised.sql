-- Question: what did each accelerator generation bring on MLPerf, per accelerator and with more of them, over the one before?
-- Grain: marts.mlperf_normalised: one row is one (suite, round, category, division, benchmark, mode, generation) over all
-- accelerator counts; the mode is the scaling table or the scenario. marts.mlperf_scaling: one row is one of these at one
-- accelerator count above the smallest. marts.claimed_speedups: one row is one claim on a gain, by whoever says it.
-- Selection: results as in marts.mlperf_training_best and marts.mlperf_inference_best; suites never share a row. Per
-- accelerator is the time times the accelerators (training) or the rate divided by them (inference; not for latency and
-- streams, which more accelerators do not move, nor for slices of an accelerator or a mix) and is derived. A gain over the generation before counts at equal
-- accelerator count; its low, median and high are over the counts. Efficiency stays within
-- one submitter's results with one accelerator (in inference one number format too) in one round: it compares with the best of
-- them per accelerator at this or a smaller count, and is never above one. A claimed gain is a statement of its own with its tag: it is divided by no MLPerf figure.
CREATE TABLE marts.mlperf_normalised AS
WITH results AS (
    SELECT
        suite, round, stated_on, 'all' AS category, division, benchmark_id AS benchmark, "table" AS mode, 'minutes' AS unit,
        false AS is_higher_better, 'accelerator minutes' AS per_accelerator_unit, vendor, generation, accelerators, submitter,
        score_minutes AS result, score_minutes AS rank_value, accelerator_minutes AS per_accelerator,
        accelerator_minutes AS per_accelerator_rank, result_key, []::VARCHAR[] AS warnings, source_id, url, evidence
    FROM training_scored()
    UNION ALL BY NAME
    SELECT
        'inference' AS suite, round, stated_on, category, division, benchmark, scenario AS mode, unit, is_higher_better,
        CASE WHEN is_higher_better THEN unit || ' per accelerator' END AS per_accelerator_unit, vendor, generation,
        accelerators, submitter, result, rank_value,
        CASE WHEN NOT list_has_any(normalisation_warnings, ['slices_of_accelerators', 'mixed_accelerators'])
             THEN result_per_accelerator END AS per_accelerator,
        -per_accelerator AS per_accelerator_rank, result_key, normalisation_warnings AS warnings, source_id, url, evidence
    FROM inference_scored()
),
gains AS (
    SELECT suite, round, 'all' AS category, 'closed' AS division, benchmark, "table" AS mode, 'minutes' AS unit, generation,
           previous_generation, previous_round, accelerators, speedup_over_previous_generation AS speedup
    FROM marts.mlperf_training_best WHERE speedup_over_previous_generation IS NOT NULL
    UNION ALL
    SELECT suite, round, category, division, benchmark, scenario, unit, generation, previous_generation, previous_round,
           accelerators, speedup_over_previous_generation
    FROM marts.mlperf_inference_best WHERE speedup_over_previous_generation IS NOT NULL
),
compared AS (
    SELECT
        suite, round, category, division, benchmark, mode, unit, generation, any_value(previous_generation) AS previous_generation,
        list_sort(list_distinct(list(previous_round))) AS previous_rounds,
        list_sort(list(accelerators)) AS compared_counts,
        min(speedup) AS speedup_low, median(speedup) AS speedup_median, max(speedup) AS speedup_high
    FROM gains GROUP BY ALL
),
gathered AS (
    SELECT
        suite, round, stated_on, category, division, benchmark, mode, unit, is_higher_better, per_accelerator_unit, vendor,
        generation,
        count(*)::INTEGER AS n_results, count(DISTINCT submitter)::INTEGER AS n_submitters,
        list_sort(list_distinct(list(accelerators))) AS counts,
        arg_min(result, (rank_value, result_key)) AS best_result, median(result) AS median_result,
        arg_min(accelerators, (rank_value, result_key)) AS best_accelerators,
        arg_min(result_key, (rank_value, result_key)) AS best_result_key,
        arg_min(per_accelerator, (per_accelerator_rank, result_key)) FILTER (per_accelerator IS NOT NULL) AS best_per_accelerator,
        median(per_accelerator) AS median_per_accelerator,
        arg_min(accelerators, (per_accelerator_rank, result_key)) FILTER (per_accelerator IS NOT NULL)
            AS best_per_accelerator_count,
        arg_min(result_key, (per_accelerator_rank, result_key)) FILTER (per_accelerator IS NOT NULL)
            AS best_per_accelerator_result_key,
        list_sort(list_distinct(flatten(list(warnings)))) AS warnings,
        max(evidence) AS evidence, arg_min(source_id, (rank_value, result_key)) AS source_id,
        arg_min(url, (rank_value, result_key)) AS url
    FROM results GROUP BY ALL
)
SELECT
    md5(concat_ws('|', g.suite, g.round, g.category, g.division, g.benchmark, g.mode, g.unit, g.generation)) AS row_key,
    g.* EXCLUDE (warnings, evidence, source_id, url),
    c.previous_generation, c.previous_rounds, c.compared_counts, c.speedup_low, c.speedup_median, c.speedup_high,
    list_sort(
        g.warnings
        || CASE WHEN len(g.counts) > 1 THEN ['different_accelerator_counts'] ELSE [] END
        || CASE WHEN len(list_filter(c.previous_rounds, lambda r: r <> g.round)) > 0 THEN ['different_rounds'] ELSE [] END
    ) AS warnings,
    g.n_results < 3 AS is_thin,
    g.evidence, 'derived'::evidence_tag AS ratio_evidence, g.source_id, g.url
FROM gathered AS g
LEFT JOIN compared AS c USING (suite, round, category, division, benchmark, mode, unit, generation)
ORDER BY g.stated_on, g.suite, g.round, g.category, g.division, g.benchmark, g.mode, g.generation;

CREATE MACRO marts.mlperf_normalised_as_of(day) AS TABLE
FROM marts.mlperf_normalised WHERE stated_on <= day;

CREATE TABLE marts.mlperf_scaling AS
WITH series AS (
    SELECT
        round, category, division, benchmark, scenario, unit, accelerator AS best_accelerator, weight_type AS best_weight_type,
        submitter AS best_submitter, accelerators, max(result_per_accelerator) AS rate,
        arg_max(result_key, (result_per_accelerator, result_key)) AS result_key
    FROM inference_scored()
    WHERE result_per_accelerator IS NOT NULL AND is_higher_better AND accelerator IS NOT NULL
      AND NOT list_has_any(normalisation_warnings, ['slices_of_accelerators', 'mixed_accelerators'])
    GROUP BY ALL
),
based AS (
    SELECT
        * EXCLUDE (rate, result_key),
        max(rate) OVER growing AS base_rate,
        arg_max(accelerators, (rate, -accelerators)) OVER growing AS base_accelerators,
        arg_max(result_key, (rate, -accelerators)) OVER growing AS base_result_key,
        first_value(accelerators) OVER growing < accelerators AS has_smaller_count
    FROM series
    WINDOW growing AS (
        PARTITION BY round, category, division, benchmark, scenario, unit, best_accelerator, best_weight_type, best_submitter
        ORDER BY accelerators)
),
counted AS (
    SELECT
        suite, round, stated_on, 'all' AS category, 'closed' AS division, benchmark, "table" AS mode, 'minutes' AS unit, vendor,
        generation, accelerators, n_results, best_minutes AS best_result, median_minutes AS median_result,
        best_accelerator_minutes AS per_accelerator, best_result_key, best_submitter, best_accelerator,
        NULL::VARCHAR AS weight_type, base_accelerators, base_result_key, scaling_efficiency, evidence, source_id, url
    FROM marts.mlperf_training_best WHERE "table" = 'strong' AND has_smaller_count
    UNION ALL BY NAME
    SELECT
        'inference' AS suite, b.round, b.stated_on, b.category, b.division, b.benchmark, b.scenario AS mode, b.unit, b.vendor,
        b.generation, b.accelerators, b.n_results, b.best_result, b.median_result, b.best_per_accelerator AS per_accelerator,
        b.best_result_key, b.best_submitter, b.best_accelerator, b.best_weight_type AS weight_type, s.base_accelerators,
        s.base_result_key, b.best_per_accelerator / s.base_rate AS scaling_efficiency, b.evidence, b.source_id, b.url
    FROM marts.mlperf_inference_best AS b
    JOIN based AS s
      ON s.round = b.round AND s.category = b.category AND s.division = b.division AND s.benchmark = b.benchmark
     AND s.scenario = b.scenario AND s.unit = b.unit AND s.accelerators = b.accelerators
     AND s.best_accelerator = b.best_accelerator AND s.best_submitter = b.best_submitter
     AND s.best_weight_type IS NOT DISTINCT FROM b.best_weight_type
    WHERE s.has_smaller_count AND b.best_per_accelerator IS NOT NULL
      AND NOT list_has_any(b.warnings, ['slices_of_accelerators', 'mixed_accelerators'])
)
SELECT
    md5(concat_ws('|', suite, round, category, division, benchmark, mode, unit, generation, accelerators)) AS row_key,
    suite, round, stated_on, category, division, benchmark, mode, unit, vendor, generation, accelerators, n_results,
    best_result, median_result, per_accelerator, best_result_key, best_submitter, best_accelerator, weight_type,
    base_accelerators, base_result_key, scaling_efficiency,
    CASE WHEN base_accelerators = accelerators THEN ['no_smaller_count_was_better'] ELSE []::VARCHAR[] END AS warnings,
    evidence, 'derived'::evidence_tag AS ratio_evidence, source_id, url
FROM counted
ORDER BY stated_on, suite, round, category, division, benchmark, mode, generation, accelerators;

CREATE MACRO marts.mlperf_scaling_as_of(day) AS TABLE
FROM marts.mlperf_scaling WHERE stated_on <= day;

-- What is claimed of one generation against another, and how many MLPerf rows compare the same two; the figures stay apart.
CREATE MACRO marts.claimed_speedups_as_of(day) AS TABLE
WITH known AS (
    SELECT accelerator_id AS subject_id, generation_id AS generation FROM registry.accelerators
    UNION SELECT generation_id, generation_id FROM registry.generations
    UNION
    SELECT p.system_id, max(a.generation_id) FROM registry.system_parts AS p
    JOIN registry.accelerators AS a ON a.accelerator_id = p.part WHERE p.part_kind = 'accelerator' GROUP BY p.system_id
    HAVING count(DISTINCT a.generation_id) = 1
),
named AS (
    SELECT name_group(x.alias) AS name, min(k.generation) AS generation
    FROM registry.aliases AS x JOIN known AS k USING (subject_id) GROUP BY ALL HAVING count(DISTINCT k.generation) = 1
)
SELECT
    c.claim_id, c.subject, c.subject_id, k.generation, g.vendor_id AS vendor, c.metric, c.value, c.value_low, c.value_high,
    c.unit, c.qualifiers['bound'] AS bound, stated(c.qualifiers, 'workload') AS workload,
    stated(c.qualifiers, 'baseline') AS baseline, b.generation AS baseline_generation,
    coalesce(c.claimant_id = g.vendor_id, false) AS is_makers_own, c.claimant, c.modality, c.evidence, c.stated_on,
    list_sort(list_distinct(c.caveats || ['not_an_mlperf_result'])) AS caveats,
    (SELECT count(*)::INTEGER FROM marts.mlperf_normalised AS m
     WHERE m.generation = k.generation AND m.previous_generation = b.generation AND m.stated_on <= day) AS mlperf_rows,
    c.source_id, c.url, c.note
FROM evidence.claims_as_of(day) AS c
LEFT JOIN known AS k ON k.subject_id = c.subject_id
LEFT JOIN registry.generations AS g ON g.generation_id = k.generation
LEFT JOIN named AS b ON b.name = name_group(stated(c.qualifiers, 'baseline'))
WHERE c.metric IN ('speedup', 'efficiency_gain') AND c.value IS NOT NULL AND NOT c.is_copied
  AND c.evidence <> 'illustrative' AND c.stated_on <= day;

CREATE TABLE marts.claimed_speedups AS
FROM marts.claimed_speedups_as_of(DATE '9999-12-31') ORDER BY vendor NULLS LAST, subject, stated_on, claim_id;

