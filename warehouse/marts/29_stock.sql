-- Question: which generations make up each owner's and layer's accelerators, quarter by quarter, as a model estimates it?
-- Grain: marts.stratification_stock: one row is one owner, chip, quarter and measure.
-- Selection: of each owner's tables the newest vintage that had been published by the day. Estimates with ranges, never added
-- to counted observations.
CREATE MACRO marts.stratification_stock_as_of(day) AS TABLE
WITH vintage AS (
    SELECT * FROM facts.chip_owners WHERE stated_on <= day
    QUALIFY stated_on = max(stated_on) OVER (PARTITION BY source_id, dataset)
        AND (stated_on, dataset) = first_value((stated_on, dataset)) OVER (
            PARTITION BY source_id, maker_raw, owner_raw, measure, is_fiscal, chip_raw = ''
            ORDER BY stated_on DESC, is_latest DESC, dataset)
)
SELECT
    md5(concat_ws('|', owner, maker, accelerator_model, chip_raw, period_end, measure)) AS row_key,
    owner, owner_id, owner_kind, layer, maker, chip_raw, accelerator_model, generation, period_start, period_end, calendar_quarter,
    measure, units, units_low, units_high, h100e, h100e_low, h100e_high, is_within_other,
    units / nullif(sum(units) OVER (PARTITION BY owner, measure, period_end), 0) AS share_of_owner,
    evidence, source_id, url, stated_on, ['estimated_by_a_model'] AS caveats
FROM vintage;

CREATE TABLE marts.stratification_stock AS
FROM marts.stratification_stock_as_of(DATE '9999-12-31') ORDER BY owner, period_end, maker, chip_raw, measure;
