-- Question: what was forecast, what decides it, and how did it turn out?
-- Grain: marts.forecasts: one row is one forecast; marts.forecast_scores: one row is one claimant.
-- Selection: claims that carry a day on which they fall due and a criterion. `later_ids` are claims on the same subject
-- and metric that were stated afterwards: what the state was judged by, or can be.
CREATE TABLE marts.forecasts AS
SELECT
    c.claim_id, c.subject, c.subject_id, c.subject_key, c.metric, c.value, c.value_text, c.value_start, c.value_end, c.unit,
    c.claimant, c.claimant_key, c.evidence, c.stated_on, m.due_on, m.criterion, m.state,
    coalesce((
        SELECT list(l.claim_id ORDER BY l.stated_on, l.claim_id) FROM evidence.claims AS l
        WHERE l.subject_key = c.subject_key AND l.metric = c.metric AND l.stated_on > c.stated_on AND NOT l.is_copied
    ), []) AS later_ids,
    c.caveats, c.source_id, c.url, c.note
FROM evidence.claims AS c
JOIN (
    SELECT claim_id, min(due_on) AS due_on, any_value(criterion) AS criterion, any_value(state) AS state
    FROM evidence.mentions WHERE due_on IS NOT NULL AND criterion IS NOT NULL AND state IS NOT NULL
    GROUP BY claim_id
) AS m USING (claim_id)
ORDER BY m.due_on, c.claim_id;

CREATE TABLE marts.forecast_scores AS
SELECT
    claimant_key, any_value(claimant) AS claimant, count(*)::INTEGER AS forecasts,
    count(*) FILTER (state = 'met')::INTEGER AS met,
    count(*) FILTER (state = 'missed')::INTEGER AS missed,
    count(*) FILTER (state = 'ambiguous')::INTEGER AS ambiguous,
    count(*) FILTER (state = 'open')::INTEGER AS open,
    CASE WHEN met + missed >= 3 THEN met / (met + missed) END AS met_share,
    met + missed < 3 AS is_thin
FROM marts.forecasts
GROUP BY claimant_key
ORDER BY claimant_key;
