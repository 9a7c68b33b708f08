-- Question: what was forecast, what decides it, and how did it turn out?
-- Grain: marts.forecasts: one row is one forecast; marts.forecast_scores: one row is one claimant.
-- Selection: claims that carry a day on which they fall due and a criterion. Where the criterion is a figure or a date
-- (facts.forecast_tests) a query decides, from the day on which what it found was known; where it is not, a named claim
-- (facts.forecast_verdicts), from that claim's day. What neither decides is open. `later_ids` are claims on the same subject and
-- metric that were stated afterwards. A forecast on a price names the accelerators of marts.prices that its subject means.
-- The accelerators of which a forecast on a price speaks.
CREATE MACRO marts.forecast_models() AS TABLE
SELECT DISTINCT t.forecast_id, a.model_id
FROM (SELECT DISTINCT s.forecast_id, unnest(string_split(trim(name_group(k.subject), '~'), ' ')) AS word
      FROM facts.forecast_tests AS s JOIN evidence.claims AS k ON k.claim_id = s.forecast_id WHERE s.test = 'hour price') AS t
JOIN registry.aliases AS x ON name_group(x.alias) = name_group(t.word)
JOIN registry.accelerators AS a ON x.subject_id IN (a.accelerator_id, a.model_id, a.generation_id);

CREATE MACRO marts.forecast_findings_as_of(day) AS TABLE
WITH tests AS MATERIALIZED (
    SELECT t.*, c.stated_on, c.subject, c.subject_key FROM facts.forecast_tests AS t
    JOIN evidence.claims_as_of(day) AS c ON c.claim_id = t.forecast_id
),
-- who had what: events of adoption, and reviewed results on a system of that name
had AS (
    SELECT organisation_id, layer, generation, system, kind || ' of ' || organisation AS words, row_key AS id, url,
           coalesce(on_high, stated_not_after) AS had_on, stated_not_after AS told_on
    FROM facts.adoption_as_of(day) WHERE kind NOT IN ('plan', 'preview', 'retired')
    UNION ALL
    SELECT o.organisation_id, l.layer, r.generation, r.system_name, r.suite || ' ' || r.round || ' of ' || o.name, r.result_key, r.url,
           r.stated_on, r.stated_on
    FROM (SELECT suite, round, submitter, system_name, generation, result_key, url, stated_on FROM facts.mlperf_training
          UNION ALL SELECT suite, round, submitter, system_name, generation, result_key, url, stated_on FROM facts.mlperf_inference) AS r
    JOIN registry.organisations AS o ON o.name = r.submitter
    JOIN registry.organisation_layers_as_of(day) AS l
      ON l.organisation_id = o.organisation_id
     AND r.stated_on BETWEEN coalesce(l.valid_from, DATE '0001-01-01') AND coalesce(l.valid_to, DATE '9999-12-31')
),
firsts AS (
    SELECT t.forecast_id, h.organisation_id, arg_min(h, (h.had_on, h.told_on, h.id)) AS h
    FROM tests AS t JOIN had AS h
      ON list_contains(t.layers, h.layer) AND h.had_on <= day AND h.told_on <= day
     AND (t.system IS NULL OR contains(h.system, t.system)) AND (t.system IS NOT NULL OR list_contains(t.generations, h.generation))
    WHERE t.test = 'adoption' GROUP BY ALL
),
adopted AS (
    SELECT f.forecast_id, f.h.had_on AS found_on, f.h.told_on AS told_on, f.h.id AS id, f.h.words AS words, f.h.url AS url
    FROM firsts AS f JOIN tests AS t USING (forecast_id)
    QUALIFY row_number() OVER (PARTITION BY f.forecast_id ORDER BY f.h.had_on, f.h.told_on, f.h.id) = t.organisations
),
stated_figures AS (
    SELECT t.forecast_id, c.stated_on AS found_on, c.stated_on AS told_on, c.claim_id AS id, c.claimant || ' on ' || c.subject AS words, c.url
    FROM tests AS t JOIN evidence.claims_as_of(day) AS c ON c.metric = t.metric
    WHERE t.test = 'figure' AND coalesce(c.value_low, c.value) >= t.figure AND c.modality IN ('deployed', 'measured') AND NOT c.is_copied
      AND c.evidence <> 'illustrative' AND (t.metric <> 'capex' OR c.subject_key = t.subject_key)
),
priced AS (
    SELECT t.forecast_id, p.observed_on, p.observed_on, concat_ws('|', p.source_id, p.accelerator_model, p.period_start),
           'median hour of ' || p.accelerator_model, p.url
    FROM tests AS t JOIN marts.forecast_models() AS m USING (forecast_id)
    JOIN marts.prices_until(day) AS p ON p.accelerator_model = m.model_id
    WHERE t.test = 'hour price' AND p.median_usd_per_gpu_hour <= t.figure AND p.accelerator_grain = 'model' AND p.layer = 'all'
      AND p.price_type = 'on_demand' AND NOT p.is_thin AND p.observed_on > t.stated_on
),
found AS (
    FROM (FROM adopted UNION ALL FROM stated_figures UNION ALL FROM priced)
    QUALIFY row_number() OVER (PARTITION BY forecast_id ORDER BY found_on, told_on, id) = 1
),
-- how far the record reaches: to the last reading of what was known by the day
clock AS (
    SELECT max(least(coalesce(read_on, known_on), day)) AS judged_on FROM evidence.mentions WHERE known_on <= day
)
SELECT
    t.forecast_id,
    CASE WHEN f.found_on BETWEEN t.from_on AND t.to_on THEN t.if_found
         WHEN f.found_on < t.from_on OR t.to_on < c.judged_on THEN t.if_not END AS verdict,
    CASE WHEN f.found_on <= t.to_on THEN greatest(f.told_on, t.stated_on) ELSE t.to_on END AS decided_on,
    CASE WHEN f.found_on <= t.to_on THEN f.id END AS decided_by, CASE WHEN f.found_on <= t.to_on THEN f.url END AS decided_url,
    CASE WHEN f.found_on <= t.to_on THEN f.words || ', ' || f.found_on ELSE 'nothing found by ' || t.to_on END AS why
