-- What was captured, which documents it held, and what was wrong. Grain: one capture; one document; one problem.
CREATE TABLE evidence.captures (
    capture_id VARCHAR PRIMARY KEY,
    source_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    captured_at TIMESTAMP NOT NULL,
    sha256 VARCHAR NOT NULL,
    byte_count BIGINT NOT NULL,
    commit VARCHAR,
    kept_as VARCHAR NOT NULL,
    kept_members BIGINT,
    kept_bytes BIGINT
);
INSERT INTO evidence.captures BY NAME FROM lake_captures ORDER BY captured_at, capture_id;

-- The text of a document stays in the lake: it belongs to its author.
CREATE TABLE evidence.documents (
    document_id VARCHAR NOT NULL,
    capture_id VARCHAR PRIMARY KEY,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    captured_at TIMESTAMP NOT NULL,
    payload_sha256 VARCHAR NOT NULL,
    format VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    publisher VARCHAR NOT NULL,
    authors VARCHAR[] NOT NULL,
    published_on DATE,
    published_basis VARCHAR NOT NULL,
    language VARCHAR NOT NULL,
    canonical_url VARCHAR NOT NULL,
    block_count INTEGER NOT NULL,
    table_count INTEGER NOT NULL,
    character_count BIGINT NOT NULL,
    notes VARCHAR[] NOT NULL,
    problem VARCHAR NOT NULL,
    detail VARCHAR NOT NULL
);
INSERT INTO evidence.documents BY NAME
SELECT * EXCLUDE (text, structure_json) FROM lake_documents ORDER BY captured_at, capture_id;

CREATE TABLE evidence.problems (
    source_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    detail VARCHAR NOT NULL,
    is_fatal BOOLEAN NOT NULL
);
INSERT INTO evidence.problems BY NAME
FROM (FROM lake_problems UNION ALL BY NAME FROM build_problems) ORDER BY ALL;
