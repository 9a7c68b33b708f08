-- Question: which claim stands on a day, and why?
-- Grain: evidence.statements: one row is one claim that is neither illustrative nor withdrawn; evidence.standing: one row is one cell.
-- Selection: the claims as statements, for the rule in macros/25_resolution.sql. An undated page has no `stated_to` and is known on the
-- day it was read. Where the registry does not know the printer, the tag tells what kind of page it is. Of a claim only what its
-- mentions known by the day say takes part, so that no later page changes an earlier rank. What the variants of a subject have, the
-- registry (memory) and the claims on them tell: a figure of the A100 that is the 40 GB part's speaks of that part.
CREATE MACRO evidence.statements_as_of(day, subjects := NULL) AS TABLE
WITH owners AS (
    SELECT accelerator_id AS subject_key, vendor_id FROM registry.accelerators
    UNION SELECT system_id, vendor_id FROM registry.systems
    UNION SELECT generation_id, vendor_id FROM registry.generations
    UNION SELECT network_id, vendor_id FROM registry.networks
    UNION SELECT organisation_id, organisation_id FROM registry.organisations
),
printers AS (
    SELECT a.alias_key, min(a.subject_id) AS organisation_id, min(o.publishes_as) AS publishes_as
    FROM (SELECT name_group(name) AS alias_key, organisation_id AS subject_id FROM registry.organisations
          UNION SELECT name_group(alias), subject_id FROM registry.aliases WHERE subject_kind = 'organisation') AS a
    JOIN registry.organisations AS o ON o.organisation_id = a.subject_id
    GROUP BY a.alias_key
),
-- what a variant without memory or form leaves open, another of its model says
narrower AS (
    SELECT s.accelerator_id AS subject_id, v.accelerator_id AS variant_id, v.memory_gb
    FROM registry.accelerators AS s JOIN registry.accelerators AS v ON v.model_id = s.model_id AND v.accelerator_id <> s.accelerator_id
    WHERE coalesce(s.memory_gb = v.memory_gb, s.memory_gb IS NULL) AND coalesce(s.form_factor = v.form_factor, s.form_factor IS NULL)
),
variants AS (FROM narrower WHERE subjects IS NULL OR list_contains(subjects, subject_id)),
variant_figures AS MATERIALIZED (
    SELECT subject_id, variant_id, 'memory_capacity' AS metric, {'per': 'accelerator'}::MAP(VARCHAR, VARCHAR)::VARCHAR AS topic, memory_gb AS figure
    FROM variants WHERE memory_gb IS NOT NULL
    UNION
    SELECT v.subject_id, v.variant_id, m.metric, topic_of(m.qualifiers)::VARCHAR, m.value
    FROM variants AS v JOIN evidence.mentions AS m ON m.subject_id = v.variant_id
    WHERE m.doubt IS NULL AND m.known_on <= day AND NOT m.is_copied AND m.value IS NOT NULL
),
figures_of_variants AS (
    SELECT DISTINCT c.claim_id, f.variant_id
    FROM evidence.claims AS c JOIN variant_figures AS f ON f.subject_id = c.subject_id AND f.metric = c.metric AND f.topic = c.topic
    JOIN registry.metrics AS m ON m.metric_id = c.metric
    WHERE m.kind <> 'date' AND agrees(m.kind, m.tolerance, c.value, c.value, last_digit(c.value), f.figure, f.figure, last_digit(f.figure))
),
-- a figure of the 40 GB card over PCIe is not that of every card over PCIe
of_variants AS (
    SELECT claim_id, list_sort(list(variant_id)) AS variants
    FROM figures_of_variants AS f
    WHERE NOT EXISTS (
        FROM narrower AS n JOIN figures_of_variants AS o ON o.variant_id = n.variant_id
        WHERE n.subject_id = f.variant_id AND o.claim_id = f.claim_id
    )
    GROUP BY claim_id
)
SELECT
    concat_ws('|', c.subject_key, c.metric, c.period_start, c.period_end, CASE WHEN c.metric = 'statement' THEN c.value_text END) AS thing,
    NULL::MAP(VARCHAR, VARCHAR) AS asked, NULL::DATE AS as_of, c.subject_id, c.claim_id AS statement_id, c.claim_id AS place,
    c.metric, m.kind, coalesce(m.tolerance, 0) AS tolerance, coalesce(m.requires, []) AS requires, true AS related,
    CASE WHEN c.value_low IS NULL OR c.value_high IS NULL THEN c.value END AS value, -- of a range its ends speak
    CASE WHEN m.kind = 'date' THEN date_diff('day', DATE '1970-01-01', c.value_start)
         WHEN c.value IS NULL OR c.value_high IS NOT NULL THEN c.value_low END::DOUBLE AS low,
    CASE WHEN m.kind = 'date' THEN date_diff('day', DATE '1970-01-01', c.value_end)
         WHEN c.value IS NULL OR c.value_low IS NOT NULL THEN c.value_high END::DOUBLE AS high,
    lower(c.value_text) AS value_text, c.qualifiers, c.modality, c.claimant_key,
    CASE WHEN c.evidence IN ('audited', 'measured') THEN 'measured'
         WHEN w.publishes_as IS NOT NULL THEN w.publishes_as
         WHEN c.claimant_id IS NOT NULL THEN CASE c.evidence WHEN 'operator' THEN 'operator' ELSE 'party' END
         ELSE coalesce(p.publishes_as, kind_of_tag(c.evidence)) END AS claimant_kind,
    coalesce(p.organisation_id, name_group(c.printed_by)) AS printer_key,
    CASE WHEN p.publishes_as IS NOT NULL THEN p.publishes_as
         WHEN p.organisation_id IS NOT NULL THEN 'maker' ELSE kind_of_tag(c.evidence) END AS printer_kind,
    coalesce(c.claimant_key = coalesce(h.parent_id, v.vendor_id), false) AS is_owner,
    CASE WHEN is_dated THEN date_trunc(CASE c.stated_on_precision WHEN 'year' THEN 'year' WHEN 'month' THEN 'month' ELSE 'day' END,
                                       c.stated_on)::DATE END AS stated_from,
    CASE WHEN is_dated THEN c.stated_on END AS stated_to,
    c.known_on AS known_from,
    coalesce(r.variants, []) AS variants, c.is_copied AS is_doubtful
