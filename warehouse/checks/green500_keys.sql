-- name: green500_keys
-- on: facts.green500
-- severity: error
-- says: on one list each rank and each system stands once, in order of efficiency
SELECT list_number, rank, system_id FROM facts.green500
QUALIFY count(*) OVER (PARTITION BY list_number, rank) > 1
     OR count(*) OVER (PARTITION BY list_number, system_id) > 1
     OR round(efficiency_gflops_per_w, 3)
        > round(lag(efficiency_gflops_per_w) OVER (PARTITION BY list_number ORDER BY rank), 3);
