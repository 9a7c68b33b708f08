-- Question: what does an accelerator hour cost, by accelerator, market layer and kind of price, and how does it move?
-- Grain: one row is one (period, its first day, source, kind of price, term, layer or 'all', accelerator or its model).
-- Selection: offers with a price in US dollars and a known accelerator. A day holds the last look of each scope on that
-- day, a week (from Monday) the last look of each scope in it. Two sources are never in one row, nor two kinds of
-- price. Rows of layer 'all' and of grain 'model' hold the offers of other rows again: they are never added up.
-- `is_thin` marks fewer than three providers.
CREATE MACRO marts.prices_over(step, first_day, last_day) AS TABLE
WITH looks AS (
    SELECT
        CASE step WHEN 'day' THEN looked_on WHEN 'week' THEN date_trunc('week', looked_on)::DATE ELSE last_day END
            AS period_start,
        source_id, scope, max(look) AS look, max(looked_on) AS looked_on
    FROM facts.cloud_looks
    WHERE looked_on BETWEEN first_day AND last_day
    GROUP BY ALL
),
-- 16-bit matrix rates by an independent table, which for the chips checked are the makers' dense ones. A name that leaves
-- the form open has a rate only where all forms of the model have the same.
exact_rates AS (
    SELECT accelerator, min(tensor_fp16_pflops) AS pflops FROM facts.hardware_specs
    WHERE is_latest AND tensor_fp16_pflops > 0 AND accelerator <> 'unknown'
    GROUP BY accelerator HAVING count(DISTINCT tensor_fp16_pflops) = 1
),
model_rates AS (
    SELECT accelerator_model, min(tensor_fp16_pflops) AS pflops FROM facts.hardware_specs
    WHERE is_latest AND tensor_fp16_pflops > 0 AND accelerator_model IS NOT NULL
    GROUP BY accelerator_model HAVING max(tensor_fp16_pflops) / min(tensor_fp16_pflops) < 1.01
),
offers AS (
    SELECT
        k.period_start, k.looked_on, o.source_id, o.price_type, o.term_months,
        coalesce(o.layer, o.provider_class, 'none') AS layer,
        o.accelerator_model, o.accelerator, o.generation, o.vendor, o.provider, o.offer_id,
        o.gpu_hour_price_evidence AS evidence,
        o.gpu_hour_price_usd AS price,
        o.gpu_hour_price_usd / coalesce(o.memory_gb, a.memory_gb) AS price_per_gb,
        o.gpu_hour_price_usd / coalesce(e.pflops, m.pflops) AS price_per_pflop
    FROM looks AS k
    JOIN facts.cloud_offers AS o
      ON o.source_id = k.source_id AND o.scope = k.scope AND k.look BETWEEN o.first_look AND o.last_look
    LEFT JOIN registry.accelerators AS a ON a.accelerator_id = o.accelerator
    LEFT JOIN exact_rates AS e ON e.accelerator = o.accelerator
    LEFT JOIN model_rates AS m ON m.accelerator_model = o.accelerator_model
    WHERE o.gpu_hour_price_usd IS NOT NULL AND o.accelerator_model IS NOT NULL
),
grouped AS (
    SELECT
        period_start, source_id, price_type, term_months,
        CASE WHEN grouping(layer) = 1 THEN 'all' ELSE layer END AS layer,
        CASE WHEN grouping(accelerator) = 1 THEN 'model' ELSE 'exact' END AS accelerator_grain,
        CASE WHEN grouping(accelerator) = 1 THEN accelerator_model ELSE accelerator END AS accelerator,
        accelerator_model, generation, vendor,
        max(looked_on) AS observed_on,
        count(*)::INTEGER AS n_offers,
        count(DISTINCT provider)::INTEGER AS n_providers,
        min(price) AS low_usd_per_gpu_hour,
        median(price) AS median_usd_per_gpu_hour,
        max(price) AS high_usd_per_gpu_hour,
        arg_min(provider, (price, provider)) AS low_provider,
        arg_min(offer_id, (price, provider, offer_id)) AS low_offer_id,
        arg_max(provider, (price, provider)) AS high_provider,
        arg_max(offer_id, (price, provider, offer_id)) AS high_offer_id,
        median(price_per_gb) AS median_usd_per_gb_hour,
        CASE WHEN count(price_per_pflop) = count(*) THEN median(price_per_pflop) END AS median_usd_per_dense_pflop_hour,
        max(evidence) AS evidence
    FROM offers
    GROUP BY GROUPING SETS (
        (period_start, source_id, price_type, term_months, accelerator_model, generation, vendor, layer, accelerator),
        (period_start, source_id, price_type, term_months, accelerator_model, generation, vendor, accelerator),
        (period_start, source_id, price_type, term_months, accelerator_model, generation, vendor, layer),
        (period_start, source_id, price_type, term_months, accelerator_model, generation, vendor)
    )
)
SELECT
    g.* EXCLUDE (evidence),
    CASE WHEN g.median_usd_per_dense_pflop_hour IS NOT NULL THEN '16 bit, matrix units' END AS flops_precision,
    g.n_providers < 3 AS is_thin,
    CASE WHEN g.n_providers < 3 THEN ['thin'] ELSE [] END AS caveats,
    g.evidence,
    s.page_url AS url
FROM grouped AS g
JOIN evidence.sources AS s USING (source_id);

-- Medians are held in memory whole, so the table is made in eight parts of the time, each beginning on a Monday. What a
-- build takes over of the version before (price_weeks.py) stands here already, and ends where they begin.
CREATE TEMP MACRO part_start(part) AS (
    SELECT date_trunc('week', first_day + (part * (last_day - first_day + 8) // 8)::INTEGER)::DATE
    FROM (
        SELECT coalesce(getvariable('prices_from')::DATE, min(looked_on)) AS first_day, max(looked_on) AS last_day
        FROM facts.cloud_looks
    )
);
CREATE TEMP MACRO prices_of_part(part) AS TABLE
SELECT 'day' AS period, * FROM marts.prices_over('day', part_start(part), part_start(part + 1) - 1)
UNION ALL
SELECT 'week', * FROM marts.prices_over('week', part_start(part), part_start(part + 1) - 1)
ORDER BY source_id, price_type, accelerator_model, accelerator_grain, accelerator, layer, period, period_start;

CREATE TABLE IF NOT EXISTS marts.prices AS FROM prices_of_part(0) LIMIT 0;
INSERT INTO marts.prices FROM prices_of_part(0);
INSERT INTO marts.prices FROM prices_of_part(1);
INSERT INTO marts.prices FROM prices_of_part(2);
INSERT INTO marts.prices FROM prices_of_part(3);
INSERT INTO marts.prices FROM prices_of_part(4);
INSERT INTO marts.prices FROM prices_of_part(5);
INSERT INTO marts.prices FROM prices_of_part(6);
INSERT INTO marts.prices FROM prices_of_part(7);
DROP MACRO TABLE prices_of_part;
DROP MACRO part_start;

-- What had been seen by the end of a day, as a look of the week before it shows it.
CREATE MACRO marts.prices_as_of(day) AS TABLE
SELECT 'as_of' AS period, * FROM marts.prices_over('as_of', (day)::DATE - 7, (day)::DATE);

-- The mart's days and weeks that were over by a day.
CREATE MACRO marts.prices_until(day) AS TABLE
FROM marts.prices WHERE observed_on <= day AND CASE period WHEN 'week' THEN period_start + 6 <= day ELSE true END;
