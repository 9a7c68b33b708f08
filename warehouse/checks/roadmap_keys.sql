-- name: roadmap_keys
-- on: marts.roadmap
-- severity: error
-- says: a claim stands once on a milestone, its period does not end before it begins, and every revision says how far
SELECT claim_id FROM marts.roadmap GROUP BY claim_id, milestone HAVING count(*) > 1
UNION ALL
SELECT claim_id FROM marts.roadmap WHERE promised_end < promised_start OR is_revision <> (shift_days IS NOT NULL);
