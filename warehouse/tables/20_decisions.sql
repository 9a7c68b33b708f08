-- Question: which readings did a person accept or reject?
-- Grain: evidence.decisions: one row is one decision on one claim; the latest on a claim counts.
-- Selection: every line of warehouse/facts/decisions.csv, which only grows (`rackledger review`).
CREATE TABLE evidence.decisions AS
SELECT claim_id, decision, decided_by, decided_at, note,
       row_number() OVER (PARTITION BY claim_id ORDER BY decided_at DESC, decided_by, decision) = 1 AS counts
FROM committed_decisions
ORDER BY decided_at, claim_id, decided_by;
