-- name: prices_keys
-- on: marts.prices
-- severity: error
-- says: one row per period, source, kind of price, term, layer and accelerator; low, median and high in order; thin where fewer than three providers stand behind it
SELECT period, period_start, source_id, price_type, term_months, layer, accelerator_grain, accelerator
FROM marts.prices
GROUP BY ALL
HAVING count(*) > 1 OR bool_or(NOT low_usd_per_gpu_hour <= median_usd_per_gpu_hour)
    OR bool_or(NOT median_usd_per_gpu_hour <= high_usd_per_gpu_hour) OR bool_or(is_thin <> (n_providers < 3));
