-- SQL that the pages of both MLPerf suites ask.

-- name: generation_names
SELECT g.generation_id AS generation, g.vendor_id AS vendor, coalesce(o.name, g.vendor_id) AS vendor_name, g.name,
       g.ordinal
FROM registry.generations AS g LEFT JOIN registry.organisations AS o ON o.organisation_id = g.vendor_id
WHERE g.generation_id IN (
    SELECT generation FROM facts.mlperf_training UNION SELECT generation FROM facts.mlperf_inference)
ORDER BY g.vendor_id, g.ordinal

-- name: rounds_not_held
SELECT suite, round, published_on, results, state FROM marts.rounds_held
WHERE list_contains(?::VARCHAR[], suite) AND state <> 'held' ORDER BY state, suite, published_on NULLS LAST, round
