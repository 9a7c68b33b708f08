-- SQL of the questions that programs ask; pages ask the same ones. `$x` is a parameter of questions.yaml, a name given as
-- the ids it stands for. Every statement ends with a whole order, so that a page of rows can be cut anywhere.

-- name: entries
SELECT accelerator_id AS own_id, model_id AS id, 'thing' AS family, 'accelerator' AS kind, name FROM registry.accelerators
UNION ALL SELECT system_id, system_id, 'thing', kind, name FROM registry.systems
UNION ALL SELECT network_id, network_id, 'thing', 'network', name FROM registry.networks
UNION ALL SELECT site_id, site_id, 'thing', 'site', name FROM registry.sites
UNION ALL SELECT cpu_id, cpu_id, 'thing', 'processor', name FROM registry.cpus
UNION ALL SELECT generation_id, generation_id, 'generation', 'generation', name FROM registry.generations
UNION ALL SELECT organisation_id, organisation_id, 'organisation', 'organisation', name FROM registry.organisations
UNION ALL SELECT DISTINCT benchmark_id, benchmark_id, 'benchmark', 'benchmark', title FROM registry.mlperf_benchmarks
UNION ALL SELECT metric_id, metric_id, 'metric', 'metric', title FROM registry.metrics

-- name: spelled
entries AS MATERIALIZED ({{entries}}),
spelled AS (
    SELECT own_id, family, name AS spelling FROM entries
    UNION ALL SELECT own_id, family, own_id FROM entries
    UNION ALL SELECT e.own_id, e.family, a.alias FROM entries AS e JOIN registry.aliases AS a ON a.subject_id = e.own_id)

-- name: resolve
WITH {{spelled}},
ranked AS (
    SELECT own_id, min(CASE WHEN own_id = $name THEN 0 WHEN lower(spelling) = lower($name) THEN 1 ELSE 2 END) AS place
    FROM spelled
    WHERE family = $family AND (lower(spelling) = lower($name)
                                OR name_group(spelling) = name_group($name) AND length(name_group($name)) > 1)
    GROUP BY own_id),
best AS (
    SELECT DISTINCT e.id FROM ranked AS r JOIN entries AS e USING (own_id)
    WHERE e.family = $family AND r.place = (SELECT min(place) FROM ranked))
SELECT e.id, coalesce(min(e.name) FILTER (e.own_id = e.id), min(e.name)) AS name, min(e.kind) AS kind,
       list(DISTINCT e.own_id ORDER BY e.own_id) AS ids
FROM entries AS e JOIN best AS b ON b.id = e.id WHERE e.family = $family GROUP BY e.id ORDER BY e.id

-- name: nearest
WITH {{spelled}}
SELECT e.id, coalesce(min(e.name) FILTER (e.own_id = e.id), min(e.name)) AS name
FROM spelled AS s JOIN entries AS e ON e.own_id = s.own_id AND e.family = s.family
WHERE s.family = $family
GROUP BY e.id ORDER BY max(jaro_winkler_similarity(lower(s.spelling), lower($name))) DESC, e.id LIMIT 3

-- name: made_by
SELECT accelerator_id AS id FROM registry.accelerators WHERE list_contains($ids, vendor_id)
UNION SELECT system_id FROM registry.systems WHERE list_contains($ids, vendor_id)
UNION SELECT network_id FROM registry.networks WHERE list_contains($ids, vendor_id)
UNION SELECT cpu_id FROM registry.cpus WHERE list_contains($ids, vendor_id) ORDER BY 1

-- name: named
WITH known AS (
    SELECT subject_id, count(*) AS n FROM evidence.claims WHERE subject_id IS NOT NULL GROUP BY subject_id
    UNION ALL SELECT subject_id, sum(statements) FROM marts.milestones WHERE subject_id IS NOT NULL GROUP BY subject_id
    UNION ALL SELECT organisation_id, count(*) FROM facts.adoption GROUP BY organisation_id
    UNION ALL SELECT accelerator, least(count(*), 50) FROM facts.mlperf_results
    WHERE accelerator IS NOT NULL GROUP BY accelerator
    UNION ALL SELECT benchmark_id, count(*) FROM facts.mlperf_results GROUP BY benchmark_id),
