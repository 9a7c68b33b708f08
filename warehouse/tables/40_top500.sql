-- Question: which accelerators stand in the systems of the TOP500 and Green500 lists, how many, where and at what power?
-- Grain: facts.top500 and facts.green500: one row is one system on one list; registry.accelerator_cores: one row is one
-- model, label or system; facts.top500_aggregates: one row is the systems of one list with the same layer, segment,
-- generation and part of the world.
-- Selection: of several captures of a list the newest. The lists are not open data: the tables of systems stand only in
-- builds of readers who captured the lists, the aggregates always. An accelerator count is accelerator cores divided by
-- the cores of one accelerator, and only where that is a whole number; it is tagged `derived` and shows its formula.
CREATE TABLE registry.accelerator_cores AS FROM registry_accelerator_cores ORDER BY subject_kind, subject;

-- Layers of organisations with their dates; one that has none of its own has those of its parts (Microsoft: Azure).
CREATE MACRO layer_periods() AS TABLE
SELECT organisation_id, layer, coalesce(valid_from, DATE '0001-01-01') AS starts, coalesce(valid_to, DATE '9999-12-31') AS ends
FROM registry.organisation_layers
UNION ALL
SELECT o.parent_id, l.layer, coalesce(l.valid_from, DATE '0001-01-01'), coalesce(l.valid_to, DATE '9999-12-31')
FROM registry.organisation_layers AS l
JOIN registry.organisations AS o USING (organisation_id)
WHERE o.parent_id NOT IN (SELECT organisation_id FROM registry.organisation_layers);

CREATE TEMP TABLE list_systems AS
WITH captured AS (
    SELECT 'TOP500' AS list, * FROM lake_top500 UNION ALL BY NAME SELECT 'Green500' AS list, * FROM lake_green500
),
newest AS (
    SELECT *, min(stated_on) OVER named AS first_stated_on,
           min(captured_at) OVER named::DATE AS first_seen, max(captured_at) OVER named::DATE AS last_seen
    FROM captured
    WINDOW named AS (PARTITION BY list, list_number)
    QUALIFY rank() OVER (PARTITION BY list, list_number ORDER BY captured_at DESC, capture_id) = 1
),
named AS (
    SELECT
        n.*, o.organisation_id, c.accelerator, a.model_id AS accelerator_model, c.generation, c.vendor,
        coalesce(s.cores, t.cores, m.cores) AS cores_per_accelerator,
        n.accelerator_raw <> 'None' OR coalesce(n.accelerator_cores, 0) > 0 AS has_accelerators
    FROM newest AS n
    LEFT JOIN listed_organisations AS o ON o.raw = n.site
    LEFT JOIN listed_chips AS c ON c.label = n.accelerator_raw
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.accelerator
    LEFT JOIN registry.accelerator_cores AS s ON s.subject_kind = 'system' AND s.subject = n.system_id
    LEFT JOIN registry.accelerator_cores AS t ON t.subject_kind = 'label' AND t.subject = n.accelerator_raw
    LEFT JOIN registry.accelerator_cores AS m ON m.subject_kind = 'model' AND m.subject = a.model_id
),
layers AS (
    SELECT d.organisation_id, d.list_month,
           arg_min(l.layer, (l.starts, l.layer)) AS layer
    FROM (SELECT DISTINCT organisation_id, list_month, first_stated_on FROM named WHERE organisation_id IS NOT NULL) AS d
    JOIN layer_periods() AS l
      ON l.organisation_id = d.organisation_id
     AND d.first_stated_on BETWEEN l.starts AND l.ends
    GROUP BY ALL
)
SELECT
    n.*,
    n.accelerator_raw IN ('None') AND n.has_accelerators AS is_contradictory,
    CASE WHEN n.cores_per_accelerator > 0 AND n.accelerator_cores > 0 AND n.accelerator_cores % n.cores_per_accelerator = 0
         THEN n.accelerator_cores // n.cores_per_accelerator END AS accelerators,
    coalesce(l.layer, CASE WHEN n.segment IN ('Research', 'Academic', 'Government') THEN 'science'
                           WHEN n.segment = 'Industry' THEN 'enterprise' WHEN n.segment = 'Vendor' THEN 'vendor' END) AS layer,
    CASE WHEN l.layer IS NOT NULL THEN 'organisation' ELSE 'segment' END AS layer_basis,
    CASE WHEN n.country IN ('United States', 'Japan') THEN n.country WHEN n.country IN ('China', 'Hong Kong') THEN 'China'
         WHEN n.continent = 'Europe' THEN 'Europe' WHEN n.continent = 'Asia' THEN 'Rest of Asia' ELSE 'Elsewhere' END
        AS country_group
FROM named AS n
LEFT JOIN layers AS l ON l.organisation_id = n.organisation_id AND l.list_month = n.list_month;

CREATE TABLE facts.top500 (
    list_number INTEGER,
    list_month DATE,
    rank INTEGER,
    previous_rank INTEGER,
    first_list INTEGER,
    system_id VARCHAR,
    site_id VARCHAR,
    name VARCHAR,
    computer VARCHAR,
    site VARCHAR,
    organisation_id VARCHAR,
    manufacturer VARCHAR,
    country VARCHAR,
    country_group VARCHAR,
    segment VARCHAR,
    layer VARCHAR,
    layer_basis VARCHAR,
    year INTEGER,
    accelerator_raw VARCHAR,
    accelerator VARCHAR,
    accelerator_model VARCHAR,
    generation VARCHAR,
    vendor VARCHAR,
    has_accelerators BOOLEAN,
    accelerator_cores INTEGER,
    cores_per_accelerator INTEGER,
    accelerators INTEGER,
    accelerators_formula VARCHAR,
    accelerators_evidence evidence_tag,
    total_cores INTEGER,
    processor VARCHAR,
    interconnect VARCHAR,
    system_model VARCHAR,
    rmax_tflops DOUBLE,
    rpeak_tflops DOUBLE,
    hpcg_tflops DOUBLE,
    power_kw DOUBLE,
    power_source VARCHAR,
    efficiency_gflops_per_w DOUBLE,
    kw_per_accelerator DOUBLE,
    kw_per_accelerator_evidence evidence_tag,
    caveats VARCHAR[],
    evidence evidence_tag,
    source_id VARCHAR,
    url VARCHAR,
    stated_on DATE,
    first_seen DATE,
    last_seen DATE,
    capture_id VARCHAR,
    payload_sha256 VARCHAR
);

