-- SQL of the lessons: the claims that their figures place, and the queries that they name (`lessons.yaml`).

-- name: claims
SELECT c.claim_id, c.subject, c.subject_id, c.metric, lower(coalesce(m.title, c.metric)) AS metric_title,
       c.value, c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit,
       c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx, c.claimant, c.claimant_id,
       c.evidence::VARCHAR AS evidence, c.stated_on, c.stated_on_precision, c.url,
       map_keys(c.qualifiers) AS keys, map_values(c.qualifiers) AS words
FROM evidence.resolved(?) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.subject_id IN (SELECT unnest(?::VARCHAR[]))
ORDER BY len(keys), c.evidence, c.stated_on DESC, c.claim_id
