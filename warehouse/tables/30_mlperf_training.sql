-- Question: what did each submitter's system score in each MLPerf Training and HPC round?
-- Grain: one row is one benchmark submitted on one system in one round (and, for HPC, one scaling table).
-- Selection: a parsed archive replaces the committed rows of its round. Where both describe the same commit, committed
-- rows that the archive does not hold are kept: then the archive is a part of the round, not a newer state of it.
CREATE TABLE facts.mlperf_training (
    result_key VARCHAR,
    suite VARCHAR,
    round VARCHAR,
    division VARCHAR,
    division_raw VARCHAR,
    submitter VARCHAR,
    submitter_raw VARCHAR,
    submitter_dir VARCHAR,
    system VARCHAR,
    system_name VARCHAR,
    benchmark VARCHAR,
    benchmark_dir VARCHAR,
    benchmark_id VARCHAR,
    "table" VARCHAR,
    availability VARCHAR,
    availability_raw VARCHAR,
    accelerator_raw VARCHAR,
    accelerator VARCHAR,
    generation VARCHAR,
    vendor VARCHAR,
    accelerators INTEGER,
    nodes INTEGER,
    host_processor VARCHAR,
    framework VARCHAR,
    n_runs INTEGER,
    n_runs_required INTEGER,
    n_not_converged INTEGER,
    raw_minutes DOUBLE,
    scaling_factor DOUBLE,
    score_minutes DOUBLE,
    accelerator_minutes DOUBLE,
    n_models INTEGER,
    instance_scale INTEGER,
    energy_j DOUBLE,
    global_batch_size BIGINT,
    first_run_at TIMESTAMP,
    problem VARCHAR,
    caveats VARCHAR[],
    evidence evidence_tag,
    source_id VARCHAR,
    url VARCHAR,
    stated_on DATE,
    stated_on_basis VARCHAR,
    repository VARCHAR,
    commit VARCHAR,
    committed_at TIMESTAMP,
    archive_sha256 VARCHAR,
    captured_at TIMESTAMP,
    origin VARCHAR,
    member_dir VARCHAR,
    member_paths VARCHAR[],
    system_path VARCHAR
);

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

INSERT INTO facts.mlperf_training BY NAME
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
