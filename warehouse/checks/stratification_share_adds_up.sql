-- name: stratification_share_adds_up
-- kind: build
-- on: marts.stratification_share
-- severity: error
-- says: records are those of the observations, and shares of a quarter add up to one
SELECT layer || ' ' || kind || ' ' || quarter FROM marts.stratification_share
GROUP BY layer, kind, quarter HAVING abs(sum(share) - 1) > 1e-9
UNION ALL
SELECT 'all' FROM marts.stratification_share HAVING sum(records) <> (SELECT sum(records) FROM marts.stratification);
