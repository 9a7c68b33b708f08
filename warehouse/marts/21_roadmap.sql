-- Question: what was promised for when, what was said later, and what came?
-- Grain: marts.roadmap: one row is one statement on one milestone; marts.milestones: one row is one milestone (subject, stage,
-- variant) with its state; marts.slips: one row is one milestone whose promise has an outcome or was moved;
-- marts.slips_by_party: one row is one party that answers for milestones.
-- Selection: facts.promises as known on a day. Only the party's own word (or that of who speaks for it) promises, confirms and
-- moves; what analysts and papers report stands beside. The promiser's first period is the earliest dated promise, else an
-- undated one, else the earliest revision. A statement whose period neither holds nor lies in that of the one before moves it;
-- a repeat, a tighter or a looser wording confirms it. The outcome is the best told actual that nobody disputes. A bound
-- ('by the end of 2026') is a period of its one day. A slip runs from the first promised period to the outcome's, or to the
-- period that stands where a promise was moved and nothing came yet: at least from last day to first day, at most from first
-- to last. Overdue is judged on the day asked for, at most on the last day of reading.
CREATE MACRO marts.roadmap_as_of(day) AS TABLE
WITH known AS (
    SELECT
        p.*, coalesce(p.period_start, p.period_end) AS promised_start, coalesce(p.period_end, p.period_start) AS promised_end,
        p.modality = 'actual' AS is_actual,
        p.is_own_word AND p.modality IN ('promised', 'revised', 'confirmed', 'denied') AS is_own_promise,
        p.stated_on IS NULL AND p.stated_not_after = p.read_on AS is_undated
    FROM facts.promises_as_of(day) AS p
),
placed AS (
    -- an undated promise is the first word only where no dated one is known; beside a dated one it repeats
    SELECT *,
        is_own_promise AND NOT (is_undated AND modality = 'promised' AND bool_or(is_own_promise AND NOT is_undated AND modality = 'promised')
                                OVER (PARTITION BY subject_id, milestone, variant)) AS is_in_turn,
        CASE WHEN is_undated AND modality = 'promised' THEN 0 WHEN is_undated THEN 2 ELSE 1 END AS phase
    FROM known
),
turns AS (
    SELECT
        statement_id,
        row_number() OVER said AS turn,
        lag(statement_id) OVER dated AS previous_id,
        lag(promised_start) OVER dated AS previous_start,
        lag(promised_end) OVER dated AS previous_end
    FROM placed WHERE is_in_turn
    WINDOW said AS (PARTITION BY subject_id, milestone, variant ORDER BY phase, known_on, statement_id),
           dated AS (PARTITION BY subject_id, milestone, variant, promised_start IS NULL ORDER BY phase, known_on, statement_id)
)
SELECT
    p.statement_id, p.claim_id, p.subject_id, p.subject, p.subject_kind, p.party_id, p.milestone, p.variant, p.modality,
    p.period_start, p.period_end, p.promised_start, p.promised_end, p.claimant, p.claimant_id, p.is_own_word, p.is_actual,
    p.is_disputed, p.superseded_by, p.printed_by, p.evidence, p.stated_on, p.stated_on_precision, p.stated_not_after, p.known_on,
    coalesce(a.vendor_id, y.vendor_id, g.vendor_id, n.vendor_id) AS vendor,
    coalesce(a.generation_id, g.generation_id) AS generation,
    row_number() OVER (PARTITION BY p.subject_id, p.milestone, p.variant ORDER BY p.phase, p.known_on, p.statement_id)::INTEGER AS statement,
    t.turn::INTEGER AS turn, t.previous_id AS previous_statement_id,
    coalesce(CASE
        WHEN t.turn IS NULL THEN false
        WHEN p.promised_start IS NULL THEN p.modality = 'revised'
        WHEN t.previous_start IS NULL THEN p.modality = 'revised'
        ELSE NOT (p.promised_start >= t.previous_start AND p.promised_end <= t.previous_end)
         AND NOT (p.promised_start <= t.previous_start AND p.promised_end >= t.previous_end)
    END, false) AS is_revision,
    CASE WHEN is_revision AND t.turn IS NOT NULL
         THEN (datediff('day', t.previous_start, p.promised_start) + datediff('day', t.previous_end, p.promised_end)) / 2.0
    END AS shift_days,
    p.source_id, p.url, p.other_urls, p.caveats
FROM placed AS p
LEFT JOIN turns AS t USING (statement_id)
LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.subject_id
LEFT JOIN registry.systems AS y ON y.system_id = p.subject_id
LEFT JOIN registry.generations AS g ON g.generation_id = p.subject_id
LEFT JOIN registry.networks AS n ON n.network_id = p.subject_id;

