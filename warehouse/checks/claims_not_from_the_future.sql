-- name: claims_not_from_the_future
-- on: evidence.claims
-- severity: error
-- says: nothing was stated after the day of the build
SELECT claim_id, subject, metric, stated_on FROM evidence.claims
WHERE stated_on > (SELECT built_at::DATE FROM meta.publication);
