-- Question: how did a forecast turn out, and which claim decides it?
-- Grain: facts.forecast_verdicts: one row is one forecast that a reviewer judged by a claim of the ledger.
-- Selection: the decisions of warehouse/facts/forecast_verdicts.csv. The day is that of the deciding claim.
CREATE TABLE facts.forecast_verdicts AS
SELECT
    v.forecast_ref, f.claim_id AS forecast_id, v.verdict, v.deciding_ref, d.claim_id AS decided_by, d.known_on AS decided_on,
    v.why, d.evidence, d.url
FROM committed_forecast_verdicts AS v
JOIN evidence.mentions AS f ON f.ref = v.forecast_ref
JOIN evidence.mentions AS d ON d.ref = v.deciding_ref
ORDER BY v.forecast_ref;

-- The criteria that are a figure or a date, as a query can ask them; what each column means stands in the dictionary.
CREATE TABLE facts.forecast_tests AS
SELECT
    f.claim_id AS forecast_id, t.* REPLACE (
        coalesce(string_split(t.layers, ' '), []) AS layers, coalesce(string_split(t.generations, ' '), []) AS generations)
FROM committed_forecast_tests AS t JOIN evidence.mentions AS f ON f.ref = t.forecast_ref
ORDER BY t.forecast_ref;