CREATE MACRO marts.milestones_as_of(day) AS TABLE
WITH road AS (
    SELECT *, {'statement_id': statement_id, 'claim_id': claim_id, 'stated_on': stated_on, 'starts': promised_start,
               'ends': promised_end, 'low': period_start, 'high': period_end, 'url': url, 'evidence': evidence,
               'claimant': claimant, 'printed_by': printed_by} AS said
    FROM marts.roadmap_as_of(day)
),
gathered AS (
    SELECT
        subject_id, milestone, variant, any_value(subject_kind) AS subject_kind, any_value(party_id) AS party_id,
        arg_max(subject, (known_on, statement_id)) AS subject, any_value(vendor) AS vendor, any_value(generation) AS generation,
        count(*)::INTEGER AS statements,
        count(DISTINCT claimant)::INTEGER AS claimants,
        count(*) FILTER (is_revision)::INTEGER AS revisions,
        count(*) FILTER (turn > 1 AND NOT is_revision)::INTEGER AS confirmations,
        arg_min(said, (modality <> 'promised', turn)) FILTER (turn IS NOT NULL AND promised_start IS NOT NULL) AS first,
        arg_max(said, turn) FILTER (turn IS NOT NULL AND promised_start IS NOT NULL) AS latest,
        arg_max(is_revision AND promised_start IS NULL, turn) FILTER (turn IS NOT NULL) AS is_open,
        arg_max(said, turn) FILTER (turn IS NOT NULL AND is_revision AND promised_start IS NULL) AS opened,
        arg_min(said, (period_start IS NULL OR period_end IS NULL, stated_on IS NULL, evidence, promised_end - promised_start, known_on, statement_id))
            FILTER (is_actual AND NOT is_disputed) AS actual,
        arg_max({'said': said, 'by': superseded_by}, (known_on, statement_id)) FILTER (modality = 'cancelled' AND is_own_word) AS ended,
        max(stated_on) FILTER (turn IS NOT NULL AND stated_on < promised_start) AS still_open_on,
        count(*) FILTER (NOT is_own_word AND NOT is_actual)::INTEGER AS reports,
        arg_max(said, (known_on, statement_id)) FILTER (NOT is_own_word AND NOT is_actual AND promised_start IS NOT NULL) AS reported,
        count(*) FILTER (is_actual AND is_disputed)::INTEGER AS disputed_actuals
    FROM road GROUP BY subject_id, milestone, variant
),
-- who gives a product up gives up all of its milestones
given_up AS (
    SELECT subject_id, arg_max(ended, (ended.said.stated_on, ended.said.statement_id)) AS ended FROM gathered
    WHERE ended IS NOT NULL AND variant = '' AND milestone IN ('launch', 'programme') GROUP BY subject_id
),
-- a later stage that was reached shows that the earlier ones were, by then at the latest; of what is sold, a lot that runs or was
-- handed over shows it of the product
implied AS (
    SELECT g.subject_id, s.earlier AS milestone, v.variant, arg_min(g.actual, (g.actual.ends, g.milestone, g.variant)) AS actual
    FROM (SELECT *, subject_kind <> 'site' AS is_sold FROM gathered WHERE actual IS NOT NULL) AS g
    JOIN (VALUES ('general_availability', 'launch', false), ('first_shipments', 'sampling', false), ('volume_shipments', 'sampling', false),
                 ('volume_shipments', 'first_shipments', false), ('volume_shipments', 'production', false), ('installed', 'delivery', false),
                 ('in_service', 'delivery', false), ('in_service', 'installed', false), ('production', 'delivery', false),
                 ('user_access', 'in_service', false), ('user_access', 'delivery', false), ('user_access', 'installed', false),
                 ('inauguration', 'delivery', false), ('first_shipments', 'launch', true), ('volume_shipments', 'launch', true),
                 ('delivery', 'launch', true), ('delivery', 'first_shipments', true), ('in_service', 'launch', true),
                 ('in_service', 'first_shipments', true), ('in_service', 'sampling', true)) AS s(later, earlier, of_sold)
      ON s.later = g.milestone AND (g.is_sold OR NOT s.of_sold),
    LATERAL (SELECT unnest(list_distinct([g.variant, CASE WHEN g.is_sold THEN '' ELSE g.variant END])) AS variant) AS v
    GROUP BY ALL
),
-- and a machine that was delivered shows that the accelerators in it were, by then at the latest
contained AS (
    SELECT m.model_id AS subject_id, 'launch' AS milestone, '' AS variant, arg_min(g.actual, (g.actual.ends, g.subject_id, g.milestone)) AS actual
    FROM gathered AS g
    JOIN registry.system_parts AS p ON p.system_id = g.subject_id AND p.part_kind = 'accelerator'
    JOIN (SELECT accelerator_id, unnest(list_distinct([accelerator_id, model_id])) AS model_id FROM registry.accelerators) AS m
      ON m.accelerator_id = p.part
    WHERE g.actual IS NOT NULL AND g.variant = '' AND g.milestone IN ('launch', 'general_availability', 'first_shipments', 'volume_shipments')
    GROUP BY m.model_id
),
shown AS (
    SELECT g.* EXCLUDE (actual),
        CASE WHEN g.actual IS NOT NULL OR g.first IS NULL THEN g.actual
             WHEN coalesce(i.actual, c.actual) IS NOT NULL THEN struct_update(coalesce(i.actual, c.actual), low := NULL::DATE) END AS actual,
        CASE WHEN g.actual IS NOT NULL THEN 'stated' WHEN g.first IS NULL THEN NULL
             WHEN i.actual IS NOT NULL THEN 'later stage' WHEN c.actual IS NOT NULL THEN 'in a machine' END AS actual_basis
    FROM gathered AS g LEFT JOIN implied AS i USING (subject_id, milestone, variant) LEFT JOIN contained AS c USING (subject_id, milestone, variant)
),
ended AS (
    SELECT g.* EXCLUDE (ended, actual),
           -- what the party still promised on a day had not come by that day
           CASE WHEN g.actual.low IS NULL AND g.still_open_on <= g.actual.high
                THEN struct_update(g.actual, low := g.still_open_on) ELSE g.actual END AS actual, CASE WHEN g.actual IS NULL THEN coalesce(g.ended, u.ended) END AS ended,
           (SELECT max(least(coalesce(read_on, known_on), day)) FROM facts.promises WHERE known_on <= day) AS judged_on
    FROM shown AS g LEFT JOIN given_up AS u USING (subject_id)
),
measured AS (
    SELECT * REPLACE (CASE WHEN is_open AND actual IS NULL AND ended IS NULL THEN opened END AS opened),
        revisions > 0 AND ended IS NULL AND NOT coalesce(is_open, false) AND first.statement_id <> latest.statement_id AS is_moved,
        coalesce(first.low, first.high) AS from_start, first.high AS from_end,
        CASE WHEN actual IS NOT NULL THEN actual.low WHEN is_moved THEN latest.starts END AS to_start,
        CASE WHEN actual IS NOT NULL THEN actual.high WHEN is_moved THEN latest.ends END AS to_end
    FROM ended
)
SELECT
    subject_id, subject_id AS subject_key, subject, subject_kind, party_id, vendor, generation, milestone, variant,
    CASE
        WHEN first IS NULL AND (actual IS NOT NULL OR ended IS NULL) AND revisions = 0 THEN 'no promise known'
        WHEN actual IS NOT NULL AND actual.low > first.high THEN 'delivered late'
        WHEN actual IS NOT NULL AND actual.high <= first.high THEN 'delivered on time'
        WHEN actual IS NOT NULL THEN 'delivered'
        WHEN ended.by IS NOT NULL THEN 'superseded'
        WHEN ended IS NOT NULL THEN 'cancelled'
        WHEN is_open THEN 'revised'
        WHEN (CASE WHEN revisions = 0 THEN greatest(first.high, latest.high) ELSE latest.high END) < judged_on THEN 'overdue'
        WHEN revisions > 0 THEN 'revised'
        WHEN confirmations > 0 THEN 'confirmed'
        ELSE 'promised'
    END AS state,
    statements, claimants, revisions, confirmations, reports, disputed_actuals, ended.by AS superseded_by,
    first.statement_id AS first_statement_id, first.claim_id AS first_claim_id, first.stated_on AS first_stated_on,
    first.low AS first_start, first.high AS first_end, first.url AS first_url, first.evidence AS first_evidence,
    first.claimant AS first_claimant,
    latest.statement_id AS latest_statement_id, latest.claim_id AS latest_claim_id, latest.stated_on AS latest_stated_on,
    latest.low AS latest_start, latest.high AS latest_end, latest.url AS latest_url, latest.evidence AS latest_evidence,
    latest.claimant AS latest_claimant,
    actual.statement_id AS actual_statement_id, actual.claim_id AS actual_claim_id, actual.stated_on AS actual_stated_on,
    actual.low AS actual_start, actual.high AS actual_end, actual.url AS actual_url, actual.evidence AS actual_evidence,
    actual.claimant AS actual_claimant, actual_basis,
    ended.said.statement_id AS ended_statement_id, ended.said.claim_id AS ended_claim_id, ended.said.stated_on AS ended_stated_on,
    ended.said.url AS ended_url, ended.said.evidence AS ended_evidence, ended.said.claimant AS ended_claimant,
    opened.statement_id AS open_statement_id, opened.claim_id AS open_claim_id, opened.stated_on AS open_stated_on,
    opened.url AS open_url, opened.evidence AS open_evidence, opened.claimant AS open_claimant,
    reported.statement_id AS reported_statement_id, reported.low AS reported_start, reported.high AS reported_end,
    reported.claimant AS reported_claimant, reported.url AS reported_url, reported.stated_on AS reported_stated_on,
    reported.evidence AS reported_evidence,
    datediff('day', from_end, to_start) AS slip_low_days,
    datediff('day', CASE WHEN first.low IS NULL THEN from_end ELSE from_start END, to_end) AS slip_high_days,
    (slip_low_days + slip_high_days) / 2.0 AS slip_days,
    CASE WHEN state = 'overdue' THEN datediff('day', latest.high, judged_on) END AS overdue_days,
    (SELECT list(n.name ORDER BY n.valid_from NULLS FIRST) FROM registry.system_names_as_of(day) AS n
     WHERE n.system_id = subject_id) AS names
