-- SQL of the page on stratification: observations by layer, ages, lags and stock, as known on a day.

-- name: observations
SELECT s.row_key, s.observed_on, s.organisation, s.organisation_id, s.layer, s.generation, s.vendor,
       v.name || ' ' || s.generation_name AS generation_name, s.ordinal, s.kind, s.accelerators, s.records,
       s.what,
       s.evidence::VARCHAR AS evidence, s.source_id, s.url, s.stated_on, s.is_left_censored, s.caveats,
       date_trunc('quarter', s.observed_on)::DATE AS quarter
FROM marts.stratification_as_of(?) AS s
LEFT JOIN registry.organisations AS v ON v.organisation_id = s.vendor
ORDER BY s.observed_on, s.organisation

-- name: ages
SELECT a.* REPLACE (a.evidence::VARCHAR AS evidence, v.name || ' ' || a.generation_name AS generation_name)
FROM marts.age_at_adoption AS a LEFT JOIN registry.organisations AS v ON v.organisation_id = a.vendor
WHERE a.is_latest ORDER BY a.available_on, a.layer

-- name: thesis
SELECT t.* REPLACE (t.evidence::VARCHAR AS evidence, concat_ws(' ', v.name, t.generation_name) AS generation_name)
FROM marts.ageing_thesis AS t LEFT JOIN registry.organisations AS v ON v.organisation_id = t.vendor
WHERE t.is_latest ORDER BY t.generation <> 'all', t.generation, t.earlier_layer, t.later_layer

-- name: verdict
SELECT sentence FROM marts.ageing_verdict WHERE is_latest

-- name: stock
SELECT s.owner, any_value(s.layer) AS layer, s.generation,
    any_value(v.name || ' ' || g.name) AS generation_name,
       any_value(g.vendor_id) AS vendor, s.period_end, any_value(s.calendar_quarter) AS calendar_quarter,
       sum(s.units) AS units, sum(s.units_low) AS units_low, sum(s.units_high) AS units_high,
       md5(concat_ws('|', s.owner, s.generation, s.period_end)) AS row_key,
       min(s.evidence)::VARCHAR AS evidence,
       any_value(s.source_id) AS source_id, min(s.url) AS url, max(s.stated_on) AS stated_on
FROM marts.stratification_stock AS s
JOIN registry.generations AS g ON g.generation_id = s.generation
LEFT JOIN registry.organisations AS v ON v.organisation_id = g.vendor_id
WHERE s.measure = ? AND s.units IS NOT NULL AND NOT s.is_within_other
GROUP BY s.owner, s.generation, s.period_end ORDER BY s.period_end, s.owner

-- name: revenue_split
SELECT organisation_id, company_raw AS company, segment, calendar_quarter, period_end, value_usd, form,
       caveats, evidence::VARCHAR AS evidence, source_id, url, stated_on,
       concat_ws('|', organisation_id, metric, segment, period_end) AS row_key
FROM facts.filings WHERE metric = 'revenue' AND period = 'quarter' ORDER BY period_end, segment
