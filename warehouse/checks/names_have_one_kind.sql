-- name: names_have_one_kind
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: a name that the registry does not know is of one kind in all that stands: a machine is no accelerator elsewhere
WITH kinds AS (
    SELECT subject, mode(subject_kind) AS kind FROM evidence.mentions
    WHERE subject_id IS NULL AND reading_state IN ('typed', 'accepted', 'confident')
    GROUP BY subject HAVING count(DISTINCT subject_kind) > 1
)
SELECT m.rowid AS row, format('{}: kind {} here, {} elsewhere', m.subject, m.subject_kind, k.kind) AS found
FROM evidence.mentions AS m JOIN kinds AS k USING (subject)
WHERE m.subject_id IS NULL AND m.subject_kind <> k.kind AND m.reading_state IN ('typed', 'accepted', 'confident');
