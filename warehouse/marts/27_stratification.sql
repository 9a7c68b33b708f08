-- Question: which layer of the market runs, offers or submits which accelerator generation, since when?
-- Grain: marts.stratification: one row is one observation: a kind (benchmark submission, list entry, cloud offer, announced
-- deployment) of one generation by one organisation (or an aggregate of a list) in one layer on one day.
-- marts.stratification_share: one row is one layer, kind, quarter and generation.
-- Selection: observations with a known generation. A layer is a dated property of an organisation, and CoreWeave-like cases
-- stand under each layer they hold. Vendors' own submissions count as layer `vendor`. A cloud offer is observed on the first
-- day on which its provider lists the generation. Counts where the source gives them; the kinds are never added up.
CREATE MACRO marts.layer_rows(day) AS TABLE
SELECT organisation_id, layer, valid_from, valid_to FROM registry.organisation_layers
WHERE coalesce(valid_from, DATE '1900-01-01') <= day AND coalesce(valid_to, DATE '9999-12-31') >= day;

CREATE MACRO marts.announced_as_of(day) AS TABLE
SELECT
    coalesce(c.value_start, c.period_start, c.stated_on) AS observed_on, o.organisation_id, c.subject AS organisation,
    coalesce(stated(c.qualifiers, 'layer'), l.layer) AS layer, coalesce(a.generation_id, n.generation_id) AS generation,
    'announced deployment' AS kind, list_filter([a.model_id], lambda model: model IS NOT NULL) AS models, c.stated_on, CASE WHEN c.metric = 'cluster_size' THEN c.value::BIGINT END AS accelerators,
    1::BIGINT AS records, c.evidence, c.source_id, c.url, c.caveats, false AS is_left_censored, c.claim_id AS what
FROM evidence.claims_as_of(day) AS c
LEFT JOIN registry.sites AS site ON site.site_id = c.subject_id
LEFT JOIN registry.organisations AS o ON o.organisation_id = coalesce(site.operator_id, c.subject_id)
LEFT JOIN registry.organisation_layers_as_of(day) AS l
  ON l.organisation_id = o.organisation_id
 AND c.stated_on BETWEEN coalesce(l.valid_from, DATE '1900-01-01') AND coalesce(l.valid_to, DATE '9999-12-31')
LEFT JOIN registry.aliases AS x ON x.subject_kind = 'accelerator' AND name_group(x.alias) = name_group(c.qualifiers['accelerator'])
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = x.subject_id
LEFT JOIN registry.aliases AS y ON y.subject_kind = 'generation' AND name_group(y.alias) = name_group(c.qualifiers['accelerator'])
LEFT JOIN registry.generations AS n ON n.generation_id = y.subject_id
WHERE c.metric IN ('deployed_on', 'cluster_size') AND NOT c.is_copied AND c.evidence <> 'illustrative'
  AND c.qualifiers['accelerator'] IS NOT NULL AND c.stated_on IS NOT NULL AND c.modality IN ('deployed', 'measured', 'shipping', 'announced')
QUALIFY row_number() OVER (
    PARTITION BY c.claim_id, coalesce(stated(c.qualifiers, 'layer'), l.layer) ORDER BY a.generation_id NULLS LAST, l.layer) = 1;

-- Observations with their generation and key, of any relation of them.
CREATE MACRO observations_of(observed) AS TABLE
SELECT
    md5(concat_ws('|', kind, observed_on, organisation, layer, generation, what)) AS row_key,
    observed_on, organisation_id, organisation, coalesce(layer, 'unknown') AS layer, generation, g.vendor_id AS vendor,
    g.name AS generation_name, g.ordinal, kind, models, accelerators, records, what, evidence, source_id, url, stated_on,
    caveats, is_left_censored
FROM query_table(observed) AS t
JOIN registry.generations AS g ON g.generation_id = t.generation;

