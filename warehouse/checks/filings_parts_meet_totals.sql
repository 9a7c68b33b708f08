-- name: filings_parts_meet_totals
-- kind: build
-- on: facts.filings
-- severity: error
-- says: hyperscale and the rest add up to data-centre revenue within a million dollars
SELECT cik, period_end, total.value_usd, sum(part.value_usd) AS parts
FROM facts.filings AS total
JOIN facts.filings AS part USING (cik, metric, period, period_end)
WHERE total.segment = 'data_center' AND part.segment IN ('data_center_hyperscale', 'data_center_other')
GROUP BY ALL HAVING abs(total.value_usd - sum(part.value_usd)) >= 1e6;
