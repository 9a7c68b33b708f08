-- SQL of the page on MLPerf Inference results.

-- name: benchmarks
-- Benchmarks of a category with titles and scenarios, those of the newest rounds first.
SELECT f.benchmark_id AS benchmark, coalesce(any_value(b.title), f.benchmark_id) AS title,
       max(f.stated_on) AS last_on, count(*) AS n_results
FROM facts.mlperf_inference AS f
LEFT JOIN registry.mlperf_benchmarks AS b ON b.suite = 'inference' AND b.benchmark_id = f.benchmark_id
WHERE list_contains(string_split(f.category, ','), $category) OR f.category = $category
GROUP BY f.benchmark_id ORDER BY last_on DESC, n_results DESC, 1

-- name: shapes
-- Scenarios and accuracy classes of a benchmark, with how many results each has.
SELECT scenario, accuracy_class, count(*) AS n FROM facts.mlperf_inference
WHERE benchmark_id = $benchmark AND (list_contains(string_split(category, ','), $category) OR category = $category)
GROUP BY ALL ORDER BY n DESC, scenario, accuracy_class

-- name: results
-- Results of one benchmark in one scenario and accuracy class, newest round first; at most 5,000.
SELECT result_key, round, registry.published_on(suite, round) AS stated_on, f.stated_on AS known_on, benchmark_id AS benchmark, accuracy_class, scenario, category, division,
       availability, submitter, system, coalesce(system_name, system) AS system_name, accelerator_raw,
       accelerator, coalesce(generation, accelerator) AS generation, coalesce(vendor, 'none') AS vendor,
       accelerators, nodes, result, unit, is_higher_better, result_per_accelerator,
       array_to_string(normalisation_warnings, ', ') AS normalisation_warnings, power_w, energy_j,
       result_per_watt, has_power, weight_type, accuracy, accuracy_target, valid, inferred, inferred_from,
       is_farm, farm_rows, framework, host_processor, result_id, origin, problem,
       evidence::VARCHAR AS evidence, source_id, url
FROM facts.mlperf_inference AS f
WHERE benchmark_id = $benchmark AND scenario = $scenario AND accuracy_class = $accuracy_class
  AND (list_contains(string_split(category, ','), $category) OR category = $category)
  AND (len($rounds::VARCHAR[]) = 0 OR round IN (SELECT unnest($rounds::VARCHAR[])))
  AND (len($divisions::VARCHAR[]) = 0 OR division IN (SELECT unnest($divisions::VARCHAR[])))
  AND (len($availabilities::VARCHAR[]) = 0 OR availability IN (SELECT unnest($availabilities::VARCHAR[])))
  AND (len($submitters::VARCHAR[]) = 0 OR submitter IN (SELECT unnest($submitters::VARCHAR[])))
  AND (len($generations::VARCHAR[]) = 0 OR coalesce(generation, accelerator) IN (SELECT unnest($generations::VARCHAR[])))
  AND f.stated_on <= $day
ORDER BY known_on DESC, result DESC, result_key LIMIT 5000

-- name: result
-- One result with everything that is known of it; None when this version does not hold it.
SELECT * REPLACE (evidence::VARCHAR AS evidence, registry.published_on(suite, round) AS stated_on, to_json(member_paths)::VARCHAR AS member_paths,
                  array_to_string(caveats, ', ') AS caveats,
                  array_to_string(normalisation_warnings, ', ') AS normalisation_warnings)
FROM facts.mlperf_inference WHERE result_key = $key

-- name: best
-- Best result per accelerator of each generation from round to round, closed division.
SELECT round, registry.published_on('inference', round) AS stated_on, b.stated_on AS known_on, generation, vendor, accelerators, best_result, unit, best_per_accelerator,
       array_to_string(warnings, ', ') AS warnings, best_submitter, best_system, best_availability,
       best_result_key, n_results, n_submitters, speedup_over_previous_generation,
       ratio_evidence::VARCHAR AS evidence, source_id, url
FROM marts.mlperf_inference_best AS b
WHERE benchmark_id = $benchmark AND scenario = $scenario AND accuracy_class = $accuracy_class AND division = 'closed'
  AND best_per_accelerator IS NOT NULL AND generation IS NOT NULL
  AND (list_contains(string_split(category, ','), $category) OR category = $category)
  AND b.stated_on <= $day
QUALIFY row_number() OVER (
    PARTITION BY round, generation ORDER BY best_per_accelerator * CASE WHEN is_higher_better THEN 1 ELSE -1
    END DESC,
                                            accelerators, best_result_key) = 1
ORDER BY known_on, generation

-- name: nearest_results
-- One row a language model: its best Server result of the newest round, with tokens a second.
SELECT f.round, f.benchmark, f.scenario, f.submitter, f.system, f.accelerators, f.result,
       f.result / f.accelerators AS per_accelerator, f.availability, f.evidence::VARCHAR AS evidence,
       registry.published_on(f.suite, f.round) AS stated_on, f.source_id, f.url, f.result_key
FROM facts.mlperf_inference AS f
WHERE f.division = 'closed' AND f.scenario = 'Server' AND f.unit = 'tokens/s' AND f.category = 'datacenter'
  AND f.accelerators > 0 AND f.result IS NOT NULL AND f.valid
QUALIFY dense_rank() OVER (PARTITION BY f.benchmark ORDER BY f.stated_on DESC) = 1
    AND row_number() OVER (PARTITION BY f.benchmark, f.round ORDER BY f.result / f.accelerators DESC, f.result_key) = 1
ORDER BY f.stated_on DESC, f.benchmark

-- name: claimed_speedups
-- Gains over an earlier generation as somebody states them by a day, newest first.
SELECT subject, value, baseline, workload, claimant, evidence::VARCHAR AS evidence, stated_on, note,
       claim_id, url, source_id
FROM marts.claimed_speedups_as_of($day) WHERE metric = 'speedup' ORDER BY stated_on DESC, subject, value DESC, claim_id
