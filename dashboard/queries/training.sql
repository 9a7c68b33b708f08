-- SQL of the page on MLPerf Training results.

-- name: results
-- Results that fit the filters, fastest first.
SELECT result_key, suite, round, registry.published_on(suite, round) AS stated_on, benchmark_id AS benchmark, division, availability, submitter, system,
       accelerator_raw, accelerator, coalesce(generation, accelerator) AS generation,
       coalesce(vendor, 'none') AS vendor, accelerators, nodes, score_minutes, n_runs, n_not_converged, scaling_factor,
       evidence::VARCHAR AS evidence, origin, problem, "table", source_id, url
FROM facts.mlperf_training AS f
WHERE suite = $suite AND benchmark_id = $benchmark
  AND (len($rounds::VARCHAR[]) = 0 OR round IN (SELECT unnest($rounds::VARCHAR[])))
  AND (len($divisions::VARCHAR[]) = 0 OR division IN (SELECT unnest($divisions::VARCHAR[])))
  AND (len($availabilities::VARCHAR[]) = 0 OR availability IN (SELECT unnest($availabilities::VARCHAR[])))
  AND (len($submitters::VARCHAR[]) = 0 OR submitter IN (SELECT unnest($submitters::VARCHAR[])))
  AND (len($generations::VARCHAR[]) = 0 OR coalesce(generation, accelerator) IN (SELECT unnest($generations::VARCHAR[])))
  AND f.stated_on <= $day
ORDER BY score_minutes NULLS LAST, result_key

-- name: rounds
-- Suites and rounds, newest first.
SELECT suite, round, stated_on, count(*) AS n_results FROM facts.mlperf_training
GROUP BY ALL ORDER BY stated_on DESC, suite DESC

-- name: benchmarks
-- Benchmarks of a suite with their titles, those of the newest round with most results first.
SELECT f.benchmark_id AS benchmark, coalesce(any_value(b.title), f.benchmark_id) AS title,
       max(f.stated_on) AS last_on, count(*) AS n_results
FROM facts.mlperf_training AS f
LEFT JOIN registry.mlperf_benchmarks AS b ON b.suite = f.suite AND b.benchmark_id = f.benchmark_id
WHERE f.suite = $suite GROUP BY f.benchmark_id
ORDER BY last_on DESC, count(*) FILTER (f.stated_on = (SELECT max(stated_on) FROM facts.mlperf_training
                                                      WHERE suite = $suite)) DESC, 1

-- name: best_by_round
-- Best closed-division time per generation and round at one accelerator count.
SELECT round, registry.published_on(suite, round) AS stated_on, b.stated_on AS known_on, vendor, generation, accelerators, best_minutes, median_minutes, n_results,
       best_submitter, best_system, evidence::VARCHAR AS evidence, speedup_over_previous_generation,
       previous_generation, previous_round, scaling_efficiency, url
FROM marts.mlperf_training_best AS b
WHERE suite = $suite AND benchmark = $benchmark AND accelerators = $accelerators AND "table" = 'strong' AND b.stated_on <= $day
ORDER BY known_on, generation

-- name: counts_over_rounds
-- Accelerator counts with how many rounds and generations have a result at that count, most first.
SELECT accelerators, count(DISTINCT round) AS n_rounds, count(DISTINCT generation) AS n_generations
FROM marts.mlperf_training_best WHERE suite = $suite AND benchmark = $benchmark AND "table" = 'strong' AND stated_on <= $day
GROUP BY ALL ORDER BY n_rounds DESC, n_generations DESC, accelerators

-- name: result
-- Everything about one result; None when this version has none of that key.
SELECT f.* EXCLUDE (evidence, caveats, member_paths, stated_on), m.published_on AS stated_on, f.evidence::VARCHAR AS evidence,
       array_to_string(f.caveats, ', ') AS caveats, to_json(f.member_paths)::VARCHAR AS member_paths,
       m.branch, s.raw_json AS system_json, s.url AS system_url
FROM facts.mlperf_training AS f
LEFT JOIN registry.mlperf_rounds AS m USING (suite, round)
LEFT JOIN facts.mlperf_systems AS s
       ON s.suite = f.suite AND s.round = f.round AND s.system_path = f.system_path
WHERE f.result_key = $key

-- name: scaling
-- Best closed-division times by round, accelerator, submitter and count, and what each keeps of perfect speed-up.
-- The whole is the submitter's best per accelerator at this or a smaller count; the share is derived, never above one.
SELECT s.* REPLACE (registry.published_on(s.suite, s.round) AS stated_on), s.stated_on AS known_on, 'derived' AS evidence,
       coalesce((SELECT arg_min(x.alias, length(x.alias)) FROM registry.aliases AS x
                 WHERE x.subject_id = a.accelerator_id AND contains(a.name, x.alias)),
                a.name, s.best_accelerator) AS accelerator_name
FROM training_series() AS s LEFT JOIN registry.accelerators AS a ON a.accelerator_id = s.best_accelerator
WHERE s.suite = $suite AND s.benchmark = $benchmark AND s.stated_on <= $day
ORDER BY s.stated_on, s.best_accelerator, s.best_submitter, s.accelerators
