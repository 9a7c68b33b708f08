-- Question: what did a person decide on a reading, or on a name?
-- Grain: evidence.decisions: one row is one decision on one claim; the latest on a claim counts, and the latest on a name.
-- Selection: every line of warehouse/facts/decisions.csv, which only grows (`rackledger review`); beside a correction what had
-- been read, where it is still read so.
CREATE TABLE evidence.decisions AS
WITH readings AS (
    SELECT claim_id, any_value(coalesce(value::VARCHAR, value_text, nullif(concat_ws('..', value_start, value_end), ''))) AS was,
           any_value(unit) AS was_unit, true AS is_read
    FROM lake_mentions WHERE extractor <> 'ledger' GROUP BY claim_id
)
SELECT
    d.* EXCLUDE (was, was_unit, is_read),
    CASE WHEN decision = 'correct' THEN d.was END AS was,
    CASE WHEN decision = 'correct' THEN d.was_unit END AS was_unit,
    coalesce(d.is_read, d.claim_id IN (SELECT becomes FROM committed_decisions WHERE becomes IS NOT NULL)) AS is_read,
    row_number() OVER (
        PARTITION BY CASE WHEN decision IN ('merge', 'new') THEN name_group(name) ELSE claim_id END
        ORDER BY decided_at DESC, decided_by, decision
    ) = 1 AS counts
FROM (SELECT * FROM committed_decisions LEFT JOIN readings USING (claim_id)) AS d
ORDER BY decided_at, claim_id, decided_by;
