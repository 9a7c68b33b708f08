-- SQL of the pages on density and roadmap, as known on a day.

-- name: density
-- What racks, nodes and pods take and hold, claimed and derived, as known on a day.
SELECT system_id, system_id || '|' || metric || '|' || coalesce(per, '') || '|' || coalesce(claim_id,
   'derived')
       AS row_key, s.name AS system, d.system AS system_as_said, d.vendor, v.name AS vendor_name,
       d.generation,
       d.system_kind, d.accelerators, d.dies, d.metric, m.title AS metric_title, d.per, d.counted_as,
       d.value,
       d.value_low, d.value_high, d.unit, d.bound, d.is_measured, d.is_derived, d.formula, d.input_ids,
       d.basis AS draw_basis, d.is_limit, d.cooling, d.part, d.servers, d.printed_by,
       d.available_start, d.available_end, d.available_basis, d.topic, d.arithmetic, d.claim_id, d.claimant, d.evidence::VARCHAR AS evidence, d.stated_on, d.source_id, d.url, d.caveats, d.modality
FROM marts.density_as_of($day) AS d
JOIN registry.systems AS s USING (system_id)
LEFT JOIN registry.organisations AS v ON v.organisation_id = d.vendor
LEFT JOIN registry.metrics AS m ON m.metric_id = d.metric
ORDER BY d.available_start NULLS LAST, s.name, d.metric, d.per, d.stated_on, d.claim_id, d.value

-- name: density_trend
-- The fitted lines, all knowledge of this version.
SELECT * FROM marts.density_trend ORDER BY metric, per

-- name: roadmap
-- Every statement on a milestone as known on a day.
SELECT r.statement_id, r.subject_id AS subject_key, r.subject_id, r.subject, r.subject_kind, r.milestone,
       r.variant, coalesce(r.vendor, r.party_id) AS vendor, v.name AS vendor_name, r.generation,
       r.promised_start, r.promised_end, r.is_actual, r.is_own_word, r.statement, r.is_revision,
       r.shift_days, r.printed_by, r.claim_id, r.claimant, r.evidence::VARCHAR AS evidence,
       r.stated_on, r.source_id, r.url, r.caveats, r.modality
FROM marts.roadmap_as_of($day) AS r
LEFT JOIN registry.organisations AS v ON v.organisation_id = coalesce(r.vendor, r.party_id)
WHERE r.promised_start IS NOT NULL
ORDER BY r.vendor NULLS LAST, r.subject, r.milestone, r.variant, r.statement

-- name: milestones
-- Every milestone that somebody promised, with first and standing promise, outcome and state, as known on a day.
SELECT m.* EXCLUDE (vendor), coalesce(m.vendor, m.party_id) AS vendor, v.name AS vendor_name, p.name AS party_name,
       coalesce(m.actual_statement_id, m.ended_statement_id, m.open_statement_id, m.latest_statement_id, m.first_statement_id)
           AS statement_id,
       CASE WHEN m.actual_statement_id IS NOT NULL THEN m.actual_claim_id
            WHEN m.ended_statement_id IS NOT NULL THEN m.ended_claim_id
            WHEN m.open_statement_id IS NOT NULL THEN m.open_claim_id
            WHEN m.latest_statement_id IS NOT NULL THEN m.latest_claim_id ELSE m.first_claim_id END AS claim_id,
       coalesce(m.actual_evidence, m.ended_evidence, m.open_evidence, m.latest_evidence, m.first_evidence)::VARCHAR AS evidence,
       coalesce(m.actual_url, m.ended_url, m.open_url, m.latest_url, m.first_url) AS url,
       coalesce(m.actual_stated_on, m.ended_stated_on, m.open_stated_on, m.latest_stated_on, m.first_stated_on) AS stated_on
FROM marts.milestones_as_of($day) AS m
LEFT JOIN registry.organisations AS v ON v.organisation_id = coalesce(m.vendor, m.party_id)
LEFT JOIN registry.organisations AS p ON p.organisation_id = m.party_id
WHERE m.state <> 'no promise known'
ORDER BY m.party_id, m.subject, m.milestone, m.variant

