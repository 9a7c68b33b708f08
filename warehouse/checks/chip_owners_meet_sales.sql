-- name: chip_owners_meet_sales
-- kind: build
-- on: facts.chip_owners
-- severity: warn
-- says: cumulative chips of all owners meet the maker's cumulative sales within 15 percent in the newest quarter
WITH owned AS (
    SELECT maker_raw, period_end, sum(h100e) AS owned, count(DISTINCT owner_raw) AS owners FROM facts.chip_owners
    WHERE is_latest AND measure = 'cumulative' AND chip_raw <> '' AND NOT is_within_other GROUP BY ALL
)
SELECT o.maker_raw, o.period_end, o.owned, s.h100e
FROM owned AS o JOIN facts.chip_sales AS s USING (maker_raw, period_end)
WHERE s.is_latest AND s.measure = 'cumulative' AND s.chip_raw = '' AND abs(o.owned / s.h100e - 1) > 0.15
QUALIFY o.period_end = max(o.period_end) OVER (PARTITION BY o.maker_raw);
