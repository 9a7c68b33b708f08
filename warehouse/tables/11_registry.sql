-- The curated registry, as loaded and checked from pipelines/registry/*.yaml.
CREATE TABLE registry.accelerators AS FROM registry_accelerators ORDER BY accelerator_id;
CREATE TABLE registry.generations AS FROM registry_generations ORDER BY generation_id;
CREATE TABLE registry.organisations AS FROM registry_organisations ORDER BY organisation_id;
CREATE TABLE registry.organisation_layers AS FROM registry_organisation_layers ORDER BY ALL;
CREATE TABLE registry.systems AS FROM registry_systems ORDER BY system_id;
CREATE TABLE registry.system_parts AS FROM registry_system_parts ORDER BY ALL;
CREATE TABLE registry.system_names AS FROM registry_system_names ORDER BY ALL;
CREATE TABLE registry.aliases AS FROM registry_aliases ORDER BY ALL;
CREATE TABLE registry.mlperf_rounds AS FROM registry_mlperf_rounds ORDER BY published_on, suite, round;
CREATE TABLE registry.mlperf_benchmarks AS FROM registry_mlperf_benchmarks ORDER BY ALL;
