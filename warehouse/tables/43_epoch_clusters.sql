-- Question: which clusters of accelerators are known, existing or planned, whose are they and how large are they?
-- Grain: one row is one cluster in one state of the publisher's table.
-- Selection: every state that a capture carried, from first_seen to last_seen; `is_latest` marks what the newest capture
-- carries. Figures that differ only beyond the sixth digit between two copies are one state. The publisher's own rule
-- for counting is kept as `is_in_standard_analysis`.
CREATE TABLE facts.clusters AS
WITH captured AS (
    SELECT * FROM lake_clusters
    UNION ALL BY NAME
    SELECT * FROM committed_clusters ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_clusters) USING (payload_sha256)
),
rounded AS (
    SELECT * REPLACE (
        format('{:.6g}', h100e)::DOUBLE AS h100e,
        format('{:.6g}', power_mw)::DOUBLE AS power_mw,
        format('{:.6g}', calculated_power_mw)::DOUBLE AS calculated_power_mw,
        format('{:.6g}', cost_usd)::DOUBLE AS cost_usd,
        -- some copies write the note's own dates in another form
        coalesce(strftime(try_strptime(operational_note, '%-m/%-d/%Y'), '%Y-%m-%d'), operational_note) AS operational_note,
        coalesce(strftime(try_strptime(decommissioned, '%-m/%-d/%Y'), '%Y-%m-%d'), decommissioned) AS decommissioned
    )
    FROM captured
),
states AS (
    SELECT
        * EXCLUDE (stated_on, captured_at, capture_id, payload_sha256, url),
        min(stated_on) AS stated_on, min(captured_at)::DATE AS first_seen, max(captured_at)::DATE AS last_seen,
        max(captured_at) AS captured_at, arg_max(url, captured_at) AS url, arg_max(capture_id, captured_at) AS capture_id
    FROM rounded
    GROUP BY ALL
),
dated AS (SELECT *, coalesce(operational_on, stated_on) AS held_on FROM states),
layers AS (
    SELECT d.owner_raw, d.held_on, arg_min(l.layer, (l.starts, l.layer)) AS layer
    FROM (SELECT DISTINCT owner_raw, held_on FROM dated) AS d
    JOIN listed_organisations AS o ON o.raw = d.owner_raw
    JOIN layer_periods() AS l
      ON l.organisation_id = o.organisation_id
     AND d.held_on BETWEEN l.starts AND l.ends
    GROUP BY ALL
)
SELECT
    s.* EXCLUDE (captured_at, evidence, held_on),
    o.organisation_id AS owner_id, y.layer,
    CASE WHEN s.chip_raw <> '' THEN coalesce(c.accelerator, 'unknown') END AS accelerator,
    a.model_id AS accelerator_model, c.generation, c.vendor,
    CASE WHEN s.second_chip_raw <> '' THEN coalesce(k.accelerator, 'unknown') END AS second_accelerator,
    s.captured_at = max(s.captured_at) OVER (PARTITION BY s.source_id) AS is_latest,
    s.evidence::evidence_tag AS evidence
FROM dated AS s
LEFT JOIN listed_organisations AS o ON o.raw = s.owner_raw
LEFT JOIN layers AS y ON y.owner_raw = s.owner_raw AND y.held_on = s.held_on
LEFT JOIN listed_chips AS c ON c.label = s.chip_raw
LEFT JOIN listed_chips AS k ON k.label = s.second_chip_raw
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.accelerator
ORDER BY s.cluster, s.occurrence, s.stated_on;
