-- name: figures_have_evidence
-- on: facts.mlperf_training
-- severity: error
-- says: every figure of the facts carries a source, a link, a date that is not after its capture, and a tag
SELECT result_key FROM facts.mlperf_training
WHERE source_id = '' OR url = '' OR stated_on > captured_at::DATE
UNION ALL
SELECT description_key FROM facts.mlperf_systems
WHERE source_id = '' OR url = '' OR stated_on > captured_at::DATE;
