-- name: sites_keys
-- on: facts.sites
-- severity: error
-- says: the newest capture has each data centre once, and one certainty for each owner and user
SELECT source_id, site FROM facts.sites WHERE is_latest GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT source_id, site FROM facts.sites WHERE len(owners) <> len(owner_certainty) OR len(users) <> len(user_certainty);
