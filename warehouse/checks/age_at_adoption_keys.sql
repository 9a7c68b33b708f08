-- name: age_at_adoption_keys
-- on: marts.age_at_adoption
-- severity: error
-- says: one row per layer, kind and generation; first, quartiles and median of the age in order, the tenth only where there are ten
SELECT row_key FROM marts.age_at_adoption GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT row_key FROM marts.age_at_adoption
WHERE NOT (first_age_days <= low_age_days AND low_age_days <= median_age_days AND median_age_days <= high_age_days)
   OR (tenth_age_days IS NULL) <> (observations < 10);
