-- name: claims_not_from_the_future
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: nothing was stated after the day of the build
SELECT rowid AS row, 'stated on ' || known_on AS found FROM evidence.mentions
WHERE known_on > getvariable('built_at')::DATE;
