-- name: clusters_known
-- on: facts.clusters
-- severity: warn
-- says: every chip and every single owner of a cluster is in the registry
SELECT DISTINCT 'chip' AS kind, chip_raw AS name FROM facts.clusters WHERE accelerator = 'unknown'
UNION
SELECT DISTINCT 'owner', owner_raw FROM facts.clusters WHERE owner_raw <> '' AND owner_id IS NULL;
