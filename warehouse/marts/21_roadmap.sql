-- Question: what was promised for when, what was said later, and what came?
-- Grain: marts.roadmap: one row is one claim on one milestone of one product. marts.slips: one row is one milestone of one
-- product. marts.slips_by_vendor: one row is one vendor.
-- Selection: claims on dates (announced, in production, available, deployed) about products; illustrative and copied ones
-- are left out. A claim is an actual when its modality says that the thing ships, runs or was measured, or when it was
-- stated after its own period began and promises nothing. The slip runs from the first promise to the actual, or to the
-- latest promise where there is no actual; its bounds come from the widths of the two periods. The maker's own promises go
-- before what others say it will do, and a revision is somebody's own word moved.
CREATE MACRO marts.roadmap_as_of(day) AS TABLE
WITH said AS (
    SELECT
        c.subject_key, c.subject_id, c.subject, c.subject_kind, c.metric AS milestone, c.claim_id, c.claimant, c.claimant_key,
        c.evidence, c.stated_on, c.stated_on_precision, c.value_start AS promised_start, c.value_end AS promised_end,
        c.modality, c.caveats, c.claimants, c.printed, c.source_id, c.url, c.note,
        coalesce(a.vendor_id, s.vendor_id, g.vendor_id, n.vendor_id) AS vendor,
        coalesce(a.generation_id, g.generation_id) AS generation,
        c.modality IN ('shipping', 'deployed', 'measured')
            OR (c.modality NOT IN ('expected', 'announced', 'withdrawn') AND c.stated_on >= c.value_start)
            OR (c.modality = 'announced' AND c.metric = 'announced_on') AS is_actual
    FROM evidence.claims AS c
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = c.subject_id
    LEFT JOIN registry.systems AS s ON s.system_id = c.subject_id
    LEFT JOIN registry.generations AS g ON g.generation_id = c.subject_id
    LEFT JOIN registry.networks AS n ON n.network_id = c.subject_id
    WHERE c.metric IN ('announced_on', 'production_from', 'available_from', 'deployed_on') AND c.value_start IS NOT NULL
      AND c.evidence <> 'illustrative' AND NOT c.is_copied AND c.stated_on <= day
      AND c.subject_kind NOT IN ('organisation', 'site', 'layer')
),
ordered AS (
    SELECT
        *,
        row_number() OVER said_so_far AS statement,
        lag(promised_start) OVER said_by_one AS previous_start,
        lag(promised_end) OVER said_by_one AS previous_end,
        lag(claim_id) OVER said_by_one AS previous_claim_id
    FROM said
    -- a thing has one vendor: named here so that a question about one vendor looks at no other's claims
    WINDOW said_so_far AS (PARTITION BY vendor, subject_key, milestone ORDER BY stated_on, evidence, claim_id),
           said_by_one AS (PARTITION BY vendor, subject_key, milestone, claimant_key ORDER BY stated_on, evidence, claim_id)
)
SELECT
    * EXCLUDE (previous_start, previous_end),
    coalesce(promised_start > previous_end OR promised_end < previous_start, false) AS is_revision,
    CASE WHEN promised_start > previous_end OR promised_end < previous_start
         THEN (datediff('day', previous_start, promised_start) + datediff('day', previous_end, promised_end)) / 2.0
    END AS shift_days
FROM ordered;

