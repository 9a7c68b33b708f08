-- The curated registry, as loaded and checked from pipelines/registry/*.yaml.
CREATE TABLE registry.accelerators AS FROM registry_accelerators ORDER BY accelerator_id;
CREATE TABLE registry.generations AS FROM registry_generations ORDER BY generation_id;
CREATE TABLE registry.organisations AS FROM registry_organisations ORDER BY organisation_id;
CREATE TABLE registry.organisation_layers AS FROM registry_organisation_layers ORDER BY ALL;
CREATE TABLE registry.systems AS FROM registry_systems ORDER BY system_id;
CREATE TABLE registry.system_parts AS FROM registry_system_parts ORDER BY ALL;
CREATE TABLE registry.system_names AS FROM registry_system_names ORDER BY ALL;
CREATE TABLE registry.cpus AS FROM registry_cpus ORDER BY cpu_id;
CREATE TABLE registry.networks AS FROM registry_networks ORDER BY network_id;
CREATE TABLE registry.software AS FROM registry_software ORDER BY software_id;
CREATE TABLE registry.sites AS FROM registry_sites ORDER BY site_id;
CREATE TABLE registry.metrics AS FROM registry_metrics ORDER BY position;
CREATE TABLE registry.metric_ranges AS FROM registry_metric_ranges ORDER BY metric_id, position;
CREATE TABLE registry.aliases AS FROM registry_aliases ORDER BY ALL;
CREATE TABLE registry.mlperf_rounds AS FROM registry_mlperf_rounds ORDER BY published_on, suite, round;
CREATE TABLE registry.mlperf_benchmarks AS FROM registry_mlperf_benchmarks ORDER BY ALL;

-- What a day knows of layers and names: those that had begun, and an end only where it had come.
CREATE MACRO registry.organisation_layers_as_of(day) AS TABLE
SELECT * REPLACE (CASE WHEN valid_to <= day THEN valid_to END AS valid_to) FROM registry.organisation_layers
WHERE coalesce(valid_from, DATE '0001-01-01') <= day;

CREATE MACRO registry.system_names_as_of(day) AS TABLE
SELECT * REPLACE (CASE WHEN valid_to <= day THEN valid_to END AS valid_to) FROM registry.system_names
WHERE coalesce(valid_from, DATE '0001-01-01') <= day;

-- The day on which a round was published; null where nobody states it, whatever day bounds it.
CREATE MACRO registry.published_on(suite_id, round_name) AS (
    SELECT r.published_on FROM registry.mlperf_rounds AS r WHERE r.suite = suite_id AND r.round = round_name
);
