-- Question: where do claims disagree, by how much, and why, when the data shows a reason?
-- Grain: evidence.conflicts: one row is one set of rival values of one metric of one subject, counted alike;
-- evidence.conflict_sides: one row is one claim of a set.
-- Selection: claims on the same subject and metric, with the same qualifiers where both state them, for overlapping
-- periods (sums over a period: for one period), whose values (or intervals, where a bound is printed) differ by more than
-- the metric's tolerance. A value with an unstated qualifier that agrees with one of the stated ones is taken to mean that
-- one. Illustrative and withdrawn claims take no part. A bound on how many parts a thing is built of stands for the number
-- itself: 'up to 16' of a blade and 'eight' are rivals. `kind` is 'contradiction', or 'qualified' where both sides state a
-- qualifier that differs (another workload, packages against dies, usable memory against all) and only a reader who drops it sees a conflict.
-- The macros answer for a day and, where ids are given, for some subjects only: nothing told later is known to them.
-- Whether two stances differ by a factor, to the rounding of either.
CREATE MACRO fits_stances(a, b, factor) AS fits_factor(a.value, last_digit(a.value), b.value, last_digit(b.value), factor);

-- Whether two stances sum up one period: a quarter is no rival of its year, a fiscal quarter is one of the calendar's.
CREATE MACRO is_one_period(a, b) AS
    2 * datediff('day', greatest(a.period_start, b.period_start), least(a.period_end, b.period_end))
    > greatest(datediff('day', a.period_start, a.period_end), datediff('day', b.period_start, b.period_end));

-- Whether a figure of such a thing may be of some of its chips only: of a machine all are of one kind.
CREATE MACRO holds_many_chips(subject_kind) AS subject_kind IN ('site', 'organisation', 'programme');

-- Whether one name says what the other says, or more of it: 'H100' and 'NVIDIA H100 SXM'.
CREATE MACRO is_one_name(one, other) AS
    list_has_all(string_split(name_group(one)[2:], ' '), string_split(name_group(other)[2:], ' '))
    OR list_has_all(string_split(name_group(other)[2:], ' '), string_split(name_group(one)[2:], ' '));

