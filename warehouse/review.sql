-- Candidates by the worth of a decision, and the surest reading of a claim.
-- name: queue
SELECT *, coalesce(value::VARCHAR, value_text, value_start || '..' || value_end) AS said
FROM evidence.queue WHERE NOT list_contains(?, claim_id) ORDER BY worth DESC, claim_id LIMIT ?

-- name: reading
SELECT * REPLACE (qualifiers::JSON::VARCHAR AS qualifiers),
       coalesce(value::VARCHAR, value_text, value_start || '..' || value_end) AS said
FROM evidence.mentions WHERE claim_id = ? ORDER BY confidence DESC, document_id LIMIT 1
