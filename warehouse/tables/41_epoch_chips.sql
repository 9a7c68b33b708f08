-- Question: how many accelerators of which type does each owner hold, how many did each maker sell, by quarter, and how
-- sure is that?
-- Grain: one row is one estimate of one vintage: maker, owner, chip type (or all types), quarter or all up to its end.
-- Selection: every vintage that was captured; `is_latest` marks the newest of each owner's tables. Quarters that the publisher
-- flags as incomplete are left out by the parser. A capture that was parsed replaces its committed rows. The owner 'Other'
-- is everyone whom it does not exclude by name; an owner that stands within it is marked and never added to it.
CREATE TEMP TABLE chip_rows AS
WITH captured AS (
    SELECT 'owners' AS kind, * FROM lake_chip_owners
    UNION ALL BY NAME
    SELECT 'owners' AS kind, * FROM committed_chip_owners
    ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_chip_owners) USING (payload_sha256)
    UNION ALL BY NAME
    SELECT 'sales' AS kind, * FROM lake_chip_sales
    UNION ALL BY NAME
    SELECT 'sales' AS kind, * FROM committed_chip_sales
    ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_chip_sales) USING (payload_sha256)
),
estimates AS (
    SELECT
        * EXCLUDE (captured_at, capture_id, payload_sha256, url),
        min(captured_at)::DATE AS first_seen, max(captured_at)::DATE AS last_seen, max(captured_at) AS captured_at,
        arg_max(url, captured_at) AS url, arg_max(capture_id, captured_at) AS capture_id
    FROM captured
    GROUP BY ALL
),
newest AS (
    SELECT
        *,
        stated_on = max(stated_on) OVER (PARTITION BY kind, source_id, dataset)
        AND (stated_on, dataset) = first_value((stated_on, dataset)) OVER (
            PARTITION BY kind, source_id, maker_raw, owner_raw, measure, is_fiscal, chip_raw = ''
            ORDER BY stated_on DESC, captured_at DESC, dataset
        ) AS is_latest
    FROM estimates
),
rest AS (  -- whom the newest 'Other' of a maker leaves out; everyone else is within it
    SELECT maker_raw, measure, chip_raw = '' AS is_total, any_value(excludes) AS excludes
    FROM newest WHERE kind = 'owners' AND owner_raw = 'Other' AND is_latest AND len(excludes) > 0 GROUP BY ALL
)
SELECT n.*, coalesce(n.owner_raw <> 'Other' AND NOT list_contains(r.excludes, n.owner_raw), false) AS is_within_other
FROM newest AS n
LEFT JOIN rest AS r
       ON n.kind = 'owners' AND r.maker_raw = n.maker_raw AND r.measure = n.measure AND r.is_total = (n.chip_raw = '');

CREATE TEMP TABLE chip_layers AS
SELECT o.raw, d.period_end, arg_min(l.layer, (l.starts, l.layer)) AS layer
FROM (SELECT DISTINCT owner_raw, period_end FROM chip_rows) AS d
JOIN listed_organisations AS o ON o.raw = d.owner_raw
JOIN layer_periods() AS l
  ON l.organisation_id = o.organisation_id
 AND d.period_end BETWEEN l.starts AND l.ends
GROUP BY ALL;

CREATE TABLE facts.chip_owners AS
SELECT
    r.owner_raw, coalesce(o.organisation, r.owner_raw) AS owner, o.organisation_id AS owner_id,
    CASE WHEN o.organisation_id IS NOT NULL THEN 'organisation' WHEN r.owner_raw = 'Other' THEN 'rest'
         WHEN r.owner_raw LIKE 'China%' THEN 'region' ELSE 'unknown' END AS owner_kind,
    y.layer, r.is_within_other, r.excludes, r.maker_raw, m.organisation_id AS maker, r.chip_raw,
    CASE WHEN r.chip_raw <> '' THEN coalesce(c.accelerator, 'unknown') END AS accelerator,
    a.model_id AS accelerator_model, c.generation, r.measure, r.is_fiscal, r.period_start, r.period_end,
    strftime(r.period_end, '%Y-Q') || quarter(r.period_end) AS calendar_quarter,
    r.units, r.units_low, r.units_high, r.h100e, r.h100e_low, r.h100e_high, r.tdp_mw, r.tdp_mw_low, r.tdp_mw_high,
    r.is_latest, r.dataset, r.notes, r.evidence::evidence_tag AS evidence, r.source_id, r.url, r.stated_on, r.first_seen,
    r.last_seen, r.capture_id
FROM chip_rows AS r
LEFT JOIN listed_organisations AS o ON o.raw = r.owner_raw
LEFT JOIN listed_organisations AS m ON m.raw = r.maker_raw
LEFT JOIN chip_layers AS y ON y.raw = r.owner_raw AND y.period_end = r.period_end
LEFT JOIN listed_chips AS c ON c.label = r.chip_raw
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.accelerator
WHERE r.kind = 'owners'
ORDER BY maker_raw, owner_raw, chip_raw, measure, period_end, stated_on, dataset;

CREATE TABLE facts.chip_sales AS
SELECT
    r.maker_raw, m.organisation_id AS maker, r.chip_raw,
    CASE WHEN r.chip_raw <> '' THEN coalesce(c.accelerator, 'unknown') END AS accelerator,
    a.model_id AS accelerator_model, c.generation, r.measure, r.is_fiscal, r.period_start, r.period_end,
    -- the calendar quarter that holds most of a fiscal quarter: the one of its middle day
    CASE WHEN r.is_fiscal AND r.measure = 'quarter'
         THEN strftime(r.period_end - ((r.period_end - r.period_start) // 2)::INTEGER, '%Y-Q')
              || quarter(r.period_end - ((r.period_end - r.period_start) // 2)::INTEGER)
         ELSE strftime(r.period_end, '%Y-Q') || quarter(r.period_end) END AS calendar_quarter,
    r.units, r.units_low, r.units_high, r.h100e, r.h100e_low, r.h100e_high, r.tdp_mw, r.tdp_mw_low, r.tdp_mw_high,
    r.is_latest, r.dataset, r.notes, r.evidence::evidence_tag AS evidence, r.source_id, r.url, r.stated_on, r.first_seen,
    r.last_seen, r.capture_id
FROM chip_rows AS r
LEFT JOIN listed_organisations AS m ON m.raw = r.maker_raw
LEFT JOIN listed_chips AS c ON c.label = r.chip_raw
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.accelerator
WHERE r.kind = 'sales'
ORDER BY maker_raw, chip_raw, measure, is_fiscal, period_end, stated_on, dataset;

DROP TABLE chip_layers;
DROP TABLE chip_rows;