CREATE MACRO evidence.rival_pairs_as_of(day, subjects := NULL) AS TABLE
WITH stances AS MATERIALIZED (
    SELECT
        c.claim_id, c.subject_key, c.metric, c.claimant_key, c.stated_on, c.known_on, c.is_copied, m.kind AS metric_kind,
        per_word(stated(c.qualifiers, 'per')) AS per,
        stated(c.qualifiers, 'precision') AS precision,
        stated(c.qualifiers, 'sparsity') AS sparsity,
        stated(c.qualifiers, 'counted_as') AS counted_as,
        stated(c.qualifiers, 'direction') AS direction,
        stated(c.qualifiers, 'baseline') AS baseline,
        stated(c.qualifiers, 'workload') AS workload,
        stated(c.qualifiers, 'accelerator') AS chip,
        meant_basis(
            basis_given(c.qualifiers, c.value),
            list(basis_given(c.qualifiers, c.value)) FILTER (stated(c.qualifiers, 'memory_basis') IS NOT NULL)
                OVER (PARTITION BY c.subject_key, c.metric),
            m.tolerance
        ) AS memory_basis,
        map_from_entries(list_filter(
            map_entries(c.qualifiers),
            lambda entry: entry.value <> 'unstated' AND entry.key NOT IN (
                'bound', 'approx', 'memory_type', 'printed_unit', 'per', 'precision', 'sparsity', 'counted_as', 'direction',
                'baseline', 'workload', 'ton', 'memory_basis')
                AND (entry.key <> 'accelerator' OR holds_many_chips(c.subject_kind))
        ))::VARCHAR AS rest,
        coalesce(c.period_start, DATE '0001-01-01') AS period_start,
        coalesce(c.period_end, DATE '9999-12-31') AS period_end,
        list_contains(m.requires, 'period') AS is_sum, list_contains(m.requires, 'workload') AS asks_workload,
        greatest(m.tolerance, CASE WHEN c.qualifiers['approx'] IS NOT NULL THEN 0.1 ELSE 0 END) AS tolerance,
        coalesce(c.value, datediff('day', DATE '2000-01-01', c.value_start)) AS value,
        CASE WHEN c.qualifiers['bound'] IN ('max', 'high') AND NOT is_built_count(c.metric) THEN '-inf'::DOUBLE
             ELSE coalesce(c.value_low, c.value, datediff('day', DATE '2000-01-01', c.value_start)) END AS low,
        CASE WHEN c.qualifiers['bound'] IN ('min', 'low') AND NOT is_built_count(c.metric) THEN 'inf'::DOUBLE
             ELSE coalesce(c.value_high, c.value, datediff('day', DATE '2000-01-01', c.value_end)) END AS high
    FROM evidence.claims_as_of(day, subjects := subjects) AS c
    JOIN registry.metrics AS m ON m.metric_id = c.metric
    WHERE c.evidence <> 'illustrative' AND c.modality <> 'withdrawn' AND c.value_text IS NULL
      -- an organisation announces many things
      AND NOT (c.metric = 'announced_on' AND c.subject_kind = 'organisation')
),
-- Claims that say one thing alike count once here, so that the pairs stay few however many pages repeat them.
points AS MATERIALIZED (
    SELECT
        row_number() OVER (ORDER BY subject_key, metric, claim_ids[1]) AS point_id, *
    FROM (
        SELECT subject_key, metric, metric_kind, per, precision, sparsity, counted_as, direction, baseline, workload, chip, memory_basis, rest,
               period_start, period_end, is_sum, asks_workload, value, low, high, max(tolerance) AS tolerance, list(claim_id ORDER BY claim_id) AS claim_ids,
               list_sort(list_distinct(list(claimant_key))) AS claimant_keys, min(stated_on) AS stated_on,
               min(known_on) AS known_on, max(stated_on) AS last_stated_on, bool_and(is_copied) AS is_copied
        FROM stances GROUP BY ALL
    )
),
point_pairs AS MATERIALIZED (
    SELECT
        a.point_id AS a_id, b.point_id AS b_id,
        a.high < b.low - tolerated(a, b) OR b.high < a.low - tolerated(a, b) AS differs,
        (a.precision IS NULL) <> (b.precision IS NULL) OR (a.sparsity IS NULL) <> (b.sparsity IS NULL)
            OR (a.counted_as IS NULL) <> (b.counted_as IS NULL) OR (a.per IS NULL) <> (b.per IS NULL)
            OR (a.workload IS NULL) <> (b.workload IS NULL) OR (a.direction IS NULL) <> (b.direction IS NULL)
            OR (a.chip IS NULL) <> (b.chip IS NULL) AS is_partly_unstated,
        coalesce(a.workload <> b.workload, false) OR coalesce(a.memory_basis <> b.memory_basis, false) AS is_of_another,
        coalesce(a.counted_as <> b.counted_as, false) AS has_other_counting
    FROM points AS a
    JOIN points AS b
      ON a.subject_key = b.subject_key AND a.metric = b.metric AND a.point_id < b.point_id AND a.rest = b.rest
     AND a.period_start <= b.period_end AND b.period_start <= a.period_end
     AND (NOT a.is_sum OR is_one_period(a, b))
    WHERE coalesce(a.per = b.per, true)
      AND coalesce(a.precision = b.precision, true)
      AND coalesce(a.sparsity = b.sparsity, true)
      AND (coalesce(a.counted_as = b.counted_as, true) OR a.metric_kind = 'count')
      AND coalesce(a.direction = b.direction, true)
      AND coalesce(is_one_name(a.chip, b.chip), true)
      AND a.baseline IS NOT DISTINCT FROM b.baseline
      -- a figure on a workload is no rival of the rated one, unless the metric is always of a workload
      AND (a.workload IS NOT DISTINCT FROM b.workload OR (a.asks_workload AND coalesce(a.workload = b.workload, true))
           OR a.metric IN ('speedup', 'efficiency_gain'))
),
agreeing AS MATERIALIZED (
    SELECT a_id AS point_id FROM point_pairs WHERE NOT differs AND is_partly_unstated
    UNION SELECT b_id FROM point_pairs WHERE NOT differs AND is_partly_unstated
),
rivals AS (
    SELECT p.* FROM point_pairs AS p
    LEFT JOIN agreeing AS x ON x.point_id = p.a_id
    LEFT JOIN agreeing AS y ON y.point_id = p.b_id
    WHERE p.differs AND NOT (p.is_partly_unstated AND (x.point_id IS NOT NULL OR y.point_id IS NOT NULL))
)
SELECT
    left(md5(concat_ws('|', a.subject_key, a.metric, coalesce(a.per, b.per, ''), coalesce(a.baseline, ''), a.rest,
                       coalesce(a.precision, b.precision), coalesce(a.sparsity, b.sparsity), coalesce(a.direction, b.direction))), 16) AS conflict_id,
    a.subject_key, a.metric, coalesce(a.per, b.per) AS per, a.baseline, a.rest,
    a.point_id AS a_id, b.point_id AS b_id, a.claim_ids || b.claim_ids AS claim_ids,
    CASE WHEN r.is_of_another OR r.has_other_counting THEN 'qualified' ELSE 'contradiction' END AS kind,
    greatest(a.known_on, b.known_on) AS opened_on, a.stated_on IS NULL OR b.stated_on IS NULL AS is_undated,
    abs(ln(greatest(abs(a.value), 1e-12) / greatest(abs(b.value), 1e-12))) AS distance,
    list_filter([
        CASE WHEN r.is_of_another THEN 'different thing' END,
        CASE WHEN r.has_other_counting
                  OR (a.metric IN ('accelerator_count', 'scale_up_domain_size', 'cluster_size', 'units_shipped')
                      AND (a.counted_as IS NULL OR b.counted_as IS NULL)
                      AND (fits_stances(a, b, coalesce(d.dies, 2)) OR fits_stances(a, b, 4)))
             THEN 'package or die' END,
        CASE WHEN a.metric = 'compute' AND (a.sparsity IS NULL OR b.sparsity IS NULL) AND fits_stances(a, b, 2) THEN 'dense or sparse' END,
        CASE WHEN a.metric IN ('scale_up_bandwidth', 'scale_out_bandwidth') AND (a.direction IS NULL OR b.direction IS NULL)
              AND coalesce(a.per <> 'port', true) AND fits_stances(a, b, 2) THEN 'one-way or both-ways' END,
        CASE WHEN (a.per IS NULL OR b.per IS NULL) AND d.accelerators > 1 AND fits_stances(a, b, d.accelerators) THEN 'per what' END,
        CASE WHEN a.metric = 'weight' AND fits_stances(a, b, 1.10231) THEN 'tonne or short ton' END,
        CASE WHEN a.metric LIKE '%bandwidth' AND fits_stances(a, b, 8) THEN 'unit slip' END,
        CASE WHEN a.metric = 'memory_capacity' AND is_binary_slip(a.value, 1, b.value, 1) THEN 'GB/GiB' END,
        CASE WHEN a.metric_kind IN ('quantity', 'money') AND fits_stances(a, b, 1000) THEN 'unit slip' END,
        CASE WHEN a.is_copied <> b.is_copied THEN 'altered copy' END
    ], lambda cause: cause IS NOT NULL) AS causes
