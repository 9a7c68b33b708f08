-- Question: how did a forecast turn out, and which claim decides it?
-- Grain: facts.forecast_verdicts: one row is one forecast that a reviewer judged by a claim of the ledger.
-- Selection: the decisions of warehouse/facts/forecast_verdicts.csv. The day is that of the deciding claim.
CREATE TABLE facts.forecast_verdicts AS
SELECT
    v.forecast_ref, f.claim_id AS forecast_id, v.verdict, v.deciding_ref, d.claim_id AS decided_by,
    coalesce(d.stated_on, d.stated_not_after) AS decided_on, v.why, d.evidence, d.url
FROM committed_forecast_verdicts AS v
JOIN evidence.claims AS f ON f.ref = v.forecast_ref
JOIN evidence.claims AS d ON d.ref = v.deciding_ref
ORDER BY v.forecast_ref;
