-- name: sites_owners_known
-- on: facts.sites
-- severity: warn
-- says: every owner of a data centre is in the registry
SELECT DISTINCT owners FROM facts.sites WHERE is_latest AND len(owner_ids) < len(owners);
