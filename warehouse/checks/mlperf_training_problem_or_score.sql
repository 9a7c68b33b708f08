-- name: mlperf_training_problem_or_score
-- on: facts.mlperf_training
-- severity: error
-- says: a result without a score says why
SELECT result_key FROM facts.mlperf_training WHERE score_minutes IS NULL AND problem = '';
