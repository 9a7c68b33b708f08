-- name: top500_keys
-- on: facts.top500
-- severity: error
-- says: on one list each rank and each system stands once, and figures are tagged
SELECT list_number, rank::VARCHAR AS rank_or_system FROM facts.top500 GROUP BY list_number, rank HAVING count(*) > 1
UNION ALL
SELECT list_number, system_id FROM facts.top500 GROUP BY list_number, system_id HAVING count(*) > 1
UNION ALL
SELECT list_number, system_id FROM facts.top500
WHERE evidence <> 'audited' OR (accelerators IS NOT NULL) <> (accelerators_evidence IS NOT NULL);
