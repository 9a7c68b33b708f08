-- SQL of the pages on claims: search, one claim with its mentions and rivals, conflicts and their sides.

-- name: claim_columns
c.claim_id, c.subject, c.subject_id, c.subject_key, c.subject_kind, c.metric, m.title AS metric_title, c.value,
c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit,
array_to_string(list_transform(map_entries(c.qualifiers), lambda entry: entry.key || ' ' || entry.value), ', ')
    AS qualifiers,
c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx, c.topic, c.modality, c.claimant, c.claimant_id,
c.evidence::VARCHAR AS evidence, c.stated_on, c.stated_on_precision, c.last_stated_on, c.period_start, c.period_end,
c.mentions, c.documents, c.claimants, c.is_copied, c.caveats, c.arithmetic, c.printed, c.method, c.confidence,
c.source_id, c.url, c.note

-- name: search
SELECT {{claim_columns}}
FROM evidence.claims_as_of($day) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE len(list_filter($words::VARCHAR[], lambda word: NOT contains(
      lower(concat_ws(' ', c.subject, c.claimant, c.metric, m.title, c.value_text, c.printed)), word))) = 0
  AND (len($metrics::VARCHAR[]) = 0 OR c.metric IN (SELECT unnest($metrics::VARCHAR[])))
  AND (len($claimants::VARCHAR[]) = 0 OR c.claimant IN (SELECT unnest($claimants::VARCHAR[])))
  AND (len($tags::VARCHAR[]) = 0 OR c.evidence::VARCHAR IN (SELECT unnest($tags::VARCHAR[])))
ORDER BY c.stated_on DESC, c.subject, c.metric, c.claim_id LIMIT $most

-- name: claim
-- One claim; None when this version does not hold it.
SELECT {{claim_columns}}
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.claim_id = $claim

-- name: history
-- Everything said about a subject and metric, oldest first.
SELECT {{claim_columns}}
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.subject_key = $subject AND c.metric = $metric ORDER BY c.stated_on, c.evidence, c.claim_id

-- name: history_of
-- Everything said about a thing of the registry and a metric, strongest evidence first.
SELECT {{claim_columns}}
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.subject_id = $subject AND c.metric = $metric ORDER BY c.evidence, c.stated_on DESC, c.claim_id

-- name: sides
-- The claims of one conflict in the order of the rule.
SELECT s.place, s.is_resolved, {{claim_columns}}
FROM evidence.conflict_sides AS s JOIN evidence.claims AS c USING (claim_id)
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE s.conflict_id = $conflict ORDER BY s.place

-- name: offered_metric
SELECT c.metric, any_value(m.title) AS title, count(*) AS n FROM evidence.claims AS c
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric GROUP BY c.metric ORDER BY n DESC, c.metric

-- name: offered_claimant
SELECT claimant, count(*) AS n FROM evidence.claims GROUP BY claimant ORDER BY n DESC, claimant LIMIT 300

-- name: offered_evidence
SELECT evidence::VARCHAR AS evidence, count(*) AS n FROM evidence.claims AS c
GROUP BY ALL ORDER BY min(c.evidence)

-- name: mentions
-- The places that carry a claim.
SELECT claim_id, publisher, stated_on, printed, locator, locator_start, locator_end, context_start,
       context_end, method, extractor, confidence, is_copied, document_id, source_id, ref, origin_ref, url,
       evidence::VARCHAR AS evidence, note
FROM evidence.mentions WHERE claim_id = $claim ORDER BY is_copied, stated_on, document_id NULLS FIRST, locator

-- name: arithmetic
-- Checks of a claim against its parts.
SELECT rule, formula, stated, verdict FROM evidence.arithmetic WHERE claim_id = $claim ORDER BY rule

-- name: conflicts
-- All sets of rival values, those of accelerators and systems with most claimants first; or those of one claim.
SELECT k.conflict_id, k.subject, k.subject_id, k.metric, m.title AS metric_title, k.unit, k.per, k.kind,
       k.claims, k.claimants, k.low, k.high, k.ratio, k.earliest, k.latest, k.opened_on, k.is_undated,
       k.likely_cause, k.causes, k.resolved_claim_id AS claim_id, r.value, r.value_start, r.value_end,
       r.evidence::VARCHAR AS evidence,
       r.stated_on, r.source_id, r.url
FROM evidence.conflicts AS k
JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
LEFT JOIN registry.metrics AS m ON m.metric_id = k.metric
WHERE $claim = ''
   OR k.conflict_id IN (SELECT s.conflict_id FROM evidence.conflict_sides AS s WHERE s.claim_id = $claim)
ORDER BY k.kind, r.subject_kind NOT IN ('accelerator', 'system'), k.claimants DESC, k.ratio DESC NULLS LAST, k.subject,
         k.conflict_id
