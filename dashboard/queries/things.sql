-- SQL of the catalog: what accelerators and systems there are, and the sheet of each, as known on a day.

-- name: catalog
-- Every accelerator model and system of the registry, with how much is known of it.
WITH things AS (
    SELECT a.accelerator_id AS subject_id, a.name, 'accelerator' AS thing, a.kind, a.vendor_id AS vendor,
           a.generation_id AS generation, a.memory_gb, a.memory_type, a.form_factor, a.dies_per_package,
           a.predecessor_id, a.counting_note, a.first_available_on, a.first_available_url AS url
    FROM registry.accelerators AS a WHERE a.model_id = a.accelerator_id
    UNION ALL BY NAME
    SELECT s.system_id AS subject_id, s.name, 'system' AS thing, s.kind, s.vendor_id AS vendor,
    s.predecessor_id,
           s.counting_note, s.scale_up_domain, s.url
    FROM registry.systems AS s),
known AS (
    SELECT subject_id, count(*) AS claims, max(stated_on) AS last_stated_on,
           count(DISTINCT claimant_key) AS claimants
    FROM evidence.claims WHERE subject_id IS NOT NULL GROUP BY subject_id),
disputed AS (SELECT subject_id, count(*) AS conflicts FROM evidence.conflicts GROUP BY subject_id),
spelled AS (
    SELECT subject_id, lower(string_agg(alias, ' ')) AS spellings FROM registry.aliases GROUP BY subject_id)
SELECT t.*, v.name AS vendor_name, g.name AS generation_name, coalesce(k.claims, 0)::INTEGER AS claims,
       coalesce(k.claimants, 0)::INTEGER AS claimants, k.last_stated_on,
       coalesce(d.conflicts, 0)::INTEGER AS conflicts, coalesce(x.spellings, '') AS spellings
FROM things AS t
LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
LEFT JOIN registry.generations AS g ON g.generation_id = t.generation
LEFT JOIN known AS k USING (subject_id) LEFT JOIN disputed AS d USING (subject_id)
LEFT JOIN spelled AS x USING (subject_id)
ORDER BY claims DESC, t.name, t.subject_id

-- name: identity
-- What a thing is: accelerator, system, network, site or processor; None for an id that is none of them.
WITH named AS (
    SELECT accelerator_id AS id, model_id AS main_id, name, 'accelerator' AS kind, vendor_id AS vendor,
           generation_id AS generation, predecessor_id, counting_note AS note
    FROM registry.accelerators
    UNION ALL BY NAME SELECT system_id AS id, system_id AS main_id, name, kind, vendor_id AS vendor, predecessor_id,
           counting_note AS note FROM registry.systems
    UNION ALL BY NAME SELECT network_id AS id, network_id AS main_id, name, 'network' AS kind, vendor_id AS vendor,
           predecessor_id, note FROM registry.networks
    UNION ALL BY NAME SELECT site_id AS id, site_id AS main_id, name, 'site' AS kind, operator_id AS vendor, note
    FROM registry.sites
    UNION ALL BY NAME SELECT cpu_id AS id, cpu_id AS main_id, name, 'processor' AS kind, vendor_id AS vendor,
           predecessor_id FROM registry.cpus)
SELECT n.id, n.main_id, coalesce(m.name, n.name) AS name, n.kind, n.vendor, v.name AS vendor_name, n.predecessor_id,
       nullif(n.note, '') AS note, coalesce(n.generation, a.generation_id) AS generation, g.name AS generation_name,
       p.part AS accelerator, a.name AS accelerator_name, p.count AS accelerators
FROM named AS n LEFT JOIN named AS m ON m.id = n.main_id
LEFT JOIN registry.organisations AS v ON v.organisation_id = n.vendor
LEFT JOIN registry.system_parts AS p ON p.system_id = n.id AND p.part_kind = 'accelerator'
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
LEFT JOIN registry.generations AS g ON g.generation_id = coalesce(n.generation, a.generation_id)
WHERE n.id = $id ORDER BY p.count DESC NULLS LAST, p.part LIMIT 1

-- name: variants
SELECT accelerator_id AS id FROM registry.accelerators WHERE model_id = $id OR accelerator_id = $id

-- name: said
-- What some claims say as told by a day, strongest evidence first.
SELECT claim_id, claimant, value, value_text, value_start, value_end, value_low, value_high, unit, stated_on, caveats,
       evidence::VARCHAR AS evidence, qualifiers['bound'] AS bound, qualifiers['approx'] AS approx
