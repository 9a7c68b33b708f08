-- name: top500_whole
-- kind: build
-- on: facts.top500_aggregates
-- severity: warn
-- says: the systems of every list add up to 500
SELECT list_number, sum(systems) AS systems FROM facts.top500_aggregates GROUP BY list_number HAVING sum(systems) <> 500;
