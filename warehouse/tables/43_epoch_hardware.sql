-- Question: what does an independent table say of each accelerator's speed, memory, bandwidth, power, process and price?
-- Grain: one row is one chip in one state of the publisher's row.
-- Selection: every state that a capture carried; `is_latest` marks what the newest capture carries. Figures are the
-- publisher's in the ledger's units; they are a second opinion beside the makers' claims, never merged with them.
CREATE TABLE facts.hardware_specs AS
WITH captured AS (
    SELECT * FROM lake_hardware_specs
    UNION ALL BY NAME
    SELECT * FROM committed_hardware_specs
    ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_hardware_specs) USING (payload_sha256)
),
states AS (
    SELECT
        * EXCLUDE (captured_at, capture_id, payload_sha256, url),
        min(captured_at)::DATE AS first_seen, max(captured_at)::DATE AS last_seen, max(captured_at) AS captured_at,
        arg_max(url, captured_at) AS url, arg_max(capture_id, captured_at) AS capture_id
    FROM captured
    GROUP BY ALL
)
SELECT
    s.hardware_raw, coalesce(c.accelerator, 'unknown') AS accelerator, a.model_id AS accelerator_model, c.generation,
    s.maker_raw, coalesce(c.vendor, m.organisation_id) AS vendor, s.kind, s.released_on, s.price_usd,
    s.tensor_fp16_flop_s / 1e15 AS tensor_fp16_pflops,
    s.fp8_flop_s / 1e15 AS fp8_pflops,
    s.fp4_flop_s / 1e15 AS fp4_pflops,
    s.fp64_flop_s / 1e15 AS fp64_pflops,
    s.fp32_flop_s / 1e15 AS fp32_pflops,
    s.tf32_flop_s / 1e15 AS tf32_pflops,
    s.fp16_flop_s / 1e15 AS fp16_pflops,
    s.int8_op_s / 1e15 AS int8_pops,
    s.int4_op_s / 1e15 AS int4_pops,
    s.memory_bytes / 1e9 AS memory_gb,
    s.memory_bytes_s / 1e12 AS memory_bandwidth_tb_s,
    s.intranode_bytes_s / 1e12 AS scale_up_bandwidth_tb_s,
    s.internode_bits_s / 1e9 AS scale_out_bandwidth_gb_s,
    s.tdp_w / 1e3 AS power_kw,
    s.foundry, s.process_nm, s.die_mm2, s.transistors_m / 1e3 AS transistors_bn, s.source_urls, s.notes,
    ['unit_unclear'] AS caveats,  -- neither density nor direction is stated in the table
    s.captured_at = max(s.captured_at) OVER (PARTITION BY s.source_id) AS is_latest,
    s.evidence::evidence_tag AS evidence, s.source_id, s.url, s.stated_on, s.first_seen, s.last_seen, s.capture_id
FROM states AS s
LEFT JOIN listed_chips AS c ON c.label = s.hardware_raw
LEFT JOIN listed_organisations AS m ON m.raw = s.maker_raw
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.accelerator
ORDER BY s.hardware_raw, s.stated_on, s.first_seen;