FROM tests AS t CROSS JOIN clock AS c LEFT JOIN found AS f USING (forecast_id)
WHERE verdict IS NOT NULL;

CREATE MACRO marts.forecasts_as_of(day) AS TABLE
WITH known AS MATERIALIZED (FROM evidence.claims_as_of(day)),
entered AS (
    SELECT claim_id, min(due_on) AS due_on, arg_min(criterion, (known_on, locator)) AS criterion
    FROM evidence.mentions WHERE due_on IS NOT NULL AND criterion IS NOT NULL AND known_on <= day AND doubt IS NULL
    GROUP BY claim_id
),
decided AS (
    SELECT forecast_id AS claim_id, verdict, decided_on, decided_by, decided_url, why FROM marts.forecast_findings_as_of(day)
    UNION ALL
    SELECT forecast_id, verdict, decided_on, decided_by, url, why FROM facts.forecast_verdicts WHERE decided_on <= day
)
SELECT
    c.claim_id, c.subject, c.subject_id, c.subject_key, c.metric, c.value, c.value_text, c.value_start, c.value_end, c.unit,
    c.claimant, c.claimant_key, c.evidence, c.stated_on, e.due_on, e.criterion, coalesce(d.verdict, 'open') AS state,
    d.decided_on AS judged_by, d.decided_by, d.decided_on, d.decided_url, d.why,
    coalesce((
        SELECT list(l.claim_id ORDER BY l.stated_on, l.claim_id) FROM known AS l
        WHERE l.subject_key = c.subject_key AND l.metric = c.metric AND l.stated_on > c.stated_on AND NOT l.is_copied
    ), []) AS later_ids,
    coalesce((
        SELECT list_sort(list(DISTINCT p.accelerator_model)) FROM marts.prices_until(day) AS p
        JOIN marts.forecast_models() AS m ON m.model_id = p.accelerator_model
        WHERE m.forecast_id = c.claim_id AND p.observed_on > c.stated_on
    ), []) AS price_series,
    c.caveats, c.source_id, c.url, c.note
FROM known AS c JOIN entered AS e USING (claim_id) LEFT JOIN decided AS d USING (claim_id);

CREATE MACRO marts.forecast_scores_as_of(day) AS TABLE
SELECT
    claimant_key, any_value(claimant) AS claimant, count(*)::INTEGER AS forecasts,
    count(*) FILTER (state = 'met')::INTEGER AS met,
    count(*) FILTER (state = 'missed')::INTEGER AS missed,
    count(*) FILTER (state = 'ambiguous')::INTEGER AS ambiguous,
    count(*) FILTER (state = 'open')::INTEGER AS open,
    CASE WHEN met + missed >= 3 THEN met / (met + missed) END AS met_share,
    met + missed < 3 AS is_thin
FROM marts.forecasts_as_of(day)
GROUP BY claimant_key;

CREATE TABLE marts.forecasts AS
FROM marts.forecasts_as_of(DATE '9999-12-31') ORDER BY due_on, claim_id;

CREATE TABLE marts.forecast_scores AS
FROM marts.forecast_scores_as_of(DATE '9999-12-31') ORDER BY claimant_key;
