-- name: system_sheets_keys
-- on: marts.systems
-- severity: error
-- says: one cell per metric, topic, bound and period of a system; every cell has its claim, and its value lies in what was said
SELECT system_id, metric, topic FROM marts.systems
GROUP BY system_id, metric, topic, qualifiers['bound'], period_start, period_end
HAVING count(*) > 1 OR bool_or(claim_id IS NULL) OR bool_or(value NOT BETWEEN range_low AND range_high);
