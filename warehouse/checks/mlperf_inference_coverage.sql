-- name: mlperf_inference_coverage
-- on: facts.mlperf_inference
-- severity: error
-- needs: previous
-- says: no round has lost more than 2 percent of the results it had in the version before; run with --accept-shrink when the loss is meant
WITH now AS (SELECT round, count(result) AS found FROM facts.mlperf_inference GROUP BY ALL),
before AS (SELECT round, count(result) AS found FROM previous.facts.mlperf_inference GROUP BY ALL)
SELECT before.round, before.found AS found_before, coalesce(now.found, 0) AS found_now
FROM before LEFT JOIN now USING (round)
WHERE coalesce(now.found, 0) < 0.98 * before.found;
