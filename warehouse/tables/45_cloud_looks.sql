-- Question: when did which source look at which price list?
-- Grain: one row is one look of one source at one scope (what one look covers whole: a provider of a feed, an
-- accelerator's page, or the whole feed).
-- Selection: looks that worked. Where a source could not look and carried older offers forward, nothing was seen. A
-- capture that was parsed replaces its committed rows.
CREATE TEMP VIEW cloud_look_rows AS
SELECT * FROM lake_cloud_looks
UNION ALL BY NAME
SELECT * FROM committed_cloud_looks ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_cloud_looks) USING (payload_sha256);

CREATE TABLE facts.cloud_looks AS
SELECT
    source_id, scope,
    row_number() OVER (PARTITION BY source_id, scope ORDER BY looked_at)::INTEGER AS look,
    looked_at,
    looked_at::DATE AS looked_on,
    max(offers)::INTEGER AS offers,
    arg_min(capture_id, (captured_at, capture_id)) AS capture_id,
    arg_min(url, (captured_at, capture_id)) AS url,
    min(captured_at) AS captured_at,
    max(evidence::evidence_tag) AS evidence
FROM cloud_look_rows
WHERE is_fresh
GROUP BY source_id, scope, looked_at
ORDER BY source_id, scope, look;

DROP VIEW cloud_look_rows;
