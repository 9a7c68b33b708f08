-- name: cloud_offers_counts
-- kind: build
-- on: facts.cloud_offers
-- severity: warn
-- says: the accelerators of an instance are a size that instances have
SELECT DISTINCT source_id, offered_as, accelerators FROM facts.cloud_offers
WHERE accelerators IS NOT NULL AND accelerators NOT IN (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 18, 32, 36, 64, 72);
