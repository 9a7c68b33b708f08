-- name: claims_digits_at_locator
-- kind: row
-- on: evidence.mentions
-- severity: error
-- says: the characters at a mention's locator are part of what is printed there, and hold a digit or a word of number or time
SELECT m.rowid AS row, format('{} is printed, at the locator stands {}', left(m.printed, 80), left(place.words, 80)) AS found
FROM evidence.mentions AS m
JOIN (SELECT document_id, any_value(text) AS text FROM lake_documents WHERE document_id <> '' GROUP BY document_id) AS d
  ON d.document_id = m.document_id,
LATERAL (SELECT substring(d.text, m.locator_start + 1, m.locator_end - m.locator_start) AS words) AS place
WHERE place.words = ''
   OR NOT (contains(m.printed, place.words) OR contains(place.words, m.printed))
   OR (m.value IS NOT NULL AND NOT regexp_matches(
        lower(place.words),
        '[0-9½¼¾⅓⅔]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|half|third|quarter|dozen|single|double|triple|twice|dual|quad|fully|entire|all|every'));
