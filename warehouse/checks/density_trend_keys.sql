-- name: density_trend_keys
-- on: marts.density_trend
-- severity: error
-- says: one line per metric and what it is counted by; the slope lies in its interval, and few racks say thin
SELECT metric, per FROM marts.density_trend
GROUP BY ALL
HAVING count(*) > 1 OR bool_or(NOT slope_per_year BETWEEN slope_low AND slope_high) OR bool_or(is_thin <> (systems < 5));
