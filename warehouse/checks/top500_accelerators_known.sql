-- name: top500_accelerators_known
-- on: facts.top500
-- severity: warn
-- says: every accelerator of a list is in the registry
SELECT DISTINCT accelerator_raw FROM facts.top500 WHERE accelerator = 'unknown'
UNION
SELECT DISTINCT accelerator_raw FROM facts.green500 WHERE accelerator = 'unknown';
