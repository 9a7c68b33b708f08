-- name: clusters_keys
-- on: facts.clusters
-- severity: error
-- says: the newest capture has each row of the publisher once
SELECT source_id, cluster, occurrence FROM facts.clusters WHERE is_latest GROUP BY ALL HAVING count(*) > 1;
