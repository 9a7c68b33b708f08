-- name: chip_owners_known
-- on: facts.chip_owners
-- severity: warn
-- says: every owner, maker and type of chip is in the registry, or a rest or region
SELECT DISTINCT 'owner' AS kind, owner_raw AS name FROM facts.chip_owners WHERE owner_kind = 'unknown'
UNION
SELECT DISTINCT 'maker', maker_raw FROM facts.chip_owners WHERE maker IS NULL
UNION
SELECT DISTINCT 'chip', chip_raw FROM facts.chip_owners WHERE chip_raw <> '' AND generation IS NULL
UNION
SELECT DISTINCT 'chip', chip_raw FROM facts.chip_sales WHERE chip_raw <> '' AND generation IS NULL;
