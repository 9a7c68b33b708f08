-- name: filings_keys
-- on: facts.filings
-- severity: error
-- says: one row per company, metric, segment, kind of period and its end; a difference of two figures is tagged derived and has its formula
SELECT cik, metric, segment, period, period_end FROM facts.filings
GROUP BY ALL HAVING count(*) > 1
UNION ALL
SELECT cik, metric, segment, period, period_end FROM facts.filings
WHERE (evidence = 'derived') <> (formula <> '') OR stated_on < period_end OR first_stated_on > stated_on;
