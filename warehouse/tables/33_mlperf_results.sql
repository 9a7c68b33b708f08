-- Question: what did a system reach in any MLPerf suite?
-- Grain: one row is one result of facts.mlperf_training or facts.mlperf_inference.
-- Selection: all of both, in the columns that they share. A view: the rows stand in those two tables.
CREATE VIEW facts.mlperf_results AS
SELECT
    result_key, suite, round, division, submitter, submitter_raw, submitter_dir, system, system_name,
    benchmark, benchmark_dir, benchmark_id, mode, availability, availability_raw,
    accelerator_raw, accelerator, generation, vendor, accelerators, nodes, host_processor, framework,
    result, unit, is_higher_better, n_runs, problem, caveats, evidence, source_id, url, stated_on, stated_on_basis,
    repository, commit, committed_at, archive_sha256, captured_at, origin, member_dir, member_paths, system_path
FROM (
    SELECT *, "table" AS mode, score_minutes AS result, 'minutes' AS unit, false AS is_higher_better
    FROM facts.mlperf_training
    UNION ALL BY NAME
    SELECT *, scenario AS mode
    FROM facts.mlperf_inference
);
