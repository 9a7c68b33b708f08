-- name: slips_by_party_add_up
-- kind: build
-- on: marts.slips_by_party
-- severity: error
-- says: the milestones of the parties are those of marts.milestones
SELECT party_id FROM marts.slips_by_party AS p
WHERE promised <> (SELECT count(*) FROM marts.milestones AS m WHERE m.party_id = p.party_id AND m.state <> 'no promise known');
