-- name: inferencex_accelerators_known
-- on: facts.inferencex
-- severity: warn
-- says: every accelerator of a run is in the registry
SELECT DISTINCT hardware_raw FROM facts.inferencex WHERE accelerator = 'unknown';
