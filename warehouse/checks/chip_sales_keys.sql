-- name: chip_sales_keys
-- on: facts.chip_sales
-- severity: error
-- says: the newest vintage has one figure for each maker, type, period and calendar; medians lie within their range
SELECT source_id, maker_raw, chip_raw, measure, period_end FROM facts.chip_sales
WHERE is_latest
GROUP BY source_id, maker_raw, chip_raw, measure, is_fiscal, period_end HAVING count(*) > 1
UNION ALL
SELECT source_id, maker_raw, chip_raw, measure, period_end FROM facts.chip_sales
WHERE NOT units BETWEEN units_low AND units_high OR NOT h100e BETWEEN h100e_low AND h100e_high OR period_end > stated_on;
