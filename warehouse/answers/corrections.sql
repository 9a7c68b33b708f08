-- What was put right between two published versions, from the Parquet files of their tables.

-- A figure that says otherwise, or nothing, and not because somebody has said more since the older version was built.
-- name: cells
WITH a AS (FROM read_parquet($older_cells) WHERE subject_id IS NOT NULL
           QUALIFY count(*) OVER (PARTITION BY subject_key, metric, topic) = 1),
b AS (FROM read_parquet($newer_cells) WHERE subject_id IS NOT NULL
      QUALIFY count(*) OVER (PARTITION BY subject_key, metric, topic) = 1),
decided AS (SELECT claim_id, decision, note FROM read_parquet($newer_decisions)
            WHERE counts AND decision IN ('reject', 'correct'))
SELECT a AS before, b AS after, b.metric IS NULL AS is_gone,
       a.claim_id NOT IN (SELECT claim_id FROM read_parquet($newer_claims)) AS is_read_anew,
       b.claim_id NOT IN (SELECT claim_id FROM read_parquet($older_claims)) AS is_read_since,
       d.note, coalesce(d.decision, '') AS decision
FROM a LEFT JOIN b ON b.subject_key = a.subject_key AND b.metric = a.metric AND b.topic = a.topic
LEFT JOIN decided AS d ON d.claim_id = a.claim_id
WHERE (b.metric IS NULL
       OR (b.value, b.value_text, b.value_start, b.value_end, b.unit)
          IS DISTINCT FROM (a.value, a.value_text, a.value_start, a.value_end, a.unit))
  AND coalesce(b.stated_on, b.stated_not_after, DATE '0001-01-01') <= $since
ORDER BY a.subject_id, a.metric, a.topic

-- An event is told by who, which generation, what kind and of which system; where two are alike, neither is compared.
-- One that is gone because somebody has said more since is news.
-- name: events
WITH a AS (FROM read_parquet($older) SELECT *, coalesce(system, '') AS place
           QUALIFY count(*) OVER (PARTITION BY organisation_id, generation, kind, place) = 1),
b AS (FROM read_parquet($newer) SELECT *, coalesce(system, '') AS place),
paired AS (
    SELECT a AS before, b AS after, b.row_key IS NULL AS is_gone, a.claimant <> b.claimant AS is_of_another
    FROM a LEFT JOIN b USING (organisation_id, generation, kind, place)
    QUALIFY count(*) OVER (PARTITION BY a.row_key) = 1)
SELECT before, after, is_gone, is_of_another FROM paired AS p
WHERE CASE WHEN NOT is_gone
           THEN (after.on_low, after.on_high, after.accelerators)
                IS DISTINCT FROM (before.on_low, before.on_high, before.accelerators)
                AND coalesce(after.stated_on, after.stated_not_after, DATE '0001-01-01') <= $since
           ELSE NOT EXISTS (FROM b WHERE b.organisation_id = p.before.organisation_id
                            AND b.generation = p.before.generation
                            AND coalesce(b.stated_on, b.stated_not_after) > $since) END
ORDER BY before.organisation_id, before.row_key

-- A reviewed result is never news again: another value is a correction, of the organisers or of the reading. One that
-- went counts where the rest of its round is read from the same place as before.
-- name: results
WITH a AS (FROM read_parquet($older) QUALIFY count(*) OVER (PARTITION BY result_key) = 1),
b AS (FROM read_parquet($newer) QUALIFY count(*) OVER (PARTITION BY result_key) = 1)
SELECT a AS before, b AS after, b.result_key IS NULL AS is_gone,
       b.commit <> a.commit OR b.archive_sha256 <> a.archive_sha256 AS is_of_another
FROM a LEFT JOIN b USING (result_key)
WHERE CASE WHEN b.result_key IS NOT NULL
           THEN (b.result, b.unit, b.accelerators) IS DISTINCT FROM (a.result, a.unit, a.accelerators)
           ELSE a.result_key NOT IN (SELECT result_key FROM read_parquet($newer))
                AND (a.suite, a.round, a.origin) IN (SELECT (suite, round, origin) FROM read_parquet($newer)) END
ORDER BY a.benchmark_id, a.result_key
