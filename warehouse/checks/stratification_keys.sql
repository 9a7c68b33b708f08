-- name: stratification_keys
-- on: marts.stratification
-- severity: error
-- says: one row per observation
SELECT row_key, count(*) AS n FROM marts.stratification GROUP BY row_key HAVING count(*) > 1;
