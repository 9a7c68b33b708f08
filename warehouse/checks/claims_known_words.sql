-- name: claims_known_words
-- on: evidence.claims
-- severity: error
-- says: every claim is about a metric of the registry, in that metric's unit
SELECT c.claim_id, c.metric, c.unit FROM evidence.claims AS c
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE m.metric_id IS NULL OR m.unit <> c.unit;
