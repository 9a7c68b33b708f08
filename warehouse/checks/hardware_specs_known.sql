-- name: hardware_specs_known
-- on: facts.hardware_specs
-- severity: warn
-- says: every chip of the table is in the registry
SELECT DISTINCT hardware_raw FROM facts.hardware_specs WHERE accelerator = 'unknown';
