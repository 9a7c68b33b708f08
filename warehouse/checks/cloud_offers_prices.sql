-- name: cloud_offers_prices
-- on: facts.cloud_offers
-- severity: error
-- says: a priced offer says what the price buys, an accelerator hour costs between 1 cent and 200 dollars, a divided price is tagged derived
SELECT offer_id, price_type, price_usd_per_hour, gpu_hour_price_usd
FROM facts.cloud_offers
WHERE gpu_hour_price_usd NOT BETWEEN 0.01 AND 200
   OR (price_type = 'unpriced') <> (price_per = '')
   OR (price_type = 'unpriced' AND price_usd_per_hour IS NOT NULL)
   OR (price_per = 'instance' AND gpu_hour_price_usd IS NOT NULL
       AND (gpu_hour_price_evidence <> 'derived' OR abs(gpu_hour_price_usd * accelerators - price_usd_per_hour) > 1e-6))
   OR (gpu_hour_price_usd IS NULL) <> (gpu_hour_price_evidence IS NULL);
