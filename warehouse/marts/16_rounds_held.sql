-- Question: which rounds exist, and how much of each is held here?
-- Grain: one row is one round of the registry.
-- Selection: all rounds known by the day; a round counts as held where results read from its archive stand here, as held
-- without its archive where they come from the organisers' tables, and as not held where there is none. A record over rounds
-- ("fastest") is one over those that are held.
CREATE MACRO marts.rounds_held_as_of(day) AS TABLE
WITH results AS (
    SELECT suite, round, stated_on, origin FROM facts.mlperf_training
    UNION ALL SELECT suite, round, stated_on, origin FROM facts.mlperf_inference
),
counted AS (
    SELECT suite, round, min(stated_on) AS first_stated_on, count(*) AS results, count(*) FILTER (origin = 'archive') AS from_archive
    FROM results WHERE stated_on <= day GROUP BY ALL
)
SELECT
    r.suite, r.round, coalesce(r.published_on, c.first_stated_on) AS known_on, r.published_on, coalesce(c.results, 0) AS results,
    CASE WHEN c.results IS NULL THEN 'not held' WHEN c.from_archive = 0 THEN 'without its archive' ELSE 'held' END AS state,
    r.evidence, r.said_by, r.url
FROM registry.mlperf_rounds AS r LEFT JOIN counted AS c USING (suite, round)
WHERE coalesce(r.published_on, c.first_stated_on) <= day;

CREATE TABLE marts.rounds_held AS
FROM marts.rounds_held_as_of(DATE '9999-12-31') ORDER BY suite, round;
