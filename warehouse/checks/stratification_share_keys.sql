-- name: stratification_share_keys
-- on: marts.stratification_share
-- severity: error
-- says: one row per layer, kind, quarter and generation; records are those of the observations, and shares of a quarter add up to one
SELECT row_key FROM marts.stratification_share GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT layer || ' ' || kind || ' ' || quarter FROM marts.stratification_share
GROUP BY layer, kind, quarter HAVING abs(sum(share) - 1) > 1e-9
UNION ALL
SELECT 'all' FROM marts.stratification_share HAVING sum(records) <> (SELECT sum(records) FROM marts.stratification);