FROM evidence.claims_as_of($day) WHERE claim_id IN (SELECT unnest($claims::VARCHAR[])) ORDER BY evidence, stated_on DESC, claim_id

-- name: sheets_on
SELECT s.system_id AS id, s.system AS name, s.system_kind AS kind, s.vendor, any_value(v.name) AS vendor_name,
       max(CASE WHEN s.line = 'memory' THEN s.value END) AS memory_gb, max(CASE WHEN s.line = 'power' THEN s.value END) AS power_kw,
       max(CASE WHEN s.line = 'accelerators' THEN s.value END) AS n, count(s.claim_id) AS cells,
       list({'title': s.line_title, 'metric': s.metric} ORDER BY s.line_no) FILTER (s.state = 'nothing stated') AS unstated
FROM marts.sheets_as_of($day) AS s LEFT JOIN registry.organisations AS v ON v.organisation_id = s.vendor
GROUP BY ALL ORDER BY cells DESC, id

-- name: told_of_accelerators
WITH told AS MATERIALIZED (FROM marts.accelerators_as_of($day))
SELECT metric, min(metric_title) AS title FROM told
GROUP BY metric HAVING count(DISTINCT model_id) >= 0.2 * (SELECT count(DISTINCT model_id) FROM told)
ORDER BY count(DISTINCT model_id) DESC, metric

-- name: milestones_of
-- Promises and outcomes of a thing as known on a day, the newest first.
SELECT m.subject, m.milestone, m.variant, m.state, m.first_start, m.first_end, m.first_stated_on, m.first_claimant,
       m.first_url, m.latest_start, m.latest_end, m.latest_stated_on, m.latest_claimant, m.latest_url,
       m.latest_evidence::VARCHAR AS latest_evidence, m.actual_start, m.actual_end, m.actual_claimant, m.actual_url,
       m.actual_stated_on, m.actual_evidence::VARCHAR AS actual_evidence, m.slip_low_days, m.slip_high_days,
       m.overdue_days, m.revisions, m.ended_claimant, m.ended_stated_on, m.ended_url,
       m.ended_evidence::VARCHAR AS ended_evidence, m.open_claimant, m.open_stated_on, m.open_url,
       m.open_evidence::VARCHAR AS open_evidence,
       m.reported_claimant, m.reported_evidence::VARCHAR AS reported_evidence, m.reported_stated_on, m.reported_url, m.reported_start, m.reported_end
FROM marts.milestones_as_of($day) AS m WHERE m.subject_id IN (SELECT unnest($ids::VARCHAR[]))
ORDER BY coalesce(m.actual_end, m.latest_end, m.latest_start, m.actual_start) DESC NULLS LAST, m.milestone, m.variant,
         m.subject, m.latest_url

-- name: results_of
-- The best reviewed result per accelerator of each benchmark and scenario, in runs of a multiple of `count`.
SELECT b.benchmark_id, coalesce(m.title, b.benchmark) AS title, b.scenario, b.round, registry.published_on('inference', b.round) AS stated_on, b.accelerators,
       b.best_per_accelerator AS value, b.unit, b.best_submitter AS submitter, b.best_system_name AS system,
       b.best_availability AS availability, b.best_result_key AS result_key
FROM marts.mlperf_inference_best AS b
LEFT JOIN registry.mlperf_benchmarks AS m ON m.suite = 'inference' AND m.benchmark_id = b.benchmark_id
WHERE b.best_accelerator IN (SELECT unnest($ids::VARCHAR[])) AND b.best_per_accelerator IS NOT NULL AND b.stated_on <= $day
  AND ($count IS NULL OR b.accelerators % $count = 0)
QUALIFY row_number() OVER (PARTITION BY b.benchmark_id, b.scenario
                           ORDER BY b.round DESC, b.is_higher_better = (b.best_per_accelerator > 0) DESC,
                                    b.best_per_accelerator DESC, b.accelerators, b.best_result_key) = 1
ORDER BY b.round DESC, title, b.scenario, b.benchmark_id LIMIT 14

-- name: hours_of
-- The newest on-demand price of an hour by source.
SELECT s.publisher_name, p.layer, p.period_start, p.low_usd_per_gpu_hour AS low, p.median_usd_per_gpu_hour AS median,
       p.high_usd_per_gpu_hour AS high, p.n_providers, p.low_provider, p.evidence::VARCHAR AS evidence, p.url
FROM marts.prices AS p JOIN evidence.sources AS s USING (source_id)
WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.layer IN ('all', 'neocloud')
  AND p.price_type = 'on_demand' AND p.accelerator_model = $model AND p.period_start <= $day
