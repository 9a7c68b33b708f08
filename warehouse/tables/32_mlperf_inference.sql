-- Question: what did each submitter's system achieve in each MLPerf Inference round, benchmark and scenario?
-- Grain: one row is one benchmark (with its accuracy target) in one scenario on one system in one round.
-- Selection: a parsed archive replaces the committed rows of its round. Where both describe the same state of the
-- repository, fields that the archive at hand lacks (it may be a part) are taken from the committed row, and committed
-- rows that it does not hold are kept. Units come from benchmark, scenario and round; the official labels are not used.
CREATE TEMP VIEW inference_lake_rows AS
SELECT
    l.* REPLACE (
        CASE WHEN l.result_detail IS NULL AND list_contains(c.from_organisers, 'result') THEN c.result
             ELSE l.result END AS result,
        coalesce(l.accuracy, c.accuracy) AS accuracy,
        CASE WHEN l.accuracy IS NULL AND c.accuracy IS NOT NULL THEN c.accuracy_raw ELSE l.accuracy_raw END
            AS accuracy_raw,
        coalesce(l.accuracy_met, c.accuracy_met) AS accuracy_met,
        l.has_power OR coalesce(c.has_power, false) AS has_power,
        coalesce(l.power_w, c.power_w) AS power_w,
        coalesce(l.energy_j, c.energy_j) AS energy_j,
        coalesce(nullif(l.result_id, ''), c.result_id, '') AS result_id,
        coalesce(c.from_organisers, l.from_organisers) AS from_organisers
    )
FROM lake_mlperf_inference AS l
LEFT JOIN committed_mlperf_inference AS c
       ON c.round = l.round AND c.member_dir = l.member_dir
      AND coalesce(c.commit, c.archive_sha256) = coalesce(l.commit, l.archive_sha256);

CREATE TEMP VIEW inference_rows AS
WITH states AS (
    SELECT DISTINCT round, coalesce(commit, archive_sha256) AS state FROM lake_mlperf_inference
),
committed AS (
    SELECT f.* FROM committed_mlperf_inference AS f
    LEFT JOIN states AS s USING (round)
    WHERE s.round IS NULL
       OR (s.state = coalesce(f.commit, f.archive_sha256)
           AND NOT EXISTS (SELECT 1 FROM lake_mlperf_inference AS p
                           WHERE p.round = f.round AND p.member_dir = f.member_dir))
)
SELECT * FROM inference_lake_rows
UNION ALL BY NAME
SELECT * FROM committed;

-- A farm is one submitter's many near-equal rows: model variants on one kind of hardware in one benchmark and scenario.
CREATE TEMP VIEW inference_farms AS
SELECT
    *,
    concat_ws('/', round, division, submitter_dir, benchmark, scenario, name_slug(host_processor), accelerator,
              coalesce(accelerators::VARCHAR, '?')) AS farm_key,
    count(*) OVER (
        PARTITION BY round, division, submitter_dir, benchmark, scenario, name_slug(host_processor), accelerator,
                     accelerators
    ) AS farm_rows
FROM inference_rows;

CREATE TABLE facts.mlperf_inference AS
SELECT
    'inference-' || r.round || '/' || r.member_dir AS result_key,
    r.* EXCLUDE (evidence),
    coalesce(b.benchmark_id, r.benchmark) AS benchmark_id,
    a.generation_id AS generation,
    a.vendor_id AS vendor,
    mlperf_system_key(r.submitter, r.system_name, r.accelerator, r.accelerators, r.nodes, r.host_processor)
        AS system_key,
    r.unit NOT IN ('ms', 's') AS is_higher_better,
    CASE WHEN r.unit NOT IN ('ms', 's', 'streams') THEN r.result / nullif(r.accelerators, 0) END
        AS result_per_accelerator,
    CASE WHEN r.unit IN ('ms', 's', 'streams') THEN ['latency_or_streams'] ELSE [] END
        || CASE WHEN r.nodes > 1 THEN ['several_nodes'] ELSE [] END
        || CASE WHEN r.availability <> 'available' THEN [r.availability] ELSE [] END
        || CASE WHEN r.division <> 'closed' THEN [r.division || '_division'] ELSE [] END
        || CASE WHEN r.accelerators IS NULL OR r.accelerators = 0 THEN ['no_accelerator_count'] ELSE [] END
        || CASE WHEN r.accelerators_basis = 'name' THEN ['count_from_name'] ELSE [] END
        || CASE WHEN r.accelerator_raw ILIKE '%mig%' THEN ['slices_of_accelerators'] ELSE [] END
        || CASE WHEN r.accelerator = 'mixed' THEN ['mixed_accelerators'] ELSE [] END
        || CASE WHEN r.inferred THEN ['inferred'] ELSE [] END AS normalisation_warnings,
    CASE WHEN r.unit NOT IN ('ms', 's', 'streams') THEN r.result / r.power_w END AS result_per_watt,
    r.farm_rows >= 20 AND r.division = 'open' AS is_farm,
    CASE WHEN r.origin = 'archive' THEN [] ELSE ['indirect'] END
        || CASE WHEN r.accelerator = 'unknown' OR r.accelerators_basis = 'name' THEN ['metadata_suspect'] ELSE [] END
        || CASE WHEN r.accelerator_raw ILIKE '%mig%' OR r.accelerator = 'mixed' THEN ['not_comparable'] ELSE [] END
        AS caveats,
    r.evidence::evidence_tag AS evidence,
    github_url(r.repository, coalesce(r.commit, m.branch, 'main'), r.member_dir) AS url
FROM inference_farms AS r
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = r.accelerator
LEFT JOIN registry.mlperf_rounds AS m ON m.suite = r.suite AND m.round = r.round
LEFT JOIN registry_benchmark_names AS b
       ON b.suite = r.suite AND b.round = r.round AND b.benchmark_dir = r.benchmark
ORDER BY r.stated_on, r.round, r.member_dir;

DROP VIEW inference_farms;
DROP VIEW inference_rows;
DROP VIEW inference_lake_rows;