things AS (
    SELECT model_id AS id, min(name) FILTER (accelerator_id = model_id) AS name, 'accelerator' AS kind,
           any_value(vendor_id) AS vendor, list(accelerator_id) AS ids
    FROM registry.accelerators GROUP BY model_id
    UNION ALL BY NAME SELECT system_id AS id, name, kind, vendor_id AS vendor, [system_id] AS ids FROM registry.systems
    UNION ALL BY NAME SELECT network_id AS id, name, 'network' AS kind, vendor_id AS vendor, [network_id] AS ids
    FROM registry.networks
    UNION ALL BY NAME SELECT site_id AS id, name, 'site' AS kind, operator_id AS vendor, [site_id] AS ids
    FROM registry.sites
    UNION ALL BY NAME SELECT cpu_id AS id, name, 'processor' AS kind, vendor_id AS vendor, [cpu_id] AS ids
    FROM registry.cpus
    UNION ALL BY NAME SELECT organisation_id AS id, name, 'organisation' AS kind, [organisation_id] AS ids
    FROM registry.organisations
    UNION ALL BY NAME SELECT benchmark_id AS id,  -- one model can be a benchmark of two suites, which share no result
           any_value(title) || CASE WHEN count(*) OVER (PARTITION BY any_value(title)) > 1
                                    THEN ', ' || string_agg(DISTINCT suite, ', ' ORDER BY suite) ELSE '' END AS name,
           'benchmark' AS kind, string_agg(DISTINCT 'MLPerf ' || suite, ', ') AS says, [benchmark_id] AS ids
    FROM registry.mlperf_benchmarks GROUP BY benchmark_id
    UNION ALL BY NAME SELECT metric_id AS id, title AS name, 'metric' AS kind, [metric_id] AS ids, words
    FROM registry.metrics),
spelled AS (
    SELECT t.id, t.kind, list(DISTINCT a.alias ORDER BY a.alias) AS names
    FROM things AS t JOIN registry.aliases AS a ON list_contains(t.ids, a.subject_id) GROUP BY ALL),
weighed AS (
    SELECT t.id, t.kind, sum(k.n)::BIGINT AS n FROM things AS t JOIN known AS k ON list_contains(t.ids, k.subject_id)
    GROUP BY ALL)
SELECT t.id, coalesce(t.name, t.id) AS name, t.kind, coalesce(v.name, '') AS vendor_name, coalesce(t.says, '') AS says,
       coalesce(t.words, s.names, []) AS names, coalesce(w.n, 0) AS weight
FROM things AS t
LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
LEFT JOIN spelled AS s ON s.id = t.id AND s.kind = t.kind
LEFT JOIN weighed AS w ON w.id = t.id AND w.kind = t.kind
ORDER BY t.kind, t.id

-- name: of_the_registry
'derived' AS evidence, 'rackledger' AS claimant, 'rackledger' AS printed_by, NULL::DATE AS stated_on,
(SELECT built_at::DATE FROM meta.publication) AS stated_not_after, []::VARCHAR[] AS caveats, NULL::VARCHAR AS source_id,
NULL::VARCHAR AS url, NULL::VARCHAR AS claim_id

-- name: search
WITH found AS (
    SELECT n.*, list_distinct(regexp_extract_all(lower($q), '[\p{L}\p{N}]+')) AS asked,
           regexp_replace(lower($q), '[^\p{L}\p{N}]+', '', 'g') AS whole,
           list_transform([n.id, n.name] || n.names, lambda x: regexp_replace(lower(x), '[^\p{L}\p{N}]+', '', 'g')) AS squeezed,
           ' ' || regexp_replace(lower(concat_ws(' ', n.id, n.name, list_aggregate(n.names, 'string_agg', ' '))),
                                 '[^\p{L}\p{N}]+', ' ', 'g') AS spoken
    FROM ({{named}}) AS n)
SELECT id, name, kind, nullif(vendor_name, '') AS maker, weight::BIGINT AS known, {{of_the_registry}},
       CASE kind WHEN 'organisation' THEN 'org?id=' || url_encode(id) WHEN 'benchmark' THEN 'benchmark?id=' || url_encode(id)
                 WHEN 'metric' THEN 'evidence?evidence.metric=' || url_encode(name) ELSE 'thing?id=' || url_encode(id) END AS page
FROM found
WHERE len(asked) > 0 AND ($kind::VARCHAR IS NULL OR kind = $kind)
  AND (list_contains(squeezed, whole) OR len(list_filter(asked, lambda word: NOT contains(spoken, ' ' || word))) = 0)
