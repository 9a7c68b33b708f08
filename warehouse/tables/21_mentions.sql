-- Question: which document (or row of the committed ledger) carries which claim, and where exactly?
-- Grain: one row is one place that carries one claim.
-- Selection: everything that was read, also what waits for review (`doubt` says why; such a claim is not published). Of a
-- document whose readings are committed facts these stand, so that a build with its text is that without.
CREATE TABLE evidence.copies AS
SELECT * REPLACE (nullif(origin_document_id, '') AS origin_document_id) FROM lake_copies ORDER BY document_id;

CREATE TEMP TABLE told_mentions AS
-- asked twice: what the lake holds stands in many small files
WITH held AS MATERIALIZED (FROM lake_mentions),
names AS (
    SELECT name_group(name) AS name_key, subject, subject_id, subject_kind FROM evidence.decisions
    WHERE decision IN ('merge', 'new') AND counts
),
said AS (
    SELECT
        claim_id, decision, decided_by, decided_at, becomes, metric, unit, subject, subject_id, subject_kind,
        map_from_entries(list_transform(string_split(nullif(qualifiers, ''), '; '), lambda pair:
            {'key': split_part(pair, '=', 1), 'value': split_part(pair, '=', 2)})) AS qualifiers,
        try_cast(value AS DOUBLE) AS value, try_cast(split_part(value, '..', 1) AS DATE) AS value_start,
        try_cast(split_part(value, '..', 2) AS DATE) AS value_end,
        CASE WHEN try_cast(value AS DOUBLE) IS NULL AND NOT contains(value, '..') THEN value END AS value_text
    FROM evidence.decisions WHERE decision NOT IN ('merge', 'new') AND counts
),
-- a later decision on what a reading was corrected to is one on the correction
decided AS (
    SELECT
        a.claim_id, coalesce(b.decision, a.decision) AS decision, coalesce(b.decided_by, a.decided_by) AS decided_by,
        coalesce(b.decided_at, a.decided_at) AS decided_at, CASE WHEN b.decision = 'correct' THEN b ELSE a END AS says,
        coalesce(b.qualifiers, a.qualifiers) AS qualifiers
    FROM said AS a LEFT JOIN said AS b ON b.claim_id = a.becomes AND b.decided_at > a.decided_at
),
-- a condition on one side of a left join would have every row compared with every other: it stands in the key
named AS (
    SELECT m.* REPLACE (
        coalesce(n.subject, m.subject) AS subject, coalesce(n.subject_id, m.subject_id) AS subject_id,
        coalesce(n.subject_kind, m.subject_kind) AS subject_kind, coalesce(c.last_seen, m.last_seen) AS last_seen
    )
    FROM held AS m
    LEFT JOIN (
        SELECT source_id, document_id, max(captured_at) AS last_seen FROM lake_documents GROUP BY ALL
    ) AS c ON c.source_id = m.source_id AND c.document_id = CASE WHEN m.first_seen IS NOT NULL THEN m.document_id END
    LEFT JOIN names AS n ON n.name_key = CASE WHEN m.extractor <> 'ledger' AND m.subject_id IS NULL THEN name_group(m.subject) END
    WHERE m.first_seen IS NULL
       OR m.document_id NOT IN (SELECT r.document_id FROM held AS r WHERE r.first_seen IS NULL AND r.document_id IS NOT NULL)
)
-- a corrected reading is the claim that it was corrected to, at the place where it was read
SELECT
    m.* REPLACE (
        coalesce(d.says.becomes, m.claim_id) AS claim_id,
        CASE WHEN d.says.becomes IS NULL THEN m.subject ELSE d.says.subject END AS subject,
        CASE WHEN d.says.becomes IS NULL THEN m.subject_id ELSE d.says.subject_id END AS subject_id,
        CASE WHEN d.says.becomes IS NULL THEN m.subject_kind ELSE d.says.subject_kind END AS subject_kind,
        CASE WHEN d.says.becomes IS NULL THEN m.metric ELSE d.says.metric END AS metric,
        CASE WHEN d.says.becomes IS NULL THEN m.unit ELSE d.says.unit END AS unit,
        CASE WHEN d.says.becomes IS NULL THEN m.value ELSE d.says.value END AS value,
        CASE WHEN d.says.becomes IS NULL THEN m.value_start ELSE d.says.value_start END AS value_start,
        CASE WHEN d.says.becomes IS NULL THEN m.value_end ELSE d.says.value_end END AS value_end,
        CASE WHEN d.says.becomes IS NULL THEN m.value_text ELSE d.says.value_text END AS value_text,
        coalesce(d.qualifiers, m.qualifiers) AS qualifiers
    ),
    d.decision, d.decided_by, d.decided_at,
    coalesce(CASE WHEN d.says.becomes IS NULL THEN m.subject_id ELSE d.says.subject_id END,
             name_group(CASE WHEN d.says.becomes IS NULL THEN m.subject ELSE d.says.subject END)) AS subject_key,
    -- what as-of views and orders go by
    coalesce(m.stated_on, m.stated_not_after) AS known_on,
    c.document_id IS NOT NULL OR m.origin_ref IS NOT NULL AS is_copied
FROM named AS m
LEFT JOIN decided AS d ON d.claim_id = CASE WHEN m.extractor <> 'ledger' THEN m.claim_id END
LEFT JOIN evidence.copies AS c ON c.document_id = m.document_id;

-- A page without a named author or a method fills what is empty; where one that has them speaks of the same, it waits.
CREATE TEMP TABLE unsigned AS
SELECT DISTINCT m.claim_id
FROM told_mentions AS m
JOIN told_mentions AS o
  ON o.subject_key = m.subject_key AND o.metric = m.metric AND o.evidence < 'unverified' AND o.evidence <> 'illustrative'
 AND coalesce(o.decision <> 'reject', o.doubt IS NULL) AND per_word(coalesce(stated(o.qualifiers, 'per'), '')) = per_word(coalesce(stated(m.qualifiers, 'per'), ''))
 AND coalesce(stated(o.qualifiers, 'precision') = stated(m.qualifiers, 'precision'), true)
 -- what was reached in a benchmark is another figure
 AND stated(o.qualifiers, 'benchmark') IS NOT DISTINCT FROM stated(m.qualifiers, 'benchmark')
WHERE m.extractor <> 'ledger' AND m.evidence = 'unverified' AND m.doubt IS NULL AND m.decision IS NULL;

CREATE TABLE evidence.mentions AS
SELECT
    m.* EXCLUDE (decision, decided_by, decided_at) REPLACE (
        CASE
            WHEN m.decision = 'reject' THEN concat('rejected by ', m.decided_by, ' on ', strftime(m.decided_at, '%Y-%m-%d'))
            WHEN m.decision IS NULL THEN coalesce(m.doubt, CASE WHEN s.claim_id IS NOT NULL THEN 'a page that nobody signs; one that somebody does speaks of it' END)
        END AS doubt
    ),
    CASE
        WHEN m.extractor = 'ledger' THEN 'typed'
        WHEN m.decision = 'reject' THEN 'rejected'
        WHEN m.decision IS NOT NULL THEN 'accepted'
        WHEN m.doubt IS NULL AND s.claim_id IS NULL THEN CASE WHEN m.confidence >= 0.95 THEN 'confident' ELSE 'accepted' END
        ELSE 'candidate'
    END AS reading_state
FROM told_mentions AS m LEFT JOIN unsigned AS s USING (claim_id)
ORDER BY known_on, m.claim_id, m.document_id, m.locator;

DROP TABLE told_mentions;
DROP TABLE unsigned;
