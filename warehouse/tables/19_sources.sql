-- What is collected, on what terms. Grain: one source of sources.yaml.
CREATE TABLE evidence.sources AS
SELECT * REPLACE (evidence::evidence_tag AS evidence) FROM listed_sources ORDER BY source_id;
