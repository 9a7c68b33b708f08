-- SQL of the pages on the data itself: tables, columns, and the version.

-- name: described_tables
SELECT "table", title, says, grain, cannot_tell, licence, row_count FROM meta.tables
ORDER BY array_position(['marts', 'facts', 'evidence', 'registry'], split_part("table", '.', 1)), 1

-- name: described_columns
SELECT "table", "column", data_type, says, unit FROM meta.columns
WHERE len(list_filter(?::VARCHAR[], lambda word: NOT contains(
          lower("table" || ' ' || "column" || ' ' || says || ' ' || unit), word))) = 0
  AND (? = '' OR "table" = ?)
ORDER BY "table", position

-- name: metrics
SELECT metric_id, title, unit, words, requires FROM registry.metrics ORDER BY position
