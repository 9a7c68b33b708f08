-- name: stratification_keys
-- on: marts.stratification
-- severity: error
-- says: one row per observation, and shares of a quarter add up to one
SELECT row_key, count(*)::DOUBLE AS n FROM marts.stratification GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT layer || ' ' || kind || ' ' || quarter, sum(share) FROM marts.stratification_share
GROUP BY layer, kind, quarter HAVING abs(sum(share) - 1) > 1e-9;
