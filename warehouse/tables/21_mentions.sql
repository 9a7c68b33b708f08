-- Question: which document (or row of the committed ledger) carries which claim, and where exactly?
-- Grain: one row is one place that carries one claim.
-- Selection: everything that was read, also what waits for review (`doubt` says why; such a claim is not published).
CREATE TABLE evidence.copies AS
SELECT * REPLACE (nullif(origin_document_id, '') AS origin_document_id) FROM lake_copies ORDER BY document_id;

CREATE TABLE evidence.mentions AS
SELECT
    m.* REPLACE (
        CASE d.decision
            WHEN 'accept' THEN NULL
            WHEN 'reject' THEN concat('rejected by ', d.decided_by, ' on ', strftime(d.decided_at, '%Y-%m-%d'))
            ELSE m.doubt
        END AS doubt
    ),
    CASE
        WHEN m.extractor = 'ledger' THEN 'typed'
        WHEN d.decision IS NOT NULL THEN d.decision || 'ed'
        WHEN m.doubt IS NULL THEN 'confident'
        ELSE 'candidate'
    END AS reading_state,
    coalesce(m.subject_id, name_group(m.subject)) AS subject_key,
    -- what as-of views and orders go by
    coalesce(m.stated_on, m.stated_not_after) AS known_on,
    c.document_id IS NOT NULL OR m.origin_ref IS NOT NULL AS is_copied
FROM lake_mentions AS m
LEFT JOIN evidence.copies AS c ON c.document_id = m.document_id
LEFT JOIN evidence.decisions AS d ON d.claim_id = m.claim_id AND d.counts AND m.extractor <> 'ledger'
ORDER BY known_on, m.claim_id, m.document_id, m.locator;
