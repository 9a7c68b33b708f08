-- SQL of the figures that calculators start from.

-- name: built
SELECT built_at::DATE AS built_on FROM meta.publication

-- name: claims
SELECT claim_id, subject, subject_id, metric, value, value_low, value_high, unit, claimant,
       evidence::VARCHAR AS evidence, stated_on, url, modality, map_keys(qualifiers) AS keys,
       map_values(qualifiers) AS words
FROM evidence.resolved(?)
WHERE value IS NOT NULL AND coalesce(subject_id, subject) IN (SELECT unnest(?::VARCHAR[]))
ORDER BY evidence, stated_on DESC, claim_id
