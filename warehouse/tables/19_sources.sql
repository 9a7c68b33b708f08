-- What is collected, on what terms. Grain: one source of sources.yaml.
CREATE TABLE evidence.sources AS
SELECT
    s.* REPLACE (evidence::evidence_tag AS evidence),
    NOT regexp_matches(licence, '^(CC BY 4|CC BY or|CC0|Apache|MIT|US public domain)') AS is_facts_only,
    l.says AS set_aside,
    coalesce(o.name, s.publisher) AS publisher_name
FROM listed_sources AS s LEFT JOIN left_sources AS l USING (source_id)
LEFT JOIN registry.organisations AS o ON o.organisation_id = s.publisher ORDER BY source_id;
