-- Question: how much power, how many accelerators and how much memory stand in a rack, now and next, and who says so?
-- Grain: marts.density: one row is one metric of one system as one claim says it, or as it is derived from claims and
-- the registry; marts.density_trend: one row is one metric over the systems' availability dates.
-- Selection: claims about systems (racks, nodes, pods) and their power, counts, memory, bandwidth, cooling and mass, copied
-- and illustrative ones left out. Derived rows use the value that the rule resolves and the registry's contents; they carry
-- formula and inputs and are tagged `derived`. Limits (of supply, cooling, a bus bar; 'up to') stand apart from draws in
-- `is_limit`; what a draw is (rated, maximum, typical, measured, estimated) stands in `basis`. The date on the axis is when the system is (to be) available: by claims on
-- it, else on its accelerator, else its accelerator's first availability in the registry.
CREATE MACRO marts.density_as_of(day) AS TABLE
WITH settled AS MATERIALIZED (
    SELECT
        subject_id, subject_key, subject, metric, value, value_text, value_start, value_end, qualifiers, modality, is_copied,
        claim_id, claimant, claimants, printed_by, evidence, stated_on, stated_not_after, known_on, source_id, url, caveats, topic
    FROM evidence.resolved(day) WHERE metric IN ('available_from', 'cooling', 'power', 'rack_widths', 'part_count')
),
contents AS (
    SELECT
        s.system_id, s.vendor_id AS vendor, s.kind AS system_kind, p.part, coalesce(a.model_id, p.part) AS model_id, p.count,
        a.generation_id AS generation, a.dies_per_package AS dies, a.memory_gb,
        CASE WHEN a.first_available_on <= day THEN a.first_available_on END AS first_available_on
    FROM registry.systems AS s
    LEFT JOIN registry.system_parts AS p ON p.system_id = s.system_id AND p.part_kind = 'accelerator'
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
    QUALIFY row_number() OVER (PARTITION BY s.system_id ORDER BY p.count DESC NULLS LAST, p.part) = 1
),
available AS (
    SELECT subject_key, claim_id AS available_claim_id, value_start AS available_from_start, value_end AS available_from_end
    FROM settled
    WHERE metric = 'available_from' AND value_start IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY evidence, stated_on DESC, claim_id) = 1
),
systems AS MATERIALIZED (
    SELECT
        c.*, v.available_claim_id,
        coalesce(v.available_from_start, c.first_available_on) AS available_start,
        coalesce(v.available_from_end, c.first_available_on) AS available_end,
        CASE WHEN v.subject_key = c.system_id THEN 'claim' WHEN v.available_claim_id IS NOT NULL THEN 'claim on its accelerator'
             WHEN c.first_available_on IS NOT NULL THEN 'accelerator' END AS available_basis
    FROM contents AS c LEFT JOIN available AS v ON v.subject_key IN (c.system_id, c.part, c.model_id)
    QUALIFY row_number() OVER (PARTITION BY c.system_id ORDER BY v.subject_key = c.system_id DESC NULLS LAST,
                                                                v.subject_key = c.part DESC NULLS LAST) = 1
),
cooled AS (
    SELECT subject_id AS system_id, cooling_word(value_text) AS cooling FROM settled
    WHERE metric = 'cooling' AND cooling_word(value_text) IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY subject_id ORDER BY evidence, stated_on DESC, claim_id) = 1
),
claimed AS (
    SELECT
        c.subject_id AS system_id, c.subject AS system, c.metric, per_of(c.qualifiers, y.system_kind) AS per,
        stated(c.qualifiers, 'counted_as') AS counted_as, stated(c.qualifiers, 'part') AS part,
        CASE WHEN c.metric = 'power' THEN power_basis(c) END AS basis, is_said_limit(c) AS is_limit,
        c.value, c.value_low, c.value_high, c.unit, c.qualifiers['bound'] AS bound, c.modality,
        c.modality = 'measured' OR c.evidence IN ('measured', 'audited') AS is_measured,
        c.claim_id, c.claimant, c.printed_by, c.evidence, c.stated_on, c.stated_not_after, c.known_on, c.source_id, c.url, c.caveats, c.arithmetic,
        c.topic, NULL::VARCHAR AS formula, [c.claim_id] AS input_ids
    FROM evidence.claims_as_of(day) AS c
    JOIN systems AS y ON y.system_id = c.subject_id
    WHERE c.value IS NOT NULL AND NOT c.is_copied AND c.evidence <> 'illustrative'
      AND c.metric IN ('power', 'accelerator_count', 'cpu_count', 'scale_up_domain_size', 'memory_capacity', 'memory_bandwidth',
                       'compute', 'liquid_cooled_share', 'weight', 'part_count', 'cable_count', 'cable_length', 'rack_widths')
),
best AS MATERIALIZED (
    SELECT r.subject_id AS system_id, r.metric, per_of(r.qualifiers, y.system_kind) AS per, r.* EXCLUDE (subject_id, metric),
        is_said_limit(r) AS is_limit, power_basis(r) AS basis
    FROM settled AS r JOIN systems AS y ON y.system_id = r.subject_id
    WHERE r.metric IN ('power', 'rack_widths', 'part_count') AND r.value IS NOT NULL AND NOT r.is_copied
),
-- One draw a system and unit of counting: what it takes at most or is rated for, before what it typically takes; no limit.
draws AS MATERIALIZED (
    SELECT * FROM best WHERE metric = 'power' AND NOT is_limit AND stated(qualifiers, 'part') IS NULL
    QUALIFY row_number() OVER (
        PARTITION BY system_id, per ORDER BY basis_order(basis), evidence, stated_on DESC, claimants DESC, value DESC, claim_id) = 1
),
rack_power AS (FROM draws WHERE per = 'rack'),
-- What a rack takes; where only a limit is known, what it can bear. A share of a limit is a limit.
rack_said AS (
    SELECT * FROM best WHERE metric = 'power' AND per = 'rack' AND stated(qualifiers, 'part') IS NULL
    QUALIFY row_number() OVER (
        PARTITION BY system_id
        ORDER BY is_limit, basis_order(basis), evidence, stated_on DESC, claimants DESC, value DESC, claim_id) = 1
),
widths AS (
    SELECT system_id, value AS widths, claim_id FROM best WHERE metric = 'rack_widths' AND NOT is_limit
    QUALIFY row_number() OVER (PARTITION BY system_id ORDER BY evidence, stated_on DESC, claim_id) = 1
),
-- How many servers fill a rack, and how many racks a pod: where a claim says so, and as it says it.
fillings AS (
    FROM (SELECT system_id, per, value::INTEGER AS servers, [claim_id] AS said_by FROM best
    WHERE metric = 'part_count' AND value > 0 AND NOT is_limit
            AND (per, part_word(qualifiers['part'])) IN (('rack', 'server'), ('pod', 'rack'))
          UNION ALL
          SELECT system_id, 'pod', (qualifiers['racks'])::INTEGER, [] FROM draws WHERE per = 'pod' AND qualifiers['racks'] IS NOT NULL)
    QUALIFY row_number() OVER (PARTITION BY system_id, per ORDER BY len(said_by), servers, said_by) = 1
),
derived AS (
    SELECT
        p.system_id, p.subject AS system, 'power' AS metric, 'accelerator' AS per, 'package' AS counted_as, p.value / y.count AS value,
        'kW' AS unit, p, format('{:g}', p.value) || ' kW per rack / ' || y.count || ' accelerators' AS formula, [p.claim_id] AS input_ids,
        NULL::INTEGER AS servers
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.system_kind = 'rack'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'power', 'rack width', NULL, p.value / w.widths, 'kW', p,
        format('{:g}', p.value) || ' kW per cabinet / ' || format('{:g}', w.widths) || ' rack widths', [p.claim_id, w.claim_id], NULL
    FROM rack_said AS p JOIN widths AS w ON w.system_id = p.system_id
    UNION ALL
    SELECT
        p.system_id, p.subject, 'power', 'rack', NULL, p.value * f.servers, 'kW', p,
        format('{:g}', p.value) || ' kW per server x ' || f.servers || ' servers in a rack', [p.claim_id] || f.said_by, f.servers
    FROM draws AS p JOIN fillings AS f ON f.system_id = p.system_id AND f.per = 'rack' AND p.per = 'node'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'power', 'rack', NULL, p.value / f.servers, 'kW', p,
        format('{:g}', p.value) || ' kW per pod / ' || f.servers || ' racks', [p.claim_id] || f.said_by, f.servers
    FROM draws AS p JOIN fillings AS f ON f.system_id = p.system_id AND f.per = 'pod' AND p.per = 'pod'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'accelerator_count', 'kW', 'package', y.count / p.value, 'count', p,
        y.count || ' accelerators / ' || format('{:g}', p.value) || ' kW', [p.claim_id], NULL
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.system_kind = 'rack'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'memory_capacity', 'kW', NULL, y.count * y.memory_gb / p.value, 'GB', p,
        y.count || ' x ' || format('{:g}', y.memory_gb) || ' GB / ' || format('{:g}', p.value) || ' kW', [p.claim_id], NULL
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.memory_gb > 0 AND y.system_kind = 'rack'
)
SELECT
    x.system_id, x.system, y.vendor, y.generation, y.system_kind, system_class(y.system_kind, y.count) AS system_class, k.cooling,
    y.count AS accelerators, y.count * y.dies AS dies,
    x.metric, x.per, x.counted_as, x.part, x.basis, x.is_limit, x.value, x.value_low, x.value_high, x.unit, x.bound, x.modality,
    x.is_measured, x.is_derived, x.formula, x.servers, x.input_ids, x.claim_id, x.claimant, x.printed_by, x.evidence, x.stated_on,
    x.stated_not_after, x.known_on, x.source_id, x.url, x.caveats, x.arithmetic,
    x.topic, y.available_start, y.available_end, y.available_basis, y.available_claim_id
