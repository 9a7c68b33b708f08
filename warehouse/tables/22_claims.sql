-- Question: what is claimed, about what, by whom, for when, and how firmly?
-- Grain: one row is one claim: one value of one metric of one subject, as one claimant says it for one period.
-- Selection: published claims; those that wait for review are evidence.mentions with a `doubt`. Of what differs between
-- mentions of one claim, the strongest tag and the earliest date stand. Corroboration counts independent claimants: a
-- company and its parent are one, and copied or respun pages are none.
CREATE TEMP TABLE claim_rows AS
WITH ranked AS (
    SELECT m.*, coalesce(o.parent_id, m.claimant_id, name_group(m.claimant)) AS claimant_key
    FROM evidence.mentions AS m
    LEFT JOIN registry.organisations AS o ON o.organisation_id = m.claimant_id
    WHERE m.doubt IS NULL
),
first_ones AS (
    SELECT * FROM ranked
    QUALIFY row_number() OVER (
        PARTITION BY claim_id ORDER BY is_copied, evidence, known_on, document_id NULLS FIRST, locator
    ) = 1
),
counted AS (
    SELECT
        claim_id,
        min(known_on) AS known_on,
        min(stated_on) AS stated_on,
        max(stated_on) AS last_stated_on,
        min(first_seen) AS first_seen,
        max(last_seen) AS last_seen,
        count(*)::INTEGER AS mentions,
        count(DISTINCT coalesce(document_id, ref))::INTEGER AS documents,
        bool_and(is_copied) AS is_copied,
        max(confidence) AS confidence,
        list_sort(list_distinct(flatten(list(caveats)))) AS caveats
    FROM ranked GROUP BY claim_id
)
SELECT
    f.* EXCLUDE (first_seen, last_seen, is_copied, confidence, caveats, stated_on, known_on),
    topic_of(f.qualifiers)::VARCHAR AS topic,
    c.* EXCLUDE (claim_id)
FROM first_ones AS f JOIN counted AS c USING (claim_id);

-- Claimants that say the same: equal subject, metric and qualifiers, and a value within the metric's tolerance.
CREATE TEMP TABLE corroboration AS
WITH points AS (
    SELECT DISTINCT r.subject_key, r.metric, r.topic, r.value, r.value_text, r.value_start, r.value_end,
                    r.claimant_key, coalesce(m.tolerance, 0) AS tolerance
    FROM claim_rows AS r LEFT JOIN registry.metrics AS m ON m.metric_id = r.metric
    WHERE NOT r.is_copied AND r.evidence <> 'illustrative'
)
SELECT r.claim_id, count(DISTINCT p.claimant_key)::INTEGER AS claimants
FROM claim_rows AS r
JOIN points AS p
  ON p.subject_key = r.subject_key AND p.metric = r.metric AND p.topic = r.topic
 AND ((abs(p.value - r.value) <= p.tolerance * greatest(abs(p.value), abs(r.value)))
      OR lower(p.value_text) = lower(r.value_text)
      OR (p.value_start <= r.value_end AND r.value_start <= p.value_end))
GROUP BY r.claim_id;

