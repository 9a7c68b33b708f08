-- name: top500_counts
-- on: facts.top500
-- severity: error
-- says: accelerators times the cores of one are the printed cores; a count of a system of tens of thousands stays believable
SELECT list_number, system_id, accelerators FROM facts.top500
WHERE accelerators * cores_per_accelerator <> accelerator_cores OR accelerators > 500000;
