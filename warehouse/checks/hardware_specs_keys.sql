-- name: hardware_specs_keys
-- on: facts.hardware_specs
-- severity: error
-- says: the newest capture has each chip once, changed no later than it was seen
SELECT source_id, hardware_raw FROM facts.hardware_specs WHERE is_latest GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT source_id, hardware_raw FROM facts.hardware_specs WHERE stated_on > first_seen;
