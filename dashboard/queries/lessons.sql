-- SQL of the lessons: the claims that their figures place, and the queries that they name (`lessons.yaml`).

-- name: claims
WITH found AS MATERIALIZED (FROM evidence.resolved(?, subjects := ?::VARCHAR[])),
sides AS (
    SELECT claim_id AS pick_id, claim_id, CASE WHEN is_disputed THEN 'disputed' ELSE 'stands' END AS place, NULL AS why
    FROM found
    UNION ALL
    SELECT pick_id, one.claim_id, CASE WHEN is_disputed AND one.why = 'a rival of equal rank' THEN 'disputed' ELSE 'beside' END, one.why
    FROM (SELECT claim_id AS pick_id, is_disputed, unnest(lost) AS one FROM found)
)
SELECT s.pick_id, s.place, s.why, c.claim_id, c.subject, c.subject_id, c.metric, lower(coalesce(m.title, c.metric)) AS metric_title,
       c.value, c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit,
       coalesce(c.value_low, c.value) AS low, coalesce(c.value_high, c.value) AS high,
       c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx, c.claimant, c.claimant_id,
       c.evidence::VARCHAR AS evidence, c.known_on AS stated_on,
       c.stated_on IS NOT NULL AS is_dated,
       map_keys(c.qualifiers) AS keys, map_values(c.qualifiers) AS words
FROM sides AS s JOIN evidence.claims_as_of(?, subjects := ?::VARCHAR[]) AS c USING (claim_id)
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
ORDER BY len(keys), c.evidence, is_dated DESC, c.stated_on DESC, c.claim_id, s.place DESC, s.pick_id
