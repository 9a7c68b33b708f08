-- Question: which large data centres stand or are planned, whose are they, how large are they and when did or will they grow?
-- Grain: facts.sites: one row is one data centre in one state of the publisher's table; facts.site_timeline: one row is
-- one milestone of one data centre as the table gave it.
-- Selection: every state that a capture carried, from first_seen to last_seen; `is_latest` marks what the newest capture
-- carries. A milestone is planned as long as no capture of its day or later carried it.
CREATE TEMP VIEW site_rows AS
SELECT * FROM lake_sites
UNION ALL BY NAME
SELECT * FROM committed_sites ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_sites) USING (payload_sha256);

CREATE TEMP VIEW milestone_rows AS
SELECT * FROM lake_site_timeline
UNION ALL BY NAME
SELECT * FROM committed_site_timeline
ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_site_timeline) USING (payload_sha256);

CREATE TABLE facts.sites AS
WITH states AS (
    SELECT
        * EXCLUDE (stated_on, captured_at, capture_id, payload_sha256, url),
        min(stated_on) AS stated_on, min(captured_at)::DATE AS first_seen, max(captured_at)::DATE AS last_seen,
        max(captured_at) AS captured_at, arg_max(url, captured_at) AS url, arg_max(capture_id, captured_at) AS capture_id
    FROM site_rows
    GROUP BY ALL
),
owned AS (
    SELECT
        s.site, s.stated_on, s.captured_at,
        list(o.organisation_id ORDER BY o.organisation_id) FILTER (o.organisation_id IS NOT NULL) AS owner_ids
    FROM (SELECT *, unnest(owners) AS owner FROM states) AS s
    LEFT JOIN listed_organisations AS o ON o.raw = s.owner
    GROUP BY ALL
),
layers AS (
    SELECT d.site, d.stated_on, d.captured_at,
           arg_min(l.layer, (l.starts, l.layer)) AS layer
    FROM owned AS d
    JOIN layer_periods() AS l
      ON len(d.owner_ids) = 1 AND l.organisation_id = d.owner_ids[1]
     AND d.stated_on BETWEEN l.starts AND l.ends
    GROUP BY ALL
)
SELECT
    s.* EXCLUDE (captured_at, evidence), coalesce(w.owner_ids, []) AS owner_ids, y.layer,
    s.captured_at = max(s.captured_at) OVER (PARTITION BY s.source_id) AS is_latest,
    s.evidence::evidence_tag AS evidence
FROM states AS s
LEFT JOIN owned AS w USING (site, stated_on, captured_at)
LEFT JOIN layers AS y USING (site, stated_on, captured_at)
ORDER BY site, stated_on;

CREATE TABLE facts.site_timeline AS
WITH states AS (
    SELECT
        * EXCLUDE (stated_on, captured_at, capture_id, payload_sha256, url),
        min(stated_on) AS stated_on, min(captured_at)::DATE AS first_seen, max(captured_at)::DATE AS last_seen,
        max(captured_at) AS captured_at, arg_max(url, captured_at) AS url, arg_max(capture_id, captured_at) AS capture_id
    FROM milestone_rows
    GROUP BY ALL
)
SELECT
    * EXCLUDE (captured_at, evidence),
    milestone_on > last_seen AS is_planned,
    milestone_on > stated_on AS was_planned,
    power_mw * 1000 / nullif(h100e, 0) AS kw_per_h100e,
    CASE WHEN kw_per_h100e IS NOT NULL THEN 'derived' END::evidence_tag AS kw_per_h100e_evidence,
    captured_at = max(captured_at) OVER (PARTITION BY source_id) AS is_latest,
    evidence::evidence_tag AS evidence
FROM states
ORDER BY site, milestone_on, stated_on;
DROP VIEW site_rows;
DROP VIEW milestone_rows;
