-- name: conflicts_have_two_sides
-- kind: build
-- on: evidence.conflicts
-- severity: error
-- says: every conflict has at least two claims and one that the rule picks, none where it is disputed
SELECT c.conflict_id FROM evidence.conflicts AS c
LEFT JOIN evidence.conflict_sides AS s USING (conflict_id)
GROUP BY c.conflict_id, c.claims, c.is_disputed
HAVING count(s.claim_id) < 2 OR count(s.claim_id) <> c.claims OR count(*) FILTER (s.is_resolved) <> (NOT c.is_disputed)::INTEGER;
