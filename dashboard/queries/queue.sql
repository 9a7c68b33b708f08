-- SQL of the page of readings that wait for a person.

-- name: queue
-- The readings that wait, those first whose decision is worth most.
SELECT q.* REPLACE (
           q.evidence::VARCHAR AS evidence,
           array_to_string(list_transform(map_entries(q.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
       ), coalesce(m.title, q.metric) AS metric_title
FROM evidence.queue AS q LEFT JOIN registry.metrics AS m ON m.metric_id = q.metric
ORDER BY q.worth DESC, q.claim_id

-- name: waiting
-- The readings of a thing that wait and were known by a day, the surest first.
SELECT q.claim_id, coalesce(m.title, q.metric) AS metric_title, q.value, q.value_text, q.value_start, q.value_end, q.unit,
       q.qualifiers['bound'] AS bound, q.qualifiers['approx'] AS approx,
       array_to_string(list_transform(map_entries(q.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers,
       q.confidence, q.doubt, q.claimant, q.evidence::VARCHAR AS evidence, q.known_on, q.url
FROM evidence.queue AS q LEFT JOIN registry.metrics AS m ON m.metric_id = q.metric
WHERE list_contains($ids::VARCHAR[], q.subject_id) AND q.known_on <= $day
ORDER BY q.confidence DESC, q.claim_id
