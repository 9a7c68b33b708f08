-- name: top500_efficiency
-- kind: build
-- on: facts.top500
-- severity: warn
-- says: LINPACK result over power meets the printed efficiency within 2 percent
SELECT list_number, system_id, rmax_tflops / power_kw AS computed, efficiency_gflops_per_w FROM facts.top500
WHERE abs(rmax_tflops / power_kw / efficiency_gflops_per_w - 1) > 0.02;
