-- name: stratification_stock_adds_up
-- kind: build
-- on: marts.stratification_stock
-- severity: error
-- says: shares of an owner add up to one
SELECT owner || ' ' || period_end FROM marts.stratification_stock WHERE share_of_owner IS NOT NULL
GROUP BY owner, measure, period_end HAVING abs(sum(share_of_owner) - 1) > 1e-9;
