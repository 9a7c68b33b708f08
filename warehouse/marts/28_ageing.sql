-- Question: how old is a generation when each layer of the market takes it up, and does it age down through the layers?
-- Grain: marts.adoption: one row is the first time that one organisation is known to have had one generation.
-- marts.age_at_adoption: one row is one layer and generation, known at the end of a quarter. marts.ageing_thesis: one row is
-- one pair of layers and one generation, or all of them pooled, known at the end of a quarter, with or without one origin.
-- Selection: deliveries, offers, service, training runs and benchmarks show that an organisation had a generation; plans and
-- previews do not. Subsidiaries count with their parent. A generation counts from its first accelerator's first availability.
-- A day known only as 'by then' is an interval from availability on; medians are Turnbull's, their intervals come from
-- resampling organisations (`warehouse/survival.py`). Fewer than five organisations with a dated
-- event (not only 'by then') give no median. Only generations that had
-- been out for two years are pooled: of a younger one the late adopters are still to come.
CREATE MACRO marts.adoption_as_of(day, without := '', with_benchmarks := true) AS TABLE
WITH available AS (
    SELECT generation_id AS generation, min(first_available_on) AS available_on,
           arg_min(first_available_url, first_available_on) AS available_url
    FROM registry.accelerators WHERE first_available_on <= day GROUP BY generation_id
),
had AS (
    SELECT
        a.* EXCLUDE (organisation_id, organisation), b.available_on, b.available_url,
        CASE WHEN a.layer = parent.layer THEN parent.organisation_id ELSE a.organisation_id END AS organisation_id,
        CASE WHEN a.layer = parent.layer THEN parent.name ELSE a.organisation END AS organisation
    FROM facts.adoption_as_of(day) AS a
    JOIN registry.organisations AS o USING (organisation_id)
    LEFT JOIN (
        SELECT p.organisation_id, p.name, arg_min(l.layer, (coalesce(l.valid_from, DATE '1900-01-01'), l.layer)) AS layer
        FROM registry.organisations AS p JOIN registry.organisation_layers_as_of(day) AS l USING (organisation_id) GROUP BY ALL
    ) AS parent ON parent.organisation_id = o.parent_id
    JOIN available AS b USING (generation)
    WHERE a.kind NOT IN ('plan', 'preview', 'retired') AND (with_benchmarks OR a.kind <> 'benchmark')
      AND a.layer IS NOT NULL AND a.origin <> without
      AND a.stated_not_after <= day AND coalesce(a.on_high, a.stated_not_after) <= day),
firsts AS (
    -- the event with the earliest latest day decides: one within an earlier 'by then' tells nothing new
    SELECT organisation_id, organisation, generation, arg_min(had, (coalesce(had.on_high, had.stated_not_after), had.row_key)) AS f,
           count(*)::INTEGER AS events, list_sort(list(DISTINCT origin)) AS origins, min(stated_not_after) AS stated_not_after
    FROM had GROUP BY organisation_id, organisation, generation
)
SELECT
    md5(concat_ws('|', organisation_id, generation)) AS row_key, organisation_id, organisation, f.layer AS layer, generation,
    f.vendor AS vendor, f.generation_name AS generation_name, f.available_on AS available_on, f.available_url AS available_url,
    f.kind AS first_kind, f.on_low AS on_low, coalesce(f.on_high, f.stated_not_after) AS on_high,
    f.on_low IS NULL AS is_known_by_only,
    greatest(datediff('day', f.available_on, coalesce(f.on_high, f.stated_not_after)), -90) AS age_high_days,
    least(greatest(datediff('day', f.available_on, coalesce(f.on_low, f.available_on)), -90), age_high_days) AS age_low_days,
    events, origins, 'derived'::evidence_tag AS evidence, f.source_id AS source_id, f.url AS url, f.stated_on AS stated_on,
    stated_not_after
FROM firsts;

CREATE TABLE marts.adoption AS FROM marts.adoption_as_of(DATE '9999-12-31') ORDER BY generation, layer, organisation;

