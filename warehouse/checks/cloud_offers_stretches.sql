-- name: cloud_offers_stretches
-- kind: build
-- on: facts.cloud_offers
-- severity: error
-- says: stretches of an offer at a price are numbered in order and do not overlap
SELECT offer_id, stretch, price_usd_per_hour
FROM (
    SELECT *, lag(last_look) OVER (
        PARTITION BY offer_id, price_usd_per_hour, vcpus, ram_gb, price_per, currency ORDER BY stretch
    ) AS previous_look
    FROM facts.cloud_offers
)
WHERE first_look <= previous_look + 1;
