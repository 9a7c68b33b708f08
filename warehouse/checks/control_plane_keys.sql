-- name: control_plane_keys
-- on: marts.control_plane
-- severity: error
-- says: one row per claim, numbered from one for each subject
SELECT claim_id FROM marts.control_plane GROUP BY claim_id HAVING count(*) > 1
UNION ALL
SELECT subject_key FROM marts.control_plane GROUP BY subject_key HAVING min(place) <> 1 OR max(place) <> count(*);
