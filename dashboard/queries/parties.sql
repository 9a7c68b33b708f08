-- SQL of the pages of an organisation and of a benchmark, as known on a day.

-- name: organisation
-- An organisation with its parent; None for an id that is none.
SELECT o.organisation_id AS id, o.name, p.name AS parent, o.is_vendor FROM registry.organisations AS o
LEFT JOIN registry.organisations AS p ON p.organisation_id = o.parent_id WHERE o.organisation_id = $id

-- name: layers
-- The market layers that it held, with their days.
SELECT layer, valid_from, valid_to FROM registry.organisation_layers WHERE organisation_id = $id ORDER BY valid_from NULLS FIRST, layer

-- name: has
-- What it has, plans or had, the latest first.
SELECT generation_name, kind, system, on_low, coalesce(on_high, stated_not_after) AS day, accelerators, claimant,
       evidence::VARCHAR AS evidence, url
FROM facts.adoption_as_of($day) WHERE organisation_id = $id AND kind <> 'benchmark'
ORDER BY day DESC, generation_name, kind, row_key LIMIT 30

-- name: makes
SELECT system_id AS id, name, kind FROM registry.systems WHERE vendor_id = $id
UNION ALL SELECT accelerator_id, name, 'accelerator' FROM registry.accelerators WHERE vendor_id = $id AND model_id = accelerator_id
UNION ALL SELECT network_id, name, 'network' FROM registry.networks WHERE vendor_id = $id
ORDER BY name, id

-- name: counted
SELECT subject_id AS id, count(*) AS n FROM evidence.claims WHERE subject_id IS NOT NULL GROUP BY subject_id

-- name: runs
-- Its sites.
SELECT site_id AS id, name, kind FROM registry.sites WHERE operator_id = $id ORDER BY name, id

-- name: promised
-- Its promises with their state, the furthest first.
SELECT *
FROM marts.milestones_as_of($day) WHERE party_id = $id OR vendor = $id
ORDER BY coalesce(latest_end, actual_end, latest_start) DESC NULLS LAST, subject, milestone, variant, coalesce(actual_url, latest_url)
LIMIT 20

-- name: about
-- What is said of it itself, the latest first.
SELECT claim_id, subject, metric, value, value_text, value_start, value_end, value_low, value_high, unit, claimant, stated_on,
       caveats,
       evidence::VARCHAR AS evidence, qualifiers['bound'] AS bound, qualifiers['approx'] AS approx,
       coalesce((SELECT m.title FROM registry.metrics AS m WHERE m.metric_id = metric), metric) AS metric_title
FROM evidence.claims_as_of($day) WHERE subject_id = $id AND stated_on IS NOT NULL ORDER BY stated_on DESC, metric, claim_id LIMIT 20

-- name: benchmark
-- A benchmark in each suite that has it.
SELECT b.suite, b.benchmark_id AS id, b.title, b.area, b.dataset, b.unit, b.first_round, b.last_round, b.note,
       EXISTS (SELECT 1 FROM registry.mlperf_benchmarks AS o
               WHERE o.title = b.title AND o.benchmark_id <> b.benchmark_id) AS has_namesake
FROM registry.mlperf_benchmarks AS b WHERE b.benchmark_id = $id ORDER BY b.suite

-- name: inference
-- The newest best result of each generation and scenario.
SELECT scenario, round, generation, g.name AS generation_name, vendor_id AS vendor, accelerators,
       best_per_accelerator AS value, best_result, unit, best_submitter AS submitter, best_system_name AS system,
       best_availability AS availability
FROM marts.mlperf_inference_best AS b JOIN registry.generations AS g ON g.generation_id = b.generation
WHERE benchmark_id = $id AND stated_on <= $day
QUALIFY row_number() OVER (PARTITION BY scenario, generation ORDER BY round DESC, best_per_accelerator DESC NULLS LAST,
                           accelerators, best_result_key) = 1
ORDER BY scenario, round DESC, value DESC NULLS LAST, generation

-- name: absent
-- Generations with a result of a scenario in the newest round, and never one on this benchmark.
SELECT DISTINCT g.name, v.name AS vendor_name, b.scenario
FROM marts.mlperf_inference_best AS b JOIN registry.generations AS g ON g.generation_id = b.generation
LEFT JOIN registry.organisations AS v ON v.organisation_id = g.vendor_id
WHERE b.stated_on <= $day AND b.round = (SELECT max(round) FROM marts.mlperf_inference_best WHERE stated_on <= $day)
  AND contains(b.category, 'datacenter')
  AND b.generation NOT IN (SELECT generation FROM marts.mlperf_inference_best
                           WHERE benchmark_id = $id AND scenario = b.scenario AND stated_on <= $day)
ORDER BY b.scenario, v.name, g.name

-- name: training
-- The shortest time to train of each generation.
SELECT round, registry.published_on(suite, round) AS stated_on, coalesce(g.name, t.generation, t.accelerator_raw) AS generation_name, accelerators, score_minutes AS value,
       submitter, system, availability
FROM facts.mlperf_training AS t LEFT JOIN registry.generations AS g ON g.generation_id = t.generation
WHERE benchmark_id = $id AND division = 'closed' AND score_minutes IS NOT NULL AND t.stated_on <= $day
QUALIFY row_number() OVER (PARTITION BY coalesce(g.name, t.generation, t.accelerator_raw)
                           ORDER BY score_minutes, result_key) = 1
ORDER BY t.stated_on DESC, value, generation_name LIMIT 20
