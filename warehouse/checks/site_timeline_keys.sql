-- name: site_timeline_keys
-- on: facts.site_timeline
-- severity: error
-- says: the newest capture has one milestone a data centre and day, and what is planned now was planned before
SELECT source_id, site, milestone_on FROM facts.site_timeline WHERE is_latest GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT source_id, site, milestone_on FROM facts.site_timeline WHERE is_planned AND NOT was_planned;
