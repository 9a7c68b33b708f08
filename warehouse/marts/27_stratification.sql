-- Question: which layer of the market runs, offers or submits which accelerator generation, since when?
-- Grain: marts.stratification: one row is one observation: a kind (benchmark submission, list entry, cloud offer, announced
-- deployment) of one generation by one organisation (or an aggregate of a list) in one layer on one day.
-- marts.stratification_stock: one row is one owner or layer, generation and quarter of chip owners. marts.stratification_share:
-- one row is one layer, kind, quarter and generation. marts.age_at_adoption: one row is one layer, kind and generation.
-- marts.ageing_thesis: one row is one generation and pair of layers.
-- Selection: observations with a known generation. A layer is a dated property of an organisation; of several that hold the
-- registry's first is taken, and CoreWeave-like cases stand under each layer they hold. Vendors' own submissions count as
-- layer `vendor`. Counts where the source gives them; the kinds and the stock are never added up.
CREATE MACRO marts.layer_rows(day) AS TABLE
SELECT organisation_id, layer, valid_from, valid_to FROM registry.organisation_layers
WHERE coalesce(valid_from, DATE '1900-01-01') <= day AND coalesce(valid_to, DATE '9999-12-31') >= day;

CREATE TABLE marts.stratification AS
WITH layers AS (
    SELECT DISTINCT organisation_id, layer, coalesce(valid_from, DATE '1900-01-01') AS valid_from,
           coalesce(valid_to, DATE '9999-12-31') AS valid_to
    FROM registry.organisation_layers
),
submitted AS (
    SELECT suite, round, stated_on, submitter, generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_training WHERE generation IS NOT NULL
    UNION ALL
    SELECT suite, round, stated_on, submitter, generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_inference WHERE generation IS NOT NULL
),
submissions AS (
    SELECT
        s.stated_on AS observed_on, o.organisation_id, s.submitter AS organisation, l.layer, s.generation,
        'benchmark submission' AS kind, max(s.accelerators)::BIGINT AS accelerators, count(*)::BIGINT AS records,
        min(s.evidence) AS evidence, any_value(s.source_id) AS source_id, min(s.url) AS url,
        ['submitters_are_not_the_market'] AS caveats, false AS is_left_censored, s.suite || ' ' || s.round AS what
    FROM submitted AS s
    JOIN registry.organisations AS o ON o.name = s.submitter
    LEFT JOIN layers AS l
      ON l.organisation_id = o.organisation_id AND s.stated_on BETWEEN l.valid_from AND l.valid_to
    GROUP BY ALL
),
listed AS (
    SELECT
        list_month AS observed_on, NULL::VARCHAR AS organisation_id, 'TOP500, ' || segment AS organisation, layer, generation,
        'list entry' AS kind, sum(accelerators)::BIGINT AS accelerators, sum(systems)::BIGINT AS records, min(evidence) AS evidence,
        any_value(source_id) AS source_id, min(url) AS url, ['lists_hardly_show_hyperscale'] AS caveats,
        false AS is_left_censored,
        'TOP500 ' || strftime(list_month, '%Y-%m') AS what
    FROM facts.top500_aggregates WHERE generation IS NOT NULL
    GROUP BY ALL
),
offered AS (
    SELECT
        min(first_seen) AS observed_on, provider_id AS organisation_id, provider AS organisation,
        coalesce(layer, CASE WHEN provider_class = 'marketplace' THEN 'marketplace' END) AS layer, generation,
        'cloud offer' AS kind, NULL::BIGINT AS accelerators, count(*)::BIGINT AS records, min(evidence) AS evidence,
        any_value(source_id ORDER BY first_seen) AS source_id, arg_min(coalesce(offer_url, url), first_seen) AS url,
        ['offers_are_not_deployments'] AS caveats, bool_or(is_first_look) AS is_left_censored, 'first seen in ' || any_value(source_id ORDER BY first_seen) AS what
    FROM (SELECT *, first_seen = min(first_seen) OVER (PARTITION BY source_id, scope) AS is_first_look FROM facts.cloud_offers)
    WHERE generation IS NOT NULL
    GROUP BY provider_id, provider, layer, provider_class, generation
),
announced AS (
    SELECT
        coalesce(c.value_start, c.period_start, c.stated_on) AS observed_on, o.organisation_id, c.subject AS organisation,
        coalesce(stated(c.qualifiers, 'layer'), l.layer) AS layer, coalesce(a.generation_id, n.generation_id) AS generation,
        'announced deployment' AS kind, CASE WHEN c.metric = 'cluster_size' THEN c.value::BIGINT END AS accelerators,
        1::BIGINT AS records, c.evidence, c.source_id, c.url, c.caveats, false AS is_left_censored, c.claim_id AS what
    FROM evidence.claims AS c
    LEFT JOIN registry.sites AS site ON site.site_id = c.subject_id
    LEFT JOIN registry.organisations AS o ON o.organisation_id = coalesce(site.operator_id, c.subject_id)
    LEFT JOIN layers AS l ON l.organisation_id = o.organisation_id AND c.stated_on BETWEEN l.valid_from AND l.valid_to
    LEFT JOIN registry.aliases AS x ON x.subject_kind = 'accelerator' AND name_group(x.alias) = name_group(c.qualifiers['accelerator'])
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = x.subject_id
    LEFT JOIN registry.aliases AS y ON y.subject_kind = 'generation' AND name_group(y.alias) = name_group(c.qualifiers['accelerator'])
    LEFT JOIN registry.generations AS n ON n.generation_id = y.subject_id
    WHERE c.metric IN ('deployed_on', 'cluster_size') AND NOT c.is_copied AND c.evidence <> 'illustrative'
      AND c.qualifiers['accelerator'] IS NOT NULL AND c.modality IN ('deployed', 'measured', 'shipping', 'announced')
    QUALIFY row_number() OVER (
        PARTITION BY c.claim_id, coalesce(stated(c.qualifiers, 'layer'), l.layer) ORDER BY a.generation_id NULLS LAST, l.layer) = 1
)
SELECT
    md5(concat_ws('|', kind, observed_on, organisation, layer, generation, what)) AS row_key,
    observed_on, organisation_id, organisation, coalesce(layer, 'unknown') AS layer, generation, g.vendor_id AS vendor,
    g.name AS generation_name, g.ordinal, kind, accelerators, records, what, evidence, source_id, url, observed_on AS stated_on,
    caveats, is_left_censored
