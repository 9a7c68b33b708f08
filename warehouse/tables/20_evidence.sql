-- What was captured, and what was wrong with it. Grain: one capture; one problem at one place.
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
