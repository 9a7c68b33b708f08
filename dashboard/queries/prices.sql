-- SQL of the page on prices: medians over time by accelerator, and the offers behind them.

-- name: was_listed
o.first_seen <= $day AND o.last_seen >= (
    SELECT max(l.looked_on) FROM facts.cloud_looks AS l WHERE l.source_id = o.source_id AND l.looked_on <= $day)

-- name: offered
-- Which accelerators, kinds of price, sources and layers have prices, the most offers first.
SELECT p.accelerator_model, coalesce(any_value(a.name), p.accelerator_model) AS name, p.source_id,
    p.price_type,
       p.layer, sum(p.n_offers)::BIGINT AS n
FROM marts.prices AS p LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.accelerator_model
WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.accelerator_model IS NOT NULL
GROUP BY p.accelerator_model, p.source_id, p.price_type, p.layer ORDER BY n DESC, 1, 3, 4, 5

-- name: series
-- One accelerator's prices of one kind up to a day, by source and layer; thin days are kept and marked.
WITH named AS (
    SELECT source_id, CASE WHEN count(*) OVER (PARTITION BY publisher_name) > 1 THEN title ELSE publisher_name END AS name
    FROM evidence.sources WHERE source_id IN (SELECT source_id FROM marts.prices)
)
SELECT period_start AS stated_on, source_id, price_type, coalesce(term_months, 0) AS term_months, layer,
       accelerator_model, n_offers, n_providers, low_usd_per_gpu_hour, median_usd_per_gpu_hour,
       high_usd_per_gpu_hour, median_usd_per_gb_hour, median_usd_per_dense_pflop_hour, is_thin, low_provider,
       high_provider, name || ', ' || layer AS line, evidence::VARCHAR AS evidence, url,
       concat_ws('|', accelerator_model, period_start, source_id, price_type, term_months, layer) AS row_key
FROM marts.prices JOIN named USING (source_id)
WHERE period = 'day' AND accelerator_grain = 'model' AND accelerator_model = $model AND price_type = $price_type
  AND layer IN (SELECT unnest($layers::VARCHAR[])) AND period_start <= $day
ORDER BY line, stated_on, row_key

-- name: offers
-- Offers of an accelerator and kind of price that were listed at the last look by a day, cheapest first.
SELECT offer_id AS offer_key, provider, layer, provider_class, accelerator_raw, accelerators, memory_gb,
    region,
       price_type, term_months, gpu_hour_price_usd, price_usd_per_hour, first_seen, last_seen, is_listed_now,
       caveats, evidence::VARCHAR AS evidence, stated_on, source_id, coalesce(offer_url, url) AS url,
       (SELECT s.publisher_name FROM evidence.sources AS s WHERE s.source_id = o.source_id) AS publisher_name
FROM facts.cloud_offers AS o
WHERE accelerator_model = $model AND price_type = $price_type AND gpu_hour_price_usd IS NOT NULL AND {{was_listed}}
ORDER BY gpu_hour_price_usd, provider, offer_id

-- name: neocloud_offers
-- On-demand offers of neoclouds that were listed at the last look by a day, cheapest first.
SELECT o.offer_id AS offer_key, o.accelerator_model, coalesce(a.name, o.accelerator_model) AS name, a.vendor_id AS vendor,
       o.generation, o.provider, o.accelerators, o.gpu_hour_price_usd, o.region, o.first_seen, o.last_seen, o.caveats,
       o.evidence::VARCHAR AS evidence, o.stated_on, o.source_id, s.publisher_name, coalesce(o.offer_url, o.url) AS url
FROM facts.cloud_offers AS o JOIN evidence.sources AS s USING (source_id) JOIN registry.accelerators AS a ON a.accelerator_id = o.accelerator_model
WHERE o.layer = 'neocloud' AND o.price_type = 'on_demand' AND o.gpu_hour_price_usd > 0 AND {{was_listed}}
ORDER BY a.name, o.gpu_hour_price_usd, o.provider, o.offer_id

-- name: neocloud_medians
-- Median on-demand price of neoclouds up to a day by accelerator and source, of days that are not thin.
SELECT accelerator_model, source_id, period_start AS stated_on, median_usd_per_gpu_hour
FROM marts.prices
WHERE period = 'day' AND accelerator_grain = 'model' AND price_type = 'on_demand' AND layer = 'neocloud' AND NOT is_thin
  AND period_start <= $day
ORDER BY accelerator_model, source_id, period_start
