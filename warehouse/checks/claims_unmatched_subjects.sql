-- name: claims_unmatched_subjects
-- on: evidence.claims
-- severity: warn
-- says: the subject of every claim is in the registry
SELECT DISTINCT subject FROM evidence.claims WHERE subject_id IS NULL;