FROM rivals AS r
JOIN points AS a ON a.point_id = r.a_id
JOIN points AS b ON b.point_id = r.b_id
LEFT JOIN (
    SELECT s.system_id AS subject_key, sum(p.count) AS accelerators, max(acc.dies_per_package) AS dies
    FROM registry.systems AS s
    JOIN registry.system_parts AS p ON p.system_id = s.system_id AND p.part_kind = 'accelerator'
    LEFT JOIN registry.accelerators AS acc ON acc.accelerator_id = p.part
    GROUP BY ALL
    UNION ALL
    SELECT accelerator_id, 1, dies_per_package FROM registry.accelerators
) AS d ON d.subject_key = a.subject_key;

-- Per conflict and claim: what the set is, and what the rule says of the claim.
CREATE MACRO evidence.conflict_members_as_of(day) AS TABLE
WITH pairs AS MATERIALIZED (FROM evidence.rival_pairs_as_of(day)),
members AS MATERIALIZED (SELECT DISTINCT conflict_id, unnest(claim_ids) AS claim_id FROM pairs),
found AS MATERIALIZED (FROM evidence.resolved(day)),
-- what the rule says of each claim: it stands in a cell, or lost against the one that does
verdicts AS MATERIALIZED (
    SELECT claim_id AS pick_id, is_disputed, claim_id, NULL::VARCHAR AS why, NULL::VARCHAR AS cause FROM found
    UNION ALL
    SELECT claim_id, is_disputed, one.claim_id, one.why, one.cause FROM (SELECT claim_id, is_disputed, unnest(lost) AS one FROM found)
),
-- of the picks among a conflict's claims the one that most of the others lost against
picks AS (
    SELECT m.conflict_id, v.pick_id, bool_or(v.is_disputed) AS is_disputed, list_sort(list_distinct(list(v.cause))) AS causes,
           arg_min(v.cause, cause_order(v.cause)) FILTER (v.cause IS NOT NULL) AS cause
    FROM members AS m JOIN verdicts AS v USING (claim_id)
    WHERE EXISTS (FROM members AS p WHERE p.conflict_id = m.conflict_id AND p.claim_id = v.pick_id)
    GROUP BY m.conflict_id, v.pick_id
    QUALIFY row_number() OVER (PARTITION BY m.conflict_id ORDER BY count(*) DESC, v.pick_id) = 1
),
sets AS (
    SELECT
        conflict_id, any_value(per) AS per, any_value(baseline) AS baseline,
        CASE WHEN bool_or(kind = 'contradiction') THEN 'contradiction' ELSE 'qualified' END AS kind,
        min(opened_on) AS opened_on, arg_min(is_undated, (opened_on, is_undated)) AS is_undated,
        list_sort(list_distinct(flatten(list(causes)))) AS fitting, mode(causes[1] ORDER BY causes[1]) AS likely
    FROM pairs GROUP BY conflict_id
)
SELECT
    s.*, m.claim_id, k.pick_id, k.pick_id IS NOT NULL AND NOT k.is_disputed AS is_picked, coalesce(k.is_disputed, true) AS is_disputed,
    k.causes, k.cause, v.why, c.* EXCLUDE (claim_id, caveats),
    row_number() OVER (
        PARTITION BY m.conflict_id
        ORDER BY m.claim_id = k.pick_id DESC NULLS LAST, c.is_copied, c.evidence, c.known_on DESC, c.claimants DESC, c.claim_id
    )::INTEGER AS place
