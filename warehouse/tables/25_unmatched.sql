-- Question: which names in the documents look like products and are not in the registry?
-- Grain: one row is one name, however it is written.
-- Selection: names that the registry does not know today, the most frequent first.
CREATE TABLE evidence.unmatched AS
SELECT
    mode(name ORDER BY name) AS name, name_key, count(*)::INTEGER AS occurrences,
    count(DISTINCT document_id)::INTEGER AS documents,
    list({'document_id': document_id, 'url': url, 'locator_start': locator_start, 'locator_end': locator_end}
         ORDER BY document_id, locator_start)[:5] AS examples
FROM lake_unmatched
GROUP BY name_key
ORDER BY occurrences DESC, name_key;
