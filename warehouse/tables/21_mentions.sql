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

CREATE TABLE evidence.mentions (
    claim_id VARCHAR NOT NULL,
    subject VARCHAR NOT NULL CHECK (subject <> ''),
    subject_id VARCHAR,
    subject_key VARCHAR NOT NULL,
    subject_kind VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    value DOUBLE,
    value_text VARCHAR,
    value_start DATE,
    value_end DATE,
    value_low DOUBLE,
    value_high DOUBLE,
    unit VARCHAR NOT NULL,
    qualifiers MAP(VARCHAR, VARCHAR) NOT NULL,
    modality VARCHAR NOT NULL,
    claimant VARCHAR NOT NULL CHECK (claimant <> ''),
    claimant_id VARCHAR,
    evidence evidence_tag NOT NULL,
    stated_on DATE NOT NULL,
    stated_on_precision VARCHAR NOT NULL,
    period_start DATE,
    period_end DATE,
    caveats VARCHAR[] NOT NULL,
    doubt VARCHAR,
    document_id VARCHAR,
    source_id VARCHAR NOT NULL CHECK (source_id <> ''),
    url VARCHAR NOT NULL CHECK (url LIKE 'http%'),
    publisher VARCHAR NOT NULL,
    locator VARCHAR NOT NULL CHECK (locator <> ''),
    locator_start BIGINT,
    locator_end BIGINT,
    context_start BIGINT,
    context_end BIGINT,
    printed VARCHAR NOT NULL,
    method VARCHAR NOT NULL,
    extractor VARCHAR NOT NULL,
    extractor_version VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    first_seen TIMESTAMP,
    last_seen TIMESTAMP,
    ref VARCHAR,
    origin_ref VARCHAR,
    due_on DATE,
    criterion VARCHAR,
    state VARCHAR CHECK (state IN ('open', 'met', 'missed', 'ambiguous')),
    arithmetic VARCHAR CHECK (arithmetic IN ('consistent', 'inconsistent')),
    formula VARCHAR,
    note VARCHAR,
    is_copied BOOLEAN NOT NULL,
    CHECK ((value IS NOT NULL)::INTEGER + (value_text IS NOT NULL)::INTEGER + (value_start IS NOT NULL)::INTEGER = 1)
);

INSERT INTO evidence.mentions BY NAME
SELECT
    m.* REPLACE (
        nullif(m.subject_id, '') AS subject_id,
        nullif(m.value_text, '') AS value_text,
        m.qualifiers::JSON::MAP(VARCHAR, VARCHAR) AS qualifiers,
        nullif(m.claimant_id, '') AS claimant_id,
        m.evidence::evidence_tag AS evidence,
        nullif(m.doubt, '') AS doubt,
        nullif(m.document_id, '') AS document_id,
        nullif(m.ref, '') AS ref,
        nullif(m.origin_ref, '') AS origin_ref,
        nullif(m.criterion, '') AS criterion,
        nullif(m.state, '') AS state,
        nullif(m.arithmetic, '') AS arithmetic,
        nullif(m.formula, '') AS formula,
        nullif(m.note, '') AS note
    ),
    coalesce(nullif(m.subject_id, ''), name_group(m.subject)) AS subject_key,
    c.document_id IS NOT NULL OR m.origin_ref <> '' AS is_copied
FROM (FROM lake_mentions UNION ALL BY NAME FROM committed_mentions) AS m
LEFT JOIN evidence.copies AS c ON c.document_id = m.document_id
ORDER BY m.stated_on, m.claim_id, m.document_id, m.locator;
