-- name: facts_have_listed_sources
-- on: facts.mlperf_training
-- severity: error
-- says: the source of every fact is listed with its terms and licence
SELECT DISTINCT source_id FROM facts.mlperf_training ANTI JOIN evidence.sources USING (source_id)
UNION
SELECT DISTINCT source_id FROM facts.mlperf_systems ANTI JOIN evidence.sources USING (source_id);
