-- name: chip_owners_keys
-- on: facts.chip_owners
-- severity: error
-- says: the newest vintage has one figure for each owner, maker, type, period and table; medians lie within their range
SELECT source_id, maker_raw, owner_raw, chip_raw, measure, period_end FROM facts.chip_owners
WHERE is_latest
GROUP BY source_id, maker_raw, owner_raw, chip_raw, measure, is_fiscal, period_end HAVING count(*) > 1
UNION ALL
SELECT source_id, maker_raw, owner_raw, chip_raw, measure, period_end FROM facts.chip_owners
WHERE NOT units BETWEEN units_low AND units_high OR NOT h100e BETWEEN h100e_low AND h100e_high OR period_end > stated_on;
