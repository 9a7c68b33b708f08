-- Question: what places work on a rack as one machine, by system and provider, since when?
-- Grain: one row is one claim about placement, partitioning or orchestration.
-- Selection: claims on the metric `scheduling`, copied ones left out, oldest first for each subject.
CREATE TABLE marts.control_plane AS
SELECT
    c.claim_id, c.subject_key, c.subject_id, c.subject, c.subject_kind,
    coalesce(stated(c.qualifiers, 'function'), stated(c.qualifiers, 'kind')) AS function,
    stated(c.qualifiers, 'system') AS system, stated(c.qualifiers, 'provider') AS provider,
    stated(c.qualifiers, 'software') AS software, c.value_text, c.modality, c.claimant, c.evidence, c.stated_on, c.known_on,
    c.period_start, c.period_end, c.caveats, c.source_id, c.url, c.note,
    row_number() OVER (PARTITION BY c.subject_key ORDER BY c.known_on, c.claim_id)::INTEGER AS place
FROM evidence.claims AS c
WHERE c.metric = 'scheduling' AND NOT c.is_copied AND c.evidence <> 'illustrative'
ORDER BY c.subject_key, c.known_on, c.claim_id;

-- Each row counts what was said before it only, so the rows stated by a day are the mart of that day.
CREATE MACRO marts.control_plane_as_of(day) AS TABLE
FROM marts.control_plane WHERE known_on <= day;