-- What belongs to one mention alone is left to it; which fields those are is said on the row.
CREATE TABLE evidence.claims AS
SELECT COLUMNS(lambda field: NOT list_contains(getvariable('fields_of_a_mention'), field))
FROM (
    SELECT
        r.* REPLACE (
            list_sort(list_distinct(
                r.caveats
                || CASE WHEN r.is_copied THEN ['copied'] ELSE [] END
                || CASE WHEN coalesce(c.claimants, 0) <= 1 THEN ['single_source'] ELSE [] END
                || CASE WHEN a.claim_id IS NOT NULL THEN ['altered'] ELSE [] END
            )) AS caveats
        ),
        coalesce(c.claimants, 0) AS claimants
    FROM claim_rows AS r
    LEFT JOIN corroboration AS c USING (claim_id)
    LEFT JOIN (
        -- A figure of a respun page that its origin gives otherwise.
        SELECT DISTINCT m.claim_id
        FROM evidence.mentions AS m
        JOIN evidence.copies AS k ON k.document_id = m.document_id AND k.origin_document_id IS NOT NULL
        JOIN evidence.mentions AS o
          ON o.document_id = k.origin_document_id AND o.subject_key = m.subject_key AND o.metric = m.metric
         AND topic_of(o.qualifiers) = topic_of(m.qualifiers)
        GROUP BY m.claim_id, m.document_id, m.locator
        HAVING bool_and(o.value IS DISTINCT FROM m.value OR o.value_start IS DISTINCT FROM m.value_start)
        UNION
        SELECT m.claim_id FROM evidence.mentions AS m
        JOIN evidence.mentions AS o ON o.ref = m.origin_ref
        WHERE o.value IS DISTINCT FROM m.value OR o.value_text IS DISTINCT FROM m.value_text
    ) AS a USING (claim_id)
)
ORDER BY subject_key, metric, known_on, claim_id;

DROP TABLE claim_rows;
DROP TABLE corroboration;

-- The claims as they were known on a day: of what differs between mentions, and of what is counted over them, only what the
-- mentions known by then say. Of some subjects only where their ids are given.
CREATE MACRO evidence.claims_as_of(day, subjects := NULL) AS TABLE
WITH told AS (
    SELECT * FROM evidence.mentions
    WHERE doubt IS NULL AND known_on <= day AND (subjects IS NULL OR list_contains(subjects, subject_id))
),
firsts AS (
    SELECT * FROM told
    QUALIFY row_number() OVER (PARTITION BY claim_id ORDER BY is_copied, evidence, known_on, document_id NULLS FIRST, locator) = 1
),
counts AS (
    SELECT claim_id, min(stated_on) AS stated_on, max(stated_on) AS last_stated_on, min(known_on) AS known_on, min(first_seen) AS first_seen,
        max(CASE WHEN last_seen::DATE <= day THEN last_seen ELSE first_seen END) AS last_seen, count(*)::INTEGER AS mentions,
        count(DISTINCT coalesce(document_id, ref))::INTEGER AS documents, bool_and(is_copied) AS is_copied,
        list_distinct(flatten(list(caveats))) AS caveats
    FROM told GROUP BY claim_id
),
points AS (
    SELECT DISTINCT c.subject_key, c.metric, c.topic, c.value, c.value_text, c.value_start, c.value_end, c.claimant_key,
        coalesce(m.tolerance, 0) AS tolerance
    FROM evidence.claims AS c JOIN counts AS k USING (claim_id) JOIN firsts AS f USING (claim_id)
    LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
    WHERE NOT k.is_copied AND f.evidence <> 'illustrative'
),
agreeing AS (
    SELECT c.claim_id, count(DISTINCT p.claimant_key)::INTEGER AS claimants
    FROM evidence.claims AS c JOIN counts USING (claim_id)
    JOIN points AS p ON p.subject_key = c.subject_key AND p.metric = c.metric AND p.topic = c.topic
     AND ((abs(p.value - c.value) <= p.tolerance * greatest(abs(p.value), abs(c.value))) OR lower(p.value_text) = lower(c.value_text)
          OR (p.value_start <= c.value_end AND c.value_start <= p.value_end))
    GROUP BY c.claim_id
)
SELECT
    c.* REPLACE (
        f.evidence AS evidence, f.url AS url, f.printed AS printed, f.printed_by AS printed_by, f.stated_on_precision AS stated_on_precision,
        f.stated_not_after AS stated_not_after, f.read_on AS read_on, f.note AS note, k.stated_on AS stated_on,
        k.last_stated_on AS last_stated_on, k.known_on AS known_on, k.first_seen AS first_seen, k.last_seen AS last_seen,
        k.mentions AS mentions, k.documents AS documents, k.is_copied AS is_copied, coalesce(g.claimants, 0) AS claimants,
        list_sort(list_distinct(
            list_filter(c.caveats, lambda word: word = 'altered') || k.caveats || CASE WHEN k.is_copied THEN ['copied'] ELSE [] END
            || CASE WHEN coalesce(g.claimants, 0) <= 1 THEN ['single_source'] ELSE [] END)) AS caveats
    )
