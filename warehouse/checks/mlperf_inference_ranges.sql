-- name: mlperf_inference_ranges
-- on: facts.mlperf_inference
-- severity: error
-- says: the detail log's figure is the summary's within its rounding, watts lie between 0.5 W and 500 kW, shares per accelerator and watt are the quotients they say
SELECT result_key, result, result_summary, result_detail, power_w
FROM facts.mlperf_inference
WHERE abs(result_detail - result_summary) > greatest(0.0051, 1e-5 * abs(result_summary))
   OR power_w NOT BETWEEN 0.5 AND 500000
   OR abs(result_per_accelerator * accelerators - result) > 1e-9 * result
   OR abs(result_per_watt * power_w - result) > 1e-9 * result;
