-- Question: which document (or row of the committed ledger) carries which claim, and where exactly?
-- Grain: one row is one place that carries one claim.
-- Selection: everything that was read, also what waits for review (`doubt` says why; such a claim is not published).
CREATE TABLE evidence.copies (
    document_id VARCHAR PRIMARY KEY,
    origin_document_id VARCHAR,
    kind VARCHAR NOT NULL CHECK (kind IN ('copy', 'spin', 'suspect')),
    word_similarity DOUBLE NOT NULL,
    name_similarity DOUBLE NOT NULL,
    signs VARCHAR[] NOT NULL
);
INSERT INTO evidence.copies BY NAME
SELECT * REPLACE (nullif(origin_document_id, '') AS origin_document_id) FROM lake_copies ORDER BY document_id;

CREATE TABLE evidence.mentions AS
SELECT
    m.*,
    coalesce(m.subject_id, name_group(m.subject)) AS subject_key,
    c.document_id IS NOT NULL OR m.origin_ref IS NOT NULL AS is_copied
FROM lake_mentions AS m
LEFT JOIN evidence.copies AS c ON c.document_id = m.document_id
ORDER BY m.stated_on, m.claim_id, m.document_id, m.locator;
