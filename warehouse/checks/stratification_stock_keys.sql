-- name: stratification_stock_keys
-- on: marts.stratification_stock
-- severity: error
-- says: one row per owner, chip, quarter and measure; estimates inside their ranges, shares of an owner add up to one
SELECT row_key FROM marts.stratification_stock GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT row_key FROM marts.stratification_stock WHERE NOT units BETWEEN units_low AND units_high
UNION ALL
SELECT owner || ' ' || period_end FROM marts.stratification_stock WHERE share_of_owner IS NOT NULL
GROUP BY owner, measure, period_end HAVING abs(sum(share_of_owner) - 1) > 1e-9;
