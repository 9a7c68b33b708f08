-- name: slips_by_vendor_add_up
-- on: marts.slips_by_vendor
-- severity: error
-- says: milestones of the vendors are those of the slips, and a median has slips behind it
SELECT vendor FROM marts.slips_by_vendor AS v
WHERE measured > promised OR promised > milestones OR (median_slip_days IS NULL) <> (measured = 0)
   OR milestones <> (SELECT count(*) FROM marts.slips AS s
                     WHERE s.vendor = v.vendor AND s.milestone IN ('available_from', 'production_from'))
UNION ALL
SELECT vendor FROM marts.slips_by_vendor GROUP BY vendor HAVING count(*) > 1;
