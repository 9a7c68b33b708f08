-- name: forecast_scores_add_up
-- kind: build
-- on: marts.forecast_scores
-- severity: error
-- says: the claimants' forecasts are all forecasts, in one state each
SELECT claimant_key FROM marts.forecast_scores WHERE forecasts <> met + missed + ambiguous + open
UNION ALL
SELECT 'all' FROM marts.forecast_scores HAVING sum(forecasts) <> (SELECT count(*) FROM marts.forecasts);
