-- name: links_lead_to_pages
-- kind: build
-- on: evidence.mentions
-- severity: warn
-- says: the link of a statement leads to the page that carries it, not to the root of a site
SELECT url, count(*) AS n FROM (
    SELECT url FROM evidence.mentions UNION ALL SELECT url FROM facts.promises UNION ALL SELECT url FROM facts.adoption
)
WHERE regexp_matches(url, '^https?://[^/?#]+/?$') GROUP BY url;
