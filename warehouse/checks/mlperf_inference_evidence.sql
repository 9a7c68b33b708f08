-- name: mlperf_inference_evidence
-- on: facts.mlperf_inference
-- severity: error
-- says: every inference figure carries a source, a link, a date that is not after its capture, and a tag
SELECT result_key FROM facts.mlperf_inference
WHERE source_id = '' OR url = '' OR stated_on > captured_at::DATE;
