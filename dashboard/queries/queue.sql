-- SQL of the page of readings that wait for a person.

-- name: queue
SELECT q.* REPLACE (
           q.evidence::VARCHAR AS evidence,
           array_to_string(list_transform(map_entries(q.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
       ), coalesce(m.title, q.metric) AS metric_title
FROM evidence.queue AS q LEFT JOIN registry.metrics AS m ON m.metric_id = q.metric
ORDER BY q.worth DESC, q.claim_id
