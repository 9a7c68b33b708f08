-- Question: what is claimed, about what, by whom, for when, and how firmly?
-- Grain: one row is one claim: one value of one metric of one subject, as one claimant says it for one period.
-- Selection: published claims; those that wait for review are evidence.mentions with a `doubt`. Of what differs between
-- mentions of one claim, the strongest tag and the earliest date stand. Corroboration counts independent claimants: a
-- company and its parent are one, and copied or respun pages are none.
CREATE TEMP TABLE claim_rows AS
WITH ranked AS (
    SELECT m.*, coalesce(o.parent_id, m.claimant_id, name_group(m.claimant)) AS claimant_key
    FROM evidence.mentions AS m
    LEFT JOIN registry.organisations AS o ON o.organisation_id = m.claimant_id
    WHERE m.doubt IS NULL
),
first_ones AS (
    SELECT * FROM ranked
    QUALIFY row_number() OVER (
        PARTITION BY claim_id ORDER BY is_copied, evidence, known_on, document_id NULLS FIRST, locator
    ) = 1
),
counted AS (
    SELECT
        claim_id,
        min(known_on) AS known_on,
        max(known_on) AS last_stated_on,
        min(first_seen) AS first_seen,
        max(last_seen) AS last_seen,
        count(*)::INTEGER AS mentions,
        count(DISTINCT coalesce(document_id, ref))::INTEGER AS documents,
        bool_and(is_copied) AS is_copied,
        max(confidence) AS confidence,
        list_sort(list_distinct(flatten(list(caveats)))) AS caveats
    FROM ranked GROUP BY claim_id
)
SELECT
    f.* EXCLUDE (first_seen, last_seen, is_copied, confidence, caveats, stated_on, known_on),
    c.known_on AS stated_on,
    topic_of(f.qualifiers)::VARCHAR AS topic,
    c.* EXCLUDE (claim_id, known_on)
FROM first_ones AS f JOIN counted AS c USING (claim_id);

-- Claimants that say the same: equal subject, metric and qualifiers, and a value within the metric's tolerance.
CREATE TEMP TABLE corroboration AS
WITH points AS (
    SELECT DISTINCT r.subject_key, r.metric, r.topic, r.value, r.value_text, r.value_start, r.value_end,
                    r.claimant_key, coalesce(m.tolerance, 0) AS tolerance
    FROM claim_rows AS r LEFT JOIN registry.metrics AS m ON m.metric_id = r.metric
    WHERE NOT r.is_copied AND r.evidence <> 'illustrative'
)
SELECT r.claim_id, count(DISTINCT p.claimant_key)::INTEGER AS claimants
FROM claim_rows AS r
JOIN points AS p
  ON p.subject_key = r.subject_key AND p.metric = r.metric AND p.topic = r.topic
 AND ((abs(p.value - r.value) <= p.tolerance * greatest(abs(p.value), abs(r.value)))
      OR lower(p.value_text) = lower(r.value_text)
      OR (p.value_start <= r.value_end AND r.value_start <= p.value_end))
GROUP BY r.claim_id;

