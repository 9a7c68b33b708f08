-- Question: what is known of one accelerator or one system, cell by cell?
-- Grain: one row is one cell: one metric of one thing, counted in one way (`topic`), with the claim that stands.
-- Selection: the value that stands by the rule of docs/method.md, with the range of all that was
-- said, how many independent claimants agree, and the conflict it takes part in. `subjects`, a list of ids, asks for their cells only.
CREATE MACRO marts.cells_as_of(day, subjects := NULL) AS TABLE
SELECT
    r.subject_key, r.subject_id, r.subject, r.subject_kind, r.metric, m.title AS metric_title, r.topic, r.qualifiers,
    r.value, r.value_text, r.value_start, r.value_end, r.unit, r.range_low, r.range_high, r.range_start, r.range_end,
    r.modality, r.claim_id, r.claimant, r.claimants, r.all_claimants, r.said_in, r.evidence, r.stated_on, r.last_stated_on,
    r.period_start, r.period_end, r.caveats, r.arithmetic, r.printed, r.source_id, r.url, r.losers,
    (SELECT min(s.conflict_id) FROM evidence.conflict_sides AS s JOIN evidence.conflicts AS k USING (conflict_id)
     WHERE s.claim_id = r.claim_id AND k.opened_on <= day) AS conflict_id
FROM evidence.resolved(day, subjects := subjects) AS r
LEFT JOIN registry.metrics AS m ON m.metric_id = r.metric;

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
