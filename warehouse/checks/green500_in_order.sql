-- name: green500_in_order
-- kind: build
-- on: facts.green500
-- severity: error
-- says: ranks of a list are in order of efficiency
SELECT list_number, rank, system_id FROM facts.green500
QUALIFY round(efficiency_gflops_per_w, 3)
        > round(lag(efficiency_gflops_per_w) OVER (PARTITION BY list_number ORDER BY rank), 3);
