-- SQL that the pages of both MLPerf suites ask.

-- name: generation_names
-- Generations that have results, with vendor, name and place in their line: one shade each on every page.
SELECT g.generation_id AS generation, g.vendor_id AS vendor, coalesce(o.name, g.vendor_id) AS vendor_name, g.name,
       g.ordinal
FROM registry.generations AS g LEFT JOIN registry.organisations AS o ON o.organisation_id = g.vendor_id
WHERE g.generation_id IN (
    SELECT generation FROM facts.mlperf_training UNION SELECT generation FROM facts.mlperf_inference)
ORDER BY g.vendor_id, g.ordinal

-- name: rounds_not_held
-- Rounds that exist and are not held, or only from the organisers' tables.
SELECT suite, round, published_on, results, state FROM marts.rounds_held
WHERE list_contains($suites::VARCHAR[], suite) AND state <> 'held' ORDER BY state, suite, published_on NULLS LAST, round
