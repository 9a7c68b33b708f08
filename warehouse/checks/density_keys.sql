-- name: density_keys
-- on: marts.density
-- severity: error
-- says: a claim stands once, a derived row has formula and inputs, and no rack draws less than 1 or more than 5,000 kW
SELECT system_id, metric, per, claim_id FROM marts.density
GROUP BY system_id, metric, per, claim_id, is_derived, formula, value
HAVING count(*) > 1 AND NOT is_derived
UNION ALL
SELECT system_id, metric, per, claim_id FROM marts.density
WHERE (is_derived AND (formula IS NULL OR len(input_ids) = 0 OR evidence <> 'derived'))
   OR (metric = 'power' AND per = 'rack' AND value NOT BETWEEN 1 AND 5000);
