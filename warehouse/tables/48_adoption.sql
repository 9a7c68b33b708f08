-- Which organisation did what with which generation, when: one row is one event of one organisation, whoever tells it.
-- Pages give reviewed events; Epoch AI's clusters, MLPerf submissions (each partner of a joint one), cloud offers and the TOP500
-- lists give theirs from their own tables. An empty `on_low` means known by `on_high` and perhaps long before.
CREATE TEMP TABLE events_told AS
WITH from_pages AS (
    SELECT
        'page' AS origin, organisation_id, generation_id AS generation, kind, coalesce(system, '') AS system, on_low, on_high, accelerators, claimant,
        printed_by, evidence::evidence_tag AS evidence, 'ledger' AS source_id, url, stated_on, stated_not_after, NULL::DATE AS told_until
    FROM committed_adoption
),
from_clusters AS (
    SELECT
        'cluster table', n.organisation_id, c.generation,
        CASE WHEN status = 'Planned' THEN 'plan' ELSE 'in service' END, cluster,
        coalesce(operational_on, stated_on) - CASE WHEN length(operational_note) = 7 THEN 14 ELSE 0 END,
        coalesce(operational_on, stated_on) + CASE WHEN length(operational_note) = 7 THEN 16 ELSE 0 END, chips,
        'Epoch AI', 'Epoch AI', evidence, source_id, url, stated_on, stated_on, told_until
    FROM (SELECT *, unnest(string_split(owner_raw, ',')) AS owner,
                 CASE WHEN NOT is_latest THEN (SELECT min(n.stated_on) FROM facts.clusters AS n
                      WHERE n.source_id = s.source_id AND n.first_seen > s.last_seen) END AS told_until
          FROM facts.clusters AS s) AS c
    JOIN listed_organisations AS n ON n.raw = trim(c.owner) AND n.organisation_id IS NOT NULL
    WHERE generation IS NOT NULL AND certainty IN ('Confirmed', 'Likely') AND NOT is_possible_duplicate
      AND (status = 'Existing' AND operational_on IS NOT NULL OR status = 'Planned')
),
submitted AS (
    SELECT suite, round, stated_on, stated_on_basis, unnest(string_split(submitter, ' + ')) AS submitter, generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_training WHERE generation IS NOT NULL
    UNION ALL
    SELECT suite, round, stated_on, stated_on_basis, unnest(string_split(submitter, ' + ')), generation, accelerators, evidence, source_id, url
    FROM facts.mlperf_inference WHERE generation IS NOT NULL
),
from_rounds AS (
    SELECT
        'MLPerf ' || suite, o.organisation_id, generation, 'benchmark', suite || ' ' || round, NULL::DATE, s.stated_on,
        max(accelerators)::BIGINT, s.submitter, 'MLCommons', min(evidence), min(source_id), min(url),
        CASE WHEN stated_on_basis <> 'capture' THEN s.stated_on END, s.stated_on, NULL::DATE
    FROM submitted AS s JOIN registry.organisations AS o ON o.name = s.submitter
    GROUP BY suite, round, s.submitter, o.organisation_id, generation, s.stated_on, s.stated_on_basis
),
from_offers AS (
    SELECT
        'cloud offer', provider_id, generation, 'general availability', 'listed by ' || min_by(publisher_name, first_seen),
        CASE WHEN min_by(first_seen > first_look_on, (first_seen, first_seen > first_look_on)) THEN min(first_seen) END, min(first_seen), NULL::BIGINT,
        min_by(provider, first_seen), min_by(publisher_name, first_seen), min_by(evidence, first_seen), min_by(source_id, first_seen),
        min_by(CASE WHEN regexp_matches(offer_url, '^https?://[^/?#]+/.') THEN offer_url ELSE url END, first_seen), min(first_seen), min(first_seen), NULL::DATE
    FROM (SELECT o.*, s.publisher_name, min(first_seen) OVER (PARTITION BY source_id, provider_id) AS first_look_on
          FROM facts.cloud_offers AS o JOIN evidence.sources AS s USING (source_id))
    WHERE generation IS NOT NULL AND provider_id IS NOT NULL
    GROUP BY provider_id, generation
),
-- a machine counts once, on the first list that shows it; one that was new to that list came since the list before
from_lists AS (
    SELECT
        'TOP500', organisation_id, generation, 'in service', coalesce(nullif(name, ''), computer),
        CASE WHEN first_list = list_number THEN (list_month - INTERVAL 6 MONTH)::DATE END, stated_on, accelerators::BIGINT,
        'TOP500', 'TOP500', evidence, source_id, url, stated_on, stated_on, NULL::DATE
    FROM facts.top500 WHERE organisation_id IS NOT NULL AND generation IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY system_id ORDER BY list_number) = 1
),
events AS (
    FROM from_pages UNION ALL FROM from_clusters UNION ALL FROM from_rounds UNION ALL FROM from_offers UNION ALL FROM from_lists
),
-- the layer of a day is the latest one that had begun; where two hold from the start, the first by name
layered AS (
    SELECT e.*, arg_max(l.layer, (coalesce(l.valid_from, DATE '1900-01-01'), l.layer)) AS last_layer,
           arg_min(l.layer, (coalesce(l.valid_from, DATE '1900-01-01'), l.layer)) AS first_layer
    FROM events AS e
    LEFT JOIN registry.organisation_layers AS l
      ON l.organisation_id = e.organisation_id
     AND coalesce(e.on_high, e.on_low, e.stated_not_after) BETWEEN coalesce(l.valid_from, DATE '1900-01-01') AND coalesce(l.valid_to, DATE '9999-12-31')
    GROUP BY ALL
)
SELECT
    md5(concat_ws('|', origin, l.organisation_id, generation, kind, system, on_low, on_high, url)) AS row_key,
    l.organisation_id, o.name AS organisation, first_layer AS layer, generation, g.vendor_id AS vendor, g.name AS generation_name,
    kind, system, on_low, on_high, accelerators, origin, claimant, printed_by, evidence, source_id, url, stated_on, stated_not_after, told_until
FROM layered AS l
JOIN registry.organisations AS o USING (organisation_id)
JOIN registry.generations AS g ON g.generation_id = l.generation;

CREATE TABLE facts.adoption AS
SELECT * EXCLUDE (told_until) FROM events_told WHERE told_until IS NULL
ORDER BY organisation, generation, kind, on_high, origin, system, url;

CREATE TABLE facts.adoption_before AS
FROM events_told WHERE told_until IS NOT NULL ORDER BY organisation, generation, kind, on_high, origin, system, url;

DROP TABLE events_told;

-- The events as they were told on a day; a table's newest edition of the day speaks for it.
CREATE MACRO facts.adoption_as_of(day) AS TABLE
FROM facts.adoption WHERE stated_not_after <= day
UNION ALL BY NAME
SELECT * EXCLUDE (told_until) FROM facts.adoption_before WHERE stated_not_after <= day AND told_until > day;