CREATE MACRO marts.slips_as_of(day) AS TABLE
WITH road AS (
    SELECT *, {'claim_id': claim_id, 'stated_on': stated_on, 'starts': promised_start, 'ends': promised_end, 'url': url,
               'evidence': evidence, 'claimant': claimant} AS said
    FROM marts.roadmap_as_of(day)
),
gathered AS (
    SELECT
        subject_key, milestone,
        any_value(subject_id) AS subject_id,
        arg_max(subject, (stated_on, claim_id)) AS subject,
        vendor,
        any_value(generation) AS generation,
        count(*)::INTEGER AS claims,
        count(DISTINCT claimant_key)::INTEGER AS claimants,
        count(*) FILTER (is_revision)::INTEGER AS revisions,
        arg_min(said, (claimant_key IS DISTINCT FROM vendor, stated_on, evidence, claim_id)) FILTER (NOT is_actual) AS first,
        arg_max(said, (claimant_key IS NOT DISTINCT FROM vendor, stated_on, -enum_code(evidence)::INTEGER, claim_id))
            FILTER (NOT is_actual) AS latest,
        arg_min(said, (evidence, promised_start, claim_id)) FILTER (is_actual) AS actual
    FROM road GROUP BY vendor, subject_key, milestone
)
SELECT
    g.* EXCLUDE (first, latest, actual),
    first.claim_id AS first_claim_id, latest.claim_id AS latest_claim_id, actual.claim_id AS actual_claim_id,
    first.stated_on AS first_stated_on, first.starts AS first_start, first.ends AS first_end,
    first.url AS first_url, first.evidence AS first_evidence, first.claimant AS first_claimant,
    latest.stated_on AS latest_stated_on, latest.starts AS latest_start, latest.ends AS latest_end,
    latest.url AS latest_url, latest.evidence AS latest_evidence, latest.claimant AS latest_claimant,
    actual.stated_on AS actual_stated_on, actual.starts AS actual_start, actual.ends AS actual_end,
    actual.url AS actual_url, actual.evidence AS actual_evidence, actual.claimant AS actual_claimant,
    datediff('day', first.ends, coalesce(actual.starts, latest.starts)) AS slip_low_days,
    datediff('day', first.starts, coalesce(actual.ends, latest.ends)) AS slip_high_days,
    (datediff('day', first.starts, coalesce(actual.starts, latest.starts))
     + datediff('day', first.ends, coalesce(actual.ends, latest.ends))) / 2.0 AS slip_days,
    CASE
        WHEN first.claim_id IS NULL THEN 'never promised here'
        WHEN actual.claim_id IS NULL AND latest.starts > first.ends THEN 'slipping'
        WHEN actual.claim_id IS NULL AND latest.ends < first.starts THEN 'pulled in'
        WHEN actual.claim_id IS NULL THEN 'open'
        WHEN actual.starts > first.ends THEN 'late'
        WHEN actual.ends < first.starts THEN 'early'
        ELSE 'as promised'
    END AS outcome,
    (SELECT list(n.name ORDER BY n.valid_from NULLS FIRST) FROM registry.system_names AS n
     WHERE n.system_id = g.subject_id) AS names
FROM gathered AS g;

CREATE TABLE marts.roadmap AS
FROM marts.roadmap_as_of(DATE '9999-12-31') ORDER BY subject_key, milestone, statement;

CREATE TABLE marts.slips AS
FROM marts.slips_as_of(DATE '9999-12-31') ORDER BY vendor NULLS LAST, subject, milestone;

-- Only milestones that were promised and then decided or revised can show a slip; the others are counted beside.
CREATE MACRO marts.slips_by_vendor_as_of(day) AS TABLE
SELECT
    vendor,
    count(*)::INTEGER AS milestones,
    count(first_claim_id)::INTEGER AS promised,
    count(*) FILTER (first_claim_id IS NOT NULL AND (actual_claim_id IS NOT NULL OR revisions > 0))::INTEGER AS measured,
    median(slip_days) FILTER (actual_claim_id IS NOT NULL OR revisions > 0) AS median_slip_days,
    min(slip_days) FILTER (actual_claim_id IS NOT NULL OR revisions > 0) AS least_slip_days,
    max(slip_days) FILTER (actual_claim_id IS NOT NULL OR revisions > 0) AS largest_slip_days,
    count(*) FILTER (outcome IN ('late', 'slipping'))::INTEGER AS late,
    count(*) FILTER (outcome IN ('early', 'pulled in'))::INTEGER AS early,
    sum(revisions)::INTEGER AS revisions,
    measured < 3 AS is_thin
FROM marts.slips_as_of(day)
WHERE vendor IS NOT NULL AND milestone IN ('available_from', 'production_from')
GROUP BY vendor;

CREATE TABLE marts.slips_by_vendor AS
FROM marts.slips_by_vendor_as_of(DATE '9999-12-31') ORDER BY vendor;
