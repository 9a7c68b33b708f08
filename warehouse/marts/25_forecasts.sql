-- Question: what was forecast, what decides it, and how did it turn out?
-- Grain: marts.forecasts: one row is one forecast; marts.forecast_scores: one row is one claimant.
-- Selection: claims that carry a day on which they fall due and a criterion. `later_ids` are claims on the same subject
-- and metric that were stated afterwards: what the state was judged by, or can be. A forecast whose criterion is the price series
-- names the accelerators of marts.prices that its subject means. A verdict by a claim (facts.forecast_verdicts) is known from that
-- claim's day; any other state that a reviewer entered is known from the due day, or
-- from the ledger's newest statement if that came before; as of an earlier day the forecast is open.
CREATE MACRO marts.forecasts_as_of(day) AS TABLE
WITH entered AS (
    SELECT claim_id, min(due_on) AS due_on, any_value(criterion) AS criterion, any_value(state) AS state
    FROM evidence.mentions WHERE due_on IS NOT NULL AND criterion IS NOT NULL AND state IS NOT NULL
    GROUP BY claim_id
),
judged AS (
    SELECT
        e.claim_id, e.due_on, e.criterion, coalesce(v.verdict, e.state) AS state, v.decided_by, v.decided_on,
        coalesce(least(v.decided_on, e.due_on), least(e.due_on, (SELECT max(stated_on) FROM evidence.claims))) AS judged_by
    FROM entered AS e LEFT JOIN facts.forecast_verdicts AS v ON v.forecast_id = e.claim_id
),
meant AS (
    SELECT DISTINCT c.claim_id, a.model_id
    FROM (SELECT DISTINCT e.claim_id, unnest(string_split(trim(name_group(k.subject), '~'), ' ')) AS word
          FROM entered AS e JOIN evidence.claims AS k USING (claim_id) WHERE e.criterion LIKE '%price series%') AS c
    JOIN registry.aliases AS x ON name_group(x.alias) = name_group(c.word)
    JOIN registry.accelerators AS a ON x.subject_id IN (a.accelerator_id, a.model_id, a.generation_id)
)
SELECT
    c.claim_id, c.subject, c.subject_id, c.subject_key, c.metric, c.value, c.value_text, c.value_start, c.value_end, c.unit,
    c.claimant, c.claimant_key, c.evidence, c.stated_on, j.due_on, j.criterion,
    CASE WHEN j.judged_by <= day THEN j.state ELSE 'open' END AS state,
    CASE WHEN j.state <> 'open' AND j.judged_by <= day THEN j.judged_by END AS judged_by,
    CASE WHEN j.decided_on <= day THEN j.decided_by END AS decided_by, CASE WHEN j.decided_on <= day THEN j.decided_on END AS decided_on,
    coalesce((
        SELECT list(l.claim_id ORDER BY l.stated_on, l.claim_id) FROM evidence.claims AS l
        WHERE l.subject_key = c.subject_key AND l.metric = c.metric AND l.stated_on > c.stated_on AND NOT l.is_copied
          AND l.stated_on <= day
    ), []) AS later_ids,
    coalesce((
        SELECT list_sort(list(DISTINCT p.accelerator_model)) FROM marts.prices AS p
        JOIN meant AS m ON m.model_id = p.accelerator_model
        WHERE m.claim_id = c.claim_id AND p.observed_on > c.stated_on AND p.observed_on <= day
    ), []) AS price_series,
    c.caveats, c.source_id, c.url, c.note
FROM evidence.claims AS c JOIN judged AS j USING (claim_id)
WHERE c.known_on <= day;

CREATE MACRO marts.forecast_scores_as_of(day) AS TABLE
SELECT
    claimant_key, any_value(claimant) AS claimant, count(*)::INTEGER AS forecasts,
    count(*) FILTER (state = 'met')::INTEGER AS met,
    count(*) FILTER (state = 'missed')::INTEGER AS missed,
    count(*) FILTER (state = 'ambiguous')::INTEGER AS ambiguous,
    count(*) FILTER (state = 'open')::INTEGER AS open,
    CASE WHEN met + missed >= 3 THEN met / (met + missed) END AS met_share,
    met + missed < 3 AS is_thin
FROM marts.forecasts_as_of(day)
GROUP BY claimant_key;

CREATE TABLE marts.forecasts AS
FROM marts.forecasts_as_of(DATE '9999-12-31') ORDER BY due_on, claim_id;

CREATE TABLE marts.forecast_scores AS
FROM marts.forecast_scores_as_of(DATE '9999-12-31') ORDER BY claimant_key;
