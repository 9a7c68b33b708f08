-- SQL of the page on who has it, as known on a day: service by layer, ages, lags, stock and revenue.

-- name: ages
-- Age at adoption by layer and generation, as told at the last end of a quarter by a day (`known_on`).
SELECT a.* REPLACE (a.evidence::VARCHAR AS evidence, v.name || ' ' || a.generation_name AS generation_name)
FROM marts.age_at_adoption_as_of($day) AS a LEFT JOIN registry.organisations AS v ON v.organisation_id = a.vendor
WHERE a.is_latest ORDER BY a.available_on, a.layer, a.generation

-- name: thesis
-- Lags between layers as told at the last end of a quarter by a day, over all generations first.
SELECT t.* REPLACE (t.evidence::VARCHAR AS evidence, concat_ws(' ', v.name, t.generation_name) AS generation_name)
FROM marts.ageing_thesis_as_of($day) AS t LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
WHERE t.is_latest ORDER BY t.generation <> 'all', t.generation, t.earlier_layer, t.later_layer

-- name: verdict
SELECT sentence FROM marts.ageing_verdict_as_of($day) WHERE is_latest

-- name: stock
-- Estimated chips by owner, generation and quarter, as published by a day.
SELECT s.owner, any_value(s.layer) AS layer, s.generation,
    any_value(v.name || ' ' || g.name) AS generation_name,
       any_value(g.vendor_id) AS vendor, s.period_end, any_value(s.calendar_quarter) AS calendar_quarter,
       sum(s.units) AS units, sum(s.units_low) AS units_low, sum(s.units_high) AS units_high,
       md5(concat_ws('|', s.owner, s.generation, s.period_end)) AS row_key,
       min(s.evidence)::VARCHAR AS evidence,
       min(s.source_id) AS source_id, min(s.url) AS url, max(s.stated_on) AS stated_on
FROM marts.stratification_stock_as_of($day) AS s
JOIN registry.generations AS g ON g.generation_id = s.generation
LEFT JOIN registry.organisations AS v ON v.organisation_id = g.vendor_id
WHERE s.measure = $measure AND s.units IS NOT NULL AND NOT s.is_within_other
GROUP BY s.owner, s.generation, s.period_end ORDER BY s.period_end, s.owner, s.generation

-- name: revenue_split
-- Audited revenue by segment and quarter, as filed by a day.
SELECT organisation_id, company_raw AS company, segment, calendar_quarter, period_end, value_usd, form,
       caveats, evidence::VARCHAR AS evidence, source_id, url, stated_on,
       concat_ws('|', organisation_id, metric, segment, period_end) AS row_key
FROM facts.filings WHERE metric = 'revenue' AND period = 'quarter' AND stated_on <= $day ORDER BY period_end, segment, organisation_id

-- name: service
-- The first time that each organisation had each generation in service; benchmarks do not count.
SELECT a.row_key, a.organisation_id, a.organisation, a.layer, a.generation, a.vendor, v.name || ' ' || a.generation_name AS generation_name,
       a.generation_name AS short_name, g.ordinal, a.first_kind AS kind, a.available_on, a.on_high, a.is_known_by_only,
       (SELECT min(r.on_high) FROM facts.adoption AS r
        WHERE r.kind = 'retired' AND r.organisation_id = a.organisation_id AND r.generation = a.generation AND r.on_high <= $day) AS retired_on,
       a.evidence::VARCHAR AS evidence, a.source_id, a.url, a.stated_on, a.stated_not_after
FROM marts.adoption_as_of($day, with_benchmarks := false) AS a
JOIN registry.generations AS g ON g.generation_id = a.generation
LEFT JOIN registry.organisations AS v ON v.organisation_id = a.vendor
ORDER BY a.layer, g.ordinal, a.on_high, a.organisation, a.row_key

-- name: known
WITH parent AS (
    SELECT o.organisation_id, l.layer, o.parent_id FROM registry.organisations AS o
    JOIN registry.organisation_layers AS l ON l.organisation_id = o.parent_id
)
SELECT a.layer, count(DISTINCT coalesce(p.parent_id, a.organisation_id))::INTEGER AS organisations
FROM facts.adoption AS a LEFT JOIN parent AS p ON p.organisation_id = a.organisation_id AND p.layer = a.layer
WHERE a.layer IS NOT NULL AND a.stated_not_after <= $day AND coalesce(a.on_high, a.stated_not_after) <= $day
GROUP BY a.layer

-- name: first_adoptions
-- The first time that each organisation is known to have had each generation, benchmarks too.
SELECT a.row_key, a.organisation, a.layer, a.generation, a.vendor, v.name || ' ' || a.generation_name AS generation_name,
       a.generation_name AS short_name, a.available_on, a.on_high, a.first_kind AS kind, a.is_known_by_only, a.age_high_days,
       a.evidence::VARCHAR AS evidence, a.source_id, a.url, a.stated_on
FROM marts.adoption_as_of($day) AS a LEFT JOIN registry.organisations AS v ON v.organisation_id = a.vendor
ORDER BY a.layer, a.available_on, a.on_high, a.organisation, a.row_key
