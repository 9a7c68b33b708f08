-- Question: who said what, when, about a dated milestone of a product, system or site: promised, confirmed, moved, done?
-- Grain: facts.promises: one row is one statement of one claimant on one milestone, however many pages repeat it.
-- Selection: reviewed statements (warehouse/facts/promises.csv), and claims on dates of subjects whose maker or operator is
-- known. A claim's metric gives its stage. Release dates of Epoch AI's hardware table stay out: the table does not say
-- whether a date is that of an announcement, a launch or a delivery. `known_on` is the day from which a statement can have
-- been known here: when it was stated, or the latest day by which it must have been.
CREATE TABLE facts.promises AS
SELECT
    ref AS statement_id, NULL::VARCHAR AS claim_id, 'ledger' AS source_id, * EXCLUDE (ref) REPLACE (coalesce(variant, '') AS variant,
        coalesce(string_split(other_urls, ' '), []) AS other_urls),
    coalesce(stated_on, stated_not_after) AS known_on,
    list_sort(CASE WHEN stated_on IS NULL THEN ['undated'] ELSE [] END
              || CASE WHEN printed_by_kind NOT IN ('maker', 'operator', 'filing') THEN ['indirect'] ELSE [] END) AS caveats
FROM committed_promises
ORDER BY ref;

CREATE MACRO facts.claimed_promises_as_of(day) AS TABLE
SELECT
    c.claim_id AS statement_id, c.claim_id, c.source_id, c.subject, c.subject_id, c.subject_kind, p.party_id,
    CASE c.metric WHEN 'announced_on' THEN 'announced' WHEN 'production_from' THEN 'production'
                  WHEN 'available_from' THEN 'launch' ELSE 'in_service' END AS milestone,
    '' AS variant,
    CASE WHEN c.modality IN ('shipping', 'deployed', 'measured') THEN 'actual'
         WHEN c.modality = 'withdrawn' THEN 'cancelled'
         WHEN c.modality = 'announced' AND c.metric = 'announced_on' THEN 'actual'
         ELSE 'promised' END AS modality,
    c.value_start AS period_start, c.value_end AS period_end, c.claimant, c.claimant_id,
    c.claimant_key = coalesce(o.parent_id, p.party_id) AS is_own_word, false AS is_disputed,
    coalesce(c.printed_by, c.claimant) AS printed_by, c.evidence, c.stated_on, c.stated_on_precision,
    coalesce(c.stated_on, c.stated_not_after) AS stated_not_after, coalesce(c.stated_on, c.stated_not_after) AS known_on, c.read_on,
    c.url, [] AS other_urls, c.caveats
FROM evidence.claims_as_of(day) AS c
JOIN (
    SELECT accelerator_id AS subject_id, vendor_id AS party_id FROM registry.accelerators
    UNION SELECT system_id, vendor_id FROM registry.systems
    UNION SELECT generation_id, vendor_id FROM registry.generations
    UNION SELECT network_id, vendor_id FROM registry.networks WHERE vendor_id IS NOT NULL
    UNION SELECT site_id, operator_id FROM registry.sites WHERE operator_id IS NOT NULL
) AS p USING (subject_id)
LEFT JOIN registry.organisations AS o ON o.organisation_id = p.party_id
WHERE c.metric IN ('announced_on', 'production_from', 'available_from', 'deployed_on') AND c.value_start IS NOT NULL
  AND c.evidence <> 'illustrative' AND NOT c.is_copied AND c.claimant_key <> 'epoch-ai'
  AND c.modality <> 'sampling' AND coalesce(c.stated_on, c.stated_not_after) IS NOT NULL;

INSERT INTO facts.promises BY NAME
FROM facts.claimed_promises_as_of(DATE '9999-12-31') ORDER BY claim_id;

CREATE MACRO facts.promises_as_of(day) AS TABLE
FROM facts.promises WHERE claim_id IS NULL AND known_on <= day
UNION ALL BY NAME
FROM facts.claimed_promises_as_of(day) SEMI JOIN facts.promises USING (statement_id);
