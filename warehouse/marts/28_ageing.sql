-- Question: how old is a generation when each layer of the market takes it up, and does it age down through the layers?
-- Grain: marts.age_at_adoption: one row is one layer, kind of observation and generation. marts.ageing_thesis: one row is one
-- generation, kind and pair of layers.
-- Selection: a generation counts from its first accelerator's first availability in the registry. What a source showed at its
-- first look may have been there long before and tells no age. The lag is the median over all pairs of an observation in the
-- one layer and one in the other (Hodges and Lehmann), with the interval that the ranks give at 95 percent; only like kinds
-- of observation are compared. 'Together' means that the interval holds zero. Too few observations are said to be 'not enough data'.
CREATE MACRO marts.ages_as_of(day) AS TABLE
WITH born AS (
    SELECT generation_id AS generation, min(first_available_on) AS available_on,
           arg_min(first_available_url, first_available_on) AS available_url
    FROM registry.accelerators
    WHERE generation_id IS NOT NULL AND first_available_on <= day GROUP BY generation_id
)
SELECT
    s.*, b.available_on, b.available_url, datediff('day', b.available_on, s.observed_on) AS age_days,
    row_number() OVER (PARTITION BY s.layer, s.kind, s.generation ORDER BY s.observed_on, s.row_key) AS place
FROM marts.stratification_as_of(day) AS s JOIN born AS b USING (generation)
WHERE NOT s.is_left_censored;

CREATE MACRO marts.age_at_adoption_as_of(day) AS TABLE
SELECT
    md5(concat_ws('|', layer, kind, generation)) AS row_key,
    layer, kind, generation, any_value(vendor) AS vendor, any_value(generation_name) AS generation_name, any_value(ordinal) AS ordinal,
    any_value(available_on) AS available_on, any_value(available_url) AS available_url,
    count(*)::INTEGER AS observations, count(DISTINCT organisation)::INTEGER AS organisations,
    min(observed_on) AS first_on, min(age_days) AS first_age_days,
    min(age_days) FILTER (place = 10) AS tenth_age_days,
    median(age_days) AS median_age_days,
    quantile_cont(age_days, 0.25) AS low_age_days, quantile_cont(age_days, 0.75) AS high_age_days,
    is_thin_layer(count(*)) AS is_thin,
    with_thin(list_sort(list_distinct(flatten(list(caveats)))), is_thin_layer(count(*))) AS caveats,
    'derived'::evidence_tag AS evidence, arg_min(source_id, (observed_on, row_key)) AS source_id,
    arg_min(url, (observed_on, row_key)) AS url, max(stated_on) AS stated_on
FROM marts.ages_as_of(day)
GROUP BY layer, kind, generation;

CREATE TABLE marts.age_at_adoption AS
FROM marts.age_at_adoption_as_of(DATE '9999-12-31') ORDER BY generation, kind, layer;

-- Pairs of layers that the thesis puts in an order.
CREATE MACRO marts.layer_pairs() AS TABLE
FROM (VALUES ('hyperscale', 'neocloud'), ('hyperscale', 'science'), ('neocloud', 'science'), ('hyperscale', 'marketplace'),
             ('neocloud', 'marketplace'), ('vendor', 'hyperscale'), ('vendor', 'neocloud')) AS pairs(earlier, later);

CREATE MACRO marts.ageing_thesis_as_of(day) AS TABLE
WITH gaps AS (
    SELECT a.generation, a.kind, p.earlier, p.later, list_sort(list(b.age_days - a.age_days)) AS days
    FROM marts.layer_pairs() AS p
    JOIN marts.ages_as_of(day) AS a ON a.layer = p.earlier
    JOIN marts.ages_as_of(day) AS b ON b.layer = p.later AND b.generation = a.generation AND b.kind = a.kind
    GROUP BY ALL
),
joined AS (
    SELECT
        a.generation, a.vendor, a.generation_name, a.kind, a.layer AS earlier_layer, b.layer AS later_layer,
        a.first_on AS earlier_on, b.first_on AS later_on, a.median_age_days AS earlier_age, b.median_age_days AS later_age,
        a.observations AS m, b.observations AS n, a.is_thin OR b.is_thin AS is_thin, a.caveats || b.caveats AS all_caveats, g.days,
        b.source_id, b.url, greatest(a.stated_on, b.stated_on) AS stated_on,
        -- how many of the smallest and largest differences lie outside, by the normal approximation of the rank sum
        greatest(floor(m * n / 2 - 1.96 * sqrt(m * n * (m + n + 1) / 12)), 0)::BIGINT AS outside
    FROM gaps AS g
    JOIN marts.age_at_adoption_as_of(day) AS a ON a.generation = g.generation AND a.kind = g.kind AND a.layer = g.earlier
    JOIN marts.age_at_adoption_as_of(day) AS b ON b.generation = g.generation AND b.kind = g.kind AND b.layer = g.later
)
SELECT
    md5(concat_ws('|', generation, kind, earlier_layer, later_layer)) AS row_key,
    generation, vendor, generation_name, kind, earlier_layer, later_layer,
    datediff('day', earlier_on, later_on) AS lag_first_days,
    later_age - earlier_age AS lag_median_days,
    list_median(days) / 30.4375 AS lag_months,
    days[outside + 1] / 30.4375 AS lag_low_months,
    days[len(days) - outside] / 30.4375 AS lag_high_months,
    m AS earlier_observations, n AS later_observations, is_thin,
    CASE WHEN is_thin THEN 'not enough data'
         WHEN lag_low_months > 0 THEN 'later' WHEN lag_high_months < 0 THEN 'earlier'
         ELSE 'together' END AS verdict,
    list_sort(list_distinct(all_caveats)) AS caveats,
    'derived'::evidence_tag AS evidence, source_id, url, stated_on
FROM joined;

CREATE TABLE marts.ageing_thesis AS
FROM marts.ageing_thesis_as_of(DATE '9999-12-31') ORDER BY generation, kind, earlier_layer, later_layer;
