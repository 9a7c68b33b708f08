-- name: mlperf_inference_ranges
-- on: facts.mlperf_inference
-- severity: error
-- says: watts lie between 0.5 W and 500 kW, and figures per accelerator and per watt are the quotients they say
SELECT result_key, result, accelerators, power_w
FROM facts.mlperf_inference
WHERE power_w NOT BETWEEN 0.5 AND 500000
   OR abs(result_per_accelerator * accelerators - result) > 1e-9 * result
   OR abs(result_per_watt * power_w - result) > 1e-9 * result;
