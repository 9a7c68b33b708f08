-- Question: what was each MLPerf system made of, in its submitter's own words?
-- Grain: one row is one system description file of one round.
-- Selection: as for facts.mlperf_training. One machine has one system_key in all rounds and suites. Descriptions are typed by submitters and not audited: tag 'vendor'.
CREATE TEMP VIEW system_rows AS
WITH committed AS (
    SELECT f.* FROM committed_mlperf_systems AS f
    LEFT JOIN (SELECT DISTINCT suite, round, coalesce(commit, archive_sha256) AS state FROM lake_mlperf_systems) AS l
        USING (suite, round)
    WHERE l.round IS NULL
       OR (l.state = coalesce(f.commit, f.archive_sha256)
           AND NOT EXISTS (SELECT 1 FROM lake_mlperf_systems AS p
                           WHERE p.suite = f.suite AND p.round = f.round AND p.system_path = f.system_path))
)
SELECT * FROM lake_mlperf_systems
UNION ALL BY NAME
SELECT * FROM committed;

CREATE TABLE facts.mlperf_systems AS
SELECT
    r.suite || '-' || r.round || '/' || r.system_path AS description_key,
    mlperf_system_key(r.submitter, r.system_name, r.accelerator, r.accelerators, r.nodes, r.host_processor)
        AS system_key,
    r.* EXCLUDE (evidence),
    a.generation_id AS generation,
    a.vendor_id AS vendor,
    ['own_product'] AS caveats,
    'vendor'::evidence_tag AS evidence,
    github_url(r.repository, coalesce(r.commit, m.branch, 'main'), r.system_path) AS url
FROM system_rows AS r
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = r.accelerator
LEFT JOIN registry.mlperf_rounds AS m ON m.suite = r.suite AND m.round = r.round
ORDER BY r.stated_on, r.suite, r.round, r.system_path;

DROP VIEW system_rows;
