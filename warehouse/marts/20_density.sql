-- Question: how much power, how many accelerators and how much memory stand in a rack, now and next, and who says so?
-- Grain: marts.density: one row is one metric of one system as one claim says it, or as it is derived from claims and
-- the registry; marts.density_trend: one row is one metric over the systems' availability dates.
-- Selection: claims about systems (racks, nodes, pods) and their power, counts, memory, bandwidth, cooling and mass, copied
-- and illustrative ones left out. Derived rows use the value that the rule resolves and the registry's contents; they carry
-- formula and inputs and are tagged `derived`. The date on the axis is when the system is (to be) available: by claims on
-- it, else on its accelerator, else its accelerator's first availability in the registry.
CREATE MACRO marts.density_as_of(day) AS TABLE
WITH contents AS (
    SELECT
        s.system_id, s.vendor_id AS vendor, s.kind AS system_kind, p.part, coalesce(a.model_id, p.part) AS model_id, p.count,
        a.generation_id AS generation, a.dies_per_package AS dies, a.memory_gb, a.first_available_on
    FROM registry.systems AS s
    LEFT JOIN registry.system_parts AS p ON p.system_id = s.system_id AND p.part_kind = 'accelerator'
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.part
    QUALIFY row_number() OVER (PARTITION BY s.system_id ORDER BY p.count DESC NULLS LAST, p.part) = 1
),
available AS (
    SELECT subject_key, claim_id AS available_claim_id, value_start AS available_from_start, value_end AS available_from_end
    FROM evidence.resolved(day)
    WHERE metric = 'available_from' AND value_start IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY evidence, stated_on DESC, claim_id) = 1
),
systems AS (
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
claimed AS (
    SELECT
        c.subject_id AS system_id, c.subject AS system, c.metric,
        coalesce(nullif(per_word(stated(c.qualifiers, 'per')), 'system'), y.system_kind) AS per,
        stated(c.qualifiers, 'counted_as') AS counted_as,
        c.value, c.value_low, c.value_high, c.unit, c.qualifiers['bound'] AS bound, c.modality,
        c.modality = 'measured' OR c.evidence IN ('measured', 'audited') AS is_measured,
        c.claim_id, c.claimant, c.evidence, c.stated_on, c.source_id, c.url, c.caveats, c.arithmetic, c.topic,
        NULL::VARCHAR AS formula, [c.claim_id] AS input_ids
    FROM evidence.claims AS c
    JOIN systems AS y ON y.system_id = c.subject_id
    WHERE c.value IS NOT NULL AND NOT c.is_copied AND c.evidence <> 'illustrative' AND c.stated_on <= day
      AND c.metric IN ('power', 'accelerator_count', 'cpu_count', 'scale_up_domain_size', 'memory_capacity', 'memory_bandwidth',
                       'compute', 'liquid_cooled_share', 'weight', 'part_count', 'cable_count', 'cable_length', 'rack_widths')
),
best AS (
    SELECT r.subject_id AS system_id, r.metric, coalesce(nullif(per_word(stated(r.qualifiers, 'per')), 'system'), y.system_kind) AS per, r.*
        EXCLUDE (subject_id, metric)
    FROM evidence.resolved(day) AS r JOIN systems AS y ON y.system_id = r.subject_id
    WHERE r.metric IN ('power', 'rack_widths') AND r.value IS NOT NULL AND NOT r.is_copied
),
rack_power AS (
    SELECT * FROM best WHERE metric = 'power' AND per = 'rack'
    QUALIFY row_number() OVER (PARTITION BY system_id ORDER BY evidence, stated_on DESC, claimants DESC, value DESC, claim_id) = 1
),
widths AS (
    SELECT system_id, value AS widths, claim_id, stated_on, evidence FROM best WHERE metric = 'rack_widths'
    QUALIFY row_number() OVER (PARTITION BY system_id ORDER BY evidence, stated_on DESC, claim_id) = 1
),
derived AS (
    SELECT
        p.system_id, p.subject AS system, 'power' AS metric, 'accelerator' AS per, 'package' AS counted_as, p.value / y.count AS value,
        'kW' AS unit, p, format('{:g}', p.value) || ' kW per rack / ' || y.count || ' accelerators' AS formula, [p.claim_id] AS input_ids
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.system_kind = 'rack'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'power', 'rack width', NULL, p.value / w.widths, 'kW', p,
        format('{:g}', p.value) || ' kW per cabinet / ' || format('{:g}', w.widths) || ' rack widths', [p.claim_id, w.claim_id]
    FROM rack_power AS p JOIN widths AS w ON w.system_id = p.system_id
    UNION ALL
    SELECT
        p.system_id, p.subject, 'accelerator_count', 'kW', 'package', y.count / p.value, 'count', p,
        y.count || ' accelerators / ' || format('{:g}', p.value) || ' kW', [p.claim_id]
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.system_kind = 'rack'
    UNION ALL
    SELECT
        p.system_id, p.subject, 'memory_capacity', 'kW', NULL, y.count * y.memory_gb / p.value, 'GB', p,
        y.count || ' x ' || format('{:g}', y.memory_gb) || ' GB / ' || format('{:g}', p.value) || ' kW', [p.claim_id]
    FROM rack_power AS p JOIN systems AS y ON y.system_id = p.system_id AND y.count > 1 AND y.memory_gb > 0 AND y.system_kind = 'rack'
)
SELECT
    x.system_id, x.system, y.vendor, y.generation, y.system_kind, y.count AS accelerators, y.count * y.dies AS dies,
    x.metric, x.per, x.counted_as, x.value, x.value_low, x.value_high, x.unit, x.bound, x.modality, x.is_measured, x.is_derived,
    x.formula, x.input_ids, x.claim_id, x.claimant, x.evidence, x.stated_on, x.source_id, x.url, x.caveats, x.arithmetic,
    x.topic, y.available_start, y.available_end, y.available_basis, y.available_claim_id
FROM (
    SELECT *, false AS is_derived FROM claimed
    UNION ALL BY NAME
    SELECT
        system_id, system, metric, per, counted_as, value, unit, formula, input_ids, true AS is_derived,
        p.qualifiers['bound'] AS bound, p.modality AS modality, false AS is_measured, p.claimant AS claimant,
        'derived'::evidence_tag AS evidence, p.stated_on AS stated_on, p.source_id AS source_id, p.url AS url,
        p.caveats AS caveats, p.topic AS topic
    FROM derived
) AS x
JOIN systems AS y USING (system_id);

CREATE TABLE marts.density AS
FROM marts.density_as_of(DATE '9999-12-31')
ORDER BY available_start NULLS LAST, system_id, metric, per, is_derived, stated_on, claim_id;

-- The trend of what racks draw and hold over the years, an ordinary least-squares line through one point a system: the
-- value that the rule resolves, summed in one order so that equal rows give equal digits. The interval is that of the slope at 95 percent, Student's t.
CREATE MACRO marts.density_trend_as_of(day) AS TABLE
WITH points AS (
    SELECT
        metric, per, system_id, value, unit, claim_id,
        year(available_start) + (dayofyear(available_start) - 1) / 365.25 AS x
    FROM marts.density_as_of(day)
    WHERE available_start IS NOT NULL AND system_kind = 'rack'
      AND ((metric IN ('power', 'accelerator_count', 'memory_capacity') AND per = 'rack' AND NOT is_derived)
           OR (metric = 'power' AND per = 'accelerator' AND is_derived))
    QUALIFY row_number() OVER (
        PARTITION BY metric, per, system_id ORDER BY is_measured DESC, evidence, stated_on DESC, value DESC, claim_id NULLS LAST
    ) = 1
),
fitted AS (
    SELECT
        metric, per, any_value(unit) AS unit, count(*)::INTEGER AS systems,
        min(x) AS first_year, max(x) AS last_year,
        CASE WHEN regr_sxx(value, x ORDER BY x, system_id) > 0 THEN regr_slope(value, x ORDER BY x, system_id) END AS slope_per_year,
        regr_intercept(value, x ORDER BY x, system_id) AS intercept,
        regr_r2(value, x ORDER BY x, system_id) AS r2,
        regr_syy(value, x ORDER BY x, system_id) AS syy, regr_sxx(value, x ORDER BY x, system_id) AS sxx,
        list(claim_id ORDER BY x, system_id) FILTER (claim_id IS NOT NULL) AS input_ids
    FROM points GROUP BY metric, per
)
SELECT
    metric, per, unit, systems, first_year, last_year, slope_per_year, intercept, r2,
    CASE WHEN systems >= 3 AND sxx > 0 THEN sqrt(greatest(syy * (1 - r2), 0) / (systems - 2) / sxx) END AS slope_error,
    slope_per_year - student_t95(systems - 2) * slope_error AS slope_low,
    slope_per_year + student_t95(systems - 2) * slope_error AS slope_high,
    systems < 5 AS is_thin,
    input_ids
FROM fitted;

CREATE TABLE marts.density_trend AS
FROM marts.density_trend_as_of(DATE '9999-12-31') ORDER BY metric, per;