-- How well each pair of a layer and a generation is known at the end of each quarter, and without each origin in turn.
CREATE TEMP TABLE ages AS
WITH days AS (
    SELECT DISTINCT least(last_day(quarter::DATE + INTERVAL 2 MONTH), latest) AS day
    FROM (SELECT max(stated_not_after) AS latest FROM facts.adoption),
         LATERAL (SELECT unnest(range(date_trunc('quarter', latest) - INTERVAL 7 QUARTER, latest + INTERVAL 1 DAY, INTERVAL 1 QUARTER)) AS quarter)
),
asked AS (
    SELECT day, '' AS without FROM days
    UNION ALL
    SELECT (SELECT max(day) FROM days), origin FROM (SELECT DISTINCT origin FROM facts.adoption)
),
grouped AS (
    SELECT
        asked.day AS known_on, asked.without, a.layer, a.generation, any_value(a.vendor) AS vendor,
        any_value(a.generation_name) AS generation_name, any_value(a.available_on) AS available_on,
        any_value(a.available_url) AS available_url, count(*)::INTEGER AS organisations,
        count(*) FILTER (a.is_known_by_only)::INTEGER AS known_by_only,
        min(a.on_high) AS first_on, arg_min(a.organisation, (a.on_high, a.organisation_id)) AS first_organisation,
        list(a.age_low_days::DOUBLE ORDER BY a.organisation_id) AS lows, list(a.age_high_days::DOUBLE ORDER BY a.organisation_id) AS highs,
        arg_min(a.source_id, (a.on_high, a.organisation_id)) AS source_id, arg_min(a.url, (a.on_high, a.organisation_id)) AS url, max(a.stated_not_after) AS stated_on
    FROM asked, LATERAL (FROM marts.adoption_as_of(asked.day, without := asked.without)) AS a
    GROUP BY ALL
)
SELECT *, CASE WHEN organisations - known_by_only >= thin_below() THEN days_until_share(lows, highs, 0.5) END AS half,
       datediff('month', available_on, known_on) < 24 AS is_young
FROM grouped;

CREATE TABLE marts.age_at_adoption AS
SELECT
    md5(concat_ws('|', known_on, layer, generation)) AS row_key,
    known_on, known_on = max(known_on) OVER () AS is_latest, layer, generation, vendor, generation_name, available_on, available_url,
    organisations, known_by_only, first_on, first_organisation,
    half.days / 30.4375 AS median_months, half.low / 30.4375 AS low_months, half.high / 30.4375 AS high_months,
    is_young, organisations - known_by_only < thin_below() AS is_thin,
    CASE WHEN organisations - known_by_only < thin_below() THEN ['thin'] ELSE [] END::VARCHAR[] AS caveats,
    'derived'::evidence_tag AS evidence, source_id, url, stated_on
FROM ages WHERE without = '' ORDER BY known_on, generation, layer;

-- Pairs of layers that the thesis puts in an order: each layer of the chain after each earlier one.
CREATE MACRO marts.layer_pairs() AS TABLE
WITH chain(layer, place) AS (VALUES ('hyperscale', 1), ('neocloud', 2), ('enterprise', 3), ('science', 4), ('marketplace', 5))
SELECT a.layer AS earlier, b.layer AS later, b.place - a.place AS steps FROM chain AS a JOIN chain AS b ON b.place > a.place;

CREATE TABLE marts.ageing_thesis AS
WITH lags AS (
    SELECT
        a.known_on, a.without, a.generation, any_value(a.vendor) AS vendor, any_value(a.generation_name) AS generation_name, p.earlier, p.later,
        any_value(a.organisations) AS earlier_organisations, any_value(b.organisations) AS later_organisations,
        any_value(b.half.days - a.half.days) / 30.4375 AS lag,
        any_value(list_transform(list_zip(b.half.draws, a.half.draws), pair -> (pair[1] - pair[2]) / 30.4375)) AS draws,
        any_value(a.is_young) AS is_young, any_value(b.source_id) AS source_id, any_value(b.url) AS url,
        greatest(any_value(a.stated_on), any_value(b.stated_on)) AS stated_on
    FROM ages AS a
    JOIN marts.layer_pairs() AS p ON p.earlier = a.layer
    JOIN ages AS b ON b.layer = p.later AND b.generation = a.generation AND b.known_on = a.known_on AND b.without = a.without
    WHERE a.half.days IS NOT NULL AND b.half.days IS NOT NULL
    GROUP BY a.known_on, a.without, a.generation, p.earlier, p.later
),
measured AS (
    SELECT *, list_aggregate(draws, 'stddev_samp') AS error, list_aggregate(draws, 'quantile_cont', 0.05) AS low,
           list_aggregate(draws, 'quantile_cont', 0.95) AS high
    FROM lags
),
together AS (
    SELECT
        known_on, without, 'all' AS generation, NULL AS vendor, 'all generations' AS generation_name, earlier, later,
        sum(earlier_organisations)::INTEGER AS earlier_organisations, sum(later_organisations)::INTEGER AS later_organisations,
        mean_over_generations(list(lag ORDER BY generation), list(error ORDER BY generation)) AS found, count(*)::INTEGER AS generations,
        any_value(source_id) AS source_id, any_value(url) AS url, max(stated_on) AS stated_on
    FROM measured WHERE NOT is_young GROUP BY known_on, without, earlier, later HAVING count(*) > 1
),
rows AS (
    SELECT known_on, without, generation, vendor, generation_name, earlier, later, earlier_organisations, later_organisations,
           1 AS generations, lag AS lag_months, low AS low_months, high AS high_months, is_young, source_id, url, stated_on
    FROM measured
    UNION ALL
    SELECT known_on, without, generation, vendor, generation_name, earlier, later, earlier_organisations, later_organisations,
           generations, found.mean, found.low, found.high, false, source_id, url, stated_on
    FROM together
)
SELECT
    md5(concat_ws('|', known_on, without, generation, earlier, later)) AS row_key,
    known_on, known_on = max(known_on) OVER () AND without = '' AS is_latest, nullif(without, '') AS without_origin,
    generation, vendor, generation_name, earlier AS earlier_layer, later AS later_layer, generations, lag_months, low_months, high_months,
    earlier_organisations, later_organisations, is_young,
    CASE WHEN low_months > 0 THEN 'later' WHEN high_months < 0 THEN 'earlier' ELSE 'no order shown' END AS verdict,
    CASE WHEN is_young THEN ['thin'] ELSE [] END::VARCHAR[] AS caveats,
    'derived'::evidence_tag AS evidence, source_id, url, stated_on