ORDER BY list_contains(squeezed, whole) DESC, weight DESC, kind, id

-- name: thing
WITH {{spelled}},
named AS (
    SELECT accelerator_id AS id, vendor_id AS maker_id, generation_id AS generation FROM registry.accelerators
    UNION ALL BY NAME SELECT system_id AS id, vendor_id AS maker_id FROM registry.systems
    UNION ALL BY NAME SELECT network_id AS id, vendor_id AS maker_id FROM registry.networks
    UNION ALL BY NAME SELECT site_id AS id, operator_id AS maker_id FROM registry.sites
    UNION ALL BY NAME SELECT cpu_id AS id, vendor_id AS maker_id FROM registry.cpus),
said AS (
    SELECT count(*) AS claims, count(DISTINCT claimant_key) AS claimants, min(stated_on) AS first_stated_on,
           max(stated_on) AS last_stated_on
    FROM evidence.claims_as_of($as_of, subjects := $thing))
SELECT e.id, e.name, e.kind, n.maker_id, o.name AS maker, n.generation, g.name AS generation_name,
       (SELECT list(DISTINCT s.spelling ORDER BY s.spelling) FROM spelled AS s
        WHERE s.family = 'thing' AND list_contains($thing, s.own_id) AND s.own_id <> s.spelling) AS names,
       said.claims, said.claimants, said.first_stated_on, said.last_stated_on, {{of_the_registry}},
       'thing?id=' || url_encode(e.id) AS page
FROM entries AS e LEFT JOIN named AS n ON n.id = e.id LEFT JOIN registry.organisations AS o ON o.organisation_id = n.maker_id
LEFT JOIN registry.generations AS g ON g.generation_id = n.generation, said
WHERE e.family = 'thing' AND e.own_id = e.id AND list_contains($thing, e.id) ORDER BY e.id

-- name: qualifiers
c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx,
array_to_string(list_transform(
    list_filter(map_entries(c.qualifiers), lambda entry: entry.key NOT IN ('bound', 'approx') AND entry.value <> 'unstated'),
    lambda entry: entry.key || ' ' || entry.value), ', ') AS qualifiers

-- name: told
c.evidence::VARCHAR AS evidence, c.claimant, c.printed_by, c.stated_on, c.stated_not_after, c.caveats, c.source_id, c.url,
c.claim_id, 'evidence?claim=' || url_encode(c.claim_id) AS page

-- name: cell
c.subject_id, c.subject, c.metric, c.metric_title, c.value, c.value_text, c.value_start, c.value_end, c.unit, {{qualifiers}},
c.range_low, c.range_high, c.range_start, c.range_end, c.modality, c.claimants, c.losers, c.conflict_id, {{told}}

-- name: sheet
SELECT {{cell}}
FROM marts.cells_as_of($as_of, subjects := $thing) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
ORDER BY m.position, c.topic, c.claim_id

-- name: compare
SELECT {{cell}}
FROM marts.cells_as_of($as_of, subjects := $things) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
ORDER BY m.position, c.topic, c.subject_id, c.claim_id

-- name: claim
c.subject_id, c.subject, c.metric, m.title AS metric_title, c.value, c.value_text, c.value_start, c.value_end, c.value_low,
c.value_high, c.unit, {{qualifiers}}, c.modality, c.period_start, c.period_end, c.stated_on_precision, c.claimants, c.is_copied,
{{told}}

-- name: claims
SELECT {{claim}}
FROM evidence.claims_as_of($as_of, subjects := $thing) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE ($metric::VARCHAR[] IS NULL OR list_contains($metric, c.metric))
  AND ($claimant::VARCHAR IS NULL OR contains(lower(c.claimant), lower($claimant)))
  AND ($evidence::VARCHAR IS NULL OR c.evidence::VARCHAR = $evidence)
ORDER BY c.stated_on DESC, c.subject, c.metric, c.claim_id

-- name: lost
SELECT p.claim_id AS stands_id, l.why, {{claim}}
FROM (SELECT claim_id, unnest(lost) AS one FROM evidence.resolved($as_of)) AS p,
     (SELECT p.one.claim_id AS lost_id, p.one.why AS why) AS l
JOIN evidence.claims_as_of($as_of) AS c ON c.claim_id = l.lost_id LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
ORDER BY c.subject_id, m.position, c.known_on DESC, c.claim_id, p.claim_id

