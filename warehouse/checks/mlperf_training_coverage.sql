-- name: mlperf_training_coverage
-- on: facts.mlperf_training
-- severity: error
-- needs: previous
-- says: no round has lost more than 2 percent of the scored results it had in the version before; run with --accept-shrink when the loss is meant
WITH now AS (SELECT suite, round, count(score_minutes) AS scored FROM facts.mlperf_training GROUP BY ALL),
before AS (SELECT suite, round, count(score_minutes) AS scored FROM previous.facts.mlperf_training GROUP BY ALL)
SELECT before.suite, before.round, before.scored AS scored_before, coalesce(now.scored, 0) AS scored_now
FROM before LEFT JOIN now USING (suite, round)
WHERE coalesce(now.scored, 0) < 0.98 * before.scored;
