-- SQL of what is new, asked by feeds, by the brief and by the first page: from one day to another, both included.

-- name: revisions
-- A page that does not say when it was stated counts on the latest day by which it must have been; the day of reading never.
SELECT r.subject_id, coalesce(r.vendor, r.party_id) AS vendor, r.subject, r.milestone, r.promised_start, r.promised_end, r.shift_days, r.claimant, r.claim_id,
       r.evidence::VARCHAR AS evidence, r.known_on AS stated_on, r.stated_on IS NULL AS is_at_the_latest, r.source_id, r.url
FROM marts.roadmap AS r JOIN facts.promises AS p USING (statement_id)
WHERE r.is_revision AND r.shift_days IS NOT NULL AND (r.stated_on IS NOT NULL OR r.known_on < p.read_on)
  AND r.known_on BETWEEN ? AND ?
ORDER BY r.known_on DESC, r.subject, r.milestone, r.statement_id

-- name: renames
SELECT n.name, s.name AS system, s.system_id, s.system_id AS subject_id, s.vendor_id AS vendor, n.valid_from AS stated_on, n.said_by, n.evidence::VARCHAR AS evidence, n.url
FROM registry.system_names AS n JOIN registry.systems AS s USING (system_id)
WHERE n.valid_from BETWEEN ? AND ?
ORDER BY n.valid_from DESC, n.name

-- name: conflicts
SELECT k.conflict_id, k.subject_id, k.subject, coalesce(m.title, k.metric) AS metric_title, k.low, k.high, k.unit, k.ratio, k.claims, k.claimants,
       k.likely_cause, k.resolved_claim_id AS claim_id, r.evidence::VARCHAR AS evidence, k.opened_on AS stated_on,
       r.source_id, r.url
FROM evidence.conflicts AS k JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
LEFT JOIN registry.metrics AS m ON m.metric_id = k.metric
WHERE k.opened_on BETWEEN ? AND ? AND NOT k.is_undated
ORDER BY k.opened_on DESC, k.subject, k.conflict_id

-- name: rounds
-- Results whose day of publication nobody gives are no news on the day of reading.
SELECT suite, round, stated_on, count(*) AS n_results, count(DISTINCT submitter) AS n_submitters,
       min(evidence)::VARCHAR AS evidence, any_value(source_id) AS source_id, min(url) AS url
FROM (SELECT suite, round, stated_on, stated_on_basis, submitter, evidence, source_id, url FROM facts.mlperf_training
      UNION ALL SELECT suite, round, stated_on, stated_on_basis, submitter, evidence, source_id, url FROM facts.mlperf_inference)
WHERE stated_on_basis <> 'capture' AND stated_on BETWEEN ? AND ? GROUP BY suite, round, stated_on
ORDER BY stated_on DESC, suite

-- name: claims
SELECT c.claim_id, c.subject_id, c.claimant_id AS vendor, c.subject, c.metric, coalesce(m.title, c.metric) AS metric_title,
       c.value, c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit, c.qualifiers['bound'] AS bound,
       c.qualifiers['approx'] AS approx, c.period_start, c.period_end, c.claimant, c.evidence::VARCHAR AS evidence,
       c.stated_on, c.read_on, c.source_id, c.url,
       array_to_string(list_transform(map_entries(c.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.stated_on BETWEEN ? AND ? AND NOT c.is_copied AND c.evidence <> 'illustrative'
ORDER BY c.stated_on DESC, c.evidence, c.subject, c.metric, c.claim_id

-- name: price_steps
-- A day's median against all of the two weeks before, of one source; thin panels are left out. One that goes back to where it
-- was in that time is no move: an offer came or went.
WITH held AS (
    SELECT accelerator_model, source_id, period_start AS day, median_usd_per_gpu_hour AS median,
           lag(median) OVER panel AS before, min(median) OVER lately AS low, max(median) OVER lately AS high,
           evidence::VARCHAR AS evidence, url
    FROM marts.prices
    WHERE period = 'day' AND accelerator_grain = 'model' AND layer = 'all' AND price_type = 'on_demand' AND NOT is_thin
    WINDOW panel AS (PARTITION BY accelerator_model, source_id ORDER BY period_start),
           lately AS (panel RANGE BETWEEN INTERVAL 14 DAYS PRECEDING AND INTERVAL 1 DAY PRECEDING)
)
SELECT h.*, h.accelerator_model AS subject_id, a.vendor_id AS vendor, coalesce(a.name, h.accelerator_model) AS name
FROM held AS h LEFT JOIN registry.accelerators AS a ON a.accelerator_id = h.accelerator_model
WHERE h.day BETWEEN ? AND ? AND greatest(h.median / h.high, h.low / h.median) - 1 >= ?
ORDER BY h.day DESC, h.accelerator_model, h.source_id

-- name: last_claim
-- The last day up to one on which a claim was stated.
SELECT max(stated_on) AS day FROM evidence.claims
WHERE stated_on <= ? AND NOT is_copied AND evidence <> 'illustrative' AND metric <> 'statement'

-- name: watchable
SELECT any_value(subject) AS subject, any_value(coalesce(m.title, c.metric)) AS title, count(*) AS n
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.subject_id = ? AND c.metric = ? AND c.evidence <> 'illustrative'

-- name: stood_days
SELECT DISTINCT stated_on AS day FROM evidence.claims
WHERE subject_id = ? AND metric = ? AND stated_on <= ? AND evidence <> 'illustrative' AND modality <> 'withdrawn' ORDER BY day

-- name: stood
SELECT ?::DATE AS day, s.claim_id, s.subject, s.subject_id, s.metric, lower(coalesce(m.title, s.metric)) AS metric_title,
       s.topic, coalesce(s.qualifiers['bound'], '') AS bound, s.value, s.value_text, s.value_start, s.value_end, s.value_low,
       s.value_high, s.unit, s.qualifiers['approx'] AS approx, s.claimant, s.evidence::VARCHAR AS evidence, s.stated_on,
       s.stated_on_precision, s.url,
       array_to_string(list_transform(map_entries(s.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
FROM evidence.resolved(?, subjects := [?::VARCHAR]) AS s LEFT JOIN registry.metrics AS m ON m.metric_id = s.metric
WHERE s.metric = ? ORDER BY s.topic, bound, s.period_start NULLS FIRST, s.period_end NULLS FIRST