FROM measured;

CREATE MACRO marts.slips_as_of(day) AS TABLE
FROM marts.milestones_as_of(day)
WHERE (first_statement_id IS NOT NULL OR ended_statement_id IS NOT NULL)
  AND (actual_statement_id IS NOT NULL OR ended_statement_id IS NOT NULL OR revisions > 0);

-- A rate needs eight decided milestones; a median three slips. The interval is that of 500 resamples of the party's slips, drawn
-- by a hash so that equal rows give equal digits.
CREATE MACRO marts.slips_by_party_as_of(day) AS TABLE
WITH milestones AS (FROM marts.milestones_as_of(day) WHERE state <> 'no promise known'),
slips AS (
    SELECT party_id, slip_days, row_number() OVER (PARTITION BY party_id ORDER BY slip_days, subject_id, milestone, variant) AS place,
           count(*) OVER (PARTITION BY party_id) AS slips
    FROM milestones WHERE state LIKE 'delivered%' AND slip_days IS NOT NULL
),
drawn AS (
    SELECT s.party_id, b.resample, 1 + (('0x' || md5(s.party_id || '/' || b.resample || '/' || s.place)[1:8])::BIGINT % s.slips) AS place
    FROM slips AS s CROSS JOIN range(500) AS b(resample) WHERE s.slips >= 3
),
medians AS (
    SELECT d.party_id, d.resample, median(s.slip_days) AS slip_days
    FROM drawn AS d JOIN slips AS s USING (party_id, place) GROUP BY ALL
),
intervals AS (
    SELECT party_id, quantile_cont(slip_days, 0.025) AS median_low_days, quantile_cont(slip_days, 0.975) AS median_high_days
    FROM medians GROUP BY party_id
)
SELECT
    m.party_id, count(*)::INTEGER AS promised,
    count(*) FILTER (state LIKE 'delivered%')::INTEGER AS delivered,
    count(*) FILTER (state = 'delivered on time')::INTEGER AS on_time,
    count(*) FILTER (state = 'delivered late')::INTEGER AS late,
    count(*) FILTER (state = 'overdue')::INTEGER AS overdue,
    count(*) FILTER (state IN ('cancelled', 'superseded'))::INTEGER AS given_up,
    count(*) FILTER (revisions > 0)::INTEGER AS revised,
    count(*) FILTER (state LIKE 'delivered%' OR state IN ('cancelled', 'superseded') OR revisions > 0)::INTEGER AS measured,
    count(slip_days) FILTER (state LIKE 'delivered%')::INTEGER AS slips,
    median(slip_days) FILTER (state LIKE 'delivered%') AS median_slip_days,
    any_value(i.median_low_days) AS median_low_days, any_value(i.median_high_days) AS median_high_days,
    min(slip_days) FILTER (state LIKE 'delivered%') AS least_slip_days,
    max(slip_days) FILTER (state LIKE 'delivered%') AS largest_slip_days,
    CASE WHEN on_time + late >= 8 THEN on_time / (on_time + late) END AS on_time_share,
    on_time + late < 8 AS is_thin
FROM milestones AS m LEFT JOIN intervals AS i ON i.party_id = m.party_id
GROUP BY m.party_id;

CREATE TABLE marts.roadmap AS
FROM marts.roadmap_as_of(DATE '9999-12-31') ORDER BY subject_id, milestone, variant, statement;

CREATE TABLE marts.milestones AS
FROM marts.milestones_as_of(DATE '9999-12-31') ORDER BY party_id, subject_id, milestone, variant;

CREATE TABLE marts.slips AS
FROM marts.slips_as_of(DATE '9999-12-31') ORDER BY party_id, subject_id, milestone, variant;

CREATE TABLE marts.slips_by_party AS
FROM marts.slips_by_party_as_of(DATE '9999-12-31') ORDER BY party_id;
