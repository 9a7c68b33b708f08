-- Question: does each source still answer, when did it last say something new, and what is wrong with it in words?
-- Grain: one row is one source of sources.yaml.
-- Selection: tries of the source's own addresses; the latest run that asked it decides. The record has no clock of its own:
-- 'now' is the latest try of any source. Captures made before tries were logged, or added by hand, count as successes.
CREATE MACRO marts.source_health_as_of(day) AS TABLE
WITH tried AS (FROM evidence.attempts WHERE attempted_at::DATE <= day),
captured AS (FROM evidence.captures WHERE captured_at::DATE <= day),
clock AS (SELECT max(attempted_at) AS now FROM tried),
entries AS (
    SELECT *, outcome IN ('fetched', 'unchanged') AS is_success,
           dense_rank() OVER (PARTITION BY source_id ORDER BY run_id DESC) AS runs_ago
    FROM tried WHERE is_entry
),
last_run AS (
    SELECT source_id, max(attempted_at) AS last_attempt_at, bool_or(is_success) AS has_success, count(*)::INTEGER AS addresses,
           count(*) FILTER (NOT is_success)::INTEGER AS failed_addresses, mode(reason) FILTER (NOT is_success) AS reason,
           arg_max(detail, attempted_at) FILTER (NOT is_success) AS detail, arg_max(status, attempted_at) AS status,
           bool_and(outcome = 'gone') AS is_gone, bool_and(outcome = 'refused') AS is_refused
    FROM entries WHERE runs_ago = 1 GROUP BY source_id
),
streaks AS (
    SELECT source_id, coalesce(min(runs_ago) FILTER (is_success), max(runs_ago) + 1)::INTEGER - 1 AS failed_runs
    FROM entries GROUP BY source_id
),
answered AS (
    SELECT source_id, max(seen_at) AS last_success_at, max(seen_at) FILTER (is_change) AS last_change_at
    FROM (
        SELECT source_id, attempted_at AS seen_at, outcome = 'fetched' AS is_change FROM entries WHERE is_success
        UNION ALL
        SELECT source_id, captured_at, kind <> 'revisit' FROM captured
        WHERE source_id NOT IN (SELECT source_id FROM tried)
    )
    GROUP BY source_id
)
SELECT
    s.source_id, s.title, s.status,
    CASE WHEN s.status = 'skip' THEN 'not collected'
         WHEN l.source_id IS NULL AND a.last_success_at IS NULL THEN 'never'
         WHEN l.is_gone THEN 'gone'
         WHEN l.is_refused THEN 'refused by robots'
         WHEN NOT l.has_success AND l.reason IN ('challenge_page', 'login_wall') THEN 'challenge page'
         WHEN NOT l.has_success THEN 'failing'
         WHEN coalesce(a.last_change_at, a.last_success_at) < c.now - to_hours(10 * s.cadence_hours) THEN 'quiet'
         ELSE 'current' END AS verdict,
    coalesce(CASE
        WHEN s.status = 'skip' THEN 'its terms or its robots file do not allow collecting, or nothing reads its form'
        WHEN l.source_id IS NULL AND a.last_success_at IS NULL THEN 'never asked'
        WHEN NOT l.has_success THEN replace(l.reason, '_', ' ') || ': ' || l.detail
        WHEN l.failed_addresses > 0 THEN l.failed_addresses || ' of ' || l.addresses || ' addresses failed, ' || replace(l.reason, '_', ' ') || ': ' || l.detail
        END, 'answers') AS says,
    l.last_attempt_at, a.last_success_at, a.last_change_at, coalesce(k.failed_runs, 0) AS failed_runs, l.status AS http_status,
    l.reason, coalesce(l.failed_addresses, 0) AS failed_addresses,
    CASE WHEN s.status <> 'skip' THEN coalesce(l.last_attempt_at, a.last_success_at) + to_hours(s.cadence_hours) END AS next_due_at
FROM evidence.sources AS s
CROSS JOIN clock AS c
LEFT JOIN last_run AS l USING (source_id)
LEFT JOIN streaks AS k USING (source_id)
LEFT JOIN answered AS a USING (source_id);

CREATE TABLE marts.source_health AS FROM marts.source_health_as_of(DATE '9999-12-31') ORDER BY source_id;