QUALIFY row_number() OVER (PARTITION BY p.source_id, p.layer
                           ORDER BY p.period_start DESC, p.n_offers DESC, p.term_months, p.generation) = 1
ORDER BY p.layer <> 'neocloud', p.n_providers DESC, p.source_id, p.layer LIMIT 6

-- name: adopters_of
-- Organisations that have the generation, those first whose source names the thing.
WITH events AS (SELECT *, coalesce(on_high, stated_not_after) AS day FROM facts.adoption_as_of($day))
SELECT organisation_id, organisation, layer, kind, system, on_low, day, evidence::VARCHAR AS evidence, url,
       bool_or(contains(lower(system), lower($name))) OVER (PARTITION BY organisation_id) AS is_named
FROM events
WHERE generation = $generation AND kind NOT IN ('benchmark', 'plan', 'retired')
QUALIFY row_number() OVER (PARTITION BY organisation_id ORDER BY day, row_key) = 1
ORDER BY is_named DESC, day, organisation, organisation_id

-- name: rival_chips_of
SELECT a.model_id AS id, any_value(r.name) AS name, any_value(r.vendor_id) AS vendor, any_value(v.name) AS vendor_name,
       max(CASE WHEN a.metric = 'memory_capacity' THEN a.value END) AS memory_gb, NULL::DOUBLE AS power_kw,
       count(DISTINCT a.metric) AS cells, abs(date_diff('day', any_value(r.first_available_on), $released)) AS apart
FROM marts.accelerators_as_of($day) AS a JOIN registry.accelerators AS r ON r.accelerator_id = a.model_id
LEFT JOIN registry.organisations AS v ON v.organisation_id = r.vendor_id
WHERE r.vendor_id <> $vendor AND r.kind = (SELECT kind FROM registry.accelerators WHERE accelerator_id = $id)
GROUP BY a.model_id HAVING count(DISTINCT a.metric) >= 2 ORDER BY apart NULLS LAST, cells DESC, a.model_id LIMIT 6

-- name: released
SELECT first_available_on AS day FROM registry.accelerators WHERE accelerator_id = $id

-- name: compared
-- The lines of the sheets of some systems as known on a day.
SELECT system_id AS id, line_no, line, line_title AS title, metric, state, topic, value, value_text, value_start, value_end, unit,
       range_low, range_high, range_start, range_end, bound, basis, modality, claim_id, claimant,
       evidence::VARCHAR AS evidence, stated_on, caveats, conflict_id, url
FROM marts.sheets_as_of($day) WHERE system_id IN (SELECT unnest($ids::VARCHAR[])) ORDER BY line_no, system_id, claim_id

-- name: parts
-- What a system holds.
SELECT p.part_kind, coalesce(a.name, p.part) AS part, p.count, a.accelerator_id AS subject_id
FROM registry.system_parts AS p LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
WHERE p.system_id = $id ORDER BY p.part_kind, p.part

-- name: holders
-- Systems that hold an accelerator or a variant of it.
SELECT s.system_id AS subject_id, s.name, s.kind, p.count
FROM registry.system_parts AS p JOIN registry.systems AS s USING (system_id)
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
WHERE coalesce(a.model_id, p.part) = $id OR p.part = $id ORDER BY s.name, s.system_id

-- name: names
-- The names a system bore.
SELECT name, valid_from, valid_to, said_by, evidence::VARCHAR AS evidence, url FROM registry.system_names
WHERE system_id = $id ORDER BY valid_from NULLS FIRST, name, url

-- name: fuller_of
-- The variant of a system that most is stated of: the same maker's, named by all words of its name and more.
-- None unless twice as many lines are stated of it.
WITH words AS (
    SELECT a.subject_id AS id, string_split(a.alias_key, ' ') AS words, s.vendor_id AS vendor, s.kind
    FROM registry.aliases AS a JOIN registry.systems AS s ON s.system_id = a.subject_id),
stated AS (SELECT system_id AS id, count(claim_id) AS cells FROM marts.sheets_as_of($day) GROUP BY ALL)
SELECT DISTINCT o.id, s.name, f.cells, m.cells AS own_cells
FROM words AS w JOIN words AS o ON o.vendor = w.vendor AND o.kind = w.kind AND o.id <> w.id
     AND len(o.words) > len(w.words) AND list_has_all(o.words, w.words)
JOIN stated AS m ON m.id = w.id JOIN stated AS f ON f.id = o.id JOIN registry.systems AS s ON s.system_id = o.id
WHERE w.id = $id AND f.cells >= 2 * greatest(m.cells, 1) ORDER BY f.cells DESC, o.id
