-- name: list_facts_have_listed_sources
-- on: facts.chip_owners
-- severity: error
-- says: the source of every list, estimate, site, cluster and chip is listed with its terms and licence
SELECT DISTINCT source_id FROM facts.top500_aggregates ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.green500 ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.chip_owners ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.chip_sales ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.sites ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.site_timeline ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.clusters ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.hardware_specs ANTI JOIN evidence.sources USING (source_id);
