-- Question: which candidates are worth a person's decision first, and what would each change?
-- Grain: one row is one undecided candidate, whatever number of places carry it.
-- Selection: candidates without a decision. A cell is a subject's metric with what the figure counts. Worth is the cells
-- that a decision fills (2) or changes (1; where it only agrees a quarter) times the doubt: a coin's toss is worth 1. What
-- a page of unknown standing says is worth a quarter of that: once accepted it is still unverified.
CREATE TABLE evidence.queue AS
WITH cells AS (
    SELECT subject_key, metric, topic_of(qualifiers)::VARCHAR AS topic,
        list({'value': value, 'first': value_start, 'last': value_end}) AS said
    FROM evidence.claims GROUP BY ALL
),
waiting AS (
    SELECT
        claim_id, min(subject) AS subject, subject_id, subject_key, metric, unit, topic_of(qualifiers)::VARCHAR AS topic,
        max(confidence) AS confidence,
        any_value(value) AS value, any_value(value_text) AS value_text, any_value(value_start) AS value_start,
        any_value(value_end) AS value_end, any_value(qualifiers) AS qualifiers, min(doubt) AS doubt,
        any_value(claimant) AS claimant, min(evidence) AS evidence, min(known_on) AS known_on, count(*)::INTEGER AS mentions,
        arg_min(struct_pack(document_id, url, source_id, printed, locator, locator_start, locator_end, context_start, context_end),
                (document_id, locator_start)) AS place
    FROM evidence.mentions WHERE reading_state = 'candidate' GROUP BY ALL
),
weighed AS (
    SELECT w.*,
        CASE
            WHEN c.said IS NULL THEN 'fills'
            WHEN list_bool_or(list_transform(c.said, lambda s: coalesce(
                abs(s.value - w.value) <= coalesce(m.tolerance, 0) * greatest(abs(s.value), abs(w.value)),
                s.first <= w.value_end AND w.value_start <= s.last, false))) THEN 'agrees'
            ELSE 'changes'
        END AS would
    FROM waiting AS w
    LEFT JOIN cells AS c USING (subject_key, metric, topic)
    LEFT JOIN registry.metrics AS m ON m.metric_id = w.metric
)
SELECT
    * EXCLUDE (place, topic), place.document_id, place.url, place.source_id, place.printed, place.locator, place.locator_start,
    place.locator_end, place.context_start, place.context_end,
    round(CASE would WHEN 'fills' THEN 2 WHEN 'changes' THEN 1 ELSE 0.25 END
        -- a sure reading that waits does so for a reason: whether that holds is open
        * CASE WHEN confidence >= 0.95 THEN 0.5 ELSE 1 - abs(2 * confidence - 1) END
        * CASE WHEN evidence = 'unverified' THEN 0.25 ELSE 1 END, 4) AS worth
FROM weighed
ORDER BY worth DESC, claim_id;
