-- SQL of the pages on the data itself: tables, columns, and the version.

-- name: described_tables
-- Every table with what it answers, its grain and its number of rows.
SELECT "table", title, says, grain, cannot_tell, licence, row_count FROM meta.tables
ORDER BY array_position(['marts', 'facts', 'evidence', 'registry'], split_part("table", '.', 1)), 1

-- name: described_columns
SELECT "table", "column", data_type, says, unit FROM meta.columns
WHERE len(list_filter($words::VARCHAR[], lambda word: NOT contains(
          lower("table" || ' ' || "column" || ' ' || says || ' ' || unit), word))) = 0
  AND ($table = '' OR "table" = $table)
ORDER BY "table", position

-- name: metrics
-- What a claim may be about: title, unit, words and what it must say.
SELECT metric_id, title, unit, words, requires FROM registry.metrics ORDER BY position
