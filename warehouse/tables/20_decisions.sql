-- Question: what did a person decide on a reading, or on a name?
-- Grain: evidence.decisions: one row is one decision on one claim; the latest on a claim counts, and the latest on a name.
-- Selection: every line of warehouse/facts/decisions.csv, which only grows (`rackledger review`).
CREATE TABLE evidence.decisions AS
SELECT
    *,
    row_number() OVER (
        PARTITION BY CASE WHEN decision IN ('merge', 'new') THEN name_group(name) ELSE claim_id END
        ORDER BY decided_at DESC, decided_by, decision
    ) = 1 AS counts
FROM committed_decisions
ORDER BY decided_at, claim_id, decided_by;
