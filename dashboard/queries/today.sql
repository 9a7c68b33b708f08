-- SQL of the first page: what is new since a day, and a few figures that sum up.

-- name: price_moves
WITH held AS (
    SELECT p.accelerator_model, coalesce(a.name, p.accelerator_model) AS name, p.source_id, p.period_start,
           p.median_usd_per_gpu_hour AS median, p.n_providers, p.evidence::VARCHAR AS evidence, p.url
    FROM marts.prices AS p LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.accelerator_model
    WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.layer = 'all' AND p.price_type =
    'on_demand'
      AND NOT p.is_thin AND p.period_start >= ?)
SELECT accelerator_model, name, source_id, min(period_start) AS from_on, max(period_start) AS stated_on,
       arg_min(median, period_start) AS from_usd, arg_max(median, period_start) AS to_usd,
       to_usd / from_usd - 1 AS change, arg_max(n_providers, period_start) AS n_providers,
       arg_max(evidence, period_start) AS evidence, arg_max(url, period_start) AS url
FROM held GROUP BY accelerator_model, name, source_id
HAVING min(period_start) < max(period_start) AND abs(to_usd / from_usd - 1) >= 0.005
ORDER BY abs(to_usd / from_usd - 1) DESC, name LIMIT 40

-- name: headline
SELECT
(SELECT count(*) FROM evidence.claims) AS claims,
(SELECT count(DISTINCT claimant_key) FROM evidence.claims) AS claimants,
(SELECT count(*) FROM evidence.conflicts) AS conflicts,
(SELECT count(*) FROM facts.mlperf_training) + (SELECT count(*) FROM facts.mlperf_inference) AS results,
(SELECT max(stated_on) FROM evidence.claims) AS last_stated_on

-- name: densest
SELECT CASE WHEN modality IN ('shipping', 'deployed',
    'measured') THEN 'running' ELSE 'announced' END AS state,
       s.name AS system, d.value, d.unit, d.claim_id, d.evidence::VARCHAR AS evidence, d.stated_on,
       d.source_id,
       d.url
FROM marts.density AS d JOIN registry.systems AS s USING (system_id)
WHERE d.metric = 'power' AND d.per = 'rack' AND NOT d.is_derived AND d.bound IS NULL
QUALIFY row_number() OVER (PARTITION BY state ORDER BY d.value DESC, d.evidence, d.stated_on DESC) = 1

-- name: hour_price
SELECT p.median_usd_per_gpu_hour AS value, p.period_start AS stated_on, p.source_id, p.n_providers,
       p.evidence::VARCHAR AS evidence, p.url
FROM marts.prices AS p
WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.layer = 'all' AND p.price_type = 'on_demand'
  AND NOT p.is_thin AND p.accelerator_model = ?
ORDER BY p.period_start DESC, p.n_providers DESC LIMIT 1
