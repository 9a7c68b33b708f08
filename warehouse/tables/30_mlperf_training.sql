-- Question: what did each submitter's system score in each MLPerf Training and HPC round?
-- Grain: one row is one benchmark submitted on one system in one round (and, for HPC, one scaling table).
-- Selection: a parsed archive replaces the committed rows of its round. Where both describe the same commit, committed
-- rows that the archive does not hold are kept: then the archive is a part of the round, not a newer state of it.
CREATE TABLE facts.mlperf_training (
    result_key VARCHAR PRIMARY KEY,
    suite VARCHAR NOT NULL CHECK (suite IN ('training', 'hpc')),
    round VARCHAR NOT NULL,
    division VARCHAR NOT NULL,
    division_raw VARCHAR,
    submitter VARCHAR NOT NULL,
    submitter_raw VARCHAR,
    submitter_dir VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    system_name VARCHAR,
    benchmark VARCHAR NOT NULL,
    benchmark_dir VARCHAR,
    benchmark_id VARCHAR NOT NULL,
    "table" VARCHAR NOT NULL CHECK ("table" IN ('strong', 'weak')),
    availability VARCHAR NOT NULL,
    availability_raw VARCHAR,
    accelerator_raw VARCHAR NOT NULL,
    accelerator VARCHAR NOT NULL,
    generation VARCHAR,
    vendor VARCHAR,
    accelerators INTEGER NOT NULL CHECK (accelerators >= 0),
    nodes INTEGER,
    host_processor VARCHAR,
    framework VARCHAR,
    n_runs INTEGER NOT NULL,
    n_runs_required INTEGER,
    n_not_converged INTEGER NOT NULL,
    raw_minutes DOUBLE CHECK (raw_minutes > 0),
    scaling_factor DOUBLE CHECK (scaling_factor > 0),
    score_minutes DOUBLE CHECK (score_minutes > 0),
    accelerator_minutes DOUBLE,
    n_models INTEGER,
    instance_scale INTEGER,
    energy_j DOUBLE CHECK (energy_j > 0),
    global_batch_size BIGINT,
    first_run_at TIMESTAMP,
    problem VARCHAR NOT NULL,
    caveats VARCHAR[] NOT NULL,
    evidence evidence_tag NOT NULL,
    source_id VARCHAR NOT NULL,
    url VARCHAR NOT NULL CHECK (url LIKE 'https://%'),
    stated_on DATE NOT NULL,
    stated_on_basis VARCHAR NOT NULL,
    repository VARCHAR NOT NULL,
    commit VARCHAR,
    committed_at TIMESTAMP,
    archive_sha256 VARCHAR,
    captured_at TIMESTAMP NOT NULL,
    origin VARCHAR NOT NULL CHECK (origin IN ('archive', 'computed table')),
    member_dir VARCHAR NOT NULL,
    member_paths VARCHAR[] NOT NULL,
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