FROM (
    SELECT *, stated_on IS NOT NULL AND stated_on_precision NOT IN ('capture', 'unknown') AS is_dated
    FROM evidence.claims_as_of(day, subjects := subjects)
) AS c
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
LEFT JOIN registry.organisations AS w ON w.organisation_id = c.claimant_id
LEFT JOIN printers AS p ON p.alias_key = name_group(c.printed_by)
LEFT JOIN (SELECT subject_key, min(vendor_id) AS vendor_id FROM owners GROUP BY subject_key) AS v ON v.subject_key = c.subject_key
LEFT JOIN registry.organisations AS h ON h.organisation_id = v.vendor_id
LEFT JOIN of_variants AS r ON r.claim_id = c.claim_id
WHERE c.evidence <> 'illustrative' AND c.modality <> 'withdrawn';

CREATE TABLE evidence.statements AS FROM evidence.statements_as_of(DATE '9999-12-31') ORDER BY thing, statement_id;

-- What stands on a day in each cell (subject, metric, qualifiers, period), by the rule of macros/25_resolution.sql, with the
-- reason, the cause of the disagreement, the range of all that was said, and the claims that lost with why each lost. A cell
-- without a pick has `is_disputed`, no value, and a claim that is one of the rivals. Of some subjects only where their ids
-- are given: `evidence.resolved(day, subjects := ['nvidia-b300'])` reads no others. Nothing stated later is known.
CREATE MACRO evidence.resolved(day, subjects := NULL) AS TABLE
WITH said_by_then AS MATERIALIZED (FROM evidence.statements_as_of(day, subjects := subjects)),
found AS MATERIALIZED (
    SELECT *, coalesce(stands, first_rival) AS claim_id FROM resolution('said_by_then', day := day, subjects := subjects)
    WHERE coalesce(stands, first_rival) IS NOT NULL
),
claims AS MATERIALIZED (FROM evidence.claims_as_of(day, subjects := subjects)),
said AS (
    SELECT f.cell, unnest([f.claim_id] || list_transform(f.losers, lambda lost: lost.statement_id)) AS claim_id FROM found AS f
),
gathered AS (
    SELECT
        s.cell,
        min(coalesce(c.value_low, c.value)) AS range_low, max(coalesce(c.value_high, c.value)) AS range_high,
        min(c.value_start) AS range_start, max(c.value_end) AS range_end, count(*) AS said_in,
        count(DISTINCT c.claimant_key) FILTER (NOT c.is_copied) AS all_claimants
    FROM said AS s JOIN claims AS c USING (claim_id) GROUP BY s.cell
),
-- free statements contradict none; the latest speaks for its thing
latest AS (
    SELECT arg_min(claim_id, (-epoch(known_on), claim_id))
    FROM claims SEMI JOIN found USING (claim_id) WHERE metric = 'statement'
    GROUP BY subject_key, topic, qualifiers['bound'], period_start, period_end
)
SELECT
    c.* REPLACE (
        CASE WHEN f.stands IS NOT NULL THEN c.value END AS value, CASE WHEN f.stands IS NOT NULL THEN c.value_text END AS value_text,
        CASE WHEN f.stands IS NOT NULL THEN c.value_start END AS value_start,
        CASE WHEN f.stands IS NOT NULL THEN c.value_end END AS value_end,
        least(c.claimants, g.all_claimants)::INTEGER AS claimants
    ),
    f.stands IS NULL AS is_disputed, f.reason, f.cause, f.superseded,
    g.range_low, g.range_high, g.range_start, g.range_end, g.said_in, g.all_claimants,
    list_transform(f.losers, lambda lost: lost.statement_id) AS losers,
    list_transform(f.losers, lambda lost: {'claim_id': lost.statement_id, 'why': lost.why, 'cause': lost.cause}) AS lost
FROM found AS f JOIN gathered AS g USING (cell) JOIN claims AS c ON c.claim_id = f.claim_id
WHERE c.metric <> 'statement' OR c.claim_id IN (FROM latest);

-- What stands now: asked for the newest day, `evidence.resolved` is read from here (present.py).
CREATE TABLE evidence.standing AS FROM evidence.resolved(DATE '9999-12-31') ORDER BY subject_key, metric, topic, claim_id;
