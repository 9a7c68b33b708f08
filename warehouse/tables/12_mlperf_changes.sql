-- Question: from which round on is an MLPerf benchmark another one, so that results before and after may not be compared?
-- Grain: one row is one change of one benchmark, or of one scenario of a suite.
-- Selection: MLCommons' compatibility table, as the registry keeps it.
CREATE TABLE registry.mlperf_changes AS FROM registry_mlperf_changes ORDER BY suite, benchmark, scenario, round;

-- Whether a benchmark is the same in two rounds, the earlier first, as far as the table says.
CREATE MACRO registry.is_same_mlperf(suite_id, benchmark_id, scenario_id, earlier, later) AS NOT EXISTS (
    SELECT 1 FROM registry.mlperf_changes AS x
    WHERE x.suite = suite_id AND (x.benchmark = benchmark_id OR (x.benchmark = '' AND x.scenario = scenario_id))
      AND round_number(earlier) < round_number(x.round) AND round_number(x.round) <= round_number(later)
);
