-- Question: what is claimed, about what, by whom, for when, and how firmly?
-- Grain: one row is one claim: one value of one metric of one subject, as one claimant says it for one period.
-- Selection: published claims; those that wait for review are evidence.mentions with a `doubt`. Of what differs between
-- mentions of one claim, the strongest tag and the earliest date stand. Corroboration counts independent claimants: a
-- company and its parent are one, and copied or respun pages are none.
-- First one row a claim, with what none of its mentions says otherwise; what belongs to one mention alone is left to it. Which
-- fields those are is said on the row. The macro below counts and chooses, for any day.
CREATE TABLE evidence.claims AS
SELECT COLUMNS(lambda field: NOT list_contains(getvariable('fields_of_a_mention'), field))
FROM (
    SELECT
        m.* EXCLUDE (first_seen, last_seen, is_copied, confidence, caveats, stated_on, known_on),
        coalesce(o.parent_id, m.claimant_id, name_group(m.claimant)) AS claimant_key, topic_of(m.qualifiers)::VARCHAR AS topic,
        m.known_on, m.stated_on, m.stated_on AS last_stated_on, m.first_seen, m.last_seen, 0 AS mentions, 0 AS documents,
        m.is_copied, m.confidence, m.caveats, 0 AS claimants
    FROM evidence.mentions AS m LEFT JOIN registry.organisations AS o ON o.organisation_id = m.claimant_id
    WHERE m.doubt IS NULL
    QUALIFY row_number() OVER (PARTITION BY m.claim_id ORDER BY m.document_id NULLS FIRST, m.locator) = 1
);

-- The claims as they were told by a day: of what differs between mentions, and of what is counted over them, only what the
-- mentions known by then say. A note is known from the day of reading; one without that day is of no past day. Of some subjects
-- only where their ids are given.
CREATE MACRO evidence.told_claims(day, subjects := NULL) AS TABLE
WITH told AS MATERIALIZED (
    SELECT * FROM evidence.mentions
    WHERE doubt IS NULL AND known_on <= day AND (subjects IS NULL OR list_contains(subjects, subject_id))
),
firsts AS MATERIALIZED (
    SELECT * FROM told
    QUALIFY row_number() OVER (PARTITION BY claim_id ORDER BY is_copied, evidence, known_on, document_id NULLS FIRST, locator) = 1
),
counts AS MATERIALIZED (
    SELECT claim_id, min(stated_on) AS stated_on, max(stated_on) AS last_stated_on, min(known_on) AS known_on, min(first_seen) AS first_seen,
        max(CASE WHEN last_seen::DATE <= day THEN last_seen ELSE first_seen END) AS last_seen, count(*)::INTEGER AS mentions,
        count(DISTINCT coalesce(document_id, ref))::INTEGER AS documents, bool_and(is_copied) AS is_copied,
        max(confidence) AS confidence, list_distinct(flatten(list(caveats))) AS caveats
    FROM told GROUP BY claim_id
),
points AS MATERIALIZED (
    SELECT DISTINCT f.subject_key, c.metric, c.topic, c.value, c.value_text, c.value_start, c.value_end, c.claimant_key,
        coalesce(m.tolerance, 0) AS tolerance
    FROM evidence.claims AS c JOIN counts AS k USING (claim_id) JOIN firsts AS f USING (claim_id)
    LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
    WHERE NOT k.is_copied AND f.evidence <> 'illustrative'
),
-- Claimants that say the same: equal subject, metric and qualifiers, and a value within the metric's tolerance.
agreeing AS (
    SELECT c.claim_id, count(DISTINCT p.claimant_key)::INTEGER AS claimants
    FROM evidence.claims AS c JOIN firsts AS f USING (claim_id)
    JOIN points AS p ON p.subject_key = f.subject_key AND p.metric = c.metric AND p.topic = c.topic
     AND ((abs(p.value - c.value) <= p.tolerance * greatest(abs(p.value), abs(c.value))) OR lower(p.value_text) = lower(c.value_text)
          OR (p.value_start <= c.value_end AND c.value_start <= p.value_end))
    GROUP BY c.claim_id
),
-- each with its origin first: else every statement on a figure would be compared with every other
respun AS MATERIALIZED (
    SELECT m.claim_id, m.document_id, m.locator, m.subject_key, m.metric, topic_of(m.qualifiers) AS topic, m.value, m.value_start,
        k.origin_document_id
    FROM told AS m JOIN evidence.copies AS k ON k.document_id = m.document_id AND k.origin_document_id IS NOT NULL
),
altered AS (
    -- a figure of a respun page that its origin gives otherwise
    SELECT m.claim_id
    FROM respun AS m
    JOIN told AS o
      ON o.document_id = m.origin_document_id AND o.subject_key = m.subject_key AND o.metric = m.metric
     AND topic_of(o.qualifiers) = m.topic
    GROUP BY m.claim_id, m.document_id, m.locator
    HAVING bool_and(o.value IS DISTINCT FROM m.value OR o.value_start IS DISTINCT FROM m.value_start)
    UNION
    SELECT m.claim_id FROM told AS m JOIN told AS o ON o.ref = m.origin_ref
    WHERE o.value IS DISTINCT FROM m.value OR o.value_text IS DISTINCT FROM m.value_text
)
SELECT
    c.* REPLACE (
        f.subject AS subject, f.subject_id AS subject_id, f.subject_kind AS subject_kind, f.subject_key AS subject_key, f.modality AS modality, f.evidence AS evidence, f.source_id AS source_id, f.url AS url, f.printed AS printed, f.printed_by AS printed_by,
        f.method AS method, f.ref AS ref, f.reading_state AS reading_state, f.value_low AS value_low, f.value_high AS value_high,
        f.stated_on_precision AS stated_on_precision, f.stated_not_after AS stated_not_after, f.read_on AS read_on,
        CASE WHEN coalesce(f.read_on, DATE '9999-12-31') <= day THEN f.note END AS note, f.arithmetic AS arithmetic,
        k.stated_on AS stated_on, k.last_stated_on AS last_stated_on, k.known_on AS known_on, k.first_seen AS first_seen,
        k.last_seen AS last_seen, k.mentions AS mentions, k.documents AS documents, k.is_copied AS is_copied, k.confidence AS confidence,
        coalesce(g.claimants, 0) AS claimants,
        list_sort(list_distinct(
            k.caveats || CASE WHEN k.is_copied THEN ['copied'] ELSE [] END
            || CASE WHEN coalesce(g.claimants, 0) <= 1 THEN ['single_source'] ELSE [] END
            || CASE WHEN a.claim_id IS NOT NULL THEN ['altered'] ELSE [] END)) AS caveats
    )
FROM evidence.claims AS c JOIN firsts AS f USING (claim_id) JOIN counts AS k USING (claim_id)
LEFT JOIN agreeing AS g USING (claim_id) LEFT JOIN altered AS a USING (claim_id);

CREATE OR REPLACE TABLE evidence.claims AS
FROM evidence.told_claims(DATE '9999-12-31') ORDER BY subject_key, metric, known_on, claim_id;

-- Everything said about a subject and metric, oldest first; the subject by id or by any name it bears or bore.
CREATE MACRO evidence.history(subject_name, metric_id) AS TABLE
SELECT c.*
FROM evidence.claims AS c
WHERE c.metric = metric_id
  AND (c.subject_id = subject_name OR c.subject_key = name_group(subject_name)
       OR c.subject_id IN (SELECT a.subject_id FROM registry.aliases AS a
                           WHERE name_group(a.alias) = name_group(subject_name)))
ORDER BY c.known_on, c.evidence, c.claim_id;
