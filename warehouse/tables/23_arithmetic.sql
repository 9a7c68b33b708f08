-- Question: does a claim with parts agree with them?
-- Grain: evidence.sums: one row is one claim checked by one rule against one set of parts; evidence.arithmetic: against the parts
-- that come nearest.
-- Selection: totals of a system against the figure per accelerator times its accelerators (registry.system_parts), dies of
-- a domain against packages times dies per package, power of optics against ports times power per port. A total agrees when
-- any statement of its parts gives it within 3 percent; parts count with the same precision, sparsity and direction. Where these
-- are left open, agreement is a finding and disagreement none: a dense figure beside a sparse one is no contradiction, and
-- neither is a memory told in GiB or TiB beside one told in GB or TB. A figure of a part (the processors' memory) is no total.
CREATE MACRO is_binary_apart(x, y) AS near_ratio(x, y, 1.073741824) OR near_ratio(x, y, 1.099511627776);
CREATE TABLE evidence.sums AS
WITH usable AS MATERIALIZED (
    SELECT
        claim_id, subject_id, subject_key, metric, known_on, value, unit, qualifiers, per_word(stated(qualifiers, 'per')) AS per,
        stated(qualifiers, 'precision') AS precision, stated(qualifiers, 'sparsity') AS sparsity,
        stated(qualifiers, 'direction') AS direction, stated(qualifiers, 'part') AS portion
    FROM evidence.claims
    WHERE value IS NOT NULL AND evidence <> 'illustrative' AND NOT is_copied
      AND coalesce(qualifiers['bound'], '') = '' -- a limit is no total
),
parts AS (
    SELECT p.system_id, p.part, coalesce(a.model_id, p.part) AS model_id, p.count, a.dies_per_package AS dies
    FROM registry.system_parts AS p
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
    WHERE p.part_kind = 'accelerator'
),
-- Whose claims say what one part has: the system's own, the part's, its model's. Kept apart so that totals meet their own
-- parts first, not every claim on the metric.
wholes AS MATERIALIZED (
    SELECT t.*, p.count, p.key
    FROM usable AS t
    JOIN (SELECT DISTINCT system_id, count, unnest([system_id, part, model_id]) AS key FROM parts) AS p
      ON p.system_id = t.subject_id
    WHERE t.metric IN ('memory_capacity', 'memory_bandwidth', 'scale_up_bandwidth', 'compute') AND t.per IN ('rack', 'node', 'pod')
      AND t.portion IS NULL
),
totals AS (
    SELECT
        t.claim_id, 'per accelerator x accelerators' AS rule, greatest(t.known_on, u.known_on) AS known_on, t.value AS stated, t.count * u.value AS expected,
        (t.metric <> 'compute' OR (t.precision IS NOT NULL AND t.sparsity IS NOT NULL))
            AND (t.metric <> 'scale_up_bandwidth' OR (t.direction IS NOT NULL AND u.direction IS NOT NULL))
            AND (t.metric <> 'memory_capacity' OR NOT is_binary_apart(t.value, t.count * u.value)) AS is_like,
        [u.claim_id] AS input_ids, t.count || ' x ' || format('{:g}', u.value) || ' ' || u.unit AS formula
    FROM wholes AS t
    JOIN usable AS u
      ON u.metric = t.metric AND u.per = 'accelerator' AND u.subject_key = t.key
     AND u.precision IS NOT DISTINCT FROM t.precision AND u.sparsity IS NOT DISTINCT FROM t.sparsity
     AND coalesce(u.direction = t.direction, true) AND u.portion IS NULL
),
dies AS (
    SELECT
        t.claim_id, 'packages x dies per package' AS rule, greatest(t.known_on, n.known_on) AS known_on, t.value AS stated, n.value * p.dies AS expected,
        true AS is_like, [n.claim_id] AS input_ids, format('{:g}', n.value) || ' packages x ' || p.dies || ' dies' AS formula
    FROM usable AS t
    JOIN parts AS p ON p.system_id = t.subject_id AND p.dies > 1
    JOIN usable AS n ON n.subject_key = t.subject_key AND n.metric = t.metric AND n.qualifiers['counted_as'] = 'package'
    WHERE t.metric IN ('scale_up_domain_size', 'accelerator_count') AND t.qualifiers['counted_as'] = 'die'
),
optics AS (
    SELECT
        t.claim_id, 'ports x power per port' AS rule, greatest(t.known_on, n.known_on, w.known_on) AS known_on, t.value AS stated, n.value * w.value / 1000 AS expected,
        true AS is_like, [n.claim_id, w.claim_id] AS input_ids,
        format('{:g}', n.value) || ' ports x ' || format('{:g}', w.value) || ' W' AS formula
    FROM usable AS t
    JOIN usable AS n ON n.metric = 'port_count' AND n.subject_key = t.subject_key
    JOIN usable AS w ON w.metric = 'port_power'
    WHERE t.metric = 'power' AND t.qualifiers['part'] IN ('transceivers', 'optics')
),
checked AS (
    SELECT *, stated / nullif(expected, 0) AS ratio FROM (FROM totals UNION ALL FROM dies UNION ALL FROM optics)
)
SELECT
    claim_id, rule, input_ids, expected, stated, ratio, known_on,
    formula || ' = ' || format('{:g}', expected) AS formula,
    CASE WHEN abs(ratio - 1) <= 0.03 THEN 'consistent' ELSE 'inconsistent' END AS verdict
FROM checked
WHERE is_like OR abs(ratio - 1) <= 0.03
ORDER BY claim_id, rule, input_ids;

CREATE MACRO evidence.arithmetic_as_of(day) AS TABLE
FROM evidence.sums WHERE known_on <= day
QUALIFY row_number() OVER (PARTITION BY claim_id, rule ORDER BY abs(ln(ratio)) NULLS LAST, formula, input_ids) = 1;

CREATE TABLE evidence.arithmetic AS FROM evidence.arithmetic_as_of(DATE '9999-12-31') ORDER BY claim_id, rule;

-- Sums that a text does itself are checked where they are read; the rules here outrank them.
CREATE MACRO evidence.claims_as_of(day, subjects := NULL) AS TABLE
SELECT c.* REPLACE (coalesce(a.verdict, c.arithmetic) AS arithmetic)
FROM evidence.told_claims(day, subjects := subjects) AS c
LEFT JOIN (SELECT claim_id, min(verdict) AS verdict FROM evidence.arithmetic_as_of(day) GROUP BY claim_id) AS a USING (claim_id);

UPDATE evidence.claims AS c SET arithmetic = a.verdict
FROM (SELECT claim_id, min(verdict) AS verdict FROM evidence.arithmetic GROUP BY claim_id) AS a
WHERE a.claim_id = c.claim_id;

-- What had been stated on or before a day.
CREATE MACRO evidence.as_of(day) AS TABLE FROM evidence.claims_as_of(day);
