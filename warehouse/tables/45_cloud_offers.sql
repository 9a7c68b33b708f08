-- Question: which accelerators did which cloud list, at what price, from when to when, and according to whom?
-- Grain: one row is one unbroken stretch of looks of one scope that all saw one offer at one price.
-- Selection: computed from all looks, so looking again at an unchanged list adds nothing. An offer that is missing from
-- the next look of its scope has ended with the last look that saw it; when it comes back a further stretch begins. A
-- capture that was parsed replaces its committed rows. Offers of two sources are never one row.
CREATE TEMP VIEW cloud_offer_rows AS
SELECT * FROM lake_cloud_offers
UNION ALL BY NAME
SELECT * FROM committed_cloud_offers ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_cloud_looks) USING (payload_sha256);

-- All that makes an offer at a price, folded into one number: the long part of the work then moves few bytes.
CREATE TEMP VIEW seen_offers AS
SELECT
    o.*, l.look,
    hash(o.source_id, o.scope, o.provider, o.offered_as, o.accelerator_raw, o.accelerators, o.memory_gb, o.vcpus,
         o.ram_gb, o.region, o.price_type, o.price_type_raw, o.term_months, o.price, o.price_per, o.currency) AS value_key
FROM cloud_offer_rows AS o
JOIN facts.cloud_looks AS l USING (source_id, scope, looked_at);

CREATE TEMP TABLE offer_stretches AS
SELECT
    value_key,
    min(look) AS first_look,
    max(look) AS last_look,
    min(stated_on) AS stated_on,
    row_number() OVER (PARTITION BY value_key ORDER BY min(look))::INTEGER AS stretch
FROM (
    SELECT value_key, look, stated_on, look - dense_rank() OVER (PARTITION BY value_key ORDER BY look) AS island
    FROM (SELECT value_key, look, stated_on FROM seen_offers)
)
GROUP BY value_key, island;

CREATE TEMP TABLE offer_values AS
SELECT
    value_key,
    any_value(source_id) AS source_id, any_value(scope) AS scope, any_value(provider) AS provider,
    any_value(offered_as) AS offered_as, any_value(accelerator_raw) AS accelerator_raw,
    any_value(accelerators) AS accelerators, any_value(memory_gb) AS memory_gb, any_value(vcpus) AS vcpus,
    any_value(ram_gb) AS ram_gb, any_value(region) AS region, any_value(price_type) AS price_type,
    any_value(price_type_raw) AS price_type_raw, any_value(term_months) AS term_months, any_value(price) AS price,
    any_value(price_per) AS price_per, any_value(currency) AS currency, max(offer_url) AS offer_url,
    max(caveats) AS caveats
FROM seen_offers
GROUP BY value_key;

-- The layer on the day an offer was first seen; of several the one that held first.
CREATE TEMP TABLE provider_layers AS
SELECT
    days.organisation_id, days.first_seen,
    arg_min(l.layer, (coalesce(l.valid_from, DATE '0001-01-01'), l.layer)) AS layer,
    list(DISTINCT l.layer ORDER BY l.layer) AS layers
FROM (
    SELECT DISTINCT p.organisation_id, k.looked_on AS first_seen
    FROM (SELECT DISTINCT provider, source_id, scope FROM offer_values) AS v
    JOIN market_providers AS p USING (provider)
    JOIN facts.cloud_looks AS k USING (source_id, scope)
    WHERE p.organisation_id IS NOT NULL
) AS days
JOIN registry.organisation_layers AS l
  ON l.organisation_id = days.organisation_id
 AND coalesce(l.valid_from, DATE '0001-01-01') <= days.first_seen
 AND coalesce(l.valid_to, DATE '9999-12-31') >= days.first_seen
GROUP BY ALL;

