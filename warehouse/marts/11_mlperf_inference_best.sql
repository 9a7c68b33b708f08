-- Question: how fast is each accelerator generation on each MLPerf Inference benchmark and scenario, also per
-- accelerator and per watt, and what did it gain?
-- Grain: one row is one (round, category, division, benchmark, scenario, generation, accelerators).
-- Selection: results with a known accelerator and count, not stated invalid; of a farm's rows only the best counts as
-- one. The best is the highest rate or the lowest latency. Watts are measured ones only. The gain compares with the
-- generation before in the same category, division, benchmark and scenario: same round if there is one, else the latest
-- earlier round that MLCommons' units and compatibility table allow; same count if there is one, else the nearest; the
-- difference is warned of.
CREATE MACRO inference_scored() AS TABLE
SELECT *, CASE WHEN is_higher_better THEN -result ELSE result END AS rank_value
FROM facts.mlperf_inference
WHERE result IS NOT NULL AND valid IS NOT FALSE AND generation IS NOT NULL AND accelerators > 0
  AND benchmark <> 'unknown'
QUALIFY NOT is_farm OR row_number() OVER (PARTITION BY farm_key ORDER BY rank_value, result_key) = 1;

CREATE TABLE marts.mlperf_inference_best AS
WITH best AS (
    SELECT
        round, stated_on, category, division, benchmark, benchmark_id, accuracy_class, scenario, unit,
        is_higher_better, vendor, generation, accelerators,
        count(*) AS n_results,
        count(DISTINCT submitter) AS n_submitters,
        arg_min(result, (rank_value, result_key)) AS best_result,
        median(result) AS median_result,
        arg_min(result_key, (rank_value, result_key)) AS best_result_key,
        max(evidence) AS evidence,
        arg_max(result_key, (result_per_watt, result_key)) FILTER (result_per_watt IS NOT NULL) AS per_watt_result_key,
        min(energy_j) AS best_energy_j
    FROM inference_scored()
    GROUP BY ALL
),
named AS (
    SELECT
        b.* EXCLUDE (evidence),
        f.result_per_accelerator AS best_per_accelerator,
        f.submitter AS best_submitter,
        f.system AS best_system,
        f.system_name AS best_system_name,
        f.accelerator AS best_accelerator,
        f.availability AS best_availability,
        f.nodes AS best_nodes,
        f.weight_type AS best_weight_type,
        f.framework AS best_framework,
        f.result_id AS best_result_id,
        f.captured_at AS best_captured_at,
        f.normalisation_warnings AS warnings,
        w.result_per_watt AS best_per_watt,
        w.power_w AS per_watt_power_w,
        b.evidence, f.source_id, f.url
    FROM best AS b
    JOIN facts.mlperf_inference AS f ON f.result_key = b.best_result_key
    LEFT JOIN facts.mlperf_inference AS w ON w.result_key = b.per_watt_result_key
),
before AS (
    SELECT
        n.best_result_key,
        p.generation AS previous_generation,
        p.round AS previous_round,
        p.accelerators AS previous_accelerators,
        p.best_result_key AS previous_result_key,
        p.best_result AS previous_result,
        p.best_per_accelerator AS previous_per_accelerator,
        p.best_nodes AS previous_nodes,
        p.warnings AS previous_warnings
    FROM named AS n
    JOIN registry.generations AS g ON g.generation_id = n.generation
    JOIN named AS p
      ON p.generation = g.predecessor_id AND p.category = n.category AND p.division = n.division
     AND p.benchmark = n.benchmark AND p.scenario = n.scenario AND p.unit = n.unit AND p.stated_on <= n.stated_on
    WHERE registry.is_same_mlperf('inference', n.benchmark_id, n.scenario, p.round, n.round)
    QUALIFY row_number() OVER (
        PARTITION BY n.best_result_key
        ORDER BY p.stated_on DESC, p.round DESC, abs(ln(p.accelerators / n.accelerators)), p.best_result_key
    ) = 1
)
SELECT
    'inference' AS suite,
    n.round, n.stated_on, n.category, n.division, n.benchmark, n.benchmark_id, n.accuracy_class, n.scenario, n.unit,
    n.is_higher_better, n.vendor, n.generation, n.accelerators, n.n_results, n.n_submitters, n.best_result,
    n.median_result, n.best_per_accelerator, n.warnings, n.best_per_watt, n.per_watt_power_w, n.per_watt_result_key,
    n.best_energy_j, n.best_result_key, n.best_result_id, n.best_submitter, n.best_system, n.best_system_name,
    n.best_accelerator, n.best_availability, n.best_nodes, n.best_weight_type, n.best_framework, n.best_captured_at,
    b.previous_generation, b.previous_round, b.previous_accelerators, b.previous_result_key,
    b.previous_per_accelerator,
    CASE WHEN b.previous_accelerators = n.accelerators AND n.is_higher_better THEN n.best_result / b.previous_result
         WHEN b.previous_accelerators = n.accelerators THEN b.previous_result / n.best_result END
        AS speedup_over_previous_generation,
    n.best_per_accelerator / b.previous_per_accelerator AS per_accelerator_gain,
    CASE WHEN b.previous_result_key IS NULL THEN [] ELSE list_sort(list_distinct(
        CASE WHEN b.previous_accelerators <> n.accelerators THEN ['different_accelerator_counts'] ELSE [] END
        || CASE WHEN b.previous_nodes IS DISTINCT FROM n.best_nodes THEN ['different_node_counts'] ELSE [] END
        || CASE WHEN b.previous_round <> n.round THEN ['different_rounds'] ELSE [] END
        || list_filter(n.warnings || b.previous_warnings, lambda word: word <> 'several_nodes')
    )) END AS gain_warnings,
    n.evidence,
    'derived'::evidence_tag AS ratio_evidence,
    n.source_id,
    n.url
FROM named AS n
LEFT JOIN before AS b USING (best_result_key)
ORDER BY n.stated_on, n.round, n.category, n.division, n.benchmark, n.scenario, n.generation, n.accelerators;

-- A row knows its own round and earlier ones only, so what was published by a day is what the build of that day held.
CREATE MACRO marts.mlperf_inference_best_as_of(day) AS TABLE
FROM marts.mlperf_inference_best WHERE stated_on <= day;
