-- name: cloud_offers_known
-- on: facts.cloud_offers
-- severity: warn
-- says: every provider and accelerator of an offer is in the registry
SELECT DISTINCT 'provider' AS what, provider_raw AS name, source_id FROM facts.cloud_offers WHERE provider_id IS NULL
UNION ALL
SELECT DISTINCT 'accelerator', accelerator_raw, source_id FROM facts.cloud_offers WHERE accelerator = 'unknown';
