-- SQL of the search box: everything that has a page, by every name it ever bore, with how much is known of it.

-- name: named
WITH known AS (
    SELECT subject_id, count(*) AS n FROM evidence.claims WHERE subject_id IS NOT NULL GROUP BY subject_id
    UNION ALL SELECT subject_id, sum(statements) FROM marts.milestones WHERE subject_id IS NOT NULL GROUP BY subject_id
    UNION ALL SELECT organisation_id, count(*) FROM facts.adoption GROUP BY organisation_id
    UNION ALL SELECT accelerator, least(count(*), 50) FROM facts.mlperf_results
    WHERE accelerator IS NOT NULL GROUP BY accelerator
    UNION ALL SELECT benchmark_id, count(*) FROM facts.mlperf_results GROUP BY benchmark_id),
things AS (
    SELECT model_id AS id, min(name) FILTER (accelerator_id = model_id) AS name, 'accelerator' AS kind,
           any_value(vendor_id) AS vendor, list(accelerator_id) AS ids
    FROM registry.accelerators GROUP BY model_id
    UNION ALL BY NAME SELECT system_id AS id, name, kind, vendor_id AS vendor, [system_id] AS ids FROM registry.systems
    UNION ALL BY NAME SELECT network_id AS id, name, 'network' AS kind, vendor_id AS vendor, [network_id] AS ids
    FROM registry.networks
    UNION ALL BY NAME SELECT site_id AS id, name, 'site' AS kind, operator_id AS vendor, [site_id] AS ids
    FROM registry.sites
    UNION ALL BY NAME SELECT cpu_id AS id, name, 'processor' AS kind, vendor_id AS vendor, [cpu_id] AS ids
    FROM registry.cpus
    UNION ALL BY NAME SELECT organisation_id AS id, name, 'organisation' AS kind, [organisation_id] AS ids
    FROM registry.organisations
    UNION ALL BY NAME SELECT benchmark_id AS id, any_value(title) AS name, 'benchmark' AS kind,
           string_agg(DISTINCT 'MLPerf ' || suite, ', ') AS says, [benchmark_id] AS ids
    FROM registry.mlperf_benchmarks GROUP BY benchmark_id
    UNION ALL BY NAME SELECT metric_id AS id, title AS name, 'metric' AS kind, [metric_id] AS ids, words
    FROM registry.metrics),
spelled AS (
    SELECT t.id, t.kind, list(DISTINCT a.alias ORDER BY a.alias) AS names
    FROM things AS t JOIN registry.aliases AS a ON list_contains(t.ids, a.subject_id) GROUP BY ALL),
weighed AS (
    SELECT t.id, t.kind, sum(k.n)::BIGINT AS n FROM things AS t JOIN known AS k ON list_contains(t.ids, k.subject_id)
    GROUP BY ALL)
SELECT t.id, coalesce(t.name, t.id) AS name, t.kind, coalesce(v.name, '') AS vendor_name, coalesce(t.says, '') AS says,
       coalesce(t.words, s.names, []) AS names, coalesce(w.n, 0) AS weight
FROM things AS t
LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
LEFT JOIN spelled AS s ON s.id = t.id AND s.kind = t.kind
LEFT JOIN weighed AS w ON w.id = t.id AND w.kind = t.kind
ORDER BY t.kind, t.id

-- name: figures
SELECT coalesce(a.model_id, s.system_id) AS id, c.metric, c.metric_title, c.value, c.value_text, c.value_start, c.value_end,
       c.unit, c.range_low, c.range_high, c.range_start, c.range_end, c.claim_id, c.claimant,
       c.evidence::VARCHAR AS evidence,
       c.stated_on, c.caveats, c.conflict_id, c.said_in, c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx,
       array_to_string(list_transform(
           list_filter(map_entries(c.qualifiers), lambda e: e.key NOT IN ('bound', 'approx') AND e.value <> 'unstated'),
           lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
FROM marts.cells_as_of(DATE '9999-12-31') AS c
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.subject_id
LEFT JOIN registry.systems AS s ON s.system_id = c.subject_id
WHERE coalesce(a.model_id, s.system_id) IS NOT NULL
ORDER BY c.said_in DESC, c.evidence, c.claim_id
