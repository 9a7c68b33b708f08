-- Question: does each source still answer, can its answers be read, when did it last say something new, and what is wrong in words?
-- Grain: one row is one source of sources.yaml.
-- Selection: tries of the source's own addresses; the latest run that asked it decides, and so does the newest answer of each
-- address: one that cannot be read, has far less than the five before it, or falls below a declared floor is a fault like a
-- failed try, and so is a source that the build sets aside, for what it says is not shown. What a feed or listing led to counts by
-- the last run that asked any of it, and by the newest answers of the five newest addresses: it fails if none of the last day's can
-- be read.
-- The record has no clock of its own: 'now' is the latest try of any source; tries dated ahead of the build are passed over.
-- Captures made before tries were logged, or added by hand, count as successes.
CREATE MACRO marts.source_health_as_of(day) AS TABLE
WITH tried AS (
    SELECT *, min(attempted_at) OVER (PARTITION BY source_id, run_id) AS run_at,
           outcome IN ('fetched', 'unchanged') AS is_success
    FROM evidence.attempts WHERE attempted_at::DATE <= day AND NOT is_ahead
),
clock AS (SELECT max(attempted_at) AS now FROM tried),
captured AS (
    FROM evidence.captures
    WHERE captured_at::DATE <= day AND coalesce(captured_at <= (SELECT now + INTERVAL 1 HOUR FROM clock), true)
),
asked AS (SELECT source_id, kind, least_rows, unnest(urls) AS url FROM evidence.sources WHERE status <> 'skip'),
entries AS (
    SELECT *, dense_rank() OVER (PARTITION BY source_id ORDER BY run_at DESC) AS runs_ago FROM tried WHERE is_entry
),
last_run AS (
    SELECT source_id, max(attempted_at) AS last_attempt_at, bool_or(is_success) AS has_success, count(*)::INTEGER AS addresses,
           count(*) FILTER (NOT is_success)::INTEGER AS failed_addresses, mode(reason ORDER BY reason) FILTER (NOT is_success) AS reason,
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
),
-- The newest answer of each address, of equals the first. An unchanged answer is that of the same bytes before.
answers AS MATERIALIZED (
    SELECT source_id, url, captured_at, min(capture_id) AS capture_id, arg_min(sha256, capture_id) AS sha256
    FROM captured JOIN (SELECT source_id, url, max(captured_at) AS captured_at FROM captured GROUP BY ALL) USING (source_id, url, captured_at)
    GROUP BY ALL
),
newest AS (
    SELECT source_id, url, a.kind, least_rows, capture_id, sha256 FROM answers JOIN asked AS a USING (source_id, url)
),
-- Of all days: bytes that a wrong clock dated ahead may be those that an address gives now.
documents AS (
    SELECT d.source_id, c.url, d.payload_sha256 AS sha256, d.captured_at, d.problem, d.detail, d.character_count, d.table_count,
           median(d.character_count) OVER before AS characters_before, min(d.table_count) OVER before AS tables_before
    FROM evidence.documents AS d JOIN evidence.captures AS c USING (capture_id)
    WINDOW before AS (PARTITION BY d.source_id, c.url ORDER BY d.captured_at, d.capture_id ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING)
),
tables AS (
    SELECT m.capture_id, m.problem, m.rows, m.unread,
           median(m.rows) OVER before AS rows_before, first_value(m.unread) OVER (PARTITION BY m.source_id, m.url ORDER BY m.captured_at, m.capture_id) AS unread_at_first
    FROM evidence.market_captures AS m
    WINDOW before AS (PARTITION BY m.source_id, m.url ORDER BY m.captured_at, m.capture_id ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING)
),
-- What is wrong with the newest answers, one row an address and fault.
faults AS (
    SELECT source_id, url, problem AS reason, detail, true AS is_failing
    FROM newest JOIN documents AS d USING (source_id, url, sha256) WHERE d.problem <> ''
    UNION ALL
    SELECT source_id, url, 'layout_changed',
           CASE WHEN table_count = 0 AND tables_before > 0 THEN 'it had ' || tables_before || ' tables and has none now'
                ELSE format('{:,}', character_count) || ' characters of text, ' || format('{:,}', characters_before::BIGINT) || ' before' END, true
    FROM newest JOIN documents AS d USING (source_id, url, sha256)
    WHERE d.problem = '' AND kind NOT IN ('feed', 'listing')
      AND ((table_count = 0 AND tables_before > 0) OR (characters_before >= 500 AND character_count < 0.2 * characters_before))
    UNION ALL
    SELECT source_id, url, problem, coalesce(p.detail, 'the answer could not be read'), true
    FROM newest JOIN tables USING (capture_id)
    LEFT JOIN (SELECT source_id, reason AS problem, min(detail) AS detail FROM evidence.problems GROUP BY ALL) AS p USING (source_id, problem)
    WHERE problem <> ''
    UNION ALL
    SELECT source_id, url, 'too_few_rows',
           rows || ' rows, ' || CASE WHEN rows < least_rows THEN 'at least ' || least_rows || ' expected' ELSE rows_before::BIGINT || ' before' END, true
    FROM newest JOIN tables USING (capture_id)
    WHERE problem = '' AND (rows < least_rows OR rows < 0.5 * rows_before OR (rows = 0 AND least_rows IS NULL AND rows_before IS NULL))
    UNION ALL
    SELECT source_id, url, 'fields_new', 'nobody reads ' || array_to_string(list_sort(fresh)[:5], ', '), false
    FROM (SELECT *, list_filter(unread, lambda f: NOT list_contains(unread_at_first, f)) AS fresh FROM newest JOIN tables USING (capture_id))
    WHERE len(fresh) > 0 AND problem = ''
    UNION ALL
    SELECT source_id, place, reason, detail, reason IN ('too_few_items', 'partition_failed') FROM evidence.problems
    WHERE scope = source_id AND reason IN ('too_few_items', 'too_many_items', 'nothing_newer', 'partition_failed')
),
items AS (
    SELECT source_id, count(*) AS asked, count(*) FILTER (NOT is_success) AS failed, bool_and(outcome = 'refused') AS is_refused,
           mode(reason ORDER BY reason) FILTER (NOT is_success) AS reason, arg_max(detail, attempted_at) FILTER (NOT is_success) AS detail
    FROM (FROM tried WHERE NOT is_entry QUALIFY run_at = max(run_at) OVER (PARTITION BY source_id)) GROUP BY source_id
),
unread_items AS (
    SELECT source_id, count(*) AS looked, count(*) FILTER (problem <> '') AS failed,
           bool_and(problem <> '') FILTER (captured_at::DATE = last_day) AS is_last_day_unread,
           mode(problem ORDER BY problem) FILTER (problem <> '') AS reason, arg_max(detail, captured_at) FILTER (problem <> '') AS detail
    FROM (
        -- equal bytes are one document, however many addresses give them: an empty shell, say
        SELECT source_id, url, captured_at, problem, detail, max(captured_at) OVER (PARTITION BY source_id)::DATE AS last_day
        FROM answers
        ANTI JOIN asked USING (source_id, url)
        JOIN (SELECT source_id, sha256, arg_min(problem, captured_at) AS problem, arg_min(detail, captured_at) AS detail
              FROM documents GROUP BY ALL) USING (source_id, sha256)
        QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY captured_at DESC, url) <= 5
    )
    GROUP BY source_id
),
read AS (
    SELECT source_id, count(DISTINCT url) FILTER (is_failing)::INTEGER AS failed_addresses, bool_or(reason = 'nothing_newer') AS is_old,
           arg_min(reason, (NOT is_failing, url, reason)) AS reason,
           string_agg(DISTINCT replace(reason, '_', ' ') || ': ' || detail, '; ' ORDER BY replace(reason, '_', ' ') || ': ' || detail) AS says
    FROM faults GROUP BY source_id
),
judged AS (
    SELECT
        s.source_id, s.title, s.status, s.set_aside, s.cadence_hours, l.* EXCLUDE (source_id, status), l.status AS http_status, a.last_success_at, a.last_change_at,
        coalesce(k.failed_runs, 0) AS failed_runs,
        l.source_id IS NULL AND a.last_success_at IS NULL AS is_never,
        coalesce(NOT l.has_success, false) AS is_unanswered,
        coalesce(r.failed_addresses, 0) + coalesce(l.failed_addresses, 0) >= len(s.urls) AND r.failed_addresses > 0 AS is_unreadable,
        coalesce(i.failed = i.asked, false) AS is_without_items, coalesce(u.is_last_day_unread, false) AS has_unread_items,
        i.is_refused AS are_items_refused, r.is_old, r.reason AS fault, i.reason AS items_reason, u.reason AS unread_reason,
        concat_ws('; ',
            'set aside: ' || s.set_aside,
            CASE WHEN l.failed_addresses > 0
                 THEN CASE WHEN l.has_success THEN l.failed_addresses || ' of ' || l.addresses || ' addresses failed, ' ELSE '' END
                      || replace(l.reason, '_', ' ') || ': ' || l.detail END,
            CASE WHEN NOT coalesce(NOT l.has_success, false) THEN r.says END,
            CASE WHEN i.failed > 0 THEN i.failed || ' of ' || i.asked || ' items failed, ' || replace(i.reason, '_', ' ') || ': ' || i.detail END,
            CASE WHEN u.failed > 0 THEN u.failed || ' of its ' || u.looked || ' newest items cannot be read, '
                                        || replace(u.reason, '_', ' ') || ': ' || u.detail END) AS wrong
    FROM evidence.sources AS s
    LEFT JOIN last_run AS l USING (source_id)
    LEFT JOIN streaks AS k USING (source_id)
    LEFT JOIN answered AS a USING (source_id)
    LEFT JOIN read AS r USING (source_id)
    LEFT JOIN items AS i USING (source_id)
    LEFT JOIN unread_items AS u USING (source_id)
)
SELECT
    source_id, title, status,
    CASE WHEN status = 'skip' THEN 'not collected'
         WHEN is_never THEN 'never'
         WHEN is_gone THEN 'gone'
         WHEN is_refused OR (NOT is_unanswered AND are_items_refused) THEN 'refused by robots'
         WHEN is_unanswered AND j.reason IN ('challenge_page', 'login_wall') THEN 'challenge page'
         WHEN set_aside IS NOT NULL OR is_unanswered OR is_unreadable OR is_without_items OR has_unread_items THEN 'failing'
         WHEN is_old OR coalesce(last_change_at, last_success_at) < c.now - to_hours(10 * cadence_hours) THEN 'quiet'
         ELSE 'current' END AS verdict,
    CASE WHEN status = 'skip' THEN 'its terms or its robots file do not allow collecting, or nothing reads its form'
         WHEN is_never THEN 'never asked' ELSE coalesce(nullif(wrong, ''), 'answers') END AS says,
    last_attempt_at, last_success_at, last_change_at, failed_runs, http_status,
    CASE WHEN status <> 'skip' THEN
        coalesce(CASE WHEN set_aside IS NOT NULL AND NOT is_unanswered THEN 'set_aside' END, j.reason, fault, items_reason, unread_reason)
    END AS reason,
    coalesce(failed_addresses, 0) AS failed_addresses,
    CASE WHEN status <> 'skip' THEN
        greatest(last_success_at + to_hours(cadence_hours), last_attempt_at + to_hours(cadence_hours) / 4) END AS next_due_at
FROM judged AS j CROSS JOIN clock AS c;

CREATE TABLE marts.source_health AS FROM marts.source_health_as_of(DATE '9999-12-31') ORDER BY source_id;
