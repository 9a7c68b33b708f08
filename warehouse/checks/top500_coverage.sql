-- name: top500_coverage
-- on: facts.top500_aggregates
-- severity: error
-- needs: previous
-- says: no list that was known has gone; run with --accept-shrink when the loss is meant
SELECT DISTINCT list_number FROM previous.facts.top500_aggregates
ANTI JOIN facts.top500_aggregates USING (list_number);
