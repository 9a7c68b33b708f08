-- name: mlperf_training_keys
-- on: facts.mlperf_training
-- severity: error
-- says: one member folder gives one result per round and scaling table
SELECT suite, round, member_dir, "table", count(*) AS n
FROM facts.mlperf_training GROUP BY ALL HAVING n > 1;
