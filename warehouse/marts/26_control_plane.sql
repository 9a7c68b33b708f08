-- Question: what places work on a rack as one machine, by system and provider, since when?
-- Grain: one row is one claim about placement, partitioning or orchestration.
-- Selection: claims on the metric `scheduling`, copied ones left out, oldest first for each subject.
CREATE MACRO marts.control_plane_as_of(day) AS TABLE
SELECT
    c.claim_id, c.subject_key, c.subject_id, c.subject, c.subject_kind,
    coalesce(stated(c.qualifiers, 'function'), stated(c.qualifiers, 'kind')) AS function,
    stated(c.qualifiers, 'system') AS system, stated(c.qualifiers, 'provider') AS provider,
    stated(c.qualifiers, 'software') AS software, c.value_text, c.modality, c.claimant, c.evidence, c.stated_on, c.known_on,
    c.period_start, c.period_end, c.caveats, c.source_id, c.url, c.note,
    row_number() OVER (PARTITION BY c.subject_key ORDER BY c.known_on, c.claim_id)::INTEGER AS place
FROM evidence.claims_as_of(day) AS c
WHERE c.metric = 'scheduling' AND NOT c.is_copied AND c.evidence <> 'illustrative';

CREATE TABLE marts.control_plane AS
FROM marts.control_plane_as_of(DATE '9999-12-31') ORDER BY subject_key, known_on, claim_id;
