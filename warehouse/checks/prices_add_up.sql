-- name: prices_add_up
-- kind: build
-- on: marts.prices
-- severity: error
-- says: the offers of the layers are the offers of all layers, and those of the exact accelerators those of the model
SELECT period, period_start, source_id, price_type, term_months, accelerator_grain, accelerator
FROM marts.prices
GROUP BY ALL
HAVING sum(n_offers) FILTER (layer = 'all') <> sum(n_offers) FILTER (layer <> 'all')
UNION ALL
SELECT period, period_start, source_id, price_type, term_months, 'model', accelerator_model
FROM marts.prices WHERE layer = 'all'
GROUP BY ALL
HAVING sum(n_offers) FILTER (accelerator_grain = 'model') <> sum(n_offers) FILTER (accelerator_grain = 'exact');
