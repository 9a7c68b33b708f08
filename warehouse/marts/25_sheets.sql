-- Question: what is known of a thing, an accelerator or a system, cell by cell?
-- Grain: one row is one cell: one metric of one thing, counted in one way (`topic`), with the claim that stands.
-- Selection: the value that stands by the rule of docs/method.md, with the range of all that was
-- said, how many independent claimants agree, and the conflict it takes part in. `subjects`, a list of ids, asks for their cells only.
CREATE MACRO marts.cells_as_of(day, subjects := NULL) AS TABLE
SELECT
    r.subject_key, r.subject_id, r.subject, r.subject_kind, r.metric, m.title AS metric_title, r.topic, r.qualifiers,
    r.value, r.value_text, r.value_start, r.value_end, r.unit, r.range_low, r.range_high, r.range_start, r.range_end,
    r.modality, r.claim_id, r.claimant, r.claimants, r.all_claimants, r.said_in, r.evidence, r.stated_on, r.last_stated_on,
    r.stated_not_after, r.period_start, r.period_end, r.caveats, r.arithmetic, r.printed, r.printed_by, r.source_id, r.url, r.losers,
    s.conflict_id
FROM evidence.resolved(day, subjects := subjects) AS r
LEFT JOIN (SELECT claim_id, min(conflict_id) AS conflict_id
           FROM (SELECT conflict_id, unnest(claim_ids) AS claim_id FROM evidence.rival_pairs_as_of(day, subjects := subjects)) GROUP BY claim_id
) AS s ON s.claim_id = r.claim_id
LEFT JOIN registry.metrics AS m ON m.metric_id = r.metric;

CREATE TABLE marts.cells AS
FROM marts.cells_as_of(DATE '9999-12-31') ORDER BY subject_key, metric, topic, claim_id;

CREATE MACRO marts.accelerators_as_of(day) AS TABLE
SELECT a.accelerator_id, a.model_id, a.vendor_id AS vendor, a.generation_id AS generation, c.* EXCLUDE (subject_kind, subject_id)
FROM marts.cells_as_of(day) AS c
JOIN registry.accelerators AS a ON a.accelerator_id = c.subject_id;

CREATE TABLE marts.accelerators AS
FROM marts.accelerators_as_of(DATE '9999-12-31') ORDER BY accelerator_id, metric, topic, claim_id;

CREATE MACRO marts.systems_as_of(day) AS TABLE
SELECT s.system_id, s.vendor_id AS vendor, s.kind AS system_kind, c.* EXCLUDE (subject_kind, subject_id)
FROM marts.cells_as_of(day) AS c
JOIN registry.systems AS s ON s.system_id = c.subject_id;

CREATE TABLE marts.systems AS
FROM marts.systems_as_of(DATE '9999-12-31') ORDER BY system_id, metric, topic, claim_id;

-- Question: what is stated of each maker's systems, and what is not?
-- Grain: marts.sheets: one row is one line of the sheet of one system: the cell that stands, or that nothing is stated.
-- Selection: of the cells that answer a line, counted by the whole machine: one that stands before one that is disputed, a value
-- before a limit, dense before unstated before sparse, a draw at most or rated before a typical one, then by tag and day.
CREATE MACRO sheet_lines() AS TABLE
FROM (VALUES
    (1, 'power', 'Power', 'power', true, NULL), (2, 'accelerators', 'Accelerators', 'accelerator_count', true, NULL),
    (3, 'memory', 'Accelerator memory', 'memory_capacity', true, NULL),
    (4, 'memory_bandwidth', 'Memory bandwidth', 'memory_bandwidth', true, NULL),
    (5, 'scale_up_bandwidth', 'Scale-up bandwidth', 'scale_up_bandwidth', true, NULL),
    (6, 'scale_out_bandwidth', 'Scale-out bandwidth', 'scale_out_bandwidth', true, NULL),
    (7, 'domain', 'Scale-up domain', 'scale_up_domain_size', false, NULL),
    (8, 'compute_fp4', 'Compute, FP4', 'compute', true, ['fp4']), (9, 'compute_fp8', 'Compute, FP8', 'compute', true, ['fp8']),
    (10, 'compute_16', 'Compute, BF16 or FP16', 'compute', true, ['bf16', 'fp16']),
    (11, 'compute_fp64', 'Compute, FP64', 'compute', true, ['fp64']), (12, 'weight', 'Weight', 'weight', true, NULL),
    (13, 'cooling', 'Cooling', 'cooling', false, NULL), (14, 'price', 'Price', 'price', true, NULL),
    (15, 'announced', 'Announced', 'announced_on', false, NULL), (16, 'available', 'Available', 'available_from', false, NULL)
) AS lines(line_no, line, line_title, metric, is_whole, precisions);

CREATE MACRO marts.sheets_as_of(day) AS TABLE
WITH answers AS (
    SELECT s.system_id, l.line, c.* EXCLUDE (subject_key, subject_id, subject, subject_kind, metric, metric_title),
        is_said_limit(c) AS is_limit
    FROM marts.cells_as_of(day) AS c
    JOIN registry.systems AS s ON s.system_id = c.subject_id
    JOIN sheet_lines() AS l ON l.metric = c.metric
     AND (l.precisions IS NULL OR list_contains(l.precisions, qualifier_word('precision', c.qualifiers['precision'])))
     AND (NOT l.is_whole OR per_of(c.qualifiers, s.kind) = s.kind OR (s.kind = 'board' AND per_of(c.qualifiers, s.kind) = 'node'))
    WHERE stated(c.qualifiers, 'part') IS NULL
    QUALIFY row_number() OVER (PARTITION BY s.system_id, l.line ORDER BY
        c.value IS NULL AND c.value_text IS NULL AND c.value_start IS NULL, is_limit,
        list_position(['dense', 'unstated', 'sparse'], coalesce(c.qualifiers['sparsity'], 'unstated')),
        basis_order(power_basis(c)), c.evidence, c.stated_on DESC, c.claim_id) = 1
)
SELECT
    s.vendor_id AS vendor, s.system_id, s.name AS system, s.kind AS system_kind, l.line_no, l.line, l.line_title, l.metric,
    CASE WHEN a.claim_id IS NULL THEN 'nothing stated'
         WHEN a.value IS NULL AND a.value_text IS NULL AND a.value_start IS NULL THEN 'disputed'
         WHEN a.is_limit THEN 'limit' ELSE 'stated' END AS state,
    a.topic, a.value, nullif(a.value_text, '') AS value_text, a.value_start, a.value_end, a.unit, a.range_low, a.range_high, a.range_start, a.range_end,
    a.qualifiers['bound'] AS bound, CASE WHEN l.metric = 'power' AND a.claim_id IS NOT NULL THEN power_basis(a) END AS basis,
    a.modality, a.claim_id, a.claimant, a.printed_by, a.claimants, a.all_claimants, a.said_in, a.evidence, a.stated_on,
    a.stated_not_after, a.caveats, a.source_id, a.url, a.losers, a.conflict_id
FROM registry.systems AS s CROSS JOIN sheet_lines() AS l
LEFT JOIN answers AS a ON a.system_id = s.system_id AND a.line = l.line;

CREATE TABLE marts.sheets AS
FROM marts.sheets_as_of(DATE '9999-12-31') ORDER BY vendor, system_id, line_no;
