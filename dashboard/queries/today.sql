-- SQL of the first page: the rows behind its five findings, and what happened by the day of the event. `$day` is the day.

-- name: racks
SELECT s.name AS system, v.name AS vendor_name, d.vendor, d.value, d.value_low, d.value_high, d.bound, d.unit, d.claimant,
       d.evidence::VARCHAR AS evidence, d.stated_on, d.caveats, d.available_start, d.available_end, d.claim_id, d.url,
       d.claim_id IN (SELECT claim_id FROM marts.sheets_as_of($day) WHERE line = 'power' AND state = 'stated') AS is_standing
FROM marts.density_as_of($day) AS d JOIN registry.systems AS s USING (system_id)
LEFT JOIN registry.organisations AS v ON v.organisation_id = d.vendor
WHERE d.metric = 'power' AND d.per = 'rack' AND NOT d.is_derived AND NOT d.is_limit AND d.part IS NULL
  AND d.system_class = 'rack-scale' AND d.value IS NOT NULL AND d.available_start IS NOT NULL
ORDER BY d.available_start, s.name, d.value, d.claim_id

-- name: newest_generation
-- The newest generation that at least five organisations have.
SELECT generation, any_value(generation_name) AS generation_name, any_value(vendor) AS vendor,
       any_value(available_on) AS available_on, count(DISTINCT organisation_id) AS organisations
FROM marts.adoption_as_of($day, with_benchmarks := false) WHERE available_on IS NOT NULL
GROUP BY generation HAVING count(DISTINCT organisation_id) >= 5 ORDER BY available_on DESC, generation LIMIT 1

-- name: promises
SELECT m.subject_id, m.subject, m.subject_kind, coalesce(m.vendor, m.party_id) AS vendor, v.name AS vendor_name,
       m.milestone, m.variant, m.state, m.first_start, m.first_end, m.latest_start, m.latest_end, m.latest_stated_on,
       m.latest_claimant, m.latest_evidence::VARCHAR AS evidence, m.latest_url AS url, m.latest_claim_id AS claim_id,
       m.slip_days, m.slip_low_days, m.overdue_days, m.revisions,
       date_diff('day', coalesce(m.first_end, m.first_start), coalesce(m.latest_end, m.latest_start)) AS moved_days
FROM marts.milestones_as_of($day) AS m
LEFT JOIN registry.organisations AS v ON v.organisation_id = coalesce(m.vendor, m.party_id)
WHERE coalesce(m.vendor, m.party_id) IS NOT NULL
ORDER BY m.latest_end, v.name, m.subject, m.milestone, m.variant, m.subject_key, m.party_id

-- name: hour
WITH held AS (
    SELECT p.accelerator_model, p.source_id, p.period_start, p.n_providers, p.n_offers,
           p.median_usd_per_gpu_hour AS value, p.evidence::VARCHAR AS evidence, p.url
    FROM marts.prices AS p
    WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.price_type = 'on_demand' AND p.layer = 'neocloud'
      AND NOT p.is_thin AND p.period_start <= $day),
told AS (
    SELECT accelerator_model, source_id, max(n_providers) AS providers, count(*) AS days FROM held
    GROUP BY ALL HAVING count(*) >= 5 ORDER BY providers DESC, days DESC, accelerator_model LIMIT 1)
SELECT h.*, coalesce(a.name, h.accelerator_model) AS name, s.publisher_name
FROM held AS h JOIN told USING (accelerator_model, source_id) JOIN evidence.sources AS s USING (source_id)
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = h.accelerator_model ORDER BY period_start

-- name: audited
WITH newest AS (SELECT max(round) AS round FROM marts.mlperf_inference_best_as_of($day)),
offline AS (
    SELECT b.*, g.name AS generation_name, g.ordinal, m.title
    FROM marts.mlperf_inference_best_as_of($day) AS b JOIN newest USING (round)
    JOIN registry.generations AS g ON g.generation_id = b.generation
    LEFT JOIN registry.mlperf_benchmarks AS m ON m.suite = 'inference' AND m.benchmark_id = b.benchmark_id
    WHERE b.scenario = 'Offline' AND b.is_higher_better AND b.best_per_accelerator IS NOT NULL
      AND contains(b.category, 'datacenter')),
size AS (
    SELECT benchmark, accelerators, vendor, count(DISTINCT generation) AS n FROM offline GROUP BY ALL
    HAVING count(DISTINCT generation) > 1 ORDER BY n DESC, accelerators DESC, benchmark LIMIT 1)
