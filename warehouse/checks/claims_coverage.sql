-- name: claims_coverage
-- on: evidence.claims
-- severity: error
-- needs: previous
-- says: no metric has lost more than 10 percent of the claims it had in the version before; run with --accept-shrink when the loss is meant
WITH now AS (SELECT metric, count(*) AS n FROM evidence.claims GROUP BY metric),
before AS (SELECT metric, count(*) AS n FROM previous.evidence.claims GROUP BY metric)
SELECT before.metric, before.n AS claims_before, coalesce(now.n, 0) AS claims_now
FROM before LEFT JOIN now USING (metric)
WHERE before.n >= 10 AND coalesce(now.n, 0) < 0.9 * before.n;
