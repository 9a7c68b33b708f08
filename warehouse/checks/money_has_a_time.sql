-- name: money_has_a_time
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: what an organisation spent or took in says in which time: a period, or the year in its qualifiers
SELECT m.rowid AS row, format('{} of {} without a time', m.metric, m.subject) AS found FROM evidence.mentions AS m
WHERE m.metric IN ('capex', 'revenue') AND m.period_start IS NULL AND m.qualifiers['year'] IS NULL
  AND m.qualifiers['period'] IS NULL AND m.reading_state IN ('typed', 'accepted', 'confident');