CREATE TABLE facts.cloud_offers AS
WITH newest AS (
    SELECT source_id, scope, max(look) AS look, max(looked_on) AS looked_on FROM facts.cloud_looks GROUP BY ALL
),
scopes AS (
    SELECT source_id, scope, look, looked_on >= max(looked_on) OVER (PARTITION BY source_id) - 7 AS is_followed FROM newest
)
SELECT
    left(md5(concat_ws('|', v.source_id, v.scope, v.provider, v.offered_as, v.accelerator_raw, v.accelerators, v.memory_gb,
                       v.region, v.price_type, v.price_type_raw, v.term_months)), 16) AS offer_id,
    s.stretch,
    v.source_id, v.scope,
    v.provider AS provider_raw,
    p.name AS provider,
    p.organisation_id AS provider_id,
    c.provider_class,
    y.layer,
    coalesce(y.layers, []) AS layers,
    v.accelerator_raw,
    coalesce(m.accelerator, 'unknown') AS accelerator,
    a.model_id AS accelerator_model,
    a.generation_id AS generation,
    a.vendor_id AS vendor,
    v.accelerators, v.memory_gb, v.vcpus, v.ram_gb, v.offered_as, v.region,
    v.price_type, v.price_type_raw, v.term_months,
    CASE WHEN v.currency = 'USD' THEN v.price END AS price_usd_per_hour,
    v.price_per, v.currency,
    CASE
        WHEN v.currency <> 'USD' THEN NULL
        WHEN v.price_per = 'accelerator' THEN v.price
        WHEN v.price_per = 'instance' THEN v.price / v.accelerators
    END AS gpu_hour_price_usd,
    CASE WHEN gpu_hour_price_usd IS NULL THEN NULL WHEN v.price_per = 'instance' THEN 'derived' ELSE f.evidence END::evidence_tag
        AS gpu_hour_price_evidence,
    v.caveats,
    f.evidence, f.url, v.offer_url,
    s.stated_on,
    f.looked_on AS first_seen,
    l.looked_on AS last_seen,
    n.looked_on AS ended_on,
    n.looked_on IS NULL AND scopes.is_followed AS is_listed_now,
    s.first_look, s.last_look,
    f.capture_id
FROM offer_stretches AS s
JOIN offer_values AS v USING (value_key)
JOIN facts.cloud_looks AS f ON f.source_id = v.source_id AND f.scope = v.scope AND f.look = s.first_look
JOIN facts.cloud_looks AS l ON l.source_id = v.source_id AND l.scope = v.scope AND l.look = s.last_look
LEFT JOIN facts.cloud_looks AS n ON n.source_id = v.source_id AND n.scope = v.scope AND n.look = s.last_look + 1
JOIN scopes ON scopes.source_id = v.source_id AND scopes.scope = v.scope
JOIN market_providers AS p ON p.provider = v.provider
LEFT JOIN registry.provider_classes AS c ON c.organisation_id = p.organisation_id
LEFT JOIN provider_layers AS y ON y.organisation_id = p.organisation_id AND y.first_seen = f.looked_on
LEFT JOIN market_accelerators AS m
       ON m.accelerator_raw = v.accelerator_raw AND m.memory_gb IS NOT DISTINCT FROM v.memory_gb
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = m.accelerator
ORDER BY source_id, provider_raw, accelerator_raw, first_seen, offer_id, stretch;

DROP TABLE provider_layers;
DROP TABLE offer_values;
DROP TABLE offer_stretches;
DROP VIEW seen_offers;
DROP VIEW cloud_offer_rows;

-- What was listed on a day as the newest look of the week before it shows it; nothing later is known to it.
CREATE MACRO facts.cloud_offers_as_of(day) AS TABLE
SELECT o.* EXCLUDE (last_seen, ended_on, is_listed_now, last_look), k.looked_on AS last_seen
FROM (
    SELECT source_id, scope, max(look) AS look, max(looked_on) AS looked_on
    FROM facts.cloud_looks
    WHERE looked_on BETWEEN (day)::DATE - 7 AND (day)::DATE
    GROUP BY source_id, scope
) AS k
JOIN facts.cloud_offers AS o
  ON o.source_id = k.source_id AND o.scope = k.scope AND k.look BETWEEN o.first_look AND o.last_look;
