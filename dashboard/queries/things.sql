-- SQL of the catalog: what accelerators and systems there are, and the sheet of each, as known on a day.

-- name: cell
c.subject_key, c.metric, c.metric_title, c.value, c.value_text, c.value_start, c.value_end, c.unit,
   c.range_low,
c.range_high, c.range_start, c.range_end, c.modality, c.claim_id, c.claimant, c.claimants, c.all_claimants,
c.said_in,
c.evidence::VARCHAR AS evidence, c.stated_on, c.last_stated_on, c.period_start, c.period_end, c.caveats,
c.arithmetic,
c.printed, c.source_id, c.url, c.conflict_id, c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx,
array_to_string(list_transform(
    list_filter(map_entries(c.qualifiers), lambda entry: entry.key NOT IN ('bound',
    'approx') AND entry.value <> 'unstated'),
    lambda entry: entry.key || ' ' || entry.value), ', ') AS qualifiers

-- name: catalog
WITH things AS (
    SELECT a.accelerator_id AS subject_id, a.name, 'accelerator' AS thing, a.kind, a.vendor_id AS vendor,
           a.generation_id AS generation, a.memory_gb, a.memory_type, a.form_factor, a.dies_per_package,
           a.predecessor_id, a.counting_note, a.first_available_on, a.first_available_url AS url
    FROM registry.accelerators AS a WHERE a.model_id = a.accelerator_id
    UNION ALL BY NAME
    SELECT s.system_id AS subject_id, s.name, 'system' AS thing, s.kind, s.vendor_id AS vendor,
    s.predecessor_id,
           s.counting_note, s.scale_up_domain, s.url
    FROM registry.systems AS s),
known AS (
    SELECT subject_id, count(*) AS claims, max(stated_on) AS last_stated_on,
           count(DISTINCT claimant_key) AS claimants
    FROM evidence.claims WHERE subject_id IS NOT NULL GROUP BY subject_id),
disputed AS (SELECT subject_id, count(*) AS conflicts FROM evidence.conflicts GROUP BY subject_id),
spelled AS (
    SELECT subject_id, lower(string_agg(alias, ' ')) AS spellings FROM registry.aliases GROUP BY subject_id)
SELECT t.*, v.name AS vendor_name, g.name AS generation_name, coalesce(k.claims, 0)::INTEGER AS claims,
       coalesce(k.claimants, 0)::INTEGER AS claimants, k.last_stated_on,
       coalesce(d.conflicts, 0)::INTEGER AS conflicts, coalesce(x.spellings, '') AS spellings
FROM things AS t
LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
LEFT JOIN registry.generations AS g ON g.generation_id = t.generation
LEFT JOIN known AS k USING (subject_id) LEFT JOIN disputed AS d USING (subject_id)
LEFT JOIN spelled AS x USING (subject_id)
ORDER BY claims DESC, t.name

-- name: cells
SELECT coalesce(a.model_id, c.subject_id) AS subject_id, c.subject, {{cell}}
FROM marts.cells_as_of(?) AS c
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.subject_id
WHERE coalesce(a.model_id,
c.subject_id) IN (SELECT unnest(?::VARCHAR[])) OR c.subject_id IN (SELECT unnest(?::VARCHAR[]))
ORDER BY c.metric_title, c.topic, c.claim_id

-- name: parts
SELECT p.part_kind, coalesce(a.name, p.part) AS part, p.count, a.accelerator_id AS subject_id
FROM registry.system_parts AS p LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
WHERE p.system_id = ? ORDER BY p.part_kind, p.part

-- name: holders
SELECT s.system_id AS subject_id, s.name, s.kind, p.count
FROM registry.system_parts AS p JOIN registry.systems AS s USING (system_id)
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
WHERE coalesce(a.model_id, p.part) = ? OR p.part = ? ORDER BY s.name

-- name: names
SELECT name, valid_from, valid_to, said_by, evidence::VARCHAR AS evidence, url FROM registry.system_names
WHERE system_id = ? ORDER BY valid_from NULLS FIRST, name

-- name: deployments
SELECT claim_id, subject, metric, value, value_text, value_start, value_end, value_low, value_high, unit,
       qualifiers['bound'] AS bound, qualifiers['approx'] AS approx, claimant, evidence::VARCHAR AS evidence,
       stated_on, source_id, url
FROM evidence.claims
WHERE metric IN ('deployed_on', 'cluster_size') AND (subject_id = ? OR qualifiers['accelerator'] IN (?, ?)
      OR qualifiers['system'] IN (?, ?))
ORDER BY stated_on DESC, subject

-- name: benchmarks
SELECT count(*) AS n, min(stated_on) AS since, count(DISTINCT submitter) AS submitters
FROM facts.mlperf_training AS t JOIN registry.accelerators AS a ON a.accelerator_id = t.accelerator
WHERE a.model_id = ? OR a.accelerator_id = ?