-- name: corrected
SELECT d.claim_id, d.decision, d.decided_at::DATE AS decided_on, d.note, d.subject_id, coalesce(m.title, d.metric) AS metric_title,
       d.value, d.unit, d.was, d.was_unit, d.becomes, o.url
FROM evidence.decisions AS d LEFT JOIN registry.metrics AS m ON m.metric_id = d.metric
LEFT JOIN evidence.documents AS o USING (document_id)
WHERE d.counts AND d.is_read AND d.decision IN ('reject', 'correct') AND d.decided_at::DATE <= $as_of
ORDER BY d.subject_id, d.decided_at, d.claim_id

-- name: series
SELECT {{claim}}
FROM evidence.claims_as_of($as_of, subjects := $thing) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE list_contains($metric, c.metric)
ORDER BY c.known_on, c.evidence, c.claim_id

-- name: side
k.conflict_id, k.opened_on, k.low, k.high, k.ratio, k.claims AS sides, k.likely_cause, k.is_disputed, s.place,
s.is_resolved AS stands, s.why, {{claim}}

-- name: asked_conflicts
WHERE $as_of::DATE IS NOT NULL AND ($thing::VARCHAR[] IS NULL OR list_contains($thing, k.subject_id))
  AND ($metric::VARCHAR[] IS NULL OR list_contains($metric, k.metric))
ORDER BY k.kind, k.ratio DESC NULLS LAST, k.subject, k.conflict_id, s.place

-- name: conflicts
WITH conflict_members AS MATERIALIZED (FROM evidence.conflict_members_as_of($as_of))
SELECT {{side}}
FROM sets_of('conflict_members') AS k JOIN sides_of('conflict_members') AS s USING (conflict_id)
JOIN evidence.claims_as_of($as_of) AS c ON c.claim_id = s.claim_id
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
{{asked_conflicts}}

-- name: conflicts_newest
SELECT {{side}}
FROM evidence.conflicts AS k JOIN evidence.conflict_sides AS s USING (conflict_id)
JOIN evidence.claims AS c ON c.claim_id = s.claim_id LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
{{asked_conflicts}}

-- name: promises
SELECT m.subject_id, m.subject, m.subject_kind AS kind, coalesce(m.vendor, m.party_id) AS maker_id, m.milestone, m.variant,
       m.state, m.first_start, m.first_end, m.first_stated_on, m.latest_start, m.latest_end, m.latest_stated_on,
       m.actual_start, m.actual_end, m.actual_stated_on, m.slip_low_days, m.slip_high_days, m.overdue_days, m.revisions,
       r.evidence::VARCHAR AS evidence, r.claimant, r.printed_by, r.stated_on, r.stated_not_after,
       coalesce(r.caveats, []) AS caveats, r.source_id, r.url, r.claim_id,
       CASE WHEN r.claim_id IS NULL THEN 'roadmap' ELSE 'evidence?claim=' || url_encode(r.claim_id) END AS page
FROM marts.milestones_as_of($as_of) AS m
JOIN marts.roadmap_as_of($as_of) AS r  -- a milestone without a statement that carries it has nothing to cite
  ON r.statement_id = coalesce(m.actual_statement_id, m.ended_statement_id, m.open_statement_id, m.latest_statement_id,
                               m.first_statement_id, m.reported_statement_id)
WHERE ($thing::VARCHAR[] IS NULL OR list_contains($thing, m.subject_id))
  AND ($maker::VARCHAR[] IS NULL OR list_contains($maker, coalesce(m.vendor, m.party_id)) OR list_contains($maker, m.party_id))
  AND ($state::VARCHAR IS NULL OR m.state = $state)
ORDER BY coalesce(m.actual_end, m.latest_end, m.latest_start, m.actual_start) DESC NULLS LAST, m.subject, m.milestone,
         m.variant, m.subject_key, m.party_id

-- name: adoption
SELECT a.row_key, a.organisation_id, a.organisation, a.layer, a.generation, a.generation_name, a.kind, a.system, a.on_low,
       a.on_high, a.accelerators, a.evidence::VARCHAR AS evidence, a.claimant, a.printed_by, a.stated_on, a.stated_not_after,
       CASE WHEN a.stated_on IS NULL THEN ['undated'] ELSE [] END AS caveats, a.source_id, a.url, NULL::VARCHAR AS claim_id,
       'org?id=' || url_encode(a.organisation_id) AS page