INSERT INTO facts.top500 BY NAME
SELECT
    list_number, list_month, rank, previous_rank, first_list, system_id, site_id, name, computer, site, organisation_id,
    manufacturer, country, country_group, segment, layer, layer_basis, year, accelerator_raw,
    coalesce(accelerator, 'unknown') AS accelerator, accelerator_model, generation, vendor, has_accelerators,
    accelerator_cores, cores_per_accelerator, accelerators,
    CASE WHEN accelerators IS NOT NULL
         THEN format('{:,} accelerator cores / {} = {:,}', accelerator_cores, cores_per_accelerator, accelerators) END
        AS accelerators_formula,
    CASE WHEN accelerators IS NOT NULL THEN 'derived' END::evidence_tag AS accelerators_evidence,
    total_cores, processor, interconnect, system_model, rmax_tflops, rpeak_tflops, hpcg_tflops,
    nullif(power_kw, 0) AS power_kw, power_source, efficiency AS efficiency_gflops_per_w,
    nullif(power_kw, 0) / accelerators AS kw_per_accelerator,
    CASE WHEN kw_per_accelerator IS NOT NULL THEN 'derived' END::evidence_tag AS kw_per_accelerator_evidence,
    list_concat(CASE WHEN is_contradictory THEN ['metadata_suspect'] ELSE [] END,
                CASE WHEN power_source = 'Derived' THEN ['indirect'] ELSE [] END) AS caveats,
    evidence::evidence_tag AS evidence, source_id, url, first_stated_on AS stated_on, first_seen, last_seen, capture_id,
    payload_sha256
FROM list_systems
WHERE list = 'TOP500'
ORDER BY list_number, rank;

CREATE TABLE facts.green500 AS
SELECT
    list_number, list_month, rank, other_rank AS top500_rank, system_id, name, site, country, segment, layer,
    accelerator_raw, coalesce(accelerator, 'unknown') AS accelerator, generation, vendor, rmax_tflops,
    nullif(power_kw, 0) AS power_kw, power_source, power_quality_level, efficiency AS efficiency_gflops_per_w,
    evidence::evidence_tag AS evidence, source_id, url, first_stated_on AS stated_on, first_seen, last_seen, capture_id
FROM list_systems
WHERE list = 'Green500'
ORDER BY list_number, rank;

CREATE TABLE facts.top500_aggregates (
    list_number INTEGER,
    list_month DATE,
    layer VARCHAR,
    segment VARCHAR,
    vendor VARCHAR,
    generation VARCHAR,
    country_group VARCHAR,
    systems INTEGER,
    systems_with_accelerators INTEGER,
    accelerators INTEGER,
    systems_with_power INTEGER,
    power_kw DOUBLE,
    accelerators_with_power INTEGER,
    rmax_tflops DOUBLE,
    systems_with_hpcg INTEGER,
    hpcg_tflops DOUBLE,
    is_committed BOOLEAN,
    formula VARCHAR,
    evidence evidence_tag,
    source_id VARCHAR,
    url VARCHAR,
    stated_on DATE,
    capture_id VARCHAR,
    payload_sha256 VARCHAR
);

INSERT INTO facts.top500_aggregates BY NAME
SELECT
    list_number, list_month, coalesce(layer, 'unknown') AS layer, segment,
    CASE WHEN has_accelerators THEN coalesce(vendor, 'unknown') ELSE 'none' END AS vendor,
    CASE WHEN has_accelerators THEN coalesce(generation, 'unknown') ELSE 'none' END AS generation,
    country_group,
    count(*) AS systems,
    count(accelerators) AS systems_with_accelerators,
    coalesce(sum(accelerators), 0) AS accelerators,
    count(power_kw) AS systems_with_power,
    coalesce(sum(power_kw ORDER BY rank), 0) AS power_kw,
    coalesce(sum(accelerators) FILTER (power_kw IS NOT NULL), 0) AS accelerators_with_power,
    sum(rmax_tflops ORDER BY rank) AS rmax_tflops,
    count(hpcg_tflops) AS systems_with_hpcg,
    coalesce(sum(hpcg_tflops ORDER BY rank), 0) AS hpcg_tflops,
    false AS is_committed,
    'counts and sums over the systems of the list; accelerators = accelerator cores / cores of one' AS formula,
    'derived'::evidence_tag AS evidence, source_id, url, stated_on, capture_id, payload_sha256
FROM facts.top500
GROUP BY ALL;

INSERT INTO facts.top500_aggregates BY NAME
SELECT
    * EXCLUDE (evidence),
    true AS is_committed,
    'counts and sums over the systems of the list; accelerators = accelerator cores / cores of one' AS formula,
    evidence::evidence_tag AS evidence
FROM committed_top500_aggregates
ANTI JOIN (SELECT DISTINCT list_number FROM facts.top500) USING (list_number)
ORDER BY list_number, layer, segment, vendor, generation, country_group;

DROP TABLE list_systems;
