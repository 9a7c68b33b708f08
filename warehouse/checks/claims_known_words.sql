-- name: claims_known_words
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: every claim is about a metric of the registry, in that metric's unit
SELECT c.rowid AS row, concat(c.metric, ' in ', c.unit) AS found FROM evidence.mentions AS c
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE m.metric_id IS NULL OR m.unit <> c.unit;