SELECT o.round, r.published_on AS stated_on, o.benchmark, o.benchmark_id, coalesce(o.title, o.benchmark) AS title, o.scenario, o.unit,
       o.accelerators, o.generation, o.generation_name, o.ordinal, o.vendor, o.best_per_accelerator AS value,
       o.best_submitter, o.best_system_name AS system, o.best_availability, o.best_result_key
FROM offline AS o JOIN size USING (benchmark, accelerators, vendor)
LEFT JOIN registry.mlperf_rounds AS r ON r.suite = 'inference' AND r.round = o.round
QUALIFY row_number() OVER (PARTITION BY o.generation ORDER BY o.best_per_accelerator DESC, o.best_result_key) = 1 ORDER BY o.ordinal

-- name: events
-- What happened up to a day, newest first, within a day the most surprising first.
WITH history AS (SELECT median(abs(slip_days)) AS slip FROM marts.milestones_as_of($day) WHERE slip_days IS NOT NULL),
came AS (
    SELECT coalesce(m.actual_start, m.actual_end) AS first_day, m.actual_end AS day, m.subject, m.subject_id, m.subject_kind,
           m.milestone AS what, NULL AS organisation, m.slip_low_days AS late_days, m.state, NULL AS place,
           m.actual_evidence::VARCHAR AS evidence, m.actual_claimant AS claimant, m.actual_url AS url,
           greatest(coalesce(m.slip_low_days, 0), 0) / greatest(h.slip, 30) + 1 AS surprise, 'came' AS kind
    FROM marts.milestones_as_of($day) AS m, history AS h
    WHERE m.actual_start IS NOT NULL AND m.actual_end IS NOT NULL AND m.milestone <> 'announced'),
moved AS (
    SELECT r.stated_on AS first_day, r.stated_on AS day, r.subject, r.subject_id, r.subject_kind, r.milestone AS what,
           NULL AS organisation, r.shift_days AS late_days, 'revised' AS state, NULL AS place,
           r.evidence::VARCHAR AS evidence, r.claimant, r.url,
           abs(r.shift_days) / greatest(h.slip, 30) + 1 AS surprise, 'moved' AS kind
    FROM marts.roadmap_as_of($day) AS r, history AS h WHERE r.is_revision AND r.stated_on IS NOT NULL
      AND NOT list_contains(coalesce(r.caveats, []), 'undated') AND coalesce(r.stated_on_precision, 'day') = 'day'),
-- the first of a layer is the first of all on record, also of those whose own day is not known
placed AS (
    SELECT *, rank() OVER (PARTITION BY layer, generation ORDER BY on_high) AS place FROM marts.adoption_as_of($day)),
taken AS (
    SELECT a.on_low AS first_day, a.on_high AS day, a.generation_name AS subject, a.generation AS subject_id,
           'generation' AS subject_kind, a.first_kind AS what, a.organisation, NULL AS late_days, a.layer AS state,
           a.place, a.evidence::VARCHAR AS evidence, NULL AS claimant, a.url,
           CASE WHEN a.place = 1 THEN 3 ELSE 1 END AS surprise, 'taken' AS kind
    FROM placed AS a WHERE a.on_low IS NOT NULL AND a.first_kind <> 'benchmark'),
retired AS (
    SELECT on_low AS first_day, on_high AS day, generation_name AS subject, generation AS subject_id,
           'generation' AS subject_kind, 'retired' AS what, organisation, NULL AS late_days, layer AS state, NULL AS place,
           evidence::VARCHAR AS evidence, claimant, url, 1.5 AS surprise, 'retired' AS kind
    FROM facts.adoption WHERE kind = 'retired' AND on_low IS NOT NULL AND stated_not_after <= $day)
FROM (FROM came UNION ALL BY NAME FROM moved UNION ALL BY NAME FROM taken UNION ALL BY NAME FROM retired)
WHERE day <= $day AND date_diff('day', first_day, day) <= 31 ORDER BY day DESC, surprise DESC, subject, what, organisation, state, url LIMIT 60

-- name: read_late
-- Adoptions that were first seen in the week before a day and happened at an unknown day before.
SELECT organisation, generation_name, min(system) AS system, max(stated_not_after) AS read_by,
       min(evidence)::VARCHAR AS evidence, min(url) AS url
FROM facts.adoption AS a JOIN registry.generations AS g ON g.generation_id = a.generation
WHERE on_low IS NULL AND kind NOT IN ('plan', 'benchmark') AND stated_not_after > $day::DATE - 7 AND stated_not_after <= $day::DATE
GROUP BY organisation, generation_name, g.ordinal ORDER BY g.ordinal DESC, organisation LIMIT 6
