-- name: cloud_offers_coverage
-- on: facts.cloud_offers
-- severity: error
-- needs: previous
-- says: no source has lost a provider it had in the version before; run with --accept-shrink when the loss is meant
SELECT DISTINCT source_id, provider_raw FROM previous.facts.cloud_offers
ANTI JOIN facts.cloud_offers USING (source_id, provider_raw);
