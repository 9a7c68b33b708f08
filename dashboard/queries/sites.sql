-- SQL of the page on sites and chip sales. `$day` is the day whose knowledge is shown.

-- name: timeline
-- Milestones of each site as its newest look by a day tells them.
SELECT t.site, t.milestone_on, t.is_planned, t.was_planned, t.status, t.power_mw, t.h100e, t.evidence::VARCHAR AS evidence,
       t.source_id, t.url, t.stated_on, concat_ws('|', t.site, t.milestone_on) AS row_key
FROM facts.site_timeline AS t
WHERE t.stated_on <= $day
QUALIFY dense_rank() OVER (PARTITION BY t.site ORDER BY t.stated_on DESC) = 1
ORDER BY t.site, t.milestone_on, t.source_id

-- name: owners
-- Each site with its owners, the first of them by id.
SELECT s.site, array_to_string(s.owners, ', ') AS owner, s.owner_ids[1] AS owner_id
FROM facts.sites AS s WHERE s.stated_on <= $day
QUALIFY row_number() OVER (PARTITION BY s.site ORDER BY s.stated_on DESC, s.source_id) = 1 ORDER BY s.site

-- name: sales
-- Estimated chips sold by maker and calendar quarter.
SELECT c.maker, coalesce(min(v.name), min(c.maker_raw)) AS maker_name, c.period_end, c.calendar_quarter,
       sum(c.units) AS units, string_agg(DISTINCT c.chip_raw, ', ' ORDER BY c.chip_raw) AS chips,
       min(c.evidence)::VARCHAR AS evidence, min(c.source_id) AS source_id, min(c.url) AS url,
       max(c.stated_on) AS stated_on, concat_ws('|', c.maker, c.calendar_quarter) AS row_key
FROM facts.chip_sales AS c LEFT JOIN registry.organisations AS v ON v.organisation_id = c.maker
WHERE c.measure = 'quarter' AND NOT c.is_fiscal AND c.units IS NOT NULL AND c.chip_raw <> ''
  AND c.stated_on <= $day
  AND c.stated_on = (SELECT max(n.stated_on) FROM facts.chip_sales AS n
                     WHERE n.maker = c.maker AND n.dataset = c.dataset AND n.stated_on <= $day)
GROUP BY c.maker, c.period_end, c.calendar_quarter ORDER BY c.maker, c.period_end
