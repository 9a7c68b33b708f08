-- name: slips_by_vendor_add_up
-- on: marts.slips_by_vendor
-- severity: error
-- says: milestones of the vendors are those of the slips
SELECT vendor FROM marts.slips_by_vendor AS v
WHERE milestones <> (SELECT count(*) FROM marts.slips AS s
                     WHERE s.vendor = v.vendor AND s.milestone IN ('available_from', 'production_from'));