FROM rows ORDER BY known_on, without, generation, earlier, later;

DROP TABLE ages;

-- The answer in words, with its limits, from nothing but the rows above.
CREATE TABLE marts.ageing_verdict AS
WITH said AS (
    SELECT *, later_layer || ' ' || abs(round(lag_months))::INTEGER || ' months ' || CASE WHEN lag_months < 0 THEN 'before ' ELSE 'after ' END
              || earlier_layer || ' (' || round(low_months)::INTEGER || ' to ' || round(high_months)::INTEGER || ')' AS words
    FROM marts.ageing_thesis WHERE without_origin IS NULL
),
pooled AS (
    SELECT known_on, count(*)::INTEGER AS pairs, max(generations) AS generations,
           string_agg(words, ', ' ORDER BY earlier_layer, later_layer) FILTER (verdict <> 'no order shown') AS ordered
    FROM said WHERE generation = 'all' GROUP BY known_on
),
single AS (
    SELECT known_on, string_agg(words, '; ' ORDER BY generation_name) AS ordered
    FROM (
        SELECT known_on, generation_name, generation_name || ': ' || string_agg(words, ', ' ORDER BY earlier_layer, lag_months) AS words
        FROM said WHERE generation <> 'all' AND verdict <> 'no order shown' AND NOT is_young GROUP BY known_on, generation_name
    )
    GROUP BY known_on
),
limits AS (
    SELECT known_on, sum(organisations)::INTEGER AS first_adoptions, sum(known_by_only)::INTEGER AS known_by_only, max(stated_on) AS stated_on,
           arg_max(source_id, (organisations, row_key)) AS source_id, arg_max(url, (organisations, row_key)) AS url
    FROM marts.age_at_adoption GROUP BY known_on
)
SELECT
    md5(l.known_on::VARCHAR) AS row_key, l.known_on, l.known_on = max(l.known_on) OVER () AS is_latest,
    CASE WHEN p.pairs IS NULL THEN 'No pair of layers has two generations to compare.'
         WHEN p.ordered IS NULL THEN 'Over ' || p.generations || ' generations none of ' || p.pairs || ' pairs of layers shows an order.'
         ELSE 'Over up to ' || p.generations || ' generations: ' || p.ordered || '.' END
    || CASE WHEN s.ordered IS NULL THEN '' ELSE ' For one generation alone: ' || s.ordered || '.' END
    || ' Of ' || l.first_adoptions || ' first adoptions, ' || l.known_by_only || ' are known only as "by then".' AS sentence,
    p.ordered IS NOT NULL AS is_order_shown, l.first_adoptions, l.known_by_only,
    'derived'::evidence_tag AS evidence, l.source_id, l.url, l.stated_on
FROM limits AS l LEFT JOIN pooled AS p USING (known_on) LEFT JOIN single AS s USING (known_on)
ORDER BY known_on;

-- The quarters that had ended by a day: each was computed from what was known at its end, so none knows anything later.
CREATE MACRO marts.age_at_adoption_as_of(day) AS TABLE
SELECT * REPLACE (known_on = max(known_on) OVER () AS is_latest) FROM marts.age_at_adoption WHERE known_on <= day;

CREATE MACRO marts.ageing_thesis_as_of(day) AS TABLE
SELECT * REPLACE (known_on = max(known_on) OVER () AND without_origin IS NULL AS is_latest)
FROM marts.ageing_thesis WHERE known_on <= day;

CREATE MACRO marts.ageing_verdict_as_of(day) AS TABLE
SELECT * REPLACE (known_on = max(known_on) OVER () AS is_latest) FROM marts.ageing_verdict WHERE known_on <= day;
