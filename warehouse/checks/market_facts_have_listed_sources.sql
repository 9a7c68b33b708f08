-- name: market_facts_have_listed_sources
-- on: facts.cloud_offers
-- severity: error
-- says: the source of every offer, run and filing is listed with its terms and licence
SELECT DISTINCT source_id FROM facts.cloud_offers ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.cloud_looks ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.inferencex ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.filing_statements ANTI JOIN evidence.sources USING (source_id);
