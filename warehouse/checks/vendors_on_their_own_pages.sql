-- name: vendors_on_their_own_pages
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: a word tagged vendor or operator stands on a page of its claimant's house; none on a site, which is run, is a vendor's
WITH houses AS (
    SELECT organisation_id, name, coalesce(parent_id, organisation_id) AS house FROM registry.organisations
)
SELECT m.rowid AS row, format('{} by {} on a page of {}', m.evidence, m.claimant, m.printed_by) AS found
FROM evidence.mentions AS m
LEFT JOIN houses AS c ON c.organisation_id = m.claimant_id
LEFT JOIN houses AS p ON p.name = m.printed_by
WHERE m.evidence IN ('vendor', 'operator') AND c.house IS DISTINCT FROM p.house OR m.evidence = 'vendor' AND m.subject_kind = 'site';
