-- SQL of the page on InferenceX runs. `$day` is the day whose knowledge is shown.

-- name: offered
-- Models and lengths of question and answer that were run, the newest first.
SELECT model, input_tokens, output_tokens, count(*) AS n, count(DISTINCT accelerator_model) AS accelerators,
       max(stated_on) AS last_on
FROM facts.inferencex WHERE stated_on <= $day AND run_type = 'single_turn'
GROUP BY ALL ORDER BY last_on DESC, n DESC, model, input_tokens, output_tokens

-- name: runs
-- Runs of one model with one length of question and answer.
SELECT x.run_key, x.model, coalesce((SELECT arg_min(l.alias, length(l.alias)) FROM registry.aliases AS l
                 WHERE l.subject_id = a.accelerator_id AND contains(a.name, l.alias)),
                a.name, x.hardware_raw) AS series, coalesce(x.generation, '') AS shade,
       x.accelerator_model, x.framework, x.precision, x.speculation, x.is_disaggregated, x.concurrency,
       x.median_tokens_per_s_per_user AS per_user, x.output_tokens_per_s_per_gpu AS per_gpu, x.median_ttft_s,
       x.stated_on, x.evidence::VARCHAR AS evidence, x.source_id, coalesce(x.run_url, x.url) AS url
FROM facts.inferencex AS x LEFT JOIN registry.accelerators AS a ON a.accelerator_id = x.accelerator_model
WHERE x.model = $model AND x.input_tokens = $input_tokens AND x.output_tokens = $output_tokens AND x.stated_on <= $day AND x.run_type = 'single_turn'
  AND x.median_tokens_per_s_per_user > 0 AND x.output_tokens_per_s_per_gpu > 0
ORDER BY series, per_user, x.run_key
