-- name: site_timeline_meets_sites
-- kind: build
-- on: facts.site_timeline
-- severity: warn
-- says: a data centre's current power is that of its last milestone that is not planned, within 5 percent
WITH newest AS (
    SELECT source_id, site, power_mw, last_seen FROM facts.site_timeline WHERE is_latest AND NOT is_planned AND power_mw IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY source_id, site ORDER BY milestone_on DESC) = 1
)
SELECT s.site, s.power_mw AS current_mw, n.power_mw AS milestone_mw
FROM facts.sites AS s JOIN newest AS n USING (source_id, site)
WHERE s.is_latest AND s.last_seen = n.last_seen AND abs(s.power_mw - n.power_mw) > 0.05 * greatest(s.power_mw, n.power_mw);
