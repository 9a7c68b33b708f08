-- name: mlperf_normalised_keys
-- on: marts.mlperf_normalised
-- severity: error
-- says: one row per suite, round, category, division, benchmark, mode, unit and generation; no best is behind its median, and low, median and high gain are in order
SELECT row_key FROM marts.mlperf_normalised
GROUP BY row_key
HAVING count(*) > 1
    OR bool_or(CASE WHEN is_higher_better THEN best_result < median_result ELSE best_result > median_result END)
    OR bool_or(CASE WHEN is_higher_better THEN best_per_accelerator < median_per_accelerator * (1 - 1e-9)
                    WHEN suite <> 'inference' THEN best_per_accelerator > median_per_accelerator * (1 + 1e-9)
                    ELSE best_per_accelerator IS NOT NULL END)
    OR bool_or(speedup_low <= 0 OR speedup_low > speedup_median OR speedup_median > speedup_high);