FROM facts.adoption_as_of($as_of) AS a
WHERE ($organisation::VARCHAR[] IS NULL OR list_contains($organisation, a.organisation_id))
  AND ($generation::VARCHAR[] IS NULL OR list_contains($generation, a.generation))
  AND ($layer::VARCHAR IS NULL OR a.layer = $layer)
  AND ($kind::VARCHAR IS NULL OR a.kind = $kind)
ORDER BY coalesce(a.on_high, a.stated_not_after) DESC, a.organisation, a.generation, a.kind, a.row_key

-- name: prices
SELECT p.accelerator_model AS subject_id, coalesce(a.name, p.accelerator_model) AS subject, p.period_start, p.price_type,
       p.term_months, p.layer, p.n_offers, p.n_providers, p.low_usd_per_gpu_hour, p.median_usd_per_gpu_hour,
       p.high_usd_per_gpu_hour, p.is_thin, p.evidence::VARCHAR AS evidence, coalesce(s.producer, p.source_id) AS claimant,
       coalesce(s.producer, p.source_id) AS printed_by, p.observed_on AS stated_on, p.observed_on AS stated_not_after,
       coalesce(p.caveats, []) AS caveats, p.source_id, p.url, NULL::VARCHAR AS claim_id,
       'prices?prices.accelerator=' || url_encode(coalesce(a.name, p.accelerator_model)) AS page
FROM marts.prices_until($as_of) AS p
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.accelerator_model
LEFT JOIN evidence.sources AS s ON s.source_id = p.source_id
WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND list_contains($thing, p.accelerator_model)
  AND p.price_type = $price_type AND ($layer::VARCHAR IS NULL OR p.layer = $layer)
  AND ($since::DATE IS NULL OR p.period_start >= $since)
ORDER BY p.period_start DESC, p.source_id, p.layer, p.term_months NULLS FIRST

-- name: benchmarks
WITH best AS (
    SELECT suite, benchmark_id, scenario, category, accuracy_class, round, stated_on, vendor, generation, accelerators,
           best_result AS value, unit, best_per_accelerator AS per_accelerator, best_submitter AS submitter,
           best_system_name AS system, best_accelerator AS accelerator, best_availability AS availability,
           best_result_key AS result_key, evidence, ratio_evidence, coalesce(warnings, []) AS caveats, source_id, url
    FROM marts.mlperf_inference_best_as_of($as_of) WHERE division = 'closed'
    UNION ALL BY NAME
    SELECT suite, benchmark AS benchmark_id, round, stated_on, vendor, generation, accelerators, best_minutes AS value,
           'min' AS unit, best_submitter AS submitter, best_system AS system, best_accelerator AS accelerator,
           best_availability AS availability, best_result_key AS result_key, evidence, ratio_evidence, []::VARCHAR[] AS caveats,
           source_id, url
    FROM marts.mlperf_training_best_as_of($as_of))
SELECT b.suite, b.benchmark_id, coalesce(n.title, b.benchmark_id) AS benchmark, b.scenario, b.category, b.accuracy_class,
       b.round, b.vendor AS maker_id, b.generation, b.accelerator, b.accelerators, b.value, b.unit, b.per_accelerator,
       CASE WHEN b.per_accelerator IS NOT NULL THEN b.ratio_evidence::VARCHAR END AS per_accelerator_evidence,
       b.system, b.availability, b.result_key, b.evidence::VARCHAR AS evidence, b.submitter AS claimant,
       'MLCommons' AS printed_by, registry.published_on(b.suite, b.round) AS stated_on, b.stated_on AS stated_not_after, b.caveats, b.source_id, b.url,
       NULL::VARCHAR AS claim_id, 'benchmark?id=' || url_encode(b.benchmark_id) AS page
FROM best AS b LEFT JOIN registry.mlperf_benchmarks AS n ON n.suite = b.suite AND n.benchmark_id = b.benchmark_id
WHERE ($benchmark::VARCHAR[] IS NULL OR list_contains($benchmark, b.benchmark_id))
  AND ($suite::VARCHAR IS NULL OR b.suite = $suite)
  AND ($generation::VARCHAR[] IS NULL OR list_contains($generation, b.generation))
  AND ($thing::VARCHAR[] IS NULL OR list_contains($thing, b.accelerator))
ORDER BY b.stated_on DESC, b.suite, b.benchmark_id, b.scenario, b.category, b.accuracy_class, b.generation, b.accelerators,
         b.result_key
