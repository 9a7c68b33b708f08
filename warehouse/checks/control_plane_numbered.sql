-- name: control_plane_numbered
-- kind: build
-- on: marts.control_plane
-- severity: error
-- says: the claims on each subject are numbered from one
SELECT subject_key FROM marts.control_plane GROUP BY subject_key HAVING min(place) <> 1 OR max(place) <> count(*);
