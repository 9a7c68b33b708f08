-- name: layers_say_thin
-- kind: build
-- on: marts.age_at_adoption
-- severity: error
-- says: a layer with fewer observations than the set number says thin wherever it is shown, and no other does
SELECT 'age_at_adoption' AS mart, row_key FROM marts.age_at_adoption
WHERE is_thin <> (organisations - known_by_only < thin_below()) OR is_thin <> list_contains(caveats, 'thin')
UNION ALL
SELECT 'stratification_share', any_value(row_key) FROM marts.stratification_share
GROUP BY layer, kind, quarter
HAVING bool_or(is_thin) <> (sum(organisations) < thin_below()) OR bool_or(is_thin <> list_contains(caveats, 'thin'))
UNION ALL
SELECT 'prices', concat_ws(' ', source_id, period_start, layer, accelerator) FROM marts.prices
WHERE is_thin <> list_contains(caveats, 'thin');
