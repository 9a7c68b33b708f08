-- SQL of the search box: the figures that stand. What has a page by any name is asked with the shared question `named`.

-- name: figures
SELECT coalesce(a.model_id, s.system_id) AS id, c.metric, c.metric_title, c.value, c.value_text, c.value_start, c.value_end,
       c.unit, c.range_low, c.range_high, c.range_start, c.range_end, c.claim_id, c.claimant,
       c.evidence::VARCHAR AS evidence,
       c.stated_on, c.caveats, c.conflict_id, c.said_in, c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx,
       array_to_string(list_transform(
           list_filter(map_entries(c.qualifiers), lambda e: e.key NOT IN ('bound', 'approx') AND e.value <> 'unstated'),
           lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
FROM marts.cells AS c
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.subject_id
LEFT JOIN registry.systems AS s ON s.system_id = c.subject_id
WHERE coalesce(a.model_id, s.system_id) IS NOT NULL
ORDER BY c.said_in DESC, c.evidence, c.claim_id
