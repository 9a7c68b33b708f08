-- name: slips_keys
-- on: marts.slips
-- severity: error
-- says: one row per milestone of a product, and no slip outside its own bounds
SELECT subject_key, milestone FROM marts.slips
GROUP BY ALL
HAVING count(*) > 1 OR bool_or(slip_low_days > slip_high_days OR slip_days NOT BETWEEN slip_low_days AND slip_high_days);
