-- name: marts_coverage
-- kind: build
-- on: marts.stratification
-- severity: error
-- needs: previous
-- says: no mart has lost more than a tenth of the rows it had in the version before; run with --accept-shrink when the loss is meant
SELECT before."table", before.row_count AS rows_before, coalesce(now.row_count, 0) AS rows_now
FROM previous.meta.tables AS before
LEFT JOIN meta.tables AS now USING ("table")
WHERE before."table" LIKE 'marts.%' AND before.row_count >= 20 AND coalesce(now.row_count, 0) < 0.9 * before.row_count;
