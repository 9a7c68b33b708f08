-- name: forecasts_keys
-- on: marts.forecasts
-- severity: error
-- says: one row per forecast, due after it was made; a state other than open has the day from which it is known
SELECT claim_id FROM marts.forecasts GROUP BY claim_id HAVING count(*) > 1
UNION ALL
SELECT claim_id FROM marts.forecasts WHERE due_on <= stated_on OR (judged_by IS NULL) <> (state = 'open') OR judged_by > due_on;