-- name: slips
-- First promise, latest word and outcome of each milestone as known on a day.
SELECT s.* EXCLUDE (vendor), coalesce(s.vendor, s.party_id) AS vendor, v.name AS vendor_name,
       coalesce(s.actual_statement_id, s.ended_statement_id, s.open_statement_id, s.latest_statement_id)
           AS statement_id,
       CASE WHEN s.actual_statement_id IS NOT NULL THEN s.actual_claim_id
            WHEN s.ended_statement_id IS NOT NULL THEN s.ended_claim_id
            WHEN s.open_statement_id IS NOT NULL THEN s.open_claim_id
            WHEN s.latest_statement_id IS NOT NULL THEN s.latest_claim_id ELSE s.first_claim_id END AS claim_id,
       coalesce(s.actual_evidence, s.ended_evidence, s.open_evidence, s.latest_evidence)::VARCHAR AS evidence,
       coalesce(s.actual_url, s.ended_url, s.open_url, s.latest_url) AS url,
       coalesce(s.actual_stated_on, s.ended_stated_on, s.open_stated_on, s.latest_stated_on) AS stated_on
FROM marts.slips_as_of($day) AS s
LEFT JOIN registry.organisations AS v ON v.organisation_id = coalesce(s.vendor, s.party_id)
ORDER BY s.party_id, s.slip_days DESC NULLS LAST, s.subject, s.milestone, s.variant

-- name: renames
-- The names that a system bore by a day, oldest first, of systems with several; who says each.
SELECT n.system_id, n.name, n.valid_from, n.said_by, n.evidence::VARCHAR AS evidence, n.url
FROM registry.system_names AS n
WHERE coalesce(n.valid_from, DATE '1900-01-01') <= $day
QUALIFY count(DISTINCT n.name) OVER (PARTITION BY n.system_id) > 1
ORDER BY max(n.valid_from) OVER (PARTITION BY n.system_id) DESC NULLS LAST, n.system_id, n.valid_from NULLS FIRST

-- name: slips_by_party
-- Distribution of slips by party, as known on a day.
SELECT s.*, v.name AS party_name FROM marts.slips_by_party_as_of($day) AS s
LEFT JOIN registry.organisations AS v ON v.organisation_id = s.party_id
ORDER BY s.measured DESC, s.party_id

-- name: per_die
-- Dies, rate and memory per die, by generation; only models with a figure by a claim.
SELECT p.* EXCLUDE (evidence, stated_on, url), v.name AS vendor_name,
       coalesce(p.dense_fp4_claim_id, p.memory_claim_id, p.dies_claim_id) AS claim_id,
       c.evidence::VARCHAR AS evidence, c.stated_on, c.source_id, c.url
FROM marts.per_die_as_of($day) AS p
JOIN evidence.claims_as_of($day) AS c
  ON c.claim_id = coalesce(p.dense_fp4_claim_id, p.memory_claim_id, p.dies_claim_id)
LEFT JOIN registry.organisations AS v ON v.organisation_id = p.vendor
ORDER BY p.vendor, p.released_start NULLS LAST, p.ordinal, p.name

-- name: first_day
-- The first day on which anything about a roadmap was stated.
SELECT min(known_on) AS day FROM marts.roadmap

-- name: racks
-- Every rack that the registry knows, with its maker.
SELECT s.system_id, s.name AS system, s.vendor_id AS vendor, coalesce(v.name, s.vendor_id) AS maker_name
FROM registry.systems AS s
LEFT JOIN registry.organisations AS v ON v.organisation_id = s.vendor_id
WHERE s.kind = 'rack' AND s.vendor_id IS NOT NULL
ORDER BY maker_name, system

-- name: rack_statements
-- Every statement on a rack as known on a day, whatever it is about.
SELECT c.subject_id AS system_id, c.subject AS system, s.vendor_id AS vendor, c.metric, m.title AS metric_title,
       c.value, c.value_text, c.unit, c.modality, c.claim_id, c.claimant, c.printed_by, c.evidence::VARCHAR AS evidence, c.stated_on,
       c.source_id, c.url
FROM evidence.claims_as_of($day) AS c
JOIN registry.systems AS s ON s.system_id = c.subject_id AND s.kind = 'rack'
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE NOT c.is_copied AND c.evidence <> 'illustrative'
ORDER BY c.subject, c.metric, c.stated_on, c.claim_id

-- name: forecasts
-- Forecasts stated by a day, each with its criterion and the verdict of this version.
SELECT f.claim_id, f.subject, f.criterion, f.claimant, f.state, f.stated_on, f.due_on, f.judged_by, f.decided_on,
       f.evidence::VARCHAR AS evidence, f.note, f.source_id, f.url
FROM marts.forecasts_as_of($day) AS f WHERE f.due_on IS NOT NULL ORDER BY f.due_on, f.claim_id