-- What belongs to one mention alone is left to it; which fields those are is said on the row.
CREATE TABLE evidence.claims AS
SELECT COLUMNS(lambda field: NOT list_contains(getvariable('fields_of_a_mention'), field))
FROM (
    SELECT
        r.* REPLACE (
            list_sort(list_distinct(
                r.caveats
                || CASE WHEN r.is_copied THEN ['copied'] ELSE [] END
                || CASE WHEN coalesce(c.claimants, 0) <= 1 THEN ['single_source'] ELSE [] END
                || CASE WHEN a.claim_id IS NOT NULL THEN ['altered'] ELSE [] END
            )) AS caveats
        ),
        coalesce(c.claimants, 0) AS claimants
    FROM claim_rows AS r
    LEFT JOIN corroboration AS c USING (claim_id)
    LEFT JOIN (
        -- A figure of a respun page that its origin gives otherwise.
        SELECT DISTINCT m.claim_id
        FROM evidence.mentions AS m
        JOIN evidence.copies AS k ON k.document_id = m.document_id AND k.origin_document_id IS NOT NULL
        JOIN evidence.mentions AS o
          ON o.document_id = k.origin_document_id AND o.subject_key = m.subject_key AND o.metric = m.metric
         AND topic_of(o.qualifiers) = topic_of(m.qualifiers)
        GROUP BY m.claim_id, m.document_id, m.locator
        HAVING bool_and(o.value IS DISTINCT FROM m.value OR o.value_start IS DISTINCT FROM m.value_start)
        UNION
        SELECT m.claim_id FROM evidence.mentions AS m
        JOIN evidence.mentions AS o ON o.ref = m.origin_ref
        WHERE o.value IS DISTINCT FROM m.value OR o.value_text IS DISTINCT FROM m.value_text
    ) AS a USING (claim_id)
)
ORDER BY subject_key, metric, stated_on, claim_id;

DROP TABLE claim_rows;
DROP TABLE corroboration;

-- What had been stated on or before a day.
CREATE MACRO evidence.as_of(day) AS TABLE
SELECT * FROM evidence.claims WHERE stated_on <= day;

-- Everything said about a subject and metric, oldest first; the subject by id or by any name it bears or bore.
CREATE MACRO evidence.history(subject_name, metric_id) AS TABLE
SELECT c.*
FROM evidence.claims AS c
WHERE c.metric = metric_id
  AND (c.subject_id = subject_name OR c.subject_key = name_group(subject_name)
       OR c.subject_id IN (SELECT a.subject_id FROM registry.aliases AS a
                           WHERE name_group(a.alias) = name_group(subject_name)))
ORDER BY c.stated_on, c.evidence, c.claim_id;

-- The value that stands on a day for each subject, metric and set of qualifiers, by the written rule: stronger tag, then
-- newer, then more claimants. With the range of all that was said, and the claims that lost. Of some subjects only where
-- their ids are given: `evidence.resolved(day, subjects := ['nvidia-b300'])` reads no others.
CREATE MACRO evidence.resolved(day, subjects := NULL) AS TABLE
WITH ranked AS (
    SELECT
        claim_id, subject_key, metric, topic, coalesce(qualifiers['bound'], '') AS bound, period_start, period_end, is_copied,
        claimant_key, value, value_low, value_high, value_start, value_end,
        row_number() OVER (
            PARTITION BY subject_key, metric, topic, coalesce(qualifiers['bound'], ''), period_start, period_end
            ORDER BY is_copied, evidence, stated_on DESC, claimants DESC, claim_id
        ) AS place
    FROM evidence.claims
    WHERE stated_on <= day AND evidence <> 'illustrative' AND modality <> 'withdrawn'
      AND (subjects IS NULL OR list_contains(subjects, subject_id))
),
gathered AS (
    SELECT
        subject_key, metric,
        any_value(claim_id) FILTER (place = 1) AS claim_id,
        min(coalesce(value_low, value)) AS range_low,
        max(coalesce(value_high, value)) AS range_high,
        min(value_start) AS range_start,
        max(value_end) AS range_end,
        count(*) AS said_in,
        count(DISTINCT claimant_key) FILTER (NOT is_copied) AS all_claimants,
        -- sorted afterwards: an ordered aggregate over many small groups takes twenty times as long
        list({'place': place, 'claim_id': claim_id}) FILTER (place > 1) AS losers
    FROM ranked GROUP BY subject_key, metric, topic, bound, period_start, period_end
)
SELECT
    c.*, g.range_low, g.range_high, g.range_start, g.range_end, g.said_in, g.all_claimants, coalesce(list_transform(list_sort(g.losers), lambda lost: lost.claim_id), []) AS losers
FROM gathered AS g
JOIN evidence.claims AS c ON c.claim_id = g.claim_id AND c.metric = g.metric AND c.subject_key = g.subject_key;