FROM (
    SELECT *, false AS is_derived, NULL::INTEGER AS servers FROM claimed
    UNION ALL BY NAME
    SELECT
        system_id, system, metric, per, counted_as, value, unit, formula, input_ids, servers, true AS is_derived,
        metric = 'power' AND p.is_limit AS is_limit,
        CASE WHEN metric = 'power' THEN p.basis END AS basis,
        p.qualifiers['bound'] AS bound, p.modality AS modality, false AS is_measured, p.claimant AS claimant, p.printed_by AS printed_by,
        'derived'::evidence_tag AS evidence, p.stated_on AS stated_on, p.stated_not_after AS stated_not_after, p.known_on AS known_on, p.source_id AS source_id,
        p.url AS url, p.caveats AS caveats, p.topic AS topic
    FROM derived
) AS x
JOIN systems AS y USING (system_id)
LEFT JOIN cooled AS k USING (system_id);

CREATE TABLE marts.density AS
FROM marts.density_as_of(DATE '9999-12-31')
ORDER BY available_start NULLS LAST, system_id, metric, per, is_derived, known_on, claim_id;

-- The trend by class of machine: an ordinary least-squares line through one point a system, and the growth by year from a line
-- through the logarithms; equal rows give equal digits, as sums run in one order. Intervals are those of the slope at 95
-- percent, Student's t. A machine of eight accelerators that air cools counts in both classes of servers. Limits are no draws.
CREATE MACRO marts.density_trend_as_of(day) AS TABLE
WITH points AS (
    SELECT
        metric, per, system_class, system_id, value, ln(value) AS log_value, unit, claim_id,
        year(available_start) + (dayofyear(available_start) - 1) / 365.25 AS x
    FROM (SELECT * EXCLUDE (system_class), unnest(trend_classes(system_kind, accelerators, cooling)) AS system_class
          FROM marts.density_as_of(day))
    WHERE available_start IS NOT NULL AND NOT is_limit AND part IS NULL AND value > 0
      AND CASE WHEN system_class = 'rack-scale' THEN (metric IN ('power', 'accelerator_count', 'memory_capacity') AND per = 'rack' AND NOT is_derived)
                                                     OR (metric = 'power' AND per = 'accelerator' AND is_derived)
               ELSE metric = 'power' AND per = 'node' AND NOT is_derived END
    QUALIFY row_number() OVER (
        PARTITION BY metric, per, system_class, system_id
        ORDER BY basis_order(basis), is_measured DESC, evidence, stated_on DESC, value DESC, claim_id NULLS LAST
    ) = 1
),
fitted AS (
    SELECT
        metric, per, system_class, any_value(unit) AS unit, count(*)::INTEGER AS systems,
        min(x) AS first_year, max(x) AS last_year,
        CASE WHEN regr_sxx(value, x ORDER BY x, system_id) > 0 THEN regr_slope(value, x ORDER BY x, system_id) END AS slope_per_year,
        regr_intercept(value, x ORDER BY x, system_id) AS intercept,
        regr_r2(value, x ORDER BY x, system_id) AS r2,
        regr_syy(value, x ORDER BY x, system_id) AS syy, regr_sxx(value, x ORDER BY x, system_id) AS sxx,
        regr_slope(log_value, x ORDER BY x, system_id) AS log_slope,
        regr_r2(log_value, x ORDER BY x, system_id) AS log_r2, regr_syy(log_value, x ORDER BY x, system_id) AS log_syy,
        list(claim_id ORDER BY x, system_id) FILTER (claim_id IS NOT NULL) AS input_ids
    FROM points GROUP BY metric, per, system_class
),
spread AS (
    SELECT *,
        CASE WHEN systems >= 3 AND sxx > 0 THEN sqrt(greatest(syy * (1 - r2), 0) / (systems - 2) / sxx) END AS slope_error,
        CASE WHEN systems >= 3 AND sxx > 0 THEN sqrt(greatest(log_syy * (1 - log_r2), 0) / (systems - 2) / sxx) END AS log_error
    FROM fitted
)
SELECT
    metric, per, system_class, unit, systems, first_year, last_year, slope_per_year, intercept, r2, slope_error,
    slope_per_year - student_t95(systems - 2) * slope_error AS slope_low,
    slope_per_year + student_t95(systems - 2) * slope_error AS slope_high,
    CASE WHEN sxx > 0 THEN 100 * (exp(log_slope) - 1) END AS growth_percent,
    100 * (exp(log_slope - student_t95(systems - 2) * log_error) - 1) AS growth_percent_low,
    100 * (exp(log_slope + student_t95(systems - 2) * log_error) - 1) AS growth_percent_high,
    systems < 5 AS is_thin,
    input_ids
FROM spread;

CREATE TABLE marts.density_trend AS
FROM marts.density_trend_as_of(DATE '9999-12-31') ORDER BY metric, per, system_class;
