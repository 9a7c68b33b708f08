-- What is collected, on what terms. Grain: one source of sources.yaml.
CREATE TABLE evidence.sources AS
SELECT
    * REPLACE (evidence::evidence_tag AS evidence),
    NOT regexp_matches(licence, '^(CC BY 4|CC BY or|CC0|Apache|MIT|US public domain)') AS is_facts_only
FROM listed_sources ORDER BY source_id;
