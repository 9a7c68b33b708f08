-- Question: what did each submitter's system score in each MLPerf Training and HPC round?
-- Grain: one row is one benchmark submitted on one system in one round (and, for HPC, one scaling table).
-- Selection: a parsed archive replaces the committed rows of its round. Where both describe the same commit, committed
-- rows that the archive does not hold are kept: then the archive is a part of the round, not a newer state of it.
CREATE TEMP VIEW training_rows AS
WITH committed AS (
    SELECT f.* FROM committed_mlperf_training AS f
    LEFT JOIN (SELECT DISTINCT suite, round, commit FROM lake_mlperf_training) AS l USING (suite, round)
    WHERE l.round IS NULL
       OR (l.commit = (SELECT max(c.commit) FROM committed_mlperf_training AS c
                       WHERE c.suite = f.suite AND c.round = f.round)
           AND NOT EXISTS (SELECT 1 FROM lake_mlperf_training AS p
                           WHERE p.suite = f.suite AND p.round = f.round
                             AND p.member_dir = f.member_dir AND p."table" = f."table"))
)
SELECT * FROM lake_mlperf_training
UNION ALL BY NAME
SELECT * FROM committed;

CREATE TABLE facts.mlperf_training AS
SELECT
    r.suite || '-' || r.round || '/' || r.member_dir AS result_key,
    r.* EXCLUDE (evidence),
    coalesce(b.benchmark_id, r.benchmark) AS benchmark_id,
    a.generation_id AS generation,
    a.vendor_id AS vendor,
    r.score_minutes * nullif(r.accelerators, 0) AS accelerator_minutes,
    CASE WHEN r.origin = 'archive' THEN [] ELSE ['indirect'] END
        || CASE WHEN r.accelerator = 'unknown' THEN ['metadata_suspect'] ELSE [] END AS caveats,
    r.evidence::evidence_tag AS evidence,
    github_url(r.repository, coalesce(r.commit, m.branch, 'main'), r.member_dir) AS url
FROM training_rows AS r
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = r.accelerator
LEFT JOIN registry.mlperf_rounds AS m ON m.suite = r.suite AND m.round = r.round
LEFT JOIN registry_benchmark_names AS b
       ON b.suite = r.suite AND b.round = r.round AND b.benchmark_dir = r.benchmark_dir
ORDER BY r.stated_on, r.suite, r.round, r.member_dir;

DROP VIEW training_rows;
