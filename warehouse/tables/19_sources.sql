-- What is collected, on what terms. Grain: one source of sources.yaml.
CREATE TABLE evidence.sources (
    source_id VARCHAR PRIMARY KEY,
    title VARCHAR NOT NULL,
    publisher VARCHAR NOT NULL,
    producer VARCHAR NOT NULL,
    publisher_group VARCHAR NOT NULL,
    layer VARCHAR NOT NULL,
    signals VARCHAR[] NOT NULL,
    kind VARCHAR NOT NULL,
    parser VARCHAR NOT NULL,
    evidence evidence_tag NOT NULL,
    status VARCHAR NOT NULL,
    is_link_only BOOLEAN NOT NULL,
    urls VARCHAR[] NOT NULL,
    page_url VARCHAR,
    cadence_hours INTEGER NOT NULL,
    terms VARCHAR NOT NULL,
    licence VARCHAR NOT NULL,
    citation VARCHAR NOT NULL
);
INSERT INTO evidence.sources BY NAME FROM listed_sources ORDER BY source_id;
