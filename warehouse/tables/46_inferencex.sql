-- Question: how many tokens a second does each accelerator serve, with which stack, precision and load?
-- Grain: one row is one run of one model on one kind of accelerator with one stack, layout and load on one day.
-- Selection: every run of every capture, each once; first_seen and last_seen are the captures that carried it. A
-- capture that was parsed replaces its committed rows. These runs never share an axis or a ratio with MLPerf results.
CREATE TABLE facts.inferencex AS
WITH captured AS (
    SELECT * FROM lake_inferencex
    UNION ALL BY NAME
    SELECT * FROM committed_inferencex
    ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_inferencex) USING (payload_sha256)
),
keyed AS (
    SELECT
        *,
        md5(concat_ws('|', model_key, hardware_raw, framework, precision, speculation, run_type, is_disaggregated,
            is_multinode, input_tokens, output_tokens, concurrency, prefill_tensor_parallel, prefill_expert_parallel,
            coalesce(prefill_workers::VARCHAR, '-'), prefill_gpus, has_prefill_attention_parallel, decode_tensor_parallel,
            decode_expert_parallel, coalesce(decode_workers::VARCHAR, '-'), decode_gpus, has_decode_attention_parallel
        )) AS setting
    FROM captured
),
runs AS (
    SELECT
        left(md5(concat_ws('|', setting, stated_on, image, run_url)), 16) AS run_key,
        *,
        min(captured_at) OVER run::DATE AS first_seen,
        max(captured_at) OVER run::DATE AS last_seen
    FROM keyed
    WINDOW run AS (PARTITION BY setting, stated_on, image, run_url)
    QUALIFY row_number() OVER (PARTITION BY setting, stated_on, image, run_url ORDER BY captured_at DESC, capture_id) = 1
)
SELECT
    r.* EXCLUDE (setting, captured_at, payload_sha256, evidence),
    coalesce(m.accelerator, 'unknown') AS accelerator,
    a.model_id AS accelerator_model,
    a.generation_id AS generation,
    a.vendor_id AS vendor,
    row_number() OVER (PARTITION BY r.setting ORDER BY r.stated_on DESC, r.run_key) = 1 AS is_latest,
    r.evidence::evidence_tag AS evidence
FROM runs AS r
LEFT JOIN market_accelerators AS m ON m.accelerator_raw = r.hardware_raw AND m.memory_gb IS NULL
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = m.accelerator
ORDER BY r.stated_on, r.model, r.hardware_raw, r.run_key;