FROM (FROM submissions UNION ALL BY NAME FROM listed UNION ALL BY NAME FROM offered UNION ALL BY NAME FROM announced) AS t
JOIN registry.generations AS g ON g.generation_id = t.generation
ORDER BY observed_on, kind, organisation, layer, generation, what;

CREATE MACRO marts.stratification_as_of(day) AS TABLE
FROM marts.stratification WHERE observed_on <= day;

CREATE TABLE marts.stratification_share AS
WITH counted AS (
    SELECT
        layer, kind, date_trunc('quarter', observed_on)::DATE AS quarter, generation, any_value(vendor) AS vendor,
        count(DISTINCT organisation)::INTEGER AS organisations, sum(records)::BIGINT AS records,
        max(evidence) AS evidence, any_value(source_id) AS source_id, min(url) AS url, max(stated_on) AS stated_on
    FROM marts.stratification GROUP BY ALL
)
SELECT
    md5(concat_ws('|', layer, kind, quarter, generation)) AS row_key, *,
    records / sum(records) OVER cell AS share,
    (sum(records) OVER cell)::BIGINT AS all_records,
    sum(organisations) OVER cell < 5 AS is_thin
FROM counted
WINDOW cell AS (PARTITION BY layer, kind, quarter)
ORDER BY layer, kind, quarter, generation;