FROM members AS m
JOIN sets AS s USING (conflict_id)
JOIN evidence.claims_as_of(day) AS c USING (claim_id)
LEFT JOIN picks AS k USING (conflict_id)
LEFT JOIN (SELECT DISTINCT ON (pick_id, claim_id) * FROM verdicts ORDER BY pick_id, claim_id, why) AS v
  ON v.pick_id = k.pick_id AND v.claim_id = m.claim_id;

-- The two tables of a relation of members; the relation is one of the build or one of a day.
CREATE MACRO sides_of(members) AS TABLE
SELECT conflict_id, claim_id, place, place = 1 AND is_picked AS is_resolved, why FROM query_table(members);

CREATE MACRO sets_of(members) AS TABLE
WITH sets AS (
    SELECT
        conflict_id, arg_min(subject, place) AS subject, any_value(subject_id) AS subject_id, any_value(subject_key) AS subject_key,
        any_value(metric) AS metric, any_value(unit) AS unit, any_value(per) AS per, any_value(baseline) AS baseline, any_value(kind) AS kind,
        count(*)::INTEGER AS claims, count(DISTINCT claimant_key)::INTEGER AS claimants,
        min(coalesce(value_low, value)) AS low, max(coalesce(value_high, value)) AS high,
        CASE WHEN low > 0 THEN high / low END AS ratio, min(value_start) AS earliest, max(value_end) AS latest,
        any_value(opened_on) AS opened_on, any_value(is_undated) AS is_undated,
        -- a member that only rounds the pick does not say why the rivals differ
        coalesce(nullif(any_value(cause), 'rounded'), any_value(likely), any_value(cause), 'real disagreement') AS likely_cause,
        coalesce(nullif(any_value(causes), []), nullif(any_value(fitting), []), ['real disagreement']) AS causes,
        arg_min(claim_id, place) AS resolved_claim_id, bool_or(is_disputed) AS is_disputed,
        CASE WHEN any_value(pick_id) IS NULL THEN 'the claims stand in cells of their own'
             WHEN bool_or(is_disputed) THEN 'disputed: no pick' ELSE 'what stands by the rule of docs/method.md' END AS rule
    FROM query_table(members) GROUP BY conflict_id
)
FROM sets;

-- Before the macros that call it again: they are planned as they are made, with what answers for the last day by then.
CREATE TEMP TABLE members_of_all_days AS FROM evidence.conflict_members_as_of(DATE '9999-12-31');

CREATE MACRO evidence.conflict_sides_as_of(day) AS TABLE
WITH conflict_members AS MATERIALIZED (FROM evidence.conflict_members_as_of(day)) FROM sides_of('conflict_members');

CREATE MACRO evidence.conflicts_as_of(day) AS TABLE
WITH conflict_members AS MATERIALIZED (FROM evidence.conflict_members_as_of(day)) FROM sets_of('conflict_members');

CREATE TABLE evidence.conflict_sides AS FROM sides_of('members_of_all_days') ORDER BY conflict_id, place;

CREATE TABLE evidence.conflicts AS FROM sets_of('members_of_all_days') ORDER BY subject, metric, conflict_id;

DROP TABLE members_of_all_days;
