-- name: ageing_thesis_keys
-- on: marts.ageing_thesis
-- severity: error
-- says: one row per generation, kind and pair of layers; the lag lies in its interval, and a verdict has the interval on its side
SELECT row_key FROM marts.ageing_thesis GROUP BY row_key HAVING count(*) > 1
UNION ALL
SELECT row_key FROM marts.ageing_thesis
WHERE NOT lag_months BETWEEN lag_low_months AND lag_high_months
   OR (verdict = 'later' AND lag_low_months <= 0) OR (verdict = 'earlier' AND lag_high_months >= 0);
