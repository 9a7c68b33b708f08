-- name: claims_digits_at_locator
-- on: evidence.mentions
-- severity: error
-- says: the characters at a mention's locator are part of what is printed there, and hold a digit or a word of number or time
SELECT m.claim_id, m.document_id, m.locator, m.printed, found.words
FROM evidence.mentions AS m
JOIN (SELECT document_id, any_value(text) AS text FROM lake_documents WHERE document_id <> '' GROUP BY document_id) AS d
  ON d.document_id = m.document_id,
LATERAL (SELECT substring(d.text, m.locator_start + 1, m.locator_end - m.locator_start) AS words) AS found
WHERE found.words = ''
   OR NOT (contains(m.printed, found.words) OR contains(found.words, m.printed))
   OR (m.value IS NOT NULL AND NOT regexp_matches(
        lower(found.words),
        '[0-9½¼¾⅓⅔]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|half|third|quarter|dozen|single|double|triple|twice|dual|quad|fully|entire|all|every'));
