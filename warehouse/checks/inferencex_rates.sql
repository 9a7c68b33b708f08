-- name: inferencex_rates
-- kind: build
-- on: facts.inferencex
-- severity: warn
-- says: input and output rates meet the total rate within 1 percent; where disaggregated weighted by accelerators
SELECT run_key, is_disaggregated, total_tokens_per_s_per_gpu, input_tokens_per_s_per_gpu, output_tokens_per_s_per_gpu
FROM facts.inferencex
WHERE abs(total_tokens_per_s_per_gpu / CASE
    WHEN is_disaggregated THEN (input_tokens_per_s_per_gpu * prefill_gpus + output_tokens_per_s_per_gpu * decode_gpus)
                               / (prefill_gpus + decode_gpus)
    ELSE input_tokens_per_s_per_gpu + output_tokens_per_s_per_gpu
END - 1) > 0.01;