FROM evidence.claims AS c JOIN firsts AS f USING (claim_id) JOIN counts AS k USING (claim_id) LEFT JOIN agreeing AS g USING (claim_id);

-- What had been stated on or before a day.
CREATE MACRO evidence.as_of(day) AS TABLE FROM evidence.claims_as_of(day);

-- Everything said about a subject and metric, oldest first; the subject by id or by any name it bears or bore.
CREATE MACRO evidence.history(subject_name, metric_id) AS TABLE
SELECT c.*
FROM evidence.claims AS c
WHERE c.metric = metric_id
  AND (c.subject_id = subject_name OR c.subject_key = name_group(subject_name)
       OR c.subject_id IN (SELECT a.subject_id FROM registry.aliases AS a
                           WHERE name_group(a.alias) = name_group(subject_name)))
ORDER BY c.known_on, c.evidence, c.claim_id;

-- The claims as statements, for the rule in macros/25_resolution.sql. An undated page has no `stated_to` and is known on the
-- day it was read. Where the registry does not know the printer, the tag tells what kind of page it is.
CREATE TABLE evidence.statements AS
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
)
SELECT
    concat_ws('|', c.subject_key, c.metric, c.period_start, c.period_end, CASE WHEN c.metric = 'statement' THEN c.value_text END) AS thing,
    NULL::MAP(VARCHAR, VARCHAR) AS asked, NULL::DATE AS as_of, c.subject_id, c.claim_id AS statement_id, c.claim_id AS place,
    c.metric, m.kind, coalesce(m.tolerance, 0) AS tolerance, coalesce(m.requires, []) AS requires, true AS related,
    c.value,
    CASE WHEN m.kind = 'date' THEN date_diff('day', DATE '1970-01-01', c.value_start)
         WHEN c.value IS NULL THEN c.value_low END::DOUBLE AS low,
    CASE WHEN m.kind = 'date' THEN date_diff('day', DATE '1970-01-01', c.value_end)
         WHEN c.value IS NULL THEN c.value_high END::DOUBLE AS high,
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
    c.is_copied AS is_doubtful
FROM (
    SELECT *, stated_on IS NOT NULL AND stated_on_precision NOT IN ('capture', 'unknown') AS is_dated FROM evidence.claims
) AS c
LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
LEFT JOIN registry.organisations AS w ON w.organisation_id = c.claimant_id
LEFT JOIN printers AS p ON p.alias_key = name_group(c.printed_by)
LEFT JOIN (SELECT subject_key, min(vendor_id) AS vendor_id FROM owners GROUP BY subject_key) AS v ON v.subject_key = c.subject_key
LEFT JOIN registry.organisations AS h ON h.organisation_id = v.vendor_id
WHERE c.evidence <> 'illustrative' AND c.modality <> 'withdrawn'
ORDER BY thing, statement_id;

-- What stands on a day in each cell (subject, metric, qualifiers, period), by the rule of macros/25_resolution.sql, with the
-- reason, the cause of the disagreement, the range of all that was said, and the claims that lost with why each lost. A cell
-- without a pick has `is_disputed`, no value, and a claim that is one of the rivals. Of some subjects only where their ids
-- are given: `evidence.resolved(day, subjects := ['nvidia-b300'])` reads no others. Nothing stated later is known.
CREATE MACRO evidence.resolved(day, subjects := NULL) AS TABLE
WITH found AS MATERIALIZED (
    SELECT *, coalesce(stands, first_rival) AS claim_id FROM resolution('evidence.statements', day := day, subjects := subjects)
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
-- free statements contradict none; the latest speaks for its thing
QUALIFY c.metric <> 'statement' OR row_number() OVER (
    PARTITION BY c.subject_key, c.topic, c.qualifiers['bound'], c.period_start, c.period_end ORDER BY c.known_on DESC, c.claim_id) = 1;