CREATE TABLE marts.stratification AS
WITH layers AS (
    SELECT DISTINCT organisation_id, layer, coalesce(valid_from, DATE '1900-01-01') AS valid_from,
           coalesce(valid_to, DATE '9999-12-31') AS valid_to
    FROM registry.organisation_layers
),
submitted AS (
    SELECT suite, round, stated_on, submitter, accelerator, generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_training WHERE generation IS NOT NULL
    UNION ALL
    SELECT suite, round, stated_on, submitter, accelerator, generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_inference WHERE generation IS NOT NULL
),
submissions AS (
    SELECT
        s.stated_on AS observed_on, o.organisation_id, s.submitter AS organisation, l.layer, s.generation,
        'benchmark submission' AS kind, list_sort(list(DISTINCT a.model_id)) AS models,
        max(s.accelerators)::BIGINT AS accelerators, count(*)::BIGINT AS records, s.stated_on,
        min(s.evidence) AS evidence, any_value(s.source_id) AS source_id, min(s.url) AS url,
        ['submitters_are_not_the_market'] AS caveats, false AS is_left_censored, s.suite || ' ' || s.round AS what
    FROM submitted AS s
    JOIN registry.organisations AS o ON o.name = s.submitter
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = s.accelerator
    LEFT JOIN layers AS l
      ON l.organisation_id = o.organisation_id AND s.stated_on BETWEEN l.valid_from AND l.valid_to
    GROUP BY ALL
),
listed AS (
    SELECT
        list_month AS observed_on, NULL::VARCHAR AS organisation_id, 'TOP500, ' || segment AS organisation, layer, generation,
        'list entry' AS kind, []::VARCHAR[] AS models, list_month AS stated_on, sum(accelerators)::BIGINT AS accelerators, sum(systems)::BIGINT AS records, min(evidence) AS evidence,
        any_value(source_id) AS source_id, min(url) AS url, ['lists_hardly_show_hyperscale'] AS caveats,
        false AS is_left_censored,
        'TOP500 ' || strftime(list_month, '%Y-%m') AS what
    FROM facts.top500_aggregates WHERE generation IS NOT NULL
    GROUP BY ALL
),
offered AS (
    SELECT
        first_seen AS observed_on, provider_id AS organisation_id, provider AS organisation,
        coalesce(layer, CASE WHEN provider_class = 'marketplace' THEN 'marketplace' END) AS layer, generation,
        'cloud offer' AS kind, list_sort(list(DISTINCT accelerator_model)) AS models, NULL::BIGINT AS accelerators,
        count(*)::BIGINT AS records, first_seen AS stated_on, min(evidence) AS evidence, min(source_id) AS source_id,
        min(coalesce(offer_url, url)) AS url, ['offers_are_not_deployments'] AS caveats,
        bool_or(is_first_look) AS is_left_censored, 'first seen in ' || min(source_id) AS what
    FROM (
        SELECT
            *, first_seen = min(first_seen) OVER (PARTITION BY source_id, scope) AS is_first_look,
            min(first_seen) OVER (PARTITION BY provider_id, provider, layer, provider_class, generation) AS first_day
        FROM facts.cloud_offers
    )
    WHERE generation IS NOT NULL AND first_seen = first_day
    GROUP BY provider_id, provider, layer, provider_class, generation, first_seen
),
observed AS (
    FROM submissions UNION ALL BY NAME FROM listed UNION ALL BY NAME FROM offered
    UNION ALL BY NAME FROM marts.announced_as_of(DATE '9999-12-31')
)
FROM observations_of('observed') ORDER BY observed_on, kind, organisation, layer, generation, what;

CREATE MACRO marts.stratification_as_of(day) AS TABLE
WITH observed AS (FROM marts.announced_as_of(day))
FROM marts.stratification WHERE observed_on <= day AND stated_on <= day AND kind <> 'announced deployment'
UNION ALL BY NAME
FROM observations_of('observed') WHERE observed_on <= day AND stated_on <= day;

CREATE MACRO marts.stratification_share_as_of(day) AS TABLE
WITH counted AS (
    SELECT
        layer, kind, date_trunc('quarter', observed_on)::DATE AS quarter, generation, any_value(vendor) AS vendor,
        count(DISTINCT organisation)::INTEGER AS organisations, sum(records)::BIGINT AS records,
        list_sort(list_distinct(flatten(list(caveats)))) AS caveats,
        max(evidence) AS evidence, min(source_id) AS source_id, min(url) AS url, max(stated_on) AS stated_on
    FROM marts.stratification_as_of(day) GROUP BY ALL
)
SELECT
    md5(concat_ws('|', layer, kind, quarter, generation)) AS row_key, * EXCLUDE (caveats),
    records / sum(records) OVER cell AS share,
    (sum(records) OVER cell)::BIGINT AS all_records,
    is_thin_layer(sum(organisations) OVER cell) AS is_thin,
    with_thin(caveats, is_thin) AS caveats
FROM counted
WINDOW cell AS (PARTITION BY layer, kind, quarter);

CREATE TABLE marts.stratification_share AS
FROM marts.stratification_share_as_of(DATE '9999-12-31') ORDER BY layer, kind, quarter, generation;
