-- Question: what does one die bring, generation by generation?
-- Grain: one row is one accelerator model with a generation in the registry.
-- Selection: the value that the rule resolves for dies per package, dense FP4 (else FP8) rate, memory and scale-up domain; a
-- figure that is said per die stands as it is, one per package is divided by the dies (then its formula is given and it is
-- `derived`). A cell without a claim stays empty. Each figure names the claim it comes from. As of a day a model is there
-- when it was available or anything had been claimed of it; the registry's undated models are there without a day only.
CREATE MACRO marts.per_die_as_of(day) AS TABLE
WITH best AS (
    SELECT *, per_word(stated(qualifiers, 'per')) AS per, stated(qualifiers, 'precision') AS precision,
           stated(qualifiers, 'sparsity') AS sparsity, stated(qualifiers, 'counted_as') AS counted_as
    FROM evidence.resolved(day)
    WHERE NOT is_copied AND metric IN ('die_count', 'compute', 'memory_capacity', 'scale_up_domain_size', 'available_from')
),
models AS (
    SELECT a.accelerator_id AS model_id, a.name, a.vendor_id AS vendor, a.generation_id AS generation, g.ordinal,
           a.dies_per_package, a.first_available_on, a.memory_gb
    FROM registry.accelerators AS a
    JOIN registry.generations AS g ON g.generation_id = a.generation_id
    WHERE a.model_id = a.accelerator_id
      AND least(
          coalesce(a.first_available_on, DATE '9999-12-31'),
          coalesce((SELECT min(c.known_on) FROM evidence.claims AS c WHERE c.subject_id = a.accelerator_id), DATE '9999-12-31')
      ) <= day
),
dies AS (
    SELECT subject_key, value AS dies, claim_id FROM best WHERE metric = 'die_count'
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY evidence, stated_on DESC, claim_id) = 1
),
compute AS (
    SELECT subject_key, precision, per, value, claim_id, evidence, stated_on, url FROM best
    WHERE metric = 'compute' AND lower(precision) IN ('fp4', 'nvfp4', 'mxfp4') AND sparsity = 'dense'
      AND per IN ('die', 'accelerator')
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY per = 'die' DESC, evidence, stated_on DESC, claim_id) = 1
),
memory AS (
    SELECT subject_key, per, value, claim_id, qualifiers['memory_type'] AS memory_type FROM best
    WHERE metric = 'memory_capacity' AND coalesce(per, 'accelerator') IN ('die', 'accelerator')
    QUALIFY row_number() OVER (
        PARTITION BY subject_key ORDER BY per = 'die' DESC NULLS LAST, evidence, stated_on DESC, value DESC, claim_id) = 1
),
domains AS (
    SELECT subject_key, value, counted_as, claim_id FROM best WHERE metric = 'scale_up_domain_size'
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY counted_as LIKE 'die%' DESC, evidence, stated_on DESC, value DESC, claim_id) = 1
),
released AS (
    SELECT subject_key, value_start, value_end, claim_id, modality FROM best WHERE metric = 'available_from'
    QUALIFY row_number() OVER (PARTITION BY subject_key ORDER BY evidence, stated_on DESC, claim_id) = 1
)
SELECT
    m.model_id, m.name, m.vendor, m.generation, m.ordinal,
    coalesce(d.dies, m.dies_per_package) AS dies_per_package,
    d.claim_id AS dies_claim_id,
    CASE WHEN c.per = 'die' THEN c.value ELSE c.value / coalesce(d.dies, m.dies_per_package) END AS dense_fp4_per_die_pflops,
    CASE WHEN c.per = 'accelerator' THEN format('{:g}', c.value) || ' PFLOP/s per package / '
              || coalesce(d.dies, m.dies_per_package)::INTEGER || ' dies' END AS dense_fp4_formula,
    c.claim_id AS dense_fp4_claim_id,
    CASE WHEN y.per = 'die' THEN y.value ELSE coalesce(y.value, m.memory_gb) / coalesce(d.dies, m.dies_per_package) END
        AS memory_per_die_gb,
    y.memory_type,
    y.claim_id AS memory_claim_id,
    CASE WHEN n.counted_as LIKE 'die%' THEN n.value ELSE n.value * coalesce(d.dies, m.dies_per_package) END AS dies_per_domain,
    n.claim_id AS domain_claim_id,
    coalesce(r.value_start, CASE WHEN m.first_available_on <= day THEN m.first_available_on END) AS released_start,
    coalesce(r.value_end, CASE WHEN m.first_available_on <= day THEN m.first_available_on END) AS released_end,
    r.modality AS release_modality,
    r.claim_id AS release_claim_id,
    c.evidence, c.stated_on, c.url
FROM models AS m
LEFT JOIN dies AS d ON d.subject_key = m.model_id
LEFT JOIN compute AS c ON c.subject_key = m.model_id
LEFT JOIN memory AS y ON y.subject_key = m.model_id
LEFT JOIN domains AS n ON n.subject_key = m.model_id
LEFT JOIN released AS r ON r.subject_key = m.model_id;

CREATE TABLE marts.per_die AS
FROM marts.per_die_as_of(DATE '9999-12-31') ORDER BY vendor, ordinal, released_start NULLS LAST, model_id;