-- A generation counts from its first accelerator's first availability in the registry. What a source showed at its first
-- look may have been there long before and tells no age.
CREATE TABLE marts.age_at_adoption AS
WITH born AS (
    SELECT generation_id AS generation, min(first_available_on) AS available_on,
           arg_min(first_available_url, first_available_on) AS available_url
    FROM registry.accelerators WHERE generation_id IS NOT NULL AND first_available_on IS NOT NULL GROUP BY generation_id
),
numbered AS (
    SELECT s.*, b.available_on, b.available_url, datediff('day', b.available_on, s.observed_on) AS age_days,
           row_number() OVER (PARTITION BY s.layer, s.kind, s.generation ORDER BY s.observed_on, s.row_key) AS place
    FROM marts.stratification AS s JOIN born AS b USING (generation)
    WHERE NOT s.is_left_censored
)
SELECT
    md5(concat_ws('|', layer, kind, generation)) AS row_key,
    layer, kind, generation, any_value(vendor) AS vendor, any_value(generation_name) AS generation_name, any_value(ordinal) AS ordinal,
    any_value(available_on) AS available_on, any_value(available_url) AS available_url,
    count(*)::INTEGER AS observations, count(DISTINCT organisation)::INTEGER AS organisations,
    min(observed_on) AS first_on, min(age_days) AS first_age_days,
    min(age_days) FILTER (place = 10) AS tenth_age_days,
    median(age_days) AS median_age_days,
    quantile_cont(age_days, 0.25) AS low_age_days, quantile_cont(age_days, 0.75) AS high_age_days,
    count(*) < 5 AS is_thin,
    'derived'::evidence_tag AS evidence, arg_min(source_id, observed_on) AS source_id, arg_min(url, observed_on) AS url,
    max(stated_on) AS stated_on
FROM numbered
GROUP BY layer, kind, generation
ORDER BY generation, kind, layer;

-- The thesis that generations reach one layer after the other, per kind of observation, so that like stands beside like.
CREATE TABLE marts.ageing_thesis AS
SELECT
    md5(concat_ws('|', a.generation, a.kind, a.layer, b.layer)) AS row_key,
    a.generation, a.vendor, a.generation_name, a.kind, a.layer AS earlier_layer, b.layer AS later_layer,
    datediff('day', a.first_on, b.first_on) AS lag_first_days,
    b.median_age_days - a.median_age_days AS lag_median_days,
    a.observations AS earlier_observations, b.observations AS later_observations,
    CASE WHEN a.observations < 5 OR b.observations < 5 THEN 'not enough data'
         WHEN b.median_age_days > a.median_age_days THEN 'later' WHEN b.median_age_days < a.median_age_days THEN 'earlier'
         ELSE 'together' END AS verdict,
    'derived'::evidence_tag AS evidence, b.source_id, b.url, greatest(a.stated_on, b.stated_on) AS stated_on
FROM marts.age_at_adoption AS a
JOIN marts.age_at_adoption AS b ON b.generation = a.generation AND b.kind = a.kind
JOIN (VALUES ('hyperscale', 'neocloud'), ('hyperscale', 'science'), ('neocloud', 'science'), ('hyperscale', 'marketplace'),
             ('neocloud', 'marketplace'), ('vendor', 'hyperscale'), ('vendor', 'neocloud')) AS pairs(earlier, later)
  ON pairs.earlier = a.layer AND pairs.later = b.layer
ORDER BY a.generation, a.kind, a.layer, b.layer;

CREATE TABLE marts.stratification_stock AS
SELECT
    md5(concat_ws('|', owner, maker, accelerator_model, chip_raw, period_end, measure)) AS row_key,
    owner, owner_id, owner_kind, layer, maker, chip_raw, accelerator_model, generation, period_start, period_end, calendar_quarter,
    measure, units, units_low, units_high, h100e, h100e_low, h100e_high, is_within_other,
    units / nullif(sum(units) OVER (PARTITION BY owner, measure, period_end), 0) AS share_of_owner,
    evidence, source_id, url, stated_on, ['estimated_by_a_model'] AS caveats
FROM facts.chip_owners
WHERE is_latest
ORDER BY owner, period_end, maker, chip_raw, measure;
