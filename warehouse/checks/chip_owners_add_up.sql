-- name: chip_owners_add_up
-- kind: build
-- on: facts.chip_owners
-- severity: warn
-- says: medians by type add up to the owner's total within 10 percent
WITH parts AS (
    SELECT source_id, maker_raw, owner_raw, period_end, sum(h100e) AS parts
    FROM facts.chip_owners WHERE is_latest AND measure = 'cumulative' AND chip_raw <> '' GROUP BY ALL
)
SELECT p.maker_raw, p.owner_raw, p.period_end, p.parts, t.h100e
FROM parts AS p
JOIN facts.chip_owners AS t USING (source_id, maker_raw, owner_raw, period_end)
WHERE t.is_latest AND t.measure = 'cumulative' AND t.chip_raw = '' AND abs(p.parts / t.h100e - 1) > 0.1;
